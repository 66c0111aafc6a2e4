"""Crawl sites, or the demo sites, and say whether it went well: the driver behind `make crawl`."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.utils.conf import arglist_to_dict, closest_scrapy_cfg, get_config
from scrapy.utils.project import get_project_settings

from crawler.arguments import Arguments
from dedup.scrapy.environment import project_root

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.settings import Settings
    from scrapy.statscollectors import StatsCollector

logger = logging.getLogger(__name__)

EXIT_FAILED = 1
EXIT_USAGE = 2
GOOD_REASONS = frozenset({"finished", "max_pages"})

DEMO_LOG = "output/demo/drops.jsonl"
# Our own server on loopback needs no politeness; a fresh store without a seed makes every run the
# same.
DEMO_SETTINGS: dict[str, Any] = {
    "AUTOTHROTTLE_ENABLED": False,
    "DOWNLOAD_DELAY": 0,
    "HTTPCACHE_ENABLED": False,
    "NEARDUP_STORE": "leveldb:output/demo/store",
    "NEARDUP_RESET": True,
    "NEARDUP_HASH_SEED": 0,
    "NEARDUP_LOG": DEMO_LOG,
    "FEEDS": {
        "output/demo/items.jsonl": {"format": "jsonlines", "encoding": "utf8", "overwrite": True},
    },
}

_EPILOG = """\
arguments of the spider (-a NAME=VALUE):
  allow, deny      regular expressions that links must, must not match (white space between)
  max_pages        stop after exactly this many pages
  depth            follow links this many steps from the start; 0: the start pages only
  sitemap          on: begin at the pages of the sites' sitemaps, too (default off)
  strip            off: keep the #fragments of links (default on)

examples:
  python -m crawler                                    crawl the demo sites, offline
  python -m crawler https://example.com/ -a max_pages=500
  python -m crawler seeds.txt --profile classic -s DOWNLOAD_DELAY=1
"""


def build_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m crawler",
        description="Crawl sites and leave out pages that nearly repeat others. "
        "Without START, crawl the two demo sites on this machine.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "start", nargs="*", metavar="START", help="an http(s) URL, or a file with one URL a line"
    )
    parser.add_argument("--profile", metavar="NAME", help="settings profile, from scrapy.cfg")
    parser.add_argument(
        "-s", dest="settings", action="append", default=[], metavar="NAME=VALUE", help="a setting"
    )
    parser.add_argument(
        "-a",
        dest="arguments",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an argument of the spider, see below",
    )
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code: 0 good, 1 crawl failed, 2 wrong usage."""
    options = build_parser().parse_args(argv)
    try:
        settings = load_settings(options.profile)
        overrides = _pairs("-s", options.settings)
        arguments = _spider_arguments(options)
    except ValueError as error:
        return _fail(str(error), EXIT_USAGE)
    with ExitStack() as stack:
        if "start" not in arguments:
            arguments["start"] = _start_demo(stack)
            settings.setdict(DEMO_SETTINGS, priority="cmdline")
        settings.setdict(overrides, priority="cmdline")
        return crawl(settings, arguments)


def load_settings(profile: str | None) -> Settings:
    """The project's settings under a profile of scrapy.cfg; raises ValueError for an unknown one.

    Without a profile, the environment variable SCRAPY_PROJECT chooses, as it does for `scrapy`.
    """
    if not closest_scrapy_cfg():
        raise ValueError("no scrapy.cfg here; run this in the project's folder")
    name = profile or os.environ.get("SCRAPY_PROJECT", "default")
    profiles = get_config().options("settings")
    if name not in profiles:
        raise ValueError(f"profile {name!r} is unknown; scrapy.cfg has {', '.join(profiles)}")
    os.environ["SCRAPY_PROJECT"] = name
    try:
        return get_project_settings()
    except ImportError as error:
        raise ValueError(f"profile {name!r} cannot be loaded: {error}") from error


def crawl(settings: Settings, arguments: dict[str, str]) -> int:
    """Crawl with the site spider; returns the exit code, with one line on stderr for a bad one."""
    try:
        crawler = _run(settings, arguments)
    except (ValueError, OSError) as error:
        return _fail(str(error))
    except Exception as error:
        logger.exception("The crawl could not run")
        return _fail(f"{type(error).__name__}: {error}")
    if trouble := trouble_of(crawler.stats):
        return _fail(trouble)
    return 0


def trouble_of(stats: StatsCollector) -> str:
    """Why a crawl did not go well, in one line; empty if it did."""
    reason = stats.get_value("finish_reason")
    if reason not in GOOD_REASONS:
        return f"the crawl ended early, reason {reason}; see the log"
    if stats.get_value("site/pages", 0):
        return ""
    # A page that robots.txt forbids counts as a download exception, too.
    ignored = "downloader/exception_type_count/scrapy.exceptions.IgnoreRequest"
    failed = stats.get_value("downloader/exception_count", 0) - stats.get_value(ignored, 0)
    causes = {
        "forbidden by robots.txt": stats.get_value("robotstxt/forbidden"),
        "failed attempts to connect or download": failed,
        "answered with an HTTP error": stats.get_value("httperror/response_ignored_count"),
        "redirected to another host": stats.get_value("site/offsite_redirects"),
        "not HTML": stats.get_value("site/not_html"),
    }
    told = ", ".join(f"{number} {what}" for what, number in causes.items() if number)
    return f"no page gave an item: {told or 'see the log'}"


def _run(settings: Settings, arguments: dict[str, str]) -> Crawler:
    """Run the crawl to its end and raise what kept it from starting."""
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler("site")
    task = process.crawl(crawler, **arguments)
    process.start()
    if not task.done() or task.cancelled():
        raise ValueError("interrupted before the crawl had ended")
    if error := task.exception():
        raise error
    return crawler


def _start_demo(stack: ExitStack) -> str:
    """Serve the demo sites until the stack closes; returns their start URLs.

    The log of the demo before is removed: a crawl adds to what is there.
    """
    from crawler.demo import DemoServer  # noqa: PLC0415 - not needed for real sites

    (project_root() / DEMO_LOG).unlink(missing_ok=True)
    server = stack.enter_context(DemoServer())
    return f"{server.news_url} {server.mirror_url}"


def _spider_arguments(options: argparse.Namespace) -> dict[str, str]:
    """The spider's arguments, checked before anything runs; no start means the demo."""
    arguments = _pairs("-a", options.arguments)
    if options.start and "start" in arguments:
        raise ValueError("START and -a start=... say the same thing; give only one of them")
    if options.start:
        arguments["start"] = "\n".join(options.start)
    Arguments.parse({"start": "http://demo/"} | arguments)
    return arguments


def _pairs(option: str, words: list[str]) -> dict[str, str]:
    for word in words:
        if not word.partition("=")[0] or "=" not in word:
            raise ValueError(f"{option} {word}: NAME=VALUE is wanted")
    return arglist_to_dict(words)


def _fail(why: str, code: int = EXIT_FAILED) -> int:
    print(f"python -m crawler: {' '.join(why.split())}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
