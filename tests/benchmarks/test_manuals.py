"""Manuals: what drops lose, with the titles of the pages and under one title."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from benchmarks.manuals import FEW_PAGES, _without_title, run
from tests.lab.evaluation.made_corpora import prose

LEAST = FEW_PAGES  # Pages of the smallest manual.


def write(folder: Path, number: int, heading: str, text: str) -> None:
    """Write a page of a manual; its URL is a number."""
    path = folder / "tea" / f"{number}.html"
    path.parent.mkdir(exist_ok=True)
    head = f"<title>{heading} - Tea</title><h1>{heading}</h1>"
    path.write_text(f"<html>{head}<main><p>{text}</p></main>", encoding="utf-8")


def test_drops_are_counted_with_the_titles_and_under_one_title(tmp_path: Path) -> None:
    """A page that repeats another one's text loses nothing."""
    for number in range(LEAST):
        text = prose(0 if number == 1 else number)
        write(tmp_path, number, text[:40], text)
    report = run(tmp_path, Console(quiet=True))
    assert report.figures == {
        "pages": LEAST,
        "dropped": 1,
        "costly drops": 0,
        "dropped under one title": 1,
        "costly drops under one title": 0,
    }


def test_sister_pages_are_dropped_at_a_loss_under_one_title(tmp_path: Path) -> None:
    """Each has words of its own in the place of a sixth of the text."""
    words = prose(0).split()
    for number in range(LEAST):
        own = prose(number + 1).split()
        text = " ".join(own[at] if at % 6 == 3 else word for at, word in enumerate(words))
        write(tmp_path, number, " ".join(own[:3]), text)
    figures = run(tmp_path, Console(quiet=True)).figures
    assert figures["dropped"] == 0
    assert figures["costly drops under one title"] > LEAST / 2


def test_a_page_without_its_title_keeps_everything_else() -> None:
    html = '<head><TITLE lang="en">One\ntwo</TITLE></head><h1 id="a">Tea</h1><h2>Cup</h2>'
    bare = '<head><TITLE lang="en">Notes</TITLE></head><h2 id="a">Tea</h2><h2>Cup</h2>'
    assert _without_title(html) == bare
