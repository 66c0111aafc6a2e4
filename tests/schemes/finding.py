"""Pages found again through a store, for tests of schemes."""

from __future__ import annotations

from pathlib import Path

from dedup.fingerprint import Fingerprinter
from dedup.index import Index, index_spaces, words_reader
from dedup.page import Document
from dedup.schemes.interface import Scheme
from dedup.store import Header, MemoryStore, Store, describe_spaces, open_folder


def found(
    scheme: Scheme, kind: str, folder: Path, stored: dict[str, Document], page: Document
) -> set[str]:
    """The stored pages, of one host, that a page of another host is found to repeat."""
    fingerprinter = Fingerprinter(scheme, min_tokens=1)
    store = _open(scheme, kind, folder)
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


def _open(scheme: Scheme, kind: str, folder: Path) -> Store:
    spaces, words_of = index_spaces(scheme), words_reader(scheme)
    if kind == "memory":
        return MemoryStore(spaces, words_of)
    header = Header({"scheme": scheme.name}, describe_spaces(spaces, "blocks"))
    return open_folder(folder / "store", header, spaces, words_of, cache_mb=4)
