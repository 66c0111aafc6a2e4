"""Of WARC files the pages are read that a crawl would have got."""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path

import brotli
import pytest

from dedup.batch.job import BatchError, Fields
from dedup.batch.sources import Piece, Stored, read_piece

HTML = "<p>Grüße aus München</p>".encode("latin-1")
DATE = "2020-01-02T03:04:05Z"

pytestmark = pytest.mark.usefixtures("packages")


def record(
    url: str = "http://a.example/",
    *headers: str,
    body: bytes = HTML,
    status: str = "200 OK",
    kind: str = "text/html; charset=latin-1",
) -> bytes:
    """A response record (ISO 28500); headers are those of the answer."""
    lines = (f"HTTP/1.1 {status}", f"Content-Type: {kind}", *headers)
    answer = "\r\n".join((*lines, "", "")).encode() + body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: {DATE}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(answer)}\r\n\r\n"
    )
    return head.encode() + answer + b"\r\n\r\n"


def read(folder: Path, octets: bytes, name: str = "in.warc") -> list[Stored]:
    path = folder / name
    path.write_bytes(octets)
    return [*read_piece(Piece(0, path), Fields(), {200}.__contains__)]


def bodies(rows: list[Stored]) -> list[bytes | None]:
    return [row.fields["html"] if row.fields else None for row in rows]


def test_html_answers_are_read(tmp_path: Path) -> None:
    records = [
        record("http://a.example/gone", status="404 Not Found"),
        record(),
        record("http://a.example/logo", kind="image/png"),
    ]
    [row] = read(tmp_path, b"".join(records))
    assert row.fields == {"url": "http://a.example/", "html": HTML, "date": DATE}
    assert json.loads(row.as_json(["html"]) or "")["html"] == HTML.decode("latin-1")
    packed = read(tmp_path, b"".join(map(gzip.compress, records)), "each.warc.gz")
    assert packed == read(tmp_path, gzip.compress(b"".join(records)), "all.warc.gz") == [row]


CODED = {
    "gzip": gzip.compress(HTML),
    "X-Gzip": gzip.compress(HTML),
    "deflate": zlib.compress(HTML),
    "br": brotli.compress(HTML),
    "zstd": bytes.fromhex("28b52ffd2018c10000") + HTML,  # a frame of one block as it is
    "gzip, br": brotli.compress(gzip.compress(HTML)),
}


@pytest.mark.parametrize("coding", CODED)
def test_content_codings_are_undone(coding: str, tmp_path: Path) -> None:
    header, body = f"Content-Encoding: {coding}", CODED[coding]
    chunks = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    octets = record("http://a/", header, body=body)
    octets += record("http://b/", header, "Transfer-Encoding: chunked", body=chunks)
    assert bodies(read(tmp_path, octets)) == [HTML, HTML]


@pytest.mark.parametrize("coding", ["br", "gzip", "compress"])
def test_a_coding_that_cannot_be_undone_costs_its_record_alone(coding: str, tmp_path: Path) -> None:
    broken = record("http://a/", f"Content-Encoding: {coding}", body=b"\x00\x01\x02" * 9)
    assert bodies(read(tmp_path, broken + record())) == [None, HTML]


@pytest.mark.parametrize("coding", ["br", "gzip", "identity"])
def test_a_page_whose_coding_was_undone_is_left_as_it_is(coding: str, tmp_path: Path) -> None:
    octets = record("http://a/", f"Content-Encoding: {coding}")
    assert bodies(read(tmp_path, octets)) == [HTML]


def test_a_page_that_says_it_has_no_coding_may_hold_anything(tmp_path: Path) -> None:
    octets = record("http://a/", "Content-Encoding: identity", body=HTML + b"\x1b")
    assert bodies(read(tmp_path, octets)) == [HTML + b"\x1b"]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("missing", [5, 15, 120, 250])
def test_a_file_that_is_cut_short_is_named(packed: bool, missing: int, tmp_path: Path) -> None:
    last = record(body=HTML * 9)
    octets = gzip.compress(record()) + gzip.compress(last) if packed else record() + last
    name = "in.warc.gz" if packed else "in.warc"
    with pytest.raises(BatchError, match=f"/{name} cannot be read: "):
        read(tmp_path, octets[:-missing], name)


def test_a_file_is_packed_or_not_whatever_its_name(tmp_path: Path) -> None:
    octets = gzip.compress(record()) + gzip.compress(record())
    assert len(read(tmp_path, octets, "in.warc")) == 2
    assert len(read(tmp_path, record(), "in.warc.gz")) == 1
    with pytest.raises(BatchError, match=r"/in\.warc cannot be read: "):
        read(tmp_path, octets[:-15], "in.warc")


def test_a_file_that_is_empty_has_no_pages(tmp_path: Path) -> None:
    assert read(tmp_path, b"") == []
