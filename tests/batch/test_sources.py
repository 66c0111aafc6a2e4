"""Stored collections are read whole, in order, however they are cut."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.batch.job import BatchError, Fields
from dedup.batch.sources import Piece, Stored, cut, list_files, read_piece

LAW = settings(derandomize=True, deadline=None, max_examples=50)


def read_all(*paths: Path) -> list[Stored]:
    pieces = cut(list_files(paths))
    return [row for piece in pieces for row in read_piece(piece, Fields(), {200}.__contains__)]


@LAW
@given(rows=st.lists(st.text(max_size=9)), size=st.integers(1, 40))
def test_lines_are_read_once_however_a_file_is_cut(
    rows: list[str], size: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("cut") / "in.jsonl"
    path.write_text("".join(json.dumps({"text": row}) + "\n" for row in rows))
    octets = path.stat().st_size
    pieces = [Piece(0, path, start, start + size) for start in range(0, octets, size)]
    read = [row for piece in pieces for row in read_piece(piece, Fields(), bool)]
    assert [row.fields for row in read] == [{"text": row} for row in rows]
    assert [row.place for row in read] == sorted({row.place for row in read})


def test_packed_lines_are_read_and_what_is_no_object_is_told(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"url": "u"}\n\n[1]\n{"cut'))
    assert [row.fields for row in read_all(path)] == [{"url": "u"}, None, None]


def test_a_byte_order_mark_is_no_part_of_a_record(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text('{"url": "u"}\n', encoding="utf-8-sig")
    assert [(row.fields, row.as_json([])) for row in read_all(path)] == [
        ({"url": "u"}, '{"url": "u"}')
    ]


def test_rows_of_parquet_are_numbered_over_its_groups(packages: None, tmp_path: Path) -> None:
    import pyarrow as pa
    from pyarrow.parquet import write_table

    path = tmp_path / "in.parquet"
    write_table(pa.table({"text": list("abcde")}), path, row_group_size=2)
    assert len(cut([path])) == 3
    assert [(row.place, row.fields) for row in read_all(path)] == [
        (place, {"text": text}) for place, text in enumerate("abcde")
    ]


def test_a_folder_is_its_files_by_name(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a.warc.gz", "_part.jsonl", ".part.jsonl", "_SUCCESS", "notes.txt"):
        (tmp_path / name).touch()
    assert [path.name for path in list_files((tmp_path,))] == ["a.warc.gz", "b.jsonl"]


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).touch()
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "a.jsonl")
    found = list_files((tmp_path / "b.jsonl", tmp_path, tmp_path / "link.jsonl"))
    assert [path.resolve().name for path in found] == ["b.jsonl", "a.jsonl"]


@pytest.mark.parametrize("name", ["missing.jsonl", "notes.txt", "empty"])
def test_an_input_that_cannot_be_read_is_named(name: str, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    (tmp_path / "empty").mkdir()
    with pytest.raises(BatchError, match=name):
        list_files((tmp_path / name,))


def test_a_parquet_file_that_is_none_is_named(packages: None, tmp_path: Path) -> None:
    path = tmp_path / "in.parquet"
    path.write_text("no rows")
    with pytest.raises(BatchError, match=r"in\.parquet is no whole Parquet file"):
        cut([path])


PACKED = gzip.compress(b'{"url": "u"}\n' * 9)


@pytest.mark.parametrize(
    ("name", "octets", "reason"),
    [
        pytest.param("in.jsonl.gz", PACKED[:-9], "Compressed file ended before", id="cut"),
        pytest.param("in.jsonl.gz", b"no gzip", "Not a gzipped file", id="unpacked"),
        pytest.param("in.jsonl.gz", PACKED[:-8] + bytes(8), "CRC check failed", id="damaged"),
        pytest.param("in.warc.gz", b"no archive\n", "Unknown archive format", id="no archive"),
    ],
)
def test_a_file_that_cannot_be_read_to_its_end_is_named(
    packages: None, name: str, octets: bytes, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(octets)
    with pytest.raises(BatchError, match=f"/{name} cannot be read: {reason}.*; mend it or leave"):
        read_all(path)


def test_a_damaged_group_of_parquet_is_named(packages: None, tmp_path: Path) -> None:
    import pyarrow as pa
    from pyarrow.parquet import write_table

    path = tmp_path / "in.parquet"
    write_table(pa.table({"text": ["a" * 99]}), path, compression="none", use_dictionary=False)
    octets = path.read_bytes()
    path.write_bytes(octets[:4] + bytes(40) + octets[44:])
    with pytest.raises(BatchError, match=r"/in\.parquet cannot be read: "):
        read_all(path)
