"""The model of indexes past these machines."""

from __future__ import annotations

import json
from argparse import ArgumentTypeError
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.report import Bar
from benchmarks.scaling import check, main, read_report, read_sizes
from benchmarks.scaling_model import LEVELDB, REDIS, Engine, Fitted, Sizes, layout_costs

SCAN = 0.001
PAGES = st.integers(1_000, 10**10)


def made(
    engine: Engine = LEVELDB, scheme: str = "simhash", micros: dict[int, float] | None = None
) -> Sizes:
    beside = {100_000: 70.0, 1_000_000: 71.0, 10_000_000: 72.0}
    times = {100_000: 30.0, 1_000_000: 40.0, 10_000_000: 50.0}
    return Sizes(engine, scheme, 85.0, beside, micros or times)


def test_pages_are_looked_up_by_the_words_and_keys_of_their_scheme() -> None:
    assert (made().words, made().keys) == (1, 2)
    assert (made(REDIS).words, made(REDIS).keys) == (1, 1)
    assert (made(scheme="combined").words, made(scheme="combined").keys) == (1, 10)


def test_a_model_gives_back_what_it_was_fitted_to() -> None:
    model = Fitted(made(), SCAN)
    assert model.beside(100_000) == pytest.approx(70)
    assert model.micros(100_000) == pytest.approx(30)
    assert model.micros(1_000_000) == pytest.approx(40)


def test_of_one_size_only_the_scan_grows() -> None:
    model = Fitted(made(micros={100_000: 30.0}), SCAN)
    grown = SCAN * (model.scanned(10**9) - model.scanned(100_000))
    assert model.micros(10**9) == pytest.approx(30 + grown)


@given(PAGES, PAGES)
def test_a_larger_index_is_never_quicker(one: int, other: int) -> None:
    model = Fitted(made(), 0.0)
    fewer, more = sorted((one, other))
    assert model.micros(fewer) <= model.micros(more) + 1e-9


@pytest.mark.parametrize("pages", [10**8, 10**10])
def test_words_scanned_are_those_that_share_a_prefix(pages: int) -> None:
    assert Fitted(made(), SCAN).scanned(pages) == pytest.approx(4 * pages / 2**16)


def test_buckets_that_a_server_scans_are_kept_from_growing() -> None:
    assert REDIS.layout(1_000_000) == "blocks"
    assert REDIS.layout(10**9) == "10"
    assert LEVELDB.layout(10**9) == "blocks"


def test_more_tables_take_more_room_and_less_scanning() -> None:
    few, many = layout_costs("blocks", 10**9), layout_costs("10", 10**9)
    assert few[0] < many[0]
    assert few[2] < many[2]
    assert few[3] > many[3]


def test_only_sizes_it_was_not_fitted_to_have_bars() -> None:
    bars: list[Bar] = []
    rows = check("x", Fitted(made(), 0.0), bars)
    assert len(rows) == 6
    assert [bar.name for bar in bars] == [
        "x, bytes beside the record, 1,000,000: error",
        "x, bytes beside the record, 10,000,000: error",
        "x, us a page, 10,000,000: error",
    ]
    assert all(bar.met for bar in bars)


def test_a_model_far_off_misses_its_bar() -> None:
    bars: list[Bar] = []
    sizes = made(micros={100_000: 30.0, 1_000_000: 40.0, 10_000_000: 500.0})
    check("x", Fitted(sizes, 0.0), bars)
    assert not bars[-1].met


def store_scale(path: Path) -> Path:
    report = {
        "benchmark": "store_scale",
        "figures": {"scheme": "simhash"},
        "listings": {
            "check and add": [{"pages": 100_000, "CPU us a page": 35.0}],
            "disk and memory": [{"pages": 100_000, "records": 85.0, "beside": 70.0}],
        },
    }
    path.write_text(json.dumps(report), encoding="utf-8")
    return path


def test_what_a_benchmark_printed_is_read(tmp_path: Path) -> None:
    (sizes,) = read_sizes(read_report(str(store_scale(tmp_path / "run.json"))))
    assert sizes == Sizes(LEVELDB, "simhash", 85.0, {100_000: 70.0}, {100_000: 35.0})


def test_another_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text("[1]", encoding="utf-8")
    with pytest.raises(ArgumentTypeError, match=r"other\.json is not what a benchmark prints"):
        read_report(str(path))


def test_plans_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = store_scale(tmp_path / "run.json")
    assert main(["--measured", str(path), "--pages", "1e8", "--markdown"]) == 0
    assert "LevelDB, simhash: what it takes" in capsys.readouterr().out


def test_what_a_batch_takes_is_its_largest_rate_scaled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"documents": n, "documents a second": rate} for n, rate in ((50, 9.0), (200, 500.0))]
    path = tmp_path / "run.json"
    report = {"benchmark": "spark_batch", "figures": {}, "listings": {"batches": rows}}
    path.write_text(json.dumps(report), encoding="utf-8")
    assert main(["--measured", str(path), "--pages", "9e8", "--json"]) == 0
    [batch] = json.loads(capsys.readouterr().out)["listings"]["Spark: what a batch takes"]
    assert batch["core-hours"] == 1000.0  # 2 cores, 500 a second
