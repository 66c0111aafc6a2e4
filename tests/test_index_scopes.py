"""Pages of one scope repeat each other, those of two do not."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from indexing import DUPLICATE, KINDS, NEW, SCHEME, check, commit, open_store, short, text

from dedup.fingerprint import PageFingerprint
from dedup.index import Index, Verdict, index_spaces, words_reader
from dedup.scope import scope_mask
from dedup.store import MemoryStore


@pytest.mark.parametrize(
    ("scope", "other_host", "other_domain"),
    [
        ("global", DUPLICATE, DUPLICATE),
        ("domain", DUPLICATE, NEW),
        ("host", NEW, NEW),
    ],
)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("make", [text, short])
def test_pages_repeat_each_other_within_their_scope_only(
    kind: str,
    scope: str,
    other_host: Verdict,
    other_domain: Verdict,
    make: Callable[[str], PageFingerprint],
    tmp_path: Path,
) -> None:
    store = open_store(kind, tmp_path, scope)
    index = Index(store, SCHEME, scope)
    commit(index, "news.example.com/1", make("tea"))
    verdicts = []
    for page in ("news.example.com/2", "shop.example.com/", "example.org/"):
        claim = check(index, page, make("tea"))
        verdicts.append(claim.verdict)
        index.release(claim)
    assert verdicts == [DUPLICATE, other_host, other_domain]
    store.close()


def test_equal_pages_of_two_scopes_are_stored_under_different_words() -> None:
    words_of = words_reader(SCHEME, "host")
    made = [
        Index(MemoryStore(index_spaces(SCHEME), words_of), SCHEME, "host")
        .check(f"https://{page}", b"", text("tea"))
        .record
        for page in ("a.com/1", "a.com/2", "b.com/1")
    ]
    one, same_host, other_host = (set(words_of(record)) for record in made)
    assert one == same_host
    assert not one & other_host


def test_words_of_two_scopes_that_meet_by_chance_are_no_match(tmp_path: Path) -> None:
    index = Index(open_store("memory", tmp_path, "host"), SCHEME, "host")
    page = text("tea")
    commit(index, "a.com/", page)
    mask = scope_mask("a.com", 64) ^ scope_mask("b.com", 64)
    simhash = int.from_bytes(page.value[:8], "little") ^ mask
    value = simhash.to_bytes(8, "little") + page.value[8:]
    assert check(index, "b.com/", replace(page, value=value)).verdict is NEW
