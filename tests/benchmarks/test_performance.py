"""The benchmarks of speed run end to end on tiny inputs, and their bars are what they say."""

from __future__ import annotations

import json
import os
import random
import re
import tarfile
from argparse import ArgumentTypeError
from functools import partial
from pathlib import Path

import pytest

from benchmarks import chains, crawl_cost, inline_or_worker, page_to_fingerprint, performance
from benchmarks.apart import Cpu, cpu_seconds, family, memory_mb, run_apart
from benchmarks.chains import OURS, READABILITY, TRAFILATURA
from benchmarks.command import as_command, whole_number, whole_numbers
from benchmarks.crawl_pages import choose, exchange_texts, make_pages, page_url
from benchmarks.measured import Taken
from benchmarks.page_to_fingerprint import Cost, middle_costs, speed_bars
from benchmarks.report import Bar, Listing, Report
from crawler.demo.texts import load_texts
from dedup import Config, Verdict, make_fingerprinter, make_index, open_store
from tests.benchmarks.printed import result, verdicts

TEXTS = {name: text.plain for name, text in load_texts().items()}


def page(text: str) -> str:
    """A page of some text."""
    paragraphs = "".join(f"<p>{part}</p>" for part in text.split("\n"))
    return f"<html><head><title>t</title></head><body><main>{paragraphs}</main></body></html>"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with a few pages in each collection of gold pages."""
    for name in page_to_fingerprint.SETS:
        archive = tmp_path / f"html-gold/{name}.tar.xz"
        root = tmp_path / name
        archive.parent.mkdir(exist_ok=True)
        root.mkdir()
        gold = {}
        for number, key in enumerate(("ferry", "tea", "clock")):
            (root / f"{number}.html").write_text(page(TEXTS[key]), encoding="utf-8")
            gold[str(number)] = {"file": f"{number}.html", "text": TEXTS[key]}
        (root / "gold.json").write_text(json.dumps(gold), encoding="utf-8")
        with tarfile.open(archive, "w:xz") as tar:
            for path in root.iterdir():
                tar.add(path, path.name)
    return tmp_path


@pytest.mark.usefixtures("compiled")
def test_page_to_fingerprint_times_its_own_chains_and_says_which_peers_are_missing(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    without_peers = partial(page_to_fingerprint.run, absent=list)
    main = as_command(page_to_fingerprint.make_arguments, without_peers)
    assert main([str(data), "--rounds", "2", "--json"]) in (0, 1)
    content = result(capsys)
    rows = content["listings"]["CPU a page"]
    assert rows[0]["chain"] == OURS
    assert len(rows) == 3
    assert all(row["errors"] == 0 for row in rows)
    assert sum(chains.INSTALL in note for note in content["notes"]) == 3
    assert len(content["bars"]) == 2  # of the main text; there is no peer to be faster than


def test_a_chain_that_raises_is_timed_and_counted() -> None:
    def fail(html: str) -> object:
        raise ValueError(html)

    errors = {OURS: 0, "broken": 0}
    times = page_to_fingerprint.take_times(["a", "b"], {OURS: str.upper, "broken": fail}, errors)
    assert errors == {OURS: 0, "broken": 2}
    assert [len(taken) for taken in times.values()] == [2, 2]


def test_costs_are_medians_over_rounds() -> None:
    rounds = [{OURS: [seconds] * 3} for seconds in (0.001, 0.009, 0.002)]
    cost = middle_costs(rounds)[OURS]
    assert (cost.mean, cost.median, cost.p95) == pytest.approx((2.0, 2.0, 2.0))


def test_speed_bars_compare_means_with_the_peers_that_ran() -> None:
    costs = {OURS: Cost(2, 1, 3), READABILITY: Cost(24.2, 1, 3), TRAFILATURA: Cost(9.8, 50, 50)}
    assert verdicts(speed_bars(costs)) == [True, False]
    assert speed_bars({OURS: Cost(2, 1, 3)}) == []


def test_crawl_cost_crawls_every_page_with_and_without_the_extension(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    profiles = {name: crawl_cost.PROFILES[name] for name in (crawl_cost.WITHOUT, crawl_cost.BASE)}
    few = partial(crawl_cost.run, spiders=("links",), profiles=profiles)
    arguments = ["--pages", "6", "--repeats", "1", "--mean", "100", "--json"]
    assert as_command(crawl_cost.make_arguments, few)([str(data), *arguments]) == 0
    content = result(capsys)
    assert content["figures"]["pages"] == 6
    rows = content["listings"]["spider: links"]
    assert [row["profile"] for row in rows] == [crawl_cost.WITHOUT, crawl_cost.BASE]
    assert rows[0]["ratio"] == 1.0
    assert content["bars"] == []
    assert content["notes"] == ["bars: skipped, they hold for crawls of 2,000 pages"]


def test_bars_of_a_crawl_compare_medians() -> None:
    runs = {
        (spider, profile): [Taken(cpu, wall, 0, {}) for cpu in (1, cpu, 90)]
        for spider in crawl_cost.SPIDERS
        for profile, cpu, wall in ((crawl_cost.WITHOUT, 10, 10), (crawl_cost.BASE, 12, 10.5))
    }
    assert [(round(bar.value, 2), bar.met) for bar in crawl_cost.bars(runs)] == [
        (1.2, False),
        (1.2, True),
        (1.05, True),
    ]


def test_pages_are_chosen_so_that_their_mean_is_reached() -> None:
    collections = {"a": ["x" * 10, "x" * 300], "b": ["x" * 100, "x" * 20]}
    assert choose(collections, 9, 200) == {"a": ["x" * 300], "b": ["x" * 100]}
    assert len(choose(collections, 1, 200)) == 1
    assert choose(collections, 9, 900) == {"a": ["x" * 300]}


def test_pages_that_come_again_have_other_texts_and_are_no_near_duplicates() -> None:
    # One or two pieces would be a part of the page that they come from.
    texts = [text for text in TEXTS.values() if text.count("\n") > 3]
    made = make_pages({"demo": [page(text) for text in texts]}, 2 * len(texts))
    assert list(made) == [page_url(number) for number in range(2 * len(texts))]
    fingerprinter, config = make_fingerprinter(Config()), Config(store="memory:")
    index = make_index(config, open_store(config, Path()))
    for number, (url, body) in enumerate(made.items()):
        claim = index.check(url, str(number).encode(), fingerprinter.of_page(body))
        index.commit(claim)
        if number >= len(texts):
            assert claim.verdict is not Verdict.DUPLICATE


def test_exchanged_texts_leave_markup_and_scripts_alone() -> None:
    html = "<p>one two</p><script>if (a < b) c</script><!-- no --><b>  </b>"
    changed = exchange_texts(html, ["some other", "text here"], random.Random(1))
    assert changed.endswith("</p><script>if (a < b) c</script><!-- no --><b>  </b>")
    assert changed.startswith(("<p>some other</p>", "<p>text here</p>"))


def test_every_way_to_a_fingerprint_is_measured(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert inline_or_worker.main([str(data), "--json"]) == 0
    report = result(capsys)
    assert report["figures"]["pages"] == 9
    rows = report["listings"]["CPU a page"]
    assert [row["where"].split(",")[0] for row in rows] == ["here", "in a worker", "in a worker"]
    assert rows[0]["ms of the worker"] == 0


def test_without_data_the_rest_runs_and_what_is_skipped_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    jobs = (
        performance.Job("page_to_fingerprint", "", needs_data=True),
        performance.Job("store_scale", "--pages 5000 --set cache_mb=8"),
    )
    performance.main(["--folder", str(tmp_path)], quick=jobs)
    assert "page_to_fingerprint : skipped, it needs a folder of data files" in " ".join(
        capsys.readouterr().out.split()
    )
    content = json.loads((tmp_path / "output/performance.json").read_text(encoding="utf-8"))
    assert [report["benchmark"] for report in content["reports"]] == ["store_scale"]
    assert content["reports"][0]["figures"]["cache, MiB"] == 8


def test_the_help_names_every_benchmark() -> None:
    named = re.findall(r"\w+", (performance.__doc__ or "").split("\n\n")[1])
    assert named == list(performance.MODULES)


@pytest.mark.parametrize("job", [*performance.QUICK, *performance.FULL], ids=str)
def test_every_job_can_be_run_by_its_command(job: performance.Job) -> None:
    module = performance.MODULES[job.name]
    module.make_arguments().parse_args(job.command(Path("data") if job.needs_data else None))


def test_a_report_as_markdown_has_a_table_each() -> None:
    report = Report("r", {"a": 1}, [Bar("b", 2.0, 3.0)], [Listing("l", ("x|y",), [("z",)])], ["n"])
    assert report.as_markdown().split("\n\n") == [
        "| figure | value |\n|---|---|\n| a | 1 |",
        "**l**",
        "| x\\|y |\n|---|\n| z |",
        "| figure | value | bar |  |\n|---|---|---|---|\n| b | 2.0000 | >= 3.0000 | MISSED |",
        "n",
    ]


def test_large_numbers_are_read_as_people_write_them() -> None:
    assert whole_numbers("1e6,5000,1_000") == [1000, 5000, 1_000_000]
    for text in ("0", "1.5", "-3", "many", "nan", "inf"):
        with pytest.raises(ArgumentTypeError, match="whole number"):
            whole_number(text)


def test_a_process_of_its_own_has_its_own_memory_and_family() -> None:
    assert run_apart(os.getpid) != os.getpid()
    assert os.getpid() in family(os.getpid())
    assert memory_mb() > memory_mb("RssAnon") > 0
    assert cpu_seconds(os.getpid()) > 0
    assert (memory_mb(process=2**30), cpu_seconds(2**30), list(family(2**30))) == (0, 0, [2**30])


def test_cpu_leaves_out_what_it_is_told_to() -> None:
    cpu = Cpu()
    with cpu.leave_out():
        sum(range(3_000_000))
    left_out = cpu.seconds
    counted = Cpu()
    sum(range(3_000_000))
    assert left_out < counted.seconds
