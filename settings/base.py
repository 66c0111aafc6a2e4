"""The default profile: a polite crawl that drops near-duplicates."""

BOT_NAME = "neardup"
SPIDER_MODULES = ["crawler.spiders"]
NEWSPIDER_MODULE = "crawler.spiders"
ADDONS: dict = {}

ROBOTSTXT_OBEY = True
AUTOTHROTTLE_ENABLED = True

FEEDS = {
    "output/items.jsonl": {"format": "jsonlines", "encoding": "utf8", "overwrite": True},
}
FEED_EXPORT_ENCODING = "utf-8"
