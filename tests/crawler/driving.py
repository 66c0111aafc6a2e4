"""A crawl of the site spider in a process of its own: run as a program, and told what to crawl."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from scrapy.crawler import AsyncCrawlerProcess
from scrapy.utils.project import get_project_settings


def main(job: dict) -> None:
    settings = get_project_settings()
    settings.setdict(job["settings"], priority="cmdline")
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler("site")
    task = process.crawl(crawler, **job["arguments"])
    process.start()
    task.result()
    Path("stats.json").write_text(json.dumps(crawler.stats.get_stats(), default=str))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
