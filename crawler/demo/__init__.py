"""A small fictional web to crawl offline: a magazine, and a blog that mirrors it."""

from crawler.demo.catalogue import PAGES, Page
from crawler.demo.server import DemoServer

__all__ = ["PAGES", "DemoServer", "Page"]
