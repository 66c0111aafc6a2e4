"""Near-duplicate detection for crawlers: an engine without Scrapy, and ``dedup.scrapy`` on it."""

from dedup.assembly import fingerprint_page, make_fingerprinter, make_index, open_store
from dedup.config import Config
from dedup.fingerprint import Fingerprinter, PageFingerprint
from dedup.index import Claim, Index, Match, Verdict

__all__ = [
    "Claim",
    "Config",
    "Fingerprinter",
    "Index",
    "Match",
    "PageFingerprint",
    "Verdict",
    "fingerprint_page",
    "make_fingerprinter",
    "make_index",
    "open_store",
]
