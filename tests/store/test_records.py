"""Page records as bytes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.store import (
    ITEM_BYTES,
    MOST_FACTS,
    MOST_ITEMS,
    MOST_SAMPLES,
    Listing,
    Record,
    StoreDamagedError,
)
from dedup.store.records import pack_record, unpack_record

LAW = settings(derandomize=True, deadline=None, max_examples=200)
RECORDS = st.builds(
    Record,
    url=st.text(),
    request=st.binary(max_size=40),
    seen=st.floats(0, 1e12),
    exported=st.booleans(),
    tokens=st.integers(0, 2**32 - 1),
    digest=st.binary(min_size=16, max_size=16),
    fingerprint=st.binary(max_size=600),
    items=st.binary(max_size=80).map(lambda octets: octets[: len(octets) // 8 * 8]),
    facts=st.sampled_from((b"", b"the told", bytes(8) + b"an entry", b"the toldan entry")),
    samples=st.binary(max_size=MOST_SAMPLES),
    plain_url=st.text(),
    canonical=st.booleans(),
    listing=st.sampled_from(Listing),
    page_id=st.integers(1, 2**64 - 1),
)
RECORD = Record("https://example.com/", b"request", 1.0, True, 9, bytes(16), b"value", page_id=3)


@LAW
@given(RECORDS)
def test_a_record_comes_back_as_it_was(record: Record) -> None:
    assert unpack_record(record.page_id, pack_record(record)) == record


def test_a_record_of_as_many_items_as_are_kept_comes_back() -> None:
    record = RECORD._replace(items=bytes(range(ITEM_BYTES)) * MOST_ITEMS)
    assert unpack_record(3, pack_record(record)) == record


def test_a_record_with_as_many_samples_as_are_kept_comes_back() -> None:
    record = RECORD._replace(facts=b"12345678" * MOST_FACTS, samples=b"s" * MOST_SAMPLES)
    assert unpack_record(3, pack_record(record)) == record


def test_a_url_with_a_lone_surrogate_can_be_stored() -> None:
    url = "https://example.com/\ud800"
    record = Record(url, b"", 0.0, False, 0, bytes(16), b"")
    assert unpack_record(0, pack_record(record)).url == "https://example.com/?"


@pytest.mark.parametrize("length", range(len(pack_record(RECORD)) - len(RECORD.fingerprint)))
def test_a_cut_record_is_damage(length: int) -> None:
    with pytest.raises(StoreDamagedError, match=r"^page 3: "):
        unpack_record(3, pack_record(RECORD)[:length])


def test_a_record_cut_in_its_last_field_is_damage() -> None:
    record = RECORD._replace(fingerprint=b"", plain_url="https://example.com/tea")
    with pytest.raises(StoreDamagedError, match=r"^page 3: not a record"):
        unpack_record(3, pack_record(record)[:-1])


def test_a_record_of_another_format_is_damage() -> None:
    with pytest.raises(StoreDamagedError, match=r"^page 3: not a record of format 3$"):
        unpack_record(3, b"\x04" + pack_record(RECORD)[1:])


@pytest.mark.parametrize("flags", [12, 16, 255])
def test_flags_that_nothing_writes_are_damage(flags: int) -> None:
    packed = bytearray(pack_record(RECORD))
    packed[1] = flags
    with pytest.raises(StoreDamagedError, match=r"^page 3: not a record"):
        unpack_record(3, bytes(packed))


def test_half_an_item_is_damage() -> None:
    with pytest.raises(StoreDamagedError, match=r"^page 3: not a record"):
        unpack_record(3, pack_record(RECORD._replace(items=bytes(12))))
