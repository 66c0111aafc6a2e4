"""Near-duplicate detection for crawlers; ``dedup.scrapy`` has the components of Scrapy."""

from typing import TYPE_CHECKING

from dedup.lazy import importer

if TYPE_CHECKING:
    from dedup.assembly import (
        close_store,
        fingerprint_page,
        make_fingerprinter,
        make_index,
        open_store,
        seeded,
    )
    from dedup.config import Config
    from dedup.fingerprint import Fingerprinter, PageFingerprint
    from dedup.index import Claim, Index, Match, State, Verdict
    from dedup.schemes import Comparison
    from dedup.store import Record, Store, StoreError
    from dedup.text import PageText, read_text
else:
    __getattr__ = importer(
        __name__,
        {
            "dedup.assembly": (
                "close_store fingerprint_page make_fingerprinter make_index open_store seeded"
            ),
            "dedup.config": "Config",
            "dedup.fingerprint": "Fingerprinter PageFingerprint",
            "dedup.index": "Claim Index Match State Verdict",
            "dedup.schemes": "Comparison",
            "dedup.store": "Record Store StoreError",
            "dedup.text": "PageText read_text",
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
    "PageText",
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
    "read_text",
    "seeded",
]
