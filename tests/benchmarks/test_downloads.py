"""Crawls in several orders are compared by what they found when; a bed is left as it was."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import downloads
from benchmarks.apart import memory_mb
from benchmarks.downloads_bed import Bed, BedError
from benchmarks.downloads_learning import measure_learning
from benchmarks.downloads_log import Download
from benchmarks.downloads_run import (
    BREADTH_FIRST,
    DEFAULT,
    FINISHED,
    OWN,
    Crawl,
    Site,
    Skips,
    compare,
    own_pages,
)
from benchmarks.downloads_tables import (
    SKIPPED,
    Curve,
    contents_after,
    cpu_a_page,
    fewer,
    mean_ratio,
    tables,
    to_nearly_all,
    whole_row,
)
from dedup.store.tallies import pack_pattern, pack_tally
from dedup.urls import Tally
from tests.crawling import ROOT
from tests.waiting import wait_until

# A bed of one site: pages that link to the next one, each of which is there twice.
BED = """
import http.server, os, signal, subprocess, sys
from pathlib import Path
home = Path(os.environ["BED_HOME"])
pids = home / "pids" / "chain"

class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        (home / "asked").touch()
        number = int("0" + "".join(filter(str.isdigit, self.path.partition("?")[0])))
        self.send_response(404 if "robots" in self.path or number > 39 else 200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        text = " ".join(f"word{number}x{place}" for place in range(60))
        links = f"<a href='/{number + 1}'>a</a><a href='/{number}?again'>b</a>"
        self.wfile.write(f"<html><body><p>{text}</p>{links}</body></html>".encode())

match sys.argv[1:]:
    case ["list"]:
        print("chain\\nbroken")
    case ["start", "chain", port]:
        server = subprocess.Popen([sys.executable, __file__, "serve", port],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
        pids.parent.mkdir(exist_ok=True)
        pids.write_text(str(server.pid))
        server.stdout.readline()
        print(f"chain http://127.0.0.1:{port}/0 ready")
    case ["start", *_]:
        sys.exit("it does not start")
    case ["stop", "chain"]:
        os.kill(int(pids.read_text()), signal.SIGTERM)
        pids.unlink()
    case ["serve", port]:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), Handler)
        print("listens", flush=True)
        server.serve_forever()
"""


@pytest.fixture
def bed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What names a bed on the command line."""
    (tmp_path / "bed.py").write_text(BED)
    for name in ("root", "venv", "venv2"):
        (tmp_path / name).mkdir()
    for name in ("BED_DATA", "BED_GIT"):
        monkeypatch.setenv(name, str(tmp_path))
    return [str(tmp_path), "--home", str(tmp_path)]


def crawl_of(names: str, ended: str = FINISHED, cpu: float = 1.0) -> Crawl:
    """Downloads of pages by their letters; ``-`` is a redirect."""
    made = [
        Download("http://a/-", 302, 0)
        if name == "-"
        else Download(f"http://a/{name}", 200, 10, " ".join(f"{name}{n}" for n in range(30)))
        for name in names
    ]
    return Crawl(made, ended, cpu, 2.0)


def site_of(default: Crawl, breadth_first: Crawl) -> Site:
    return compare("unknown", {DEFAULT: default, BREADTH_FIRST: breadth_first})


def test_contents_are_the_same_in_all_crawls_of_a_site() -> None:
    site = site_of(crawl_of("abc"), crawl_of("-ca"))
    assert site.orders[DEFAULT].contents == [0, 1, 2]
    assert site.orders[BREADTH_FIRST].contents == [None, 2, 0]
    assert site.contents == {0, 1, 2}


def test_a_curve_counts_contents_and_goes_on_only_if_the_site_has_no_more() -> None:
    site = site_of(crawl_of("a-ab"), crawl_of("ab", "max_pages"))
    curve = Curve(site.orders[DEFAULT], site.contents)
    assert [curve.after(n) for n in range(6)] == [0, 1, 1, 1, 2, 2]
    assert curve.reaches(2) == 4
    assert curve.reaches(3) is None
    assert Curve(site.orders[BREADTH_FIRST], site.contents).after(3) is None


def test_the_row_of_a_crawl_has_its_repeats_and_what_other_crawls_found_beside() -> None:
    row = whole_row(site_of(crawl_of("-aab", cpu=0.3), crawl_of("abcd")), DEFAULT)
    site, order, loaded, pages, contents, repeats, nearly_all, own, _, cpu, ended = row
    assert (site, order, loaded, pages, contents) == ("unknown", DEFAULT, "4", "3", "2 of 4")
    assert (repeats, nearly_all, own, cpu, ended) == ("33.3", "- (4)", "-", "100.0", FINISHED)


def test_means_are_of_the_sites_where_both_orders_have_the_figure() -> None:
    sites = [
        site_of(crawl_of("aaab", cpu=4.0), crawl_of("ab", cpu=1.0)),
        site_of(crawl_of("abc", cpu=3.0), crawl_of("abd", cpu=3.0)),
    ]
    assert mean_ratio(sites, to_nearly_all, BREADTH_FIRST, DEFAULT) == "0.60 (1)"  # 3 / 5
    assert mean_ratio(sites, contents_after(2), BREADTH_FIRST, DEFAULT) == "1.22 (2)"
    assert mean_ratio(sites, contents_after(9), BREADTH_FIRST, DEFAULT) == "-"
    assert mean_ratio(sites, cpu_a_page, BREADTH_FIRST, DEFAULT) == "0.71 (2)"
    assert [len(listing.rows) for listing in tables(sites)] == [4, 4, 3, 4, 2]


def test_an_order_is_compared_by_its_downloads_to_nearly_all_that_the_default_order_found() -> None:
    half, none = site_of(crawl_of("aaab"), crawl_of("cb")), site_of(crawl_of("ab"), crawl_of("ab"))
    less, empty = site_of(crawl_of("ab"), crawl_of("aa")), site_of(crawl_of("-"), crawl_of("a"))
    assert [fewer(site, BREADTH_FIRST) for site in (half, none, less, empty)] == [
        0.5,
        0,
        None,
        None,
    ]
    listing = tables([half, none, less])[2]
    assert listing.columns == ("site", "contents", DEFAULT, BREADTH_FIRST)
    assert [row[1:] for row in listing.rows] == [
        ("2", "4 (0)", "2 (50)"),
        ("2", "2 (0)", "2 (0)"),
        ("2", "2 (0)", "-"),
        ("", "(0.0; 3 sites)", "(25.0; 2 sites)"),
    ]


def test_what_was_skipped_is_listed_with_the_contents_that_only_others_found() -> None:
    urls = frozenset(f"http://a/{name}" for name in "bcx")
    skipping = replace(crawl_of("ab"), skips=Skips(urls, 4, 1))
    site = site_of(crawl_of("abc"), skipping)
    listing = next(one for one in tables([site]) if one.columns == SKIPPED)
    assert listing.rows == [("unknown", BREADTH_FIRST, "3 (60)", "4", "1", "2", "1 (0)")]


def test_learning_takes_time_a_download_and_bytes_of_the_patterns_of_several() -> None:
    none, alone, two = (measure_learning(crawl_of(names).downloads) for names in ("", "a", "a-"))
    assert none.octets == alone.octets == 0
    assert 0 < two.cpu < 1e5
    assert 0 < two.sketch < 1e5
    tally = len(pack_tally(Tally(2, 1)))  # All other patterns have one download each.
    assert two.octets == sum(tally + len(pack_pattern(one)) for one in ("a", "a 1")) / 2


def test_own_pages_are_told_from_views_of_them() -> None:
    is_own = own_pages("mediawiki")
    assert is_own("http://127.0.0.1:9/index.php/Tea_house")
    assert not is_own("http://127.0.0.1:9/index.php?title=Tea_house&action=history")
    assert not is_own("http://127.0.0.1:9/index.php/Talk:Tea_house")
    assert not own_pages("unknown")("http://127.0.0.1:9/")
    assert len(OWN) == 10


def test_a_page_that_says_it_is_not_there_is_not_the_sites_own() -> None:
    texts = {"zh:tea": "This topic does not exist yet, zh:tea", "en:tea": "Tea is a drink"}
    made = [Download(f"http://a/doku.php?id={name}", 200, 1, text) for name, text in texts.items()]
    assert compare("dokuwiki", {DEFAULT: Crawl(made, FINISHED, 1.0, 1.0)}).own == {1}


def test_a_site_is_crawled_in_each_order_and_stopped(
    bed: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = tmp_path / "raw.json"
    orders = f"{BREADTH_FIRST},skipping"
    command = [*bed, "--orders", orders, "--json", str(raw), "--pages", "100"]
    assert downloads.main([*command, "--sites", "chain"]) == 0
    printed = capsys.readouterr()
    assert "40 of 40" in printed.out
    assert f"chain, {BREADTH_FIRST}: 81 downloads" in printed.err
    found = json.loads(raw.read_text())["sites"]["chain"]
    assert found["contents"] == 40
    for order in found["orders"].values():
        assert (order["downloads"] + len(order["skipped"]), order["ended"]) == (81, FINISHED)
        assert order["log"][0]["url"].endswith("/0")
        assert order["lost"] == []
    assert found["orders"]["skipping"]["skipped"]
    assert not (tmp_path / "pids" / "chain").exists()


def test_a_site_that_does_not_start_is_left_out(
    bed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert downloads.main([*bed, "--sites", "broken"]) == 1
    reason = "bed.py start broken"
    assert f"broken is left out: {reason}" in capsys.readouterr().out


def test_an_interrupt_stops_the_crawl_and_the_site(bed: list[str], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "benchmarks.downloads", *bed, "--sites", "chain"]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    pids = tmp_path / "pids" / "chain"

    def crawls() -> bool:
        assert process.poll() is None
        return (tmp_path / "asked").exists()

    wait_until(crawls, "the crawl asks for a page")
    server = int(pids.read_text())
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    assert process.stderr.read().endswith("interrupted, all is stopped\n")
    process.stderr.close()
    assert process.wait() == downloads.EXIT_INTERRUPTED
    assert not pids.exists()
    wait_until(lambda: not memory_mb(process=server), "the server has ended")


def test_a_site_that_somebody_else_crawls_is_left_alone(bed: list[str], tmp_path: Path) -> None:
    (tmp_path / "pids").mkdir()
    (tmp_path / "pids" / "chain").write_text("1")
    with (
        pytest.raises(BedError, match="chain is being served already"),
        Bed(tmp_path, tmp_path).serve("chain"),
    ):
        pass
    assert (tmp_path / "pids" / "chain").exists()


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        ("bed.py", "bed.py is missing: BED is the folder of bed.py"),
        ("venv", "venv is missing: run `bed.py setup`"),
        ("BED_DATA", "BED_DATA must name a folder; got None"),
    ],
)
def test_one_line_says_what_is_not_set_up(
    bed: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    missing: str,
    said: str,
) -> None:
    if missing == "BED_DATA":
        monkeypatch.delenv(missing)
    else:
        (tmp_path / missing).rename(tmp_path / "away")
    assert downloads.main(bed) == 2
    printed = capsys.readouterr()
    assert said in printed.err
    assert printed.err.count("\n") == 1


def test_an_unknown_name_is_refused_with_those_that_are_there(
    bed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert downloads.main([*bed, "--sites", "wiki"]) == 2
    assert "no site 'wiki'; there are chain, broken" in capsys.readouterr().err
