"""``scrapy neardup review``: it serves until it is interrupted, and refuses what it cannot show."""

from __future__ import annotations

import http.client
import json
import re
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from conftest import Neardup
from crawling import environment
from forking import Forked
from made_logs import write_log
from reviewing import entry, read_log
from waiting import wait_until

from dedup import Config, extras, make_fingerprinter, make_index, open_store
from dedup.assembly import close_store
from dedup.page.kept_text import pack_text
from dedup.review.judgements import Judgements, beside

ROOT = Path(__file__).parents[2]


class Client:
    """What a browser does, in few words: it keeps the cookie and names its origin."""

    def __init__(self, address: str) -> None:
        self.origin = address.split("/?", maxsplit=1)[0]
        _, headers, _ = self._ask("GET", address.removeprefix(self.origin), {})
        self._cookie = str(headers["Set-Cookie"]).split(";")[0]

    def get(self, path: str) -> Any:
        return json.loads(self._ask("GET", path, {"Cookie": self._cookie})[2])

    def post(self, path: str, body: Any) -> Any:
        headers = {
            "Cookie": self._cookie,
            "Origin": self.origin,
            "Content-Type": "application/json",
        }
        return json.loads(self._ask("POST", path, headers, json.dumps(body))[2])

    def _ask(self, method: str, path: str, headers: Any, body: str | None = None) -> Any:
        connection = http.client.HTTPConnection(urlsplit(self.origin).netloc, timeout=30)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, answer.headers, content


@contextmanager
def running(*arguments: str) -> Iterator[tuple[Forked, str]]:
    """The command in a process of its own, and the address it prints."""
    command = ["scrapy", "neardup", "review", "--no-browser", *arguments]
    process = Forked(command, ROOT, environment())
    try:
        wait_until(lambda: process.printed().endswith("\n"), "an address")
        line = process.printed()
        told = json.loads(line)["address"] if "--json" in arguments else line
        address = re.search(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{40,}", told)
        assert address, line
        yield process, address[0]
    finally:
        process.kill()
        process.communicate(timeout=30)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write_log(tmp_path / "site.jsonl", map(entry, range(5)))


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_it_serves_the_records_until_it_is_interrupted(log: Path, form: tuple[str, ...]) -> None:
    with running(str(log), *form) as (process, address):
        client = Client(address)
        assert client.get("/api/records")["total"] == 5
        assert client.get("/api/records/3")["has_text"]
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")


@pytest.fixture
def store(tmp_path: Path) -> str:
    """The setting of a store with the page that the first record repeats, and its text."""
    config = Config(store=f"leveldb:{tmp_path / 'store'}")
    index = make_index(config, open_store(config, tmp_path))
    page = replace(
        make_fingerprinter(config).of_text("A kept text. " * 40), text=pack_text(["", "", "Kept."])
    )
    for number in range(4):
        index.commit(index.check(str(entry(number)["of"]), bytes([number]) * 20, page))
    close_store(config, tmp_path)
    return f"NEARDUP_STORE={config.store}"


def test_the_repeated_page_has_the_text_that_the_store_kept(log: Path, store: str) -> None:
    with running(str(log), "-s", store) as (_, address):
        client = Client(address)
        first, last = client.get("/api/records/0"), client.get("/api/records/4")
    assert first["of_has_text"]
    assert not last["of_has_text"]
    assert not last["problem"]


def test_a_page_that_was_exported_has_the_text_that_the_store_kept(
    tmp_path: Path, store: str
) -> None:
    made = {"request": bytes(20).hex(), **entry(0, action="keep", item={})}  # stored as page 1
    log = write_log(tmp_path / "kept-site.jsonl", [made])
    with running(str(log), "-s", store) as (_, address):
        record = Client(address).get("/api/records/0")
    assert record["rows"] == [[[["Kept.", 1]], [["Kept.", 1]]]]
    assert (record["has_text"], record["problem"]) == (True, "")


def test_what_is_judged_wrong_is_restored_beside_the_log(log: Path, store: str) -> None:
    with running(str(log), "-s", store) as (_, address):
        client = Client(address)
        client.post("/api/records/3/judgement", {"verdict": "wrong"})
        restored = client.post("/api/restore", {"count": 1})
    assert "Page 3" in Path(restored["files"][0]).read_text(encoding="utf-8")
    assert Path(restored["files"][0]).parent == log.parent


def test_a_page_judged_wrong_in_two_logs_is_restored_and_counted_once(
    log: Path, store: str
) -> None:
    other = write_log(log.with_name("other.jsonl"), map(entry, range(5)))
    with running(str(log), str(other), "-s", store) as (_, address):
        client = Client(address)
        for number in (3, 8):
            client.post(f"/api/records/{number}/judgement", {"verdict": "wrong"})
        restored = client.post("/api/restore", {"count": 2})
    assert restored["count"] == 1
    assert Path(restored["files"][0]).read_text(encoding="utf-8").count("\n") == 1


def test_a_review_of_one_log_replaces_nothing_restored_from_another(log: Path, store: str) -> None:
    other = write_log(log.with_name("other.jsonl"), [entry(number) for number in range(5, 8)])
    with running(str(log), str(other), "-s", store) as (_, address):
        client = Client(address)
        for number in (3, 6):
            client.post(f"/api/records/{number}/judgement", {"verdict": "wrong"})
        both = client.post("/api/restore", {"count": 2})
    with running(str(other), "-s", store) as (_, address):
        client = Client(address)
        client.post("/api/records/0/judgement", {"verdict": "wrong"})
        client.post("/api/restore", {"count": 2})
    assert both["count"] == 2
    second, first = (Path(file).read_text(encoding="utf-8") for file in both["files"])
    assert "Page 3" in first
    assert "Page 5" in second
    assert "Page 6" in second


@pytest.mark.parametrize("change", [lambda log: write_log(log, []), Path.unlink])
def test_a_log_that_was_changed_keeps_no_other_from_being_restored(
    log: Path, store: str, change: Callable[[Path], object]
) -> None:
    other = write_log(log.with_name("other.jsonl"), [entry(number) for number in range(5, 8)])
    with running(str(log), str(other), "-s", store) as (_, address):
        client = Client(address)
        for number in (3, 6):
            client.post(f"/api/records/{number}/judgement", {"verdict": "wrong"})
        change(other)
        restored = client.post("/api/restore", {"count": 2})
    (file,) = restored["files"]
    assert "Page 3" in Path(file).read_text(encoding="utf-8")


def test_of_a_log_with_a_damaged_request_nothing_is_restored(tmp_path: Path, store: str) -> None:
    log = write_log(tmp_path / "bad.jsonl", [entry(1), {"request": "zz", **entry(2)}])
    other = write_log(tmp_path / "good.jsonl", [entry(3)])
    with running(str(log), str(other), "-s", store) as (_, address):
        client = Client(address)
        for number in range(3):
            client.post(f"/api/records/{number}/judgement", {"verdict": "wrong"})
        restored = client.post("/api/restore", {"count": 3})
    assert [Path(file).name for file in restored["files"]] == ["good.jsonl.restored.jsonl"]
    assert restored["count"] == 1
    assert not (tmp_path / "bad.jsonl.restored.jsonl").exists()


def test_a_request_larger_than_any_is_refused_before_it_is_sent(log: Path) -> None:
    with running(str(log)) as (_, address):
        connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=20)
        connection.putrequest("POST", "/api/restore")
        connection.putheader("Content-Length", "300000000")
        connection.endheaders()
        assert connection.getresponse().status == 413
        connection.close()


def test_one_file_for_two_logs_of_one_name_is_refused_in_one_line(
    log: Path, neardup: Neardup, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    other = write_log(tmp_path / "other" / log.name, map(entry, range(5)))
    file = tmp_path / "mine.jsonl"
    code, _, err = neardup("review", str(log), str(other), "--judgements", str(file))
    assert (code, err.count("\n")) == (2, 1)
    assert str(other) in err
    assert not file.exists()


def test_judgements_go_where_they_are_wanted(log: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    with running(str(log), "--judgements", str(file)) as (_, address):
        Client(address).post("/api/records/3/judgement", {"verdict": "right"})
    assert not beside(log).exists()
    assert Judgements([log], file).of(read_log(log)[3]) == "right"


def test_damaged_lines_and_judgements_of_other_records_are_told_and_left_out(log: Path) -> None:
    Judgements([log]).judge(read_log(log)[4], "wrong")
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(lines[:4]) + '{"version": 1, "ti\n')
    with running(str(log)) as (process, address):
        assert Client(address).get("/api/records")["total"] == 4
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    told = " ".join(err.split())
    assert "line 5" in told
    assert "judgements that match no record of these logs: 1" in told


def test_two_runs_have_ports_and_tokens_of_their_own(log: Path) -> None:
    with running(str(log)) as (_, one), running(str(log)) as (_, other):
        assert urlsplit(one).port != urlsplit(other).port
        assert urlsplit(one).query != urlsplit(other).query


def test_a_taken_port_is_an_error(log: Path, neardup: Neardup) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, _, err = neardup("review", str(log), "--no-browser", "--port", str(port))
    assert code == 1
    assert str(port) in err


@pytest.mark.parametrize("port", ["65536", "-1", "tea"])
def test_a_port_is_a_number_that_ports_have(log: Path, neardup: Neardup, port: str) -> None:
    code, _, err = neardup("review", str(log), f"--port={port}")
    assert code == 2
    assert repr(port) in err


def test_a_log_without_a_record_is_nothing_to_review(tmp_path: Path, neardup: Neardup) -> None:
    code, _, err = neardup("review", str(write_log(tmp_path / "empty.jsonl", [])))
    assert code == 1
    assert "nothing to review" in err


def test_judgements_cannot_go_into_the_log(log: Path, neardup: Neardup) -> None:
    before = log.read_bytes()
    code, _, err = neardup("review", str(log), "--judgements", str(log))
    assert code == 1
    assert "site.jsonl" in err
    assert log.read_bytes() == before


def test_a_missing_package_is_named_with_how_to_get_it(
    log: Path, neardup: Neardup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(extras.PACKAGES, "review", ("flask_that_is_missing", "waitress_too"))
    code, _, err = neardup("review", str(log))
    assert code == 1
    assert "pip install '.[review]' in a checkout of scrapy-neardup" in " ".join(err.split())
