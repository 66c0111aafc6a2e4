"""A small fictional web to crawl offline: a magazine, a blog that mirrors it, and the truth."""

from crawler.demo.catalogue import PAGES, TRUTH_FILE, Page, Truth, read_truth
from crawler.demo.server import DemoServer

__all__ = ["PAGES", "TRUTH_FILE", "DemoServer", "Page", "Truth", "read_truth"]
