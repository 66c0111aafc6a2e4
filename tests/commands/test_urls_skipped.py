"""``scrapy neardup urls skipped``: what it lists of the logs of skipped requests."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Neardup
from made_logs import write_log

Run = Callable[..., tuple[int, str, str]]

PRINT, CART = "a.example /print?id=#", "a.example /cart?item=#"
LOG = "skipped-drops.jsonl"


def skip(number: int, pattern: str = PRINT, **fields: Any) -> dict[str, Any]:
    """A record."""
    return {
        "version": 1,
        "time": f"2026-11-21T05:00:{number % 60:02d}.000+00:00",
        "spider": "site",
        "action": "skip",
        "url": f"http://a.example/print?id={number}",
        "pattern": pattern,
        "downloads": 36 + number,
        "hits": 35 + number,
        "example": "http://a.example/print?id=1",
        "example_of": "http://a.example/1",
        "size": 700,
    } | fields


CARTS = [skip(number, CART, url=f"http://a.example/cart?item={number}") for number in range(2)]
PRINTS = [skip(number) for number in range(3)]


@pytest.fixture
def run(neardup: Neardup, folder: Path) -> Run:
    """Run the action on the logs of the test's folder."""

    def run(*arguments: str, log: str = "drops.jsonl") -> tuple[int, str, str]:
        return neardup("urls", "skipped", *arguments, "-s", f"NEARDUP_LOG={log}")

    return run


def told(answer: tuple[int, str, str]) -> list[Any]:
    """What was printed as JSON lines."""
    code, out, err = answer
    assert (code, err) == (0, "")
    return [json.loads(line) for line in out.splitlines()]


def test_patterns_are_listed_with_the_latest_evidence_those_of_most_first(
    run: Run, folder: Path
) -> None:
    write_log(folder / LOG, [*CARTS, *PRINTS])
    first, second = told(run("--json"))
    assert first == {
        "pattern": PRINT,
        "skipped": 3,
        "size": 3 * 700,
        "downloads": 38,
        "hits": 37,
        "example": "http://a.example/print?id=1",
        "example_of": "http://a.example/1",
    }
    assert (second["pattern"], second["skipped"]) == (CART, 2)


def test_a_list_for_people_is_a_table_with_its_sum(run: Run, folder: Path) -> None:
    write_log(folder / LOG, [*CARTS, *PRINTS])
    code, out, err = run()
    row = next(line.split() for line in out.splitlines() if "/print?id=#" in line)
    assert (code, err) == (0, "")
    assert row[-5:] == ["3", "38", "37", "http://a.example/print?id=1", "http://a.example/1"]
    assert out.splitlines()[-1] == "5 URLs of 2 patterns, about 3.5 kB"


def test_urls_are_printed_one_a_line_for_a_crawl(run: Run, folder: Path) -> None:
    write_log(folder / LOG, [*CARTS, *PRINTS])
    urls = [entry["url"] for entry in (*CARTS, *PRINTS)]
    assert run("--urls") == (0, "".join(f"{url}\n" for url in urls), "")
    assert run("--urls", "--pattern", CART)[1].split() == urls[:2]
    assert [entry["url"] for entry in told(run("--urls", "--json", "--pattern", PRINT))] == urls[2:]


def test_a_url_that_was_skipped_twice_is_listed_once(run: Run, folder: Path) -> None:
    write_log(folder / LOG, [*PRINTS, skip(0, downloads=99)])
    (pattern,) = told(run("--json"))
    assert (pattern["skipped"], pattern["downloads"]) == (3, 99)
    assert len(run("--urls")[1].split()) == 3


def test_the_newest_log_is_read_and_named_ones_instead(run: Run, folder: Path) -> None:
    for age, (day, entries) in enumerate([("2", CARTS), ("1", PRINTS)]):
        path = write_log(folder / f"skipped-drops-{day}.jsonl", entries)
        os.utime(path, (1_000_000 - age, 1_000_000 - age))
    for log in ("drops-%(time)s.jsonl", "drops-%(time)s.jsonl.gz"):
        assert [entry["pattern"] for entry in told(run("--json", log=log))] == [CART]
    named = told(run("--json", "skipped-drops-1.jsonl", "skipped-drops-2.jsonl"))
    assert [entry["pattern"] for entry in named] == [PRINT, CART]


def test_no_list_of_drops_reads_it(run: Run, neardup: Neardup, folder: Path) -> None:
    write_log(folder / "skipped-site.jsonl", PRINTS)
    log = ("-s", "NEARDUP_LOG=%(name)s.jsonl")
    assert "no drop log at" in neardup("list", *log)[2]
    assert "no log of kept pages at" in neardup("list", "--kept", *log)[2]
    assert len(told(run("--json", log="%(name)s.jsonl"))) == 1


def test_a_log_without_lines_is_an_empty_list(run: Run, folder: Path) -> None:
    write_log(folder / LOG, [])
    assert run() == (0, "0 URLs of 0 patterns\n", "")
    assert run("--urls") == (0, "", "")


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[" * 10_000,
        "[]",
        json.dumps(skip(7, version=2)),
        json.dumps(skip(7, action="drop")),
        json.dumps(skip(7, hits="7")),
        json.dumps(skip(7, hits=True)),
        json.dumps(skip(7, hits=-1)),
        json.dumps(skip(7, downloads=10**400)),
        json.dumps(skip(7, size=-1)),
        json.dumps(skip(7, size=10**400)),
        json.dumps(skip(7, size=None)),
        json.dumps(skip(7, pattern=None)),
        json.dumps(skip(7, url="http://a.example/\nhttp://b.example/")),
        json.dumps(skip(7, url="http://a.example/\x1b[31m")),
        json.dumps(skip(7, url="")),
        json.dumps(skip(7))[:-9],
    ],
)
def test_a_damaged_line_is_named_and_left_out(run: Run, folder: Path, line: str) -> None:
    write_log(folder / LOG, PRINTS, tail=f"{line}\n")
    code, out, err = run("--urls")
    assert (code, len(out.split())) == (0, 3)
    assert LOG in err
    assert "line 4: " in err

    write_log(folder / "other.jsonl", [], tail=f"{line}\n")
    code, out, err = run("other.jsonl")
    assert (code, out) == (1, "")
    assert "other.jsonl holds no record of a skipped request; line 1: " in err


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (
            [],
            1,
            "no log of skipped requests {folder}/skipped-drops.jsonl: nothing was skipped "
            "(that takes NEARDUP_SKIP_PREDICTED = True and PostponingQueue), or the crawl had ",
        ),
        (["missing.jsonl"], 1, "no log of skipped requests missing.jsonl"),
        (["."], 1, ". is a folder; name the logs of skipped requests in it"),
        (["--pattern", ""], 2, "it is empty"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    run: Run, folder: Path, arguments: list[str], code: int, says: str
) -> None:
    answer = run(*arguments)
    assert answer[:2] == (code, "")
    assert says.format(folder=folder) in answer[2].splitlines()[-1]


def test_a_missing_log_is_named_without_placeholders(
    run: Run, neardup: Neardup, folder: Path
) -> None:
    log = "logs/%(project)s/100%%-%(name)s-%(time)s.jsonl"
    err = run(log=log)[2]
    assert f"no log of skipped requests {folder}/logs/default/skipped-100%-*-*.jsonl: " in err
    err = neardup("list", "-s", f"NEARDUP_LOG={log}")[2]
    assert f"no drop log at {folder}/logs/default/100%-*-*.jsonl: " in err
    err = run(log="50%-%(name)s.jsonl")[2]
    assert f"{folder}/skipped-50%-%(name)s.jsonl: " in err


def test_a_pattern_of_which_nothing_was_skipped_is_an_error(run: Run, folder: Path) -> None:
    write_log(folder / LOG, PRINTS)
    code, out, err = run("--pattern", CART)
    assert (code, out) == (1, "")
    assert CART in err
    assert LOG in err
