"""Several crawler processes on one crawl: the queue they share, and how each writes its items."""

from crawler.shared.export import ExportPipeline
from crawler.shared.queue import RequestQueue

__all__ = ["ExportPipeline", "RequestQueue"]
