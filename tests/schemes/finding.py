"""Pages found again through a store, for tests of schemes."""

from __future__ import annotations

from pathlib import Path

from dedup.fingerprint import Fingerprinter
from dedup.index import Index
from dedup.page import Document
from dedup.schemes.interface import Scheme
from tests.indexing import open_store


def found(
    scheme: Scheme, kind: str, folder: Path, stored: dict[str, Document], page: Document
) -> set[str]:
    """The stored pages, of one host, that a page of another host is found to repeat."""
    fingerprinter = Fingerprinter(scheme, min_tokens=1)
    store = open_store(kind, folder / "store", scheme=scheme)
    index = Index(store, scheme)
    try:
        for name, document in stored.items():
            url = f"https://a.example/{name}"
            claim = index.check(url, url.encode(), fingerprinter.of_document(document))
            index.commit(claim)
        claim = index.check("https://b.example/", b"b", fingerprinter.of_document(page))
        return {
            match.record.url.removeprefix("https://a.example/")
            for match in index.matches(claim.record)
        }
    finally:
        store.close()
