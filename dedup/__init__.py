"""Near-duplicate detection for crawlers: an engine without Scrapy, ``dedup.scrapy`` on top."""

from typing import TYPE_CHECKING

from dedup.lazy import importer

if TYPE_CHECKING:
    from dedup.assembly import (
        close_store,
        fingerprint_page,
        make_fingerprinter,
        make_index,
        open_store,
    )
    from dedup.config import Config
    from dedup.fingerprint import Fingerprinter, PageFingerprint
    from dedup.index import Claim, Index, Match, State, Verdict
    from dedup.schemes import Comparison
    from dedup.store import Record, Store, StoreError
else:
    __getattr__ = importer(
        __name__,
        {
            "Claim": "dedup.index",
            "Comparison": "dedup.schemes",
            "Config": "dedup.config",
            "Fingerprinter": "dedup.fingerprint",
            "Index": "dedup.index",
            "Match": "dedup.index",
            "PageFingerprint": "dedup.fingerprint",
            "Record": "dedup.store",
            "State": "dedup.index",
            "Store": "dedup.store",
            "StoreError": "dedup.store",
            "Verdict": "dedup.index",
            "close_store": "dedup.assembly",
            "fingerprint_page": "dedup.assembly",
            "make_fingerprinter": "dedup.assembly",
            "make_index": "dedup.assembly",
            "open_store": "dedup.assembly",
        },
    )

__all__ = [
    "Claim",
    "Comparison",
    "Config",
    "Fingerprinter",
    "Index",
    "Match",
    "PageFingerprint",
    "Record",
    "State",
    "Store",
    "StoreError",
    "Verdict",
    "close_store",
    "fingerprint_page",
    "make_fingerprinter",
    "make_index",
    "open_store",
]
