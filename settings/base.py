"""The default profile: a polite crawl that drops near-duplicates.

The other profiles import everything from here and change a few lines.
"""

BOT_NAME = "neardup"
SPIDER_MODULES = ["crawler.spiders"]
NEWSPIDER_MODULE = "crawler.spiders"

# Near-duplicates: each page is fingerprinted, each item joined to its page, repeats are dropped.
# The add-on would do the same in one line: ADDONS = {"dedup.scrapy.Addon": 500}
DOWNLOADER_MIDDLEWARES = {"dedup.scrapy.FingerprintMiddleware": 10}
SPIDER_MIDDLEWARES = {"dedup.scrapy.OriginMiddleware": 10}
ITEM_PIPELINES = {"dedup.scrapy.NearDupPipeline": 100}

# Politeness.
ROBOTSTXT_OBEY = True
AUTOTHROTTLE_ENABLED = True
CONCURRENT_REQUESTS_PER_DOMAIN = 8

# What is written, and what is shown meanwhile. Each crawl has a feed of its own: two crawls that
# write one file at the same time lose items.
FEEDS = {"output/%(name)s-%(time)s.jsonl": {"format": "jsonlines"}}
FEED_EXPORT_ENCODING = "utf-8"
EXTENSIONS = {
    "crawler.progress.Progress": 500,
    "crawler.summary.Summary": 510,
}
LOG_LEVEL = "INFO"
LOGSTATS_INTERVAL = 0
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False  # of Scrapy 2.19: a port on which any code can be run
