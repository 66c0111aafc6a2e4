"""Exports: what is written is read again, and whatever is cut or changed is noticed."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.exchange import files
from dedup.exchange.entries import ExchangeError, ExportedPage
from dedup.exchange.files import MOST_LINE, ExportFile, StoreSource, write_export
from dedup.exchange.opening import FingerprintCheck
from dedup.page.kept_text import pack_text
from dedup.store import MemoryStore
from dedup.urls import Tally
from tests.exchange.made_pages import SCHEME, memory, page

CHECK = FingerprintCheck(SCHEME)
MADE_WITH = {"scheme": "combined", "shingle": "3"}


def no_progress(done: int) -> None:
    pass


def checked(octets: bytes, most_line: int = MOST_LINE) -> ExportFile:
    export = ExportFile(io.BytesIO(octets), "FILE", most_line)
    export.check(CHECK, no_progress)
    return export


def filled() -> MemoryStore:
    store = memory()
    store.put(page("http://a.example/茶", "tea").record, pack_text(["First, 茶.", "Then, tea."]))
    store.put(page("http://a.example/solar\n", "solar", exported=False).record)
    store.exempt([b"marked", b"too"])
    return store


def exported(store: MemoryStore, most_line: int = MOST_LINE) -> bytes:
    out = io.BytesIO()
    write_export(out, StoreSource(store, "memory:"), MADE_WITH, most_line=most_line)
    return out.getvalue()


WHOLE = exported(filled())
LINES = WHOLE.splitlines(keepends=True)


def with_right_end(*lines: bytes) -> bytes:
    """Lines with an end that fits them."""
    body = b"".join(lines)
    exempt = sum(b'"exempt"' in line for line in lines)
    tallies = sum(b'"pattern"' in line for line in lines)
    end = {
        "exempt": exempt,
        "pages": len(lines) - 1 - exempt - tallies,
        **({"tallies": tallies} if tallies else {}),
        "xxh3_128": files.xxh3_128(body).hexdigest(),
    }
    return body + json.dumps({"end": end}).encode() + b"\n"


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "packed"])
def test_an_export_holds_the_pages_texts_and_marks_of_a_store(
    pack: Callable[[bytes], bytes],
) -> None:
    export = checked(pack(WHOLE))
    assert export.fingerprint == MADE_WITH
    assert list(export.exempt()) == [b"marked", b"too"]
    assert list(export.pages()) == [
        ExportedPage(page("http://a.example/茶", "tea").record, "First, 茶.\nThen, tea."),
        page("http://a.example/solar\n", "solar", exported=False),
    ]
    assert len(export) == 2
    assert list(export.tallies()) == []


def test_an_empty_store_makes_an_export_without_pages() -> None:
    export = checked(exported(memory()))
    assert [*export.exempt(), *export.pages()] == []


def test_an_export_holds_the_tallies_of_a_store_before_its_pages() -> None:
    store = filled()
    store.tally({"a.example ?q=茶\n": Tally(3, 2, 9, 5, "http://a.example/茶", "http://\ud800/")})
    store.tally({"\ud800": Tally(1), "": Tally()})
    octets = exported(store)
    export = checked(octets)
    assert list(export.tallies()) == list(store.tallies())
    assert (list(export.exempt()), len(list(export.pages()))) == ([b"marked", b"too"], 2)
    lines = octets.splitlines(keepends=True)
    assert with_right_end(*lines[:-1]) == octets
    with pytest.raises(ExchangeError, match="line 8: the file was changed"):
        checked(b"".join(lines[:3] + lines[4:]))
    with pytest.raises(ExchangeError, match="line 9: what is no page stands after"):
        checked(with_right_end(*lines[:-1], lines[3]))


def test_one_page_is_one_line_whatever_its_url() -> None:
    assert len(LINES) == 1 + 2 + 2 + 1
    assert with_right_end(*LINES[:-1]) == WHOLE


@settings(derandomize=True, deadline=None)
@given(st.integers(0, len(WHOLE) - 1))
def test_a_file_cut_anywhere_is_refused(end: int) -> None:
    with pytest.raises(ExchangeError):
        checked(WHOLE[:end])


PACKED = gzip.compress(WHOLE, mtime=0)


@settings(derandomize=True, deadline=None)
@given(st.integers(0, len(PACKED) - 1))
def test_a_packed_file_cut_anywhere_is_refused(end: int) -> None:
    with pytest.raises(ExchangeError):
        checked(PACKED[:end])


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.integers(0, len(b"".join(LINES[:-1])) - 1), st.integers(1, 255))
def test_any_octet_changed_is_noticed(place: int, change: int) -> None:
    octets = bytearray(WHOLE)
    octets[place] ^= change
    with pytest.raises(ExchangeError):
        checked(bytes(octets))


def test_a_line_left_out_is_noticed() -> None:
    with pytest.raises(ExchangeError, match="line 5: the file was changed"):
        checked(b"".join(LINES[:3] + LINES[4:]))


def test_what_stands_after_the_end_is_noticed() -> None:
    with pytest.raises(ExchangeError, match="line 7: stands after the end"):
        checked(WHOLE + WHOLE)


def test_an_export_of_a_later_format_is_refused() -> None:
    header = LINES[0].replace(b'"format": 1', b'"format": 2')
    with pytest.raises(ExchangeError, match="FILE, line 1: format must be 1; got 2"):
        ExportFile(io.BytesIO(with_right_end(header)), "FILE")


@pytest.mark.parametrize(
    "octets",
    [
        b"",
        b"<html>",
        b"[1]\n",
        b'{"url": "x"}\n',
        b"\xff\n",
        b"[" * 100_000 + b"\n",
        b"\x1f\x8b no",
    ],
    ids=["empty", "html", "list", "page", "no text", "deep", "no gzip"],
)
def test_what_is_no_export_is_refused(octets: bytes) -> None:
    with pytest.raises(ExchangeError, match=r"^FILE"):
        ExportFile(io.BytesIO(octets), "FILE")


@pytest.mark.parametrize(
    "line",
    [
        b"no JSON\n",
        b"[]\n",
        b'{"url": "http://a.example/"}\n',
        b'{"exempt": "zz"}\n',
        b'{"pattern": "a.example", "tally": [1, 2, 3]}\n',
        LINES[1],
        LINES[3].replace(b'"fingerprint": "', b'"fingerprint": "AAAA'),
        b"[" * 100_000 + b"\n",
    ],
    ids=[
        "no JSON",
        "list",
        "half",
        "no digest",
        "half a tally",
        "mark after pages",
        "other fingerprint",
        "deep",
    ],
)
def test_a_line_that_is_wrong_is_named_even_where_the_sums_are_right(line: bytes) -> None:
    with pytest.raises(ExchangeError, match=r"^FILE, line 6: "):
        checked(with_right_end(*LINES[:-1], line))


def test_a_line_over_the_bound_is_not_read_to_its_end() -> None:
    most = len(max(LINES, key=len)) - 1
    with pytest.raises(ExchangeError, match="line 4: is longer than"):
        checked(WHOLE, most)
    with pytest.raises(ExchangeError, match=r"http://a\.example/茶 makes a line of"):
        exported(filled(), most)


def test_a_file_changed_after_the_check_is_noticed_while_it_is_used() -> None:
    file = io.BytesIO(WHOLE)
    export = ExportFile(file, "FILE")
    export.check(CHECK, no_progress)
    file.seek(WHOLE.index(b'"seen": 1') + len(b'"seen": 1'))
    file.write(b"9")
    with pytest.raises(ExchangeError, match="was changed"):
        list(export.pages())
