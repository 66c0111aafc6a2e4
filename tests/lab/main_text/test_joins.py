"""Whether the measure of extractors joins two pages: as an index does."""

from __future__ import annotations

import pytest

from dedup.fingerprint import Fingerprinter
from dedup.lab.main_text.joins import joins
from dedup.schemes import Combined

SCHEME = Combined()
FINGERPRINTER = Fingerprinter(SCHEME, keep_text=True)


def words(count: int) -> str:
    return " ".join(f"word{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(count))


@pytest.mark.parametrize(
    ("count", "title", "one_host", "two_hosts"),
    [
        (300, "Blue shirt", False, True),  # its title tells it apart on its own site
        (300, "Red shirt", True, True),
        (60, "Blue shirt", False, True),
        (24, "Blue shirt", False, True),  # too short for a fingerprint: equal texts alone count
        (5, "Red shirt", False, False),  # for any verdict
    ],
)
def test_equal_texts_are_joined_as_an_index_joins_them(
    count: int, title: str, one_host: bool, two_hosts: bool
) -> None:
    one = FINGERPRINTER.of_text(words(count), "Red shirt")
    other = FINGERPRINTER.of_text(words(count), title)
    assert joins(SCHEME, one, other, "one.example") == one_host
    assert joins(SCHEME, one, other, "other.example") == two_hosts


@pytest.mark.parametrize(("more", "joined"), [(10, True), (60, False), (150, False)])
def test_a_longer_text_is_joined_unless_much_of_it_is_new(more: int, joined: bool) -> None:
    """The index's look at the texts says so where the fingerprints alone only nominate a page."""
    one, other = (FINGERPRINTER.of_text(words(count)) for count in (150, 150 + more))
    for host in ("one.example", "other.example"):
        assert joins(SCHEME, one, other, host) == joined
        assert joins(SCHEME, other, one, host)  # which has nothing that is new
