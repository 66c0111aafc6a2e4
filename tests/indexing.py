"""Pages of made-up words, and the calls by which an index decides about them."""

from pathlib import Path

from dedup.fingerprint import Fingerprinter, PageFingerprint
from dedup.index import Claim, Index, Verdict, index_spaces, words_reader
from dedup.schemes import Combined, Scheme
from dedup.store import Header, MemoryStore, Store, describe_spaces
from tests.store.samples import open_folder

KINDS = ("memory", "leveldb")
SCHEME = Combined()
FINGERPRINTER = Fingerprinter(SCHEME, "plain", min_tokens=40)
NEW, DUPLICATE, REVISIT, SKIPPED = Verdict


def text(name: str, changed: int = 0) -> PageFingerprint:
    """A text of 200 words of its own; some words at its end can be changed."""
    words = [f"{name}{n}" for n in range(200 - changed)] + [f"other{n}" for n in range(changed)]
    return FINGERPRINTER.of_text(" ".join(words))


def short(name: str, words: int = 20) -> PageFingerprint:
    """A text too short to be compared, and long enough to be equal to another."""
    return FINGERPRINTER.of_text(" ".join(f"{name}{n}" for n in range(words)))


def open_store(kind: str, folder: Path, scope: str = "global", scheme: Scheme = SCHEME) -> Store:
    """An empty store of a kind, for pages that repeat each other within a scope."""
    spaces, words_of = index_spaces(scheme), words_reader(scheme, scope)
    if kind == "memory":
        return MemoryStore(spaces, words_of)
    header = Header({"scheme": scheme.name}, describe_spaces(spaces, "blocks"))
    return open_folder(folder, header, spaces, words_of, cache_mb=4)


class CountedTexts(MemoryStore):
    """An empty store in memory that counts the texts that are read."""

    def __init__(self) -> None:
        super().__init__(index_spaces(SCHEME), words_reader(SCHEME))
        self.read = 0

    def text(self, page_id: int) -> str | None:
        self.read += 1
        return super().text(page_id)


def check(index: Index, page: str, fingerprint: PageFingerprint) -> Claim:
    """Check a page of a host and path, fetched by the request of that URL."""
    return index.check(f"https://{page}", page.encode(), fingerprint)


def commit(
    index: Index, page: str, fingerprint: PageFingerprint, *, exported: bool = True
) -> Claim:
    """Check a page and store it, when it is new or has changed."""
    claim = check(index, page, fingerprint)
    index.commit(claim, exported=exported)
    return claim


def matched(claim: Claim) -> str | None:
    """The page that a page was found to repeat; of a new page none, whatever it has to do with."""
    if claim.match is None or claim.verdict is not DUPLICATE:
        return None
    return claim.match.record.url.removeprefix("https://")
