"""A small fictional web to crawl offline: a magazine, a blog that mirrors it, and the truth."""

from crawler.demo.catalogue import PAGES, Page, Truth, truth
from crawler.demo.server import DemoServer

__all__ = ["PAGES", "DemoServer", "Page", "Truth", "truth"]
