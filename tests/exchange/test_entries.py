"""Pages as lines of an export: nothing is lost, and nothing wrong gets in."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.exchange.entries import (
    ExportedPage,
    page_entry,
    read_page,
    read_tally,
    tally_entry,
)
from dedup.store import MOST_SAMPLES, Listing, Record
from dedup.store.interface import MOST_PATTERN
from dedup.store.tallies import MOST_NUMBER
from dedup.urls import Tally

WHOLE_CHARACTERS = st.text(st.characters(exclude_categories=("Cs",)))
PAGES = st.builds(
    ExportedPage,
    st.builds(
        Record,
        url=WHOLE_CHARACTERS,
        request=st.binary(min_size=1, max_size=40),
        seen=st.floats(0, 2e11),
        exported=st.booleans(),
        tokens=st.integers(0, 2**32 - 1),
        digest=st.binary(min_size=16, max_size=16),
        fingerprint=st.binary(max_size=80),
        items=st.integers(0, 5).map(lambda count: bytes(range(8 * count))),
        facts=st.sampled_from((b"", bytes(range(8)), bytes(range(16)))),
        samples=st.binary(max_size=MOST_SAMPLES),
        plain_url=WHOLE_CHARACTERS,
        canonical=st.booleans(),
        listing=st.sampled_from(Listing),
        page_id=st.just(0),
    ),
    WHOLE_CHARACTERS,
)
GOOD: dict[str, Any] = {
    "url": "http://a.example/",
    "request": "0aff",
    "seen": 12.5,
    "exported": True,
    "tokens": 7,
    "digest": "00" * 16,
    "fingerprint": "AAECAw==",
}


@settings(derandomize=True, deadline=None)
@given(PAGES)
def test_a_page_comes_back_from_json_as_it_was(page: ExportedPage) -> None:
    assert read_page(json.loads(json.dumps(page_entry(page)))) == page


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("url", None),
        ("url", 7),
        ("url", "half a pair \ud800"),
        ("request", ""),
        ("request", "0AFF"),
        ("request", "0a ff"),
        ("request", "ab" * 70_000),
        ("items", ""),
        ("items", "00" * 12),
        ("facts", "00" * 9),
        ("facts", "00" * 24),
        ("samples", ""),
        ("samples", "00" * (MOST_SAMPLES + 1)),
        ("plain_url", 7),
        ("plain_url", "half a pair \ud800"),
        ("canonical", 1),
        ("listing", 0),
        ("listing", "none"),
        ("seen", "12"),
        ("seen", True),
        ("seen", -1),
        ("seen", 1_700_000_000_000),  # milliseconds
        ("seen", float("nan")),
        ("seen", float("inf")),
        ("seen", 10**400),
        ("exported", 1),
        ("tokens", -1),
        ("tokens", 2**32),
        ("tokens", 7.0),
        ("tokens", True),
        ("digest", "00" * 15),
        ("fingerprint", "AAECAw"),
        ("fingerprint", "AAEC\nAw=="),
        ("fingerprint", None),
        ("text", ["words"]),
    ],
)
def test_a_field_that_is_wrong_is_named_in_a_short_message(name: str, value: Any) -> None:
    read_page(GOOD)
    with pytest.raises(ValueError, match=f"^{name} must be .+; got ") as raised:
        read_page(GOOD | {name: value})
    assert len(str(raised.value)) < 150


@pytest.mark.parametrize("name", GOOD)
def test_a_field_that_is_missing_is_named(name: str) -> None:
    with pytest.raises(ValueError, match=f"^{name} must be"):
        read_page({key: value for key, value in GOOD.items() if key != name})


def test_what_is_said_of_page_numbers_is_not_believed() -> None:
    assert read_page(GOOD | {"page_id": 99}).record.page_id == 0


NUMBERS = st.integers(0, MOST_NUMBER)
LETTERS = WHOLE_CHARACTERS | st.just("\ud800")
TALLIES = st.builds(Tally, NUMBERS, NUMBERS, NUMBERS, NUMBERS, LETTERS, LETTERS)


@settings(derandomize=True, deadline=None)
@given(LETTERS, TALLIES)
def test_a_tally_comes_back_from_json_as_it_was(pattern: str, tally: Tally) -> None:
    assert read_tally(json.loads(json.dumps(tally_entry(pattern, tally)))) == (pattern, tally)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("pattern", 1),
        ("pattern", "x" * (MOST_PATTERN + 1)),
        ("tally", None),
        ("tally", [1, 0, 0]),
        ("tally", [1, 0, 0, 0.5]),
        ("tally", [True, 0, 0, 0]),
        ("tally", [-1, 0, 0, 0]),
        ("tally", [0, 0, 0, MOST_NUMBER + 1]),
        ("url", None),
        ("of", ["https://a.example/"]),
    ],
)
def test_a_wrong_field_of_a_tally_is_named(field: str, value: object) -> None:
    good = tally_entry("a.example", Tally(1, 1, 1, 1, "https://a.example/2", "https://a.example/1"))
    with pytest.raises(ValueError, match=f"^{field} must be "):
        read_tally(good | {field: value})
