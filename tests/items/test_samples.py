"""Samples of the entries of a page: which fields of an entry changed since the last visit."""

from __future__ import annotations

from typing import Any

from dedup.items import Identity, Naming
from dedup.items.samples import Sample, changed_fields, key_of, pack_samples
from dedup.store import MOST_SAMPLES

PAGE = "https://example.com/new"
FIELDS = {"title": "Tea in the hills", "author": "ann", "points": 12}


def identity(number: int = 0, fields: dict[str, Any] = FIELDS, **naming: Any) -> Identity:
    found = Naming(**naming).identify({"url": f"/entry/{number}"} | fields, PAGE, sampled=True)
    assert found is not None
    return found


def sampled() -> int:
    """The number of an entry that is sampled."""
    return next(number for number in range(100) if identity(number).sample is not None)


def sample(fields: dict[str, Any] = FIELDS, **naming: Any) -> Sample:
    found = identity(sampled(), fields, **naming).sample
    assert found is not None
    return found


def changed(before: dict[str, Any], after: dict[str, Any]) -> list[tuple[str, ...]]:
    return list(changed_fields([sample(after)], pack([sample(before)])))


def pack(samples: list[Sample]) -> bytes:
    return pack_samples(samples, MOST_SAMPLES)


def test_about_every_second_entry_is_sampled_and_always_the_same_ones() -> None:
    numbers = [number for number in range(1_000) if identity(number).sample is not None]
    assert 400 < len(numbers) < 600
    other = {"title": "Another one", "votes_left": 3}
    assert numbers == [n for n in range(1_000) if identity(n, other).sample is not None]


def test_an_item_without_a_url_of_its_own_is_not_sampled() -> None:
    for url in (PAGE, None):
        found = Naming().identify(FIELDS | {"url": url}, PAGE, sampled=True)
        assert found is not None
        assert found.sample is None


def test_an_item_is_sampled_only_if_that_is_wanted() -> None:
    found = Naming().identify({"url": f"/entry/{sampled()}"} | FIELDS, PAGE)
    assert found is not None
    assert found.sample is None
    assert found.digest == identity(sampled()).digest


def test_the_changed_field_is_named() -> None:
    assert changed(FIELDS, FIELDS) == [()]
    assert changed(FIELDS, FIELDS | {"points": 13}) == [("points",)]
    assert changed(FIELDS, FIELDS | {"points": 13, "title": "Tea"}) == [("points", "title")]


def test_changes_that_do_not_count_are_none() -> None:
    before = FIELDS | {"views": 12, "age": "3 hours ago", "summary": "Tea " * 50}
    after = FIELDS | {"views": 13, "age": "5 hours ago", "summary": "Pots " * 50}
    assert changed(before, after) == [()]
    before = FIELDS | {"stats": {"views": ["12"], "likes": 3, "score": 4}}
    after = FIELDS | {"stats": {"views": ["13"], "likes": 5, "score": 4}}
    assert changed(before, after) == [()]


def test_a_key_inside_a_value_is_named_as_the_setting_takes_it() -> None:
    before = FIELDS | {"stats": {"score": 3, "place": "A"}, "tags": ["tea"], "by": [{"karma": 1}]}
    after = before | {"stats": {"score": 4, "place": "A"}}
    assert changed(before, after) == [("score",)]
    assert changed(before, before | {"by": [{"karma": 2}]}) == [("karma",)]
    assert changed(before, before | {"tags": ["pot"]}) == [("tags",)]
    told = Naming(ignored=frozenset(("score",)))
    ids = [told.identify({"url": "/entry/1"} | fields, PAGE) for fields in (before, after)]
    assert ids[0] is not None
    assert ids[1] is not None
    assert ids[0].digest == ids[1].digest


def test_keys_inside_a_value_that_change_are_told_as_a_change_of_their_field() -> None:
    before, after = (FIELDS | {"stats": {key: 3}} for key in ("red", "blue"))
    (names,) = changed(before, after)
    assert "stats" in names


def test_a_key_inside_a_fact_is_told_as_the_fact() -> None:
    before, after = (FIELDS | {"price": {"value": price}} for price in (10, 12))
    assert changed(before, after) == [("price",)]


def test_an_entry_with_other_fields_is_not_compared() -> None:
    assert changed(FIELDS, FIELDS | {"badge": "new"}) == []


def test_only_known_entries_are_compared() -> None:
    known = [sample()._replace(key=key) for key in (1, 2)]
    new = [sample(FIELDS | {"points": 9})._replace(key=key) for key in (2, 3)]
    assert list(changed_fields(new, pack(known))) == [("points",)]


def test_packed_samples_are_bounded_whatever_an_item_has() -> None:
    many = {f"field{number:03}": number for number in range(500)}
    one = sample(FIELDS | many)
    packed = pack([one._replace(key=key) for key in range(500)])
    assert 0 < len(packed) <= MOST_SAMPLES
    assert len(list(changed_fields([one._replace(key=0)], packed))) == 1


def test_the_last_samples_are_left_out_where_there_is_no_room() -> None:
    large, small = (Sample(7, ("a",) * count, b"h" * count) for count in (40, 1))
    assert pack_samples([small, large, small], 20) == pack_samples([small], 20)


def test_stored_samples_are_read_by_later_versions() -> None:
    """The records of a store contain them: keys and hashes may not change."""
    keys = [key_of(f"https://example.com/{number}") for number in range(4)]
    assert keys == [None, None, 28734, 52749]
    assert pack([sample()]).hex() == "067c03c874ec"


def test_octets_that_are_no_samples_are_compared_with_nothing() -> None:
    packed = pack([sample()])
    for cut in range(len(packed)):
        assert list(changed_fields([sample()], packed[:cut])) == []
    list(changed_fields([sample()], b"\xff" * MOST_SAMPLES))
