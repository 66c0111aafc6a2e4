"""What a store says it is, as bytes."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.store import Header, StoreDamagedError
from dedup.store.headers import pack_header, unpack_header

LAW = settings(derandomize=True, deadline=None, max_examples=200)
NAMES = st.dictionaries(st.text(max_size=8), st.text(max_size=8), max_size=4)


@LAW
@given(st.builds(Header, NAMES, NAMES))
def test_a_header_comes_back_as_it_was(header: Header) -> None:
    assert unpack_header(pack_header(header)) == header


@pytest.mark.parametrize("data", [b"", b"\xff", b"[]", b"{}", b'{"format": 1}', b"null"])
def test_bytes_that_are_no_header_are_damage(data: bytes) -> None:
    with pytest.raises(StoreDamagedError, match="unreadable store header"):
        unpack_header(data)


def test_a_header_of_a_newer_format_is_refused() -> None:
    newer = json.dumps({"format": 2, "fingerprint": {}, "tables": {}}).encode()
    with pytest.raises(StoreDamagedError, match="store format 2; this version reads format 1"):
        unpack_header(newer)
