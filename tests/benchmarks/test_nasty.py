"""The nasty pages: made alike each time, measured each way, and told when a bound is broken."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from benchmarks import nasty
from benchmarks.nasty import DEFAULT, MOST_CPU, MOST_MEMORY, Cost, bars, measure_apart, ways_of
from benchmarks.nasty_pages import NASTY, SIZE, NastyPage
from dedup.page import EXTRACTORS
from dedup.schemes import PUBLISHED

SMALL = NastyPage(lambda: b"<p>tea")
WORDY = NastyPage(lambda: b"<p>tea", wordy=True)


def test_no_page_is_larger_than_what_a_crawl_reads_by_default() -> None:
    sizes = {name: len(page.make()) for name, page in [*NASTY.items()][::5]}
    assert max(sizes.values()) <= SIZE
    assert min(sizes.values()) > 1_000


def test_the_readme_counts_the_pages() -> None:
    readme = Path(nasty.__file__).with_name("README.md").read_text()
    assert f"| `nasty` | {len(NASTY)} pages " in readme


@pytest.mark.parametrize(
    "name", ["random bytes as UTF-8", "words, each another", "1,000 attributes in a tag"]
)
def test_a_page_is_the_same_each_time(name: str) -> None:
    assert NASTY[name].make() == NASTY[name].make()


def test_every_extractor_and_of_text_every_scheme_is_measured() -> None:
    assert {extractor for extractor, _, _ in ways_of(SMALL)} == set(EXTRACTORS)
    assert {scheme for _, scheme, _ in ways_of(WORDY)} == set(PUBLISHED)
    assert ways_of(SMALL)[0] == DEFAULT


@pytest.mark.parametrize(
    ("cost", "good"),
    [
        (Cost(DEFAULT, 1, MOST_CPU, MOST_MEMORY, "fingerprint"), True),
        (Cost(DEFAULT, 1, 0.0, 0.0, "too_many_tags"), True),
        (Cost(DEFAULT, 1, MOST_CPU + 0.1, 0.0, "fingerprint"), False),
        (Cost(DEFAULT, 1, 0.0, MOST_MEMORY + 1, "fingerprint"), False),
        (Cost(DEFAULT, 1, 0.0, 0.0, "error: ValueError: tea"), False),
        (Cost(DEFAULT, 1, 0.0, 0.0, "died"), False),
    ],
)
def test_a_broken_bound_misses_a_bar(cost: Cost, *, good: bool) -> None:
    assert cost.good == good
    assert all(bar.met for bar in bars([cost])) == good


def test_a_page_that_kills_its_process_is_told() -> None:
    def die() -> bytes:
        os.kill(os.getpid(), signal.SIGKILL)
        return b""

    assert measure_apart(NastyPage(die), DEFAULT).outcome == "died"


@pytest.mark.usefixtures("compiled")
def test_it_prints_what_became_of_each_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert nasty.main(["--only", "5 MB of <p>", "--default"]) == 0
    assert "too_many_tags" in capsys.readouterr().out
