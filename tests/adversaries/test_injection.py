"""What a page says of itself stays what it is: text, in logs, on terminals, in reports; no path."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Crawler, Neardup
from crawling import Pages, Web, article, text
from made_logs import entry, write_log

from dedup import Config, make_fingerprinter, make_index, open_store
from dedup.assembly import close_store

# A second line, a second record, a terminal's commands in two spellings, text the other way round,
# markup of two kinds, a formula, and half of a surrogate pair.
EVIL = (
    'x\r\n{"version": 1}\n\x1b]0;title\x07\x1b[31m\x9b31m\x7f\u202e\u2028</title>'
    "<script>alert(1)</script>[bold red]\n=cmd|' /C calc'!A0\0\ud800"
)
URL = f"http://b.example/{EVIL[:-1]}"
OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\ud800-\udfff]")


class EvilItems(Pages):
    """Gives what a page says of itself, in keys and values."""

    def item(self, response: Any) -> Any:
        return {"url": response.url, "title": EVIL, EVIL: [EVIL, {EVIL: EVIL}]}


@pytest.fixture
def log(folder: Path) -> Path:
    """A drop log, and a store beside it, in which all that may come from a page is evil."""
    config = Config(store="leveldb:store", keep_text=True)
    index = make_index(config, open_store(config, folder))
    page = make_fingerprinter(config).of_text(f"{text('story')}\n{EVIL}")
    index.commit(index.check(URL, b"1" * 20, page))
    close_store(config, folder)
    item = {"title": EVIL, EVIL: EVIL, "text": f"{EVIL}\n{text('story', edits=2)}"}
    return write_log(folder / "drops.jsonl", [entry(1, item=item, url=URL, of=URL, spider=EVIL)])


def test_a_record_of_the_drop_log_is_one_line_of_printable_ascii(crawl: Crawler, web: Web) -> None:
    web.pages = dict.fromkeys(("/a", "/b"), article("tides"))
    done = crawl(EvilItems, urls=web.urls("/a", "/b"), CONCURRENT_REQUESTS=1)
    [line, rest] = Path(done.stats["neardup/drop_log"]).read_bytes().split(b"\n")
    assert rest == b""
    assert re.fullmatch(rb"[ -~]+", line)
    assert json.loads(line)["item"]["title"] == EVIL


def test_urls_add_no_lines_and_no_commands_to_the_log(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    web.on_request = lambda _, path: web.pages.update({path: article("tides")})
    asked = web.urls("/a\r\nINFO: all is well", "/b\x1b[31m\x9b\u202e")
    done = crawl(urls=asked, CONCURRENT_REQUESTS=1)
    assert done["duplicates"] == 1
    told = [record.getMessage() for record in caplog.records if record.name.startswith("dedup")]
    assert any("repeats" in message for message in told)
    assert not any(OBEYED.search(message) or "\n" in message for message in told)


@pytest.mark.parametrize("action", [("list",), ("diff", URL), ("report",), ("diff", EVIL)])
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_commands_print_no_character_that_a_terminal_obeys(
    neardup: Neardup, log: Path, action: tuple[str, ...], form: tuple[str, ...]
) -> None:
    code, out, err = neardup(*action, str(log), *form, "-s", "NEARDUP_STORE=leveldb:store")
    assert (code == 0) == (EVIL not in action)
    assert OBEYED.search(out + err) is None
    assert not any(line.startswith(('{"version": 1}', "=cmd")) for line in out.split("\n"))


def test_json_of_evil_strings_is_read_as_they_were(neardup: Neardup, log: Path) -> None:
    _, out, _ = neardup("list", "--json", str(log))
    assert json.loads(out)["url"] == URL


def test_a_report_runs_nothing_that_a_page_brought(neardup: Neardup, log: Path) -> None:
    neardup("report", str(log))
    page = Path("report.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert not OBEYED.search(page)


def test_urls_name_no_files(crawl: Crawler, web: Web, folder: Path) -> None:
    paths = ["/../../evil", "/..%2f..%2fevil", "/%00evil", "/evil/", "/C:%5Cevil", "/~/evil"]
    web.pages = dict.fromkeys([*paths, "/evil"], article("tides"))
    before = {path.name for path in folder.parent.iterdir()}
    done = crawl(urls=web.urls(*paths), NEARDUP_STORE="leveldb:pages", NEARDUP_LOG="drops.jsonl")
    assert done["duplicates"] > 0
    assert {path.name for path in folder.parent.iterdir()} == before
    assert {path.name for path in folder.iterdir()} == {"pages", "drops.jsonl"}
    assert not any("evil" in path.name for path in folder.rglob("*"))
