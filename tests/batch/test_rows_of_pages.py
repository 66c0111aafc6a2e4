"""Rows of fingerprints: dates, titles, and pages that are too large."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from made_collections import write_lines

from dedup.assembly import make_fingerprinter
from dedup.batch.job import Fields
from dedup.batch.sources import cut
from dedup.config import Config

pytestmark = pytest.mark.usefixtures("packages")

NEW_YEAR = "2020-01-01T00:00:00+00:00"


def fingerprinted(
    path: Path, config: Config | None = None, fields: Fields | None = None
) -> list[dict[str, Any]]:
    from dedup.batch.fingerprints import FINGERPRINTS, fingerprint_pieces
    from dedup.batch.session import in_batches

    pieces = cut([path])
    numbers = ({"id": number} for number in range(len(pieces)))
    rows = fingerprint_pieces(config or Config(), pieces, fields or Fields(), numbers)
    return [row for batch in in_batches(rows, FINGERPRINTS) for row in batch.to_pylist()]


@pytest.mark.parametrize(
    "row",
    [
        {"date": "2020-01-01"},
        {"date": "2020-01-01T01:00:00+01:00"},
        {"date": "", "published": "2020-01-01T00:00:00Z"},
        {"date": "yesterday", "published": None, "fetched": "2020-01-01"},
        {"date": 20200101},
    ],
)
def test_the_first_field_that_is_a_date_is_the_date(row: dict[str, Any], tmp_path: Path) -> None:
    [made] = fingerprinted(write_lines(tmp_path / "in.jsonl", [row]))
    assert datetime.fromisoformat(made["date"]) == datetime.fromisoformat(NEW_YEAR)


@pytest.mark.parametrize("day", [date(2020, 1, 1), datetime(2020, 1, 1, tzinfo=UTC)])
def test_dates_and_times_of_parquet_are_dates(day: date, tmp_path: Path) -> None:
    import pyarrow as pa
    from pyarrow.parquet import write_table

    write_table(pa.table({"url": ["u"], "date": [day]}), tmp_path / "in.parquet")
    [made] = fingerprinted(tmp_path / "in.parquet")
    assert made["date"] == NEW_YEAR


def test_a_record_without_a_date_has_none(tmp_path: Path) -> None:
    [made] = fingerprinted(write_lines(tmp_path / "in.jsonl", [{"date": "soon", "published": 7}]))
    assert made["date"] == ""


@pytest.mark.parametrize(("most", "skipped"), [(120, "short_text"), (119, "too_large")])
def test_a_page_is_too_large_by_its_octets(most: int, skipped: str, tmp_path: Path) -> None:
    source = write_lines(tmp_path / "in.jsonl", [{"html": "茶" * 40}])
    [made] = fingerprinted(source, Config(max_body=most, min_tokens=400))
    assert made["skipped"] == skipped


def test_the_title_of_an_item_is_its_title_as_in_a_crawl(tmp_path: Path) -> None:
    item = {"title": "High water", "text": "one two three " * 30}
    [made] = fingerprinted(write_lines(tmp_path / "in.jsonl", [item]))
    titled = make_fingerprinter(Config()).of_text("\n".join(item.values()), item["title"])
    assert made["fingerprint"] == titled.value


def test_a_binary_body_is_no_page_whatever_it_is_called(tmp_path: Path) -> None:
    import pyarrow as pa
    from pyarrow.parquet import write_table

    body = b"%PDF-1.4\n" + b"<p>one two three four</p>" * 60
    write_table(pa.table({"url": ["u", "v"], "html": [body, body[9:]]}), tmp_path / "in.parquet")
    assert [row["skipped"] for row in fingerprinted(tmp_path / "in.parquet")] == ["not_html", ""]


def test_large_rows_are_passed_on_few_at_a_time() -> None:
    from dedup.batch.results import KEPT
    from dedup.batch.session import in_batches

    page = "x" * (5 << 20)
    rows = ({"page": number, "record": page} for number in range(40))
    batches = [(batch.num_rows, batch.nbytes) for batch in in_batches(rows, KEPT)]
    assert sum(count for count, _ in batches) == 40
    assert max(size for _, size in batches) < 32 << 20


def test_a_title_over_text_that_is_not_read_is_no_text(tmp_path: Path) -> None:
    row = {"url": "http://a.example/", "title": "tides and " * 30, "main": "of the sea " * 30}
    path = write_lines(tmp_path / "in.jsonl", [row])

    [made] = fingerprinted(path)
    [read] = fingerprinted(path, fields=Fields(text=("title", "main")))

    assert (made["skipped"], read["skipped"]) == ("no_text", "")
