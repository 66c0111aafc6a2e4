"""``scrapy neardup urls``: what it lists, shows, removes and carries, over a real store on disk."""

from __future__ import annotations

import gzip
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Neardup

from dedup.assembly import close_store, open_store
from dedup.config import Config
from dedup.store.interface import MOST_PATTERN
from dedup.store.tallies import MOST_NUMBER
from dedup.urls import Learner, Tally

Run = Callable[..., tuple[int, str, str]]

WIKI, SHOP = "wiki.example", "shop.example:8080"
HISTORY = f"{WIKI} /index.php?action=history&title=*"
VIEW = f"{WIKI} /index.php?title=*"
KNOWN = {
    WIKI: Tally(150, 90, 9_000, 5_000),
    f"{WIKI} ?action&title": Tally(90, 84, 5_400, 4_800),
    f"{WIKI} index.php?action&title": Tally(90, 84, 5_400, 4_800),
    HISTORY: Tally(90, 84, 5_400, 4_800, "http://wiki.example/2", "http://wiki.example/1"),
    VIEW: Tally(60, 6, 3_600, 200),
    SHOP: Tally(10, 10, 9_000, 9_000),
    f"{SHOP} 1": Tally(10, 10, 9_000, 9_000),
    f"{SHOP} /#?": Tally(6, 6, 8_000, 8_000),
    f"{SHOP} /*?": Tally(4, 4, 1_000, 1_000),
}
pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def run(neardup: Neardup) -> Run:
    """Run an action of ``urls`` on a store."""

    def run(*arguments: str, store: str = "store") -> tuple[int, str, str]:
        return neardup("urls", *arguments, "-s", f"NEARDUP_STORE=leveldb:{store}")

    return run


def make(known: dict[str, Tally] = KNOWN, name: str = "store") -> None:
    """Make a store, or put more into it."""
    config = Config(store=f"leveldb:{name}", cache_mb=8)
    open_store(config, Path()).tally(known)
    close_store(config, Path())


def tallies(name: str = "store") -> dict[str, Tally]:
    config = Config(store=f"leveldb:{name}", cache_mb=8)
    found = dict(open_store(config, Path(), create=False, any_seed=True).tallies())
    close_store(config, Path())
    return found


def listed(answer: tuple[int, str, str]) -> list[str]:
    """The patterns that were listed as JSON."""
    code, out, err = answer
    assert (code, err) == (0, "")
    return [json.loads(line)["pattern"] for line in out.splitlines()]


def said(answer: tuple[int, str, str]) -> dict[str, Any]:
    code, out, _ = answer
    assert code == 0
    facts: dict[str, Any] = json.loads(out)
    return facts


# List


def test_the_finest_patterns_are_listed_those_that_waste_most_first(run: Run) -> None:
    make()
    assert listed(run("list", "--json")) == [f"{SHOP} /#?", HISTORY, VIEW]
    assert json.loads(run("list", "--json")[1].splitlines()[1]) == {
        "pattern": HISTORY,
        "level": 4,
        "downloads": 90,
        "repeats": 84,
        "share": 0.9333,
        "bytes": 5_400,
        "wasted_bytes": 4_800,
        "url": "http://wiki.example/2",
        "of": "http://wiki.example/1",
    }


def test_a_list_for_people_is_a_table_with_its_sum(run: Run) -> None:
    make()
    code, out, _ = run("list")
    row = next(line.split() for line in out.splitlines() if "action=history" in line)
    assert code == 0
    assert row[-7:] == ["90", "84", "93%", "5.4", "kB", "4.8", "kB"]
    assert out.splitlines()[-1] == "3 patterns"
    assert run("list", "--limit", "1")[1].splitlines()[-1] == "3 patterns, 2 not shown (--limit 0)"


@pytest.mark.parametrize(
    ("options", "patterns"),
    [
        (["--site", SHOP], [f"{SHOP} /#?"]),
        (["--site", SHOP.upper()], [f"{SHOP} /#?"]),
        (["--site", "shop.example"], [f"{SHOP} /#?"]),
        (["--site", f"http://{SHOP}/1"], [f"{SHOP} /#?"]),
        (["--site", "https://Shop.example/"], [f"{SHOP} /#?"]),
        (["--site", "www.wiki.example"], [HISTORY, VIEW]),
        (["--site", f"//me@{WIKI}"], [HISTORY, VIEW]),
        (["--least", "61"], [HISTORY]),
        (["--least", "4", "--site", SHOP], [f"{SHOP} /#?", f"{SHOP} /*?"]),
        (["--all", "--site", SHOP], [SHOP, f"{SHOP} 1", f"{SHOP} /#?", f"{SHOP} /*?"]),
        (["--all", "--site", SHOP, "--least", "10"], [SHOP, f"{SHOP} 1"]),
        (["--limit", "1"], [f"{SHOP} /#?"]),
    ],
)
def test_options_choose_what_is_listed(run: Run, options: list[str], patterns: list[str]) -> None:
    make()
    assert listed(run("list", "--json", *options)) == patterns


PORTS = ["a.example", "a.example:81", "www.a.example", "[::1]:81", "b.example:81", "b.example:82"]


@pytest.mark.parametrize(
    ("site", "sites"),
    [
        ("a.example", ["a.example"]),
        ("http://a.example/", ["a.example"]),
        ("a.example:81", ["a.example:81"]),
        ("http://www.a.example/x", ["www.a.example"]),
        ("b.example", ["b.example:81", "b.example:82"]),
        ("http://[::1]:81/", ["[::1]:81"]),
        ("::1", ["[::1]:81"]),
    ],
)
def test_a_site_is_a_host_or_a_url_and_without_a_port_it_has_any(
    run: Run, site: str, sites: list[str]
) -> None:
    make({f"{name} /?": Tally(9, 9) for name in PORTS})
    found = listed(run("list", "--json", "--site", site))
    assert sorted(found) == [f"{name} /?" for name in sites]
    assert said(run("forget", "--json", "--site", site))["forgotten"] == len(sites)


@pytest.mark.parametrize("action", ["list", "forget"])
@pytest.mark.parametrize("site", ["tea.example", "http://shop.example:81/", f"{WIKI}:80"])
def test_the_sites_of_the_store_are_named_if_none_matches(run: Run, action: str, site: str) -> None:
    make()
    code, out, err = run(action, "--site", site)
    assert (code, out) == (1, "")
    assert err.startswith(f"scrapy neardup: --site {site}: no pattern of this site; ")
    assert err.endswith(f"patterns of {WIKI}, {SHOP}\n")
    assert tallies() == KNOWN


def test_many_sites_are_named_in_part(run: Run) -> None:
    make({f"{number}.example /?": Tally(9, 9) for number in range(100)})
    err = run("list", "--site", "tea.example")[2]
    assert err.endswith(" and 90 more\n")
    make({}, "empty")
    assert "the store has no patterns" in run("list", "--site", WIKI, store="empty")[2]


@pytest.mark.parametrize("site", ["http://", "http://[", "/tea", " "])
def test_what_is_no_site_is_wrong_usage(run: Run, site: str) -> None:
    make()
    code, _, err = run("forget", "--site", site)
    assert code == 2
    assert "a host must be like b.example" in err


def test_all_lists_every_pattern(run: Run) -> None:
    make()
    assert {*listed(run("list", "--json", "--all"))} == KNOWN.keys()


def test_a_store_without_patterns_has_an_empty_list(run: Run) -> None:
    make({})
    assert run("list")[:2] == (0, "0 patterns\n")


def test_the_table_shows_no_control_characters(run: Run) -> None:
    make({"a.example /\x1b[31m\ud800?": Tally(9, 9)})
    code, out, _ = run("list")
    assert code == 0
    assert "a.example /\N{REPLACEMENT CHARACTER}[31m\N{REPLACEMENT CHARACTER}?" in out
    assert listed(run("list", "--json")) == ["a.example /\x1b[31m\ud800?"]


# Show


def test_a_pattern_is_shown_with_those_above_it_and_its_evidence(run: Run) -> None:
    make()
    facts = said(run("show", HISTORY, "--json"))
    assert [level["pattern"] for level in facts["patterns"]] == [
        WIKI,
        f"{WIKI} ?action&title",
        f"{WIKI} index.php?action&title",
        HISTORY,
    ]
    learner = Learner()
    learner.load(KNOWN.items())
    expected = learner.rate([level["pattern"] for level in facts["patterns"]])
    assert facts["expected_share"] == round(expected, 4)
    assert 0.9 < expected < 0.94

    code, out, _ = run("show", HISTORY)
    rows = [" ".join(line.split()) for line in out.splitlines()]
    assert code == 0
    assert "expected to repeat 92% of the next downloads" in rows
    assert "latest that repeats http://wiki.example/2" in rows
    assert "the page it repeats http://wiki.example/1" in rows


def test_a_pattern_that_no_page_repeated_has_no_evidence(run: Run) -> None:
    make()
    assert "latest" not in run("show", VIEW)[1]


def test_a_url_is_shown_by_the_patterns_that_the_store_knows(run: Run) -> None:
    learner = Learner()
    for number in range(30):
        letters = "abcdefghijklmnopqrstuvwxyzäöüß"[number] * 3
        learner.found(f"http://a.example/view?title={letters}")
        learner.note_nothing(f"http://a.example/view?title={letters}", 100)
    make(dict(learner.tallies()))
    facts = said(run("show", "HTTP://A.example/view?title=new", "--json"))
    assert [level["pattern"] for level in facts["patterns"]] == [
        "a.example",
        "a.example ?title",
        "a.example view?title",
        "a.example /view?title=*",
    ]
    facts = said(run("show", "http://a.example/other?title=x", "--json"))
    assert [level["pattern"] for level in facts["patterns"]] == ["a.example", "a.example ?title"]


def test_a_url_whose_links_have_nofollow_is_shown_by_their_patterns(run: Run) -> None:
    learner = Learner()
    for number in (0, 1):  # The parameter of the first one is new.
        url = f"http://a.example/login?id={number}"
        learner.taken(url, learner.found(url, nofollow=True))
        learner.note_nothing(url, 100)
    learner.note_nothing("http://a.example/tea", 100)
    make(dict(learner.tallies()))
    facts = said(run("show", "http://a.example/login?id=2", "--json"))
    assert facts["patterns"][-1]["pattern"] == "nofollow:a.example /login?id=#"
    facts = said(run("show", "http://a.example/tea", "--json"))
    assert facts["patterns"][-1]["pattern"] == "a.example /tea?"
    assert len(listed(run("list", "--all", "--site", "a.example", "--json"))) == len(
        dict(learner.tallies())
    )


def test_a_url_that_is_another_spelling_is_shown_by_its_own_patterns(run: Run) -> None:
    learner = Learner()
    for number in range(6):
        for url in (f"http://a.example/tea?id={number}", f"http://a.example/Tea?id={number}"):
            learner.taken(url, learner.found(url))
            learner.note_page(url, b"<p>" + b" ".join(b"t%dx%d" % (number, n) for n in range(90)))
    make({name: tally for name, tally in learner.tallies() if name.startswith("twin:")})
    facts = said(run("show", "http://a.example/Tea?id=77", "--json"))
    assert facts["patterns"][-1]["pattern"] == "twin:a.example /Tea?id=#"
    assert facts["patterns"][-1]["repeats"] > 0


@pytest.mark.parametrize("end", ["", "/", "?page=7"])
def test_a_url_whose_last_segment_stands_in_other_paths_is_shown_by_its_patterns(
    run: Run, end: str
) -> None:
    learner = Learner()
    for number in range(40):
        url = f"http://a.example/a{number:07x}/tea/{number % 4}{end}"
        learner.taken(url, learner.found(url))
        learner.note_page(url, b"<p>" + b" ".join(b"t%dx%d" % (number % 4, n) for n in range(90)))
    make(dict(learner.tallies()))
    facts = said(run("show", f"http://a.example/0123abcd/tea/3{end}", "--json"))
    assert "<seen>" in facts["patterns"][-1]["pattern"]
    assert facts["patterns"][-1]["repeats"] > 30


@pytest.mark.parametrize(
    ("named", "code", "says"),
    [
        (f"{WIKI} /nothing?", 1, f"{WIKI} /nothing?: the store has no such pattern; `scrapy"),
        ("http://other.example/", 1, "http://other.example/: the store has no such pattern"),
        ("http://[", 2, "http://[ is no URL: "),
    ],
)
def test_what_cannot_be_shown_is_one_line(run: Run, named: str, code: int, says: str) -> None:
    make()
    found, out, err = run("show", named)
    assert (found, out) == (code, "")
    assert err.startswith(f"scrapy neardup: {says}")
    assert err.count("\n") == 1


# Forget


@pytest.mark.parametrize(
    ("options", "left"),
    [
        ([HISTORY, f"{SHOP} 1"], KNOWN.keys() - {HISTORY, f"{SHOP} 1"}),
        (["--site", WIKI], {name for name in KNOWN if name.startswith(SHOP)}),
        (["--all-patterns"], set()),
    ],
)
def test_patterns_are_forgotten(run: Run, options: list[str], left: set[str]) -> None:
    make()
    facts = said(run("forget", *options, "--json"))
    assert facts == {"store": str(Path("store").resolve()), "forgotten": len(KNOWN) - len(left)}
    assert tallies().keys() == left


def test_an_unknown_pattern_is_named_and_the_others_are_forgotten(run: Run) -> None:
    make()
    code, out, err = run("forget", HISTORY, "no.example", "--json")
    assert (code, json.loads(out)["forgotten"]) == (1, 1)
    assert err == "no.example: the store has no such pattern\n"


@pytest.mark.parametrize(
    "options", [[], [WIKI, "--site", WIKI], ["--site", WIKI, "--all-patterns"], ["--site", ""]]
)
def test_what_to_forget_is_said_in_one_way(run: Run, options: list[str]) -> None:
    make()
    assert run("forget", *options)[0] == 2
    assert tallies() == KNOWN


# Export and import


@pytest.mark.parametrize("file", ["urls.jsonl", "urls.jsonl.gz"])
def test_what_is_exported_is_imported_and_added(run: Run, file: str) -> None:
    odd = {"a.example /\ud800?": Tally(1, 1, 2, 2, "http://a.example/茶\ud800", "x")}
    make(KNOWN | odd)
    facts = said(run("export", file, "--json"))
    assert facts == {"output": file, "url_patterns": len(KNOWN) + 1}
    content = Path(file).read_bytes()
    assert content.startswith(b"\x1f\x8b") == file.endswith(".gz")
    for times in (1, 2):
        facts = said(run("import", file, "--json", store="copy"))
        assert facts["url_patterns"] == len(KNOWN) + 1
        found = tallies("copy")
        assert found[HISTORY] == KNOWN[HISTORY]._replace(
            downloads=90 * times, repeats=84 * times, octets=5_400 * times, wasted=4_800 * times
        )
    assert found.keys() == KNOWN.keys() | odd.keys()


def test_the_lines_are_those_of_an_export_of_the_store(run: Run, neardup: Neardup) -> None:
    make()
    assert run("export", "urls.jsonl")[0] == 0
    assert neardup("export", "all.jsonl", "-s", "NEARDUP_STORE=leveldb:store")[0] == 0
    assert Path("urls.jsonl").read_text() in Path("all.jsonl").read_text()


def test_a_dash_is_standard_output_and_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    make()
    code, out, _ = run("export", "-")
    assert (code, out.count("\n")) == (0, len(KNOWN))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(out.encode())))
    assert run("import", "-", store="copy")[0] == 0
    assert tallies("copy") == KNOWN


def test_a_pattern_on_two_lines_is_added_up(run: Run) -> None:
    make()
    run("export", "urls.jsonl")
    Path("twice.jsonl").write_bytes(2 * Path("urls.jsonl").read_bytes())
    assert said(run("import", "twice.jsonl", "--json", store="copy"))["url_patterns"] == len(KNOWN)
    assert tallies("copy")[SHOP] == Tally(20, 20, 18_000, 18_000)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"{", "line 2: no JSON: "),
        (b"[1]", "line 2: an entry must be an object; got [1]"),
        (b'{"url": "http://a.example/"}', "line 2: pattern must be a string of up to 1000 letters"),
        (
            json.dumps({"pattern": "x" * (MOST_PATTERN + 1), "tally": [1, 1, 1, 1]}).encode(),
            "line 2: pattern must be a string of up to 1000 letters",
        ),
        (
            b'{"pattern": "a.example", "tally": [1, 2, 3]}',
            f"line 2: tally must be four whole numbers from 0 to {MOST_NUMBER}; got [1, 2, 3]",
        ),
        (
            b'{"pattern": "a.example", "tally": [1, -1, 0, 0]}',
            "line 2: tally must be four whole numbers from 0 to ",
        ),
        (b'{"pattern": "a.example", "tally": [1, 1, 1, 1], "of": 3}', "line 2: of must be a strin"),
    ],
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "packed"])
def test_a_bad_line_is_named_and_nothing_is_imported(
    run: Run, line: bytes, says: str, pack: Callable[[bytes], bytes]
) -> None:
    good = b'{"pattern": "b.example", "tally": [1, 1, 1, 1]}'
    Path("bad.jsonl").write_bytes(pack(b"\n".join([good, line, good, b""])))
    make()
    code, out, err = run("import", "bad.jsonl")
    assert (code, out) == (1, "")
    assert err.startswith(f"scrapy neardup: bad.jsonl, {says}")
    assert err.endswith("; nothing was imported\n")
    assert tallies() == KNOWN
    assert run("import", "bad.jsonl", store="none")[0] == 1
    assert not Path("none").exists()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"pattern,tally\n", "bad.jsonl is no list of URL patterns: `scrapy neardup urls export`"),
        (b'{"what": "scrapy-neardup export"}\n', "bad.jsonl is no list of URL patterns"),
        (b'{"pattern": "b.example", "tally": [1, 1,', "bad.jsonl, line 1: is cut short; copy the"),
    ],
)
def test_another_file_is_no_source(run: Run, content: bytes, says: str) -> None:
    Path("bad.jsonl").write_bytes(content)
    assert run("import", "bad.jsonl")[2].startswith(f"scrapy neardup: {says}")
    assert not Path("store").exists()


@pytest.mark.parametrize("line", [["show", ""], ["forget", ""], ["forget", WIKI, ""]])
def test_an_empty_pattern_is_wrong_usage(run: Run, line: list[str]) -> None:
    make()
    code, out, err = run(*line)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert tallies() == KNOWN


def test_files_that_are_missing_are_one_line(run: Run) -> None:
    make()
    assert run("import", "no.jsonl")[::2] == (
        1,
        "scrapy neardup: no.jsonl: No such file or directory\n",
    )
    assert "no/such: there is no such folder" in run("export", "no/such/urls.jsonl")[2]


# The store, and the line


@pytest.mark.parametrize(
    "line", [["list"], ["show", WIKI], ["forget", "--all-patterns"], ["export", "out.jsonl"]]
)
def test_a_store_that_is_not_there_is_one_line(run: Run, line: list[str]) -> None:
    code, out, err = run(*line)
    assert (code, out) == (1, "")
    assert "no store in " in err
    assert err.count("\n") == 1
    assert not Path("out.jsonl").exists()


def test_the_index_may_be_laid_out_otherwise(run: Run) -> None:
    make()
    assert listed(run("list", "--json", "-s", "NEARDUP_LAYOUT=10")) == listed(run("list", "--json"))


def test_an_action_must_be_named(neardup: Neardup) -> None:
    code, _, err = neardup("urls")
    assert code == 2
    assert err.endswith(
        "error: name an action: list, show, skipped, forget, export, import "
        "(`scrapy neardup urls --help` explains them)\n"
    )


def test_help_names_the_actions(neardup: Neardup) -> None:
    code, out, _ = neardup("urls", "--help")
    assert code == 0
    assert all(f"    {name} " in out for name in ("list", "show", "forget", "export", "import"))
    assert "usage: scrapy neardup urls forget " in neardup("urls", "forget", "--help")[1]
