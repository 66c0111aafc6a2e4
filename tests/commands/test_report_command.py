"""``scrapy neardup report``: the file it writes, over real logs and a real store."""

from __future__ import annotations

import gzip
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import Neardup
from crawling import text
from made_logs import entry, write_log

from dedup import Config, make_fingerprinter, make_index, open_store
from dedup.assembly import close_store
from dedup.urls import Tally

OTHERS = {  # A coarse pattern, one with too few downloads, one that wastes nothing.
    "a.example": Tally(90, 80, 0, 1 << 30),
    "a.example /once?": Tally(1, 1, 0, 1 << 30),
    "a.example /never?": Tally(90, 0, 1 << 30),
}
STORE = ("-s", "NEARDUP_STORE=leveldb:store")


@pytest.fixture
def log(folder: Path) -> Path:
    return write_log(folder / "drops.jsonl", map(entry, range(3)), tail="cut sh")


def store_pages(folder: Path) -> None:
    """A store with two pages that differ in their facts."""
    config = Config(store="leveldb:store")
    index = make_index(config, open_store(config, folder))
    fingerprinter = make_fingerprinter(config)
    for year in ("2023", "2024"):
        page = fingerprinter.of_text(text("story"), f"Tides of {year}")
        url = f"http://a.example/{year}"
        index.commit(index.check(url, url.encode(), page))
    close_store(config, folder)


def test_one_page_is_written(neardup: Neardup, log: Path, folder: Path) -> None:
    code, out, err = neardup("report", str(log))
    assert (code, err) == (0, "")
    assert out == "report.html: 3 records of 1 log, 1 damaged line left out\n"
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "3 pages repeat 1 other" in page
    assert "There is no store" in page or "no store" in page
    assert sorted(path.name for path in folder.iterdir()) == ["drops.jsonl", "report.html"]


def test_pages_kept_though_much_alike_come_from_the_store(
    neardup: Neardup, log: Path, folder: Path
) -> None:
    store_pages(folder)
    assert neardup("report", str(log), *STORE)[0] == 0
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "2 of the 2 pages in the store were looked up again" in page
    assert 'href="http://a.example/2024"' in page
    assert "<td>variant</td>" in page


def test_patterns_of_urls_that_waste_most_come_from_the_store(
    neardup: Neardup, log: Path, folder: Path
) -> None:
    config = Config(store="leveldb:store")
    wasteful = {f"a.example /<b>{n}&x=*?": Tally(12, n, 0, 100_000 * n) for n in range(1, 13)}
    open_store(config, folder).tally(wasteful | OTHERS)
    close_store(config, folder)
    assert neardup("report", str(log), *STORE)[0] == 0
    page = (folder / "report.html").read_text(encoding="utf-8")
    section = page.split('<section id="urls"')[1].split("</section>")[0]
    shown = re.findall(r'<bdi class="url">(.*?)</bdi>', section)
    assert shown == [f"a.example /&lt;b&gt;{n}&amp;x=*?" for n in range(12, 2, -1)]
    assert re.findall(r'<td class="n">(.*?)</td>', section)[:4] == ["12", "12", "100 %", "1.2 MB"]


def test_without_such_patterns_there_is_no_table(neardup: Neardup, log: Path, folder: Path) -> None:
    config = Config(store="leveldb:store")
    open_store(config, folder).tally(OTHERS)
    close_store(config, folder)
    assert neardup("report", str(log), *STORE)[0] == 0
    assert 'id="urls"' not in (folder / "report.html").read_text(encoding="utf-8")


def test_report_list_and_clusters_count_the_same_pages(neardup: Neardup, folder: Path) -> None:
    entries = [
        entry(
            n,
            of=f"http://a.example/{n % 3}?plain={n}",
            of_first=f"http://a.example/{n % 3}",
            of_page_id=n % 3,
        )
        for n in range(9)
    ]
    unnamed = [entry(10 + n, of="", of_page_id=10 + n) for n in range(2)]
    log = str(write_log(folder / "drops.jsonl", [*entries, *unnamed]))
    assert "11 near-duplicates (11 edited) of 5 pages" in neardup("list", log)[1]
    assert "5 clusters of 16 pages" in neardup("clusters", log)[1]
    assert neardup("report", log)[0] == 0
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "11 pages repeat 5 others" in page
    row = page.split('<section id="repeated"')[1].partition("<tbody>")[2].partition("</tr>")[0]
    assert re.findall('href="(.*?)"', row) == ["http://a.example/0", "http://a.example/0?plain=6"]


def skip(number: int, **fields: Any) -> dict[str, Any]:
    """A record of a log of skipped requests."""
    return {
        "version": 1,
        "time": "2026-11-21T05:00:00.000+00:00",
        "spider": "site",
        "action": "skip",
        "url": f"http://a.example/print?id={number}",
        "pattern": "a.example /<b>print?id=#",
        "downloads": 36,
        "hits": 35,
        "example": "http://a.example/print?id=1",
        "example_of": "http://a.example/1",
        "size": 50_000,
    } | fields


def skips_section(folder: Path) -> str:
    page = (folder / "report.html").read_text(encoding="utf-8")
    return page.partition('<section id="skips"')[2].partition("</section>")[0]


@pytest.mark.parametrize("named", [True, False])
def test_skipped_requests_are_listed_by_pattern_with_the_evidence(
    neardup: Neardup, log: Path, folder: Path, named: bool
) -> None:
    cart = skip(9, pattern="a.example /cart?x=*", example="", example_of="", size=0)
    again = skip(0, downloads=37, hits=36)
    write_log(folder / "skipped-drops.jsonl", [*map(skip, range(3)), cart, again], tail="{")
    arguments = [str(log)] if named else ["-s", f"NEARDUP_LOG={log.name}"]
    code, out, _ = neardup("report", *arguments)
    assert (code, out) == (0, "report.html: 3 records of 1 log, 2 damaged lines left out\n")
    section = skips_section(folder)
    assert "4 URLs were skipped" in section
    assert "about 150.0 kB, an estimate" in section
    rows = [re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row) for row in section.split("<tr>")[2:]]
    numbers = [row[1:5] for row in rows]
    assert numbers == [["3", "150.0 kB", "37", "36"], ["1", "", "36", "35"]]
    assert "a.example /&lt;b&gt;print?id=#" in rows[0][0]
    assert 'href="http://a.example/print?id=1"' in rows[0][5]
    assert 'href="http://a.example/1"' in rows[0][6]
    assert rows[1][5:] == ["", ""]
    figures = json.loads(neardup("report", *arguments, "--json")[1])
    assert (figures["skipped"], figures["skipped_bytes"]) == (4, 150_000)
    assert [one["pattern"] for one in figures["skips"]][1] == cart["pattern"]


def test_the_skips_of_a_packed_log_with_a_number_are_found(neardup: Neardup, folder: Path) -> None:
    log = write_log(folder / "drops-2.jsonl.gz", [entry(1)])
    log.write_bytes(gzip.compress(log.read_bytes()))
    write_log(folder / "skipped-drops.jsonl", map(skip, range(3)))
    assert json.loads(neardup("report", str(log), "--json")[1])["skipped"] == 0  # of another log
    (folder / "drops.jsonl.gz").touch()  # the log of the first crawl
    assert json.loads(neardup("report", str(log), "--json")[1])["skipped"] == 3
    write_log(folder / "skipped-drops-2.jsonl", [skip(1)])  # of a spider whose name has a number
    assert json.loads(neardup("report", str(log), "--json")[1])["skipped"] == 1


def test_the_skips_of_other_logs_are_left_out(neardup: Neardup, log: Path, folder: Path) -> None:
    write_log(folder / "skipped-others.jsonl", map(skip, range(3)))
    assert neardup("report", str(log))[0] == 0
    assert skips_section(folder) == ""


def test_a_log_of_skipped_requests_is_not_overwritten(
    neardup: Neardup, log: Path, folder: Path
) -> None:
    skips = write_log(folder / "skipped-drops.jsonl", map(skip, range(3)))
    assert neardup("report", str(log), "-o", str(skips))[0] == 1
    assert len(skips.read_text().splitlines()) == 3


def test_samples_show_what_differs_from_the_text_kept(neardup: Neardup, folder: Path) -> None:
    store_pages(folder)
    log = write_log(folder / "drops.jsonl", [entry(4, of="http://a.example/2023", of_page_id=1)])
    assert neardup("report", str(log), *STORE)[0] == 0
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "<ins>edit0</ins>" in page


def test_the_page_goes_where_it_is_wanted(neardup: Neardup, log: Path, folder: Path) -> None:
    target = folder / "out.html"
    target.write_text("an older one")
    assert neardup("report", str(log), "--output", str(target), "--samples", "1")[0] == 0
    assert target.read_text(encoding="utf-8").count("page repeated</span>") == 1


def test_json_is_the_figures_and_no_file(neardup: Neardup, log: Path, folder: Path) -> None:
    code, out, _ = neardup("report", str(log), "--json")
    assert code == 0
    assert json.loads(out)["records"] == 3
    assert (json.loads(out)["relations"], json.loads(out)["new_words"]) == ({"edited": 3}, 36)
    assert not (folder / "report.html").exists()


def test_without_its_packages_it_says_what_to_install(
    neardup: Neardup, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    code, _, err = neardup("report", str(log))
    assert code == 1
    assert "report needs jinja2: pip install '.[report]' in a checkout of scrapy-neardup" in err
    assert "or 'WHEEL[report]' with the path of its wheel" in err
    assert neardup("report", str(log), "--json")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["missing.jsonl"], "no drop log missing.jsonl"),
        (["drops.jsonl", "--output", "no/such/page.html"], "no/such: there is no such folder"),
        (["drops.jsonl", "--output", "drops.jsonl"], "drops.jsonl: is among what is read"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    neardup: Neardup, log: Path, arguments: list[str], says: str
) -> None:
    code, out, err = neardup("report", *arguments)
    assert (code, out) == (1, "")
    assert says in err
    assert err.count("\n") == 1
    assert log.read_text().endswith("cut sh")
