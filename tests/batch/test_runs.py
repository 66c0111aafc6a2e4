"""Whole batches: what they read, what they leave, what they are run against."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from made_collections import Repeats, crawled, edited_copies, write_lines
from running import lines, repeats, run

from crawler.demo.texts import load_texts
from dedup.batch.job import BatchError, Fields
from dedup.batch.sources import cut, list_files, read_piece
from dedup.config import Config
from dedup.page.limits import MOST_TAGS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NAMES = ("birds", "bridge", "ferry", "solar", "tea", "tide")  # six different articles
TEXTS = [load_texts()[name].plain for name in NAMES]


@pytest.fixture(scope="module")
def mixed(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A batch over three kinds of files: the folder it ran in."""
    import pyarrow as pa
    from pyarrow.parquet import write_table

    folder = tmp_path_factory.mktemp("mixed [1]")
    rows = [{"link": f"http://a.example/{n}", "main": text} for n, text in enumerate(TEXTS)]
    rows.append({"link": "http://a.example/short", "main": "too short"})
    tags = {"html": {"no": "string"}, "body": "<p>" * (MOST_TAGS + 1)}
    rows.append({"link": "http://a.example/tags", "main": "", **tags})
    first = folder / "1.jsonl.gz"
    first.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode() + b"\n{cut"))
    second = folder / "2.parquet"
    page = f"<html><body><article><p>{TEXTS[0]}</p></article></body></html>"
    urls = ["http://b.example/0", "http://b.example/1", "http://a.example/2"]
    write_table(pa.table({"link": urls, "body": [page, None, None], "main": TEXTS[:3]}), second)
    run_mixed(spark, folder)
    return folder


def run_mixed(spark: SparkSession, folder: Path) -> dict[str, Any]:
    inputs = (folder / "1.jsonl.gz", folder / "2.parquet")
    fields = Fields(url="link", text=("main",))
    return run(spark, folder, *inputs, fields=fields, keep="host=a.example")


def test_counts_add_up(mixed: Path) -> None:
    summary = json.loads((mixed / "out" / "summary.json").read_text())
    counts = {name: summary[name] for name in ("read", "kept", "dropped", "skipped")}
    assert counts == {"read": 12, "kept": 7, "dropped": 2, "skipped": 3}
    assert summary["skipped_for"] == {"short_text": 1, "too_many_tags": 1, "unreadable": 1}
    assert summary["pages"] == 8  # without those skipped, and one URL twice


def test_records_kept_are_whole_and_in_order(mixed: Path) -> None:
    kept = lines(mixed / "out" / "kept")
    names = [*range(len(TEXTS)), "short", "tags", 2]
    assert [row["link"] for row in kept] == [f"http://a.example/{name}" for name in names]
    assert [row["main"] for row in kept] == [*TEXTS, "too short", "", TEXTS[2]]


def test_records_kept_can_be_read_as_an_input(mixed: Path) -> None:
    [piece, *more] = cut(list_files((mixed / "out" / "kept",)))
    read = [row.fields for part in (piece, *more) for row in read_piece(part, Fields(), bool)]
    assert read == lines(mixed / "out" / "kept")


def test_pairs_and_clusters_name_pages_of_two_hosts(mixed: Path) -> None:
    rows = lines(mixed / "out" / "pairs")
    pairs = {(row["url_one"], row["url_other"]) for row in rows}
    assert {(row["relation"], row["new"]) for row in rows} == {("equal", 0)}
    assert pairs == {(f"http://a.example/{n}", f"http://b.example/{n}") for n in (0, 1)}
    assert {url: of for url, (of, *_) in repeats(mixed / "out").items()} == {
        other: one for one, other in pairs
    }


def test_a_batch_goes_on_where_it_stopped(spark: SparkSession, mixed: Path) -> None:
    first = json.loads((mixed / "out" / "summary.json").read_text())
    (mixed / "out" / "work" / "results" / "_DONE").unlink()
    again = run_mixed(spark, mixed)
    assert again["reused"] == ["fingerprints", "groups", "words", "pairs", "verdicts"]
    assert again["kept"] == first["kept"]


@pytest.fixture(scope="module")
def dated(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Repeats]:
    """A batch that keeps the earliest of two pages: its input, and what it drops."""
    folder = tmp_path_factory.mktemp("dated")
    dates = [{"date": "2021-01-01"}, {"date": "", "published": "2019-05-06T07:08:09Z"}]
    rows = [{"url": f"http://{n}.example/", "text": TEXTS[0], **dates[n]} for n in range(2)]
    source = folder / "in.jsonl.gz"
    source.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    run(spark, folder, source, keep="earliest")
    return source, repeats(folder / "out")


def test_the_earliest_stays_whatever_kind_of_date_it_has(dated: tuple[Path, Repeats]) -> None:
    assert [*dated[1]] == ["http://0.example/"]


def test_results_that_are_not_whole_have_no_summary(
    spark: SparkSession, dated: tuple[Path, Repeats]
) -> None:
    from dedup.batch.session import one_line

    source, _ = dated
    assert (source.parent / "out" / "summary.json").exists()
    standing = source.stat()
    source.write_bytes(bytes(standing.st_size))  # damaged, where nothing tells of a change
    os.utime(source, ns=(standing.st_atime_ns, standing.st_mtime_ns))
    with pytest.raises(BatchError), one_line():
        run(spark, source.parent, source, keep="earliest", format="parquet")
    assert not (source.parent / "out" / "summary.json").exists()


def test_the_earliest_is_not_kept_where_no_record_has_a_date(
    spark: SparkSession, tmp_path: Path
) -> None:
    source = write_lines(tmp_path / "in.jsonl", [{"url": "u", "text": "tea", "date": "soon"}])
    with pytest.raises(BatchError, match="no record has a date in date, published, fetched; name"):
        run(spark, tmp_path, source, keep="earliest")


def test_an_input_that_cannot_be_read_ends_a_batch_in_one_line(
    spark: SparkSession, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from dedup.batch.session import one_line

    source = tmp_path / "in.jsonl.gz"
    source.write_bytes(b"no gzip")
    with pytest.raises(BatchError) as ended, one_line():
        run(spark, tmp_path, source)
    said = f"{source} cannot be read: Not a gzipped file (b'no'); mend it or leave it out"
    assert str(ended.value) == said
    assert capfd.readouterr().err == ""


def test_what_else_ends_spark_is_one_line(spark: SparkSession, tmp_path: Path) -> None:
    from dedup.batch.session import one_line

    (tmp_path / "file").touch()
    with pytest.raises(BatchError, match=r"^Spark gave up: .*/file") as ended, one_line():
        spark.range(1).write.parquet(f"file://{tmp_path}/file/rows")
    assert len(str(ended.value).splitlines()) == 1


def test_pages_of_an_index_stay_and_new_ones_repeat_them(
    spark: SparkSession, tmp_path: Path
) -> None:
    rows = edited_copies(6, 4)
    old, new = rows[:12], [rows[0], *rows[12:], *edited_copies(7, 0)[6:]]
    without_texts = Config(keep_text=False)
    crawled(old, without_texts, tmp_path)
    source = write_lines(tmp_path / "in.jsonl", new)
    against = f"leveldb:{tmp_path / 'store'}"
    first = run(spark, tmp_path, source, against=against)
    found = repeats(tmp_path / "out")
    assert len(run(spark, tmp_path, source, against=against)["reused"]) == 6
    assert found == crawled(new, without_texts, tmp_path)
    assert {of for of, *_ in found.values()} & {row["url"] for row in old}
    grown = run(spark, tmp_path, source, against=against)
    assert grown["reused"] == ["fingerprints"]
    stored = len(new) - len(found) - 1  # the first was known
    assert grown["known"] == first["known"] + stored > first["known"]


def test_pages_of_an_index_that_are_too_old_are_repeated_by_none(
    spark: SparkSession, tmp_path: Path
) -> None:
    crawled([{"url": "http://a.example/1", "text": TEXTS[0]}], Config(), tmp_path)
    source = write_lines(tmp_path / "in.jsonl", [{"url": "http://b.example/1", "text": TEXTS[0]}])
    against = f"leveldb:{tmp_path / 'store'}"
    summary = run(spark, tmp_path, source, against=against, keep="first", config=Config(ttl=1e-6))
    assert (summary["kept"], summary["dropped"]) == (1, 0)
