"""The options of ``scrapy neardup list`` and its like that choose drops."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest
from conftest import Neardup
from made_logs import entry, write_log


@pytest.mark.parametrize(
    ("option", "names"),
    [
        ("--url", ["http://b.example/1", "http://b.example/2"]),
        ("--of", ["http://a.example/1", "http://a.example/2"]),
        ("--host", ["one.example", "b2.example"]),
        ("--spider", ["site1", "site2"]),
    ],
)
def test_an_option_given_twice_chooses_both(
    neardup: Neardup, tmp_path: Path, option: str, names: list[str]
) -> None:
    hosts = {1: "one.example", 2: "b2.example", 3: "three.example"}
    log = write_log(
        tmp_path / "a.jsonl",
        [
            entry(
                url=f"http://b.example/{number}" if option == "--url" else f"http://{host}/",
                of=f"http://a.example/{number}",
                spider=f"site{number}",
            )
            for number, host in hosts.items()
        ],
    )
    wanted = [word for name in names for word in (option, name)]

    _, out, _ = neardup("list", str(log), "--json", *wanted)

    assert [json.loads(line)["of"][-1] for line in out.splitlines()] == ["1", "2"]


@pytest.mark.parametrize(("action", "ends"), [("list", 0), ("restore", 1)])
@pytest.mark.parametrize("names", [["nosuch"], ["site2", "nosuch"]])
def test_a_spider_that_no_record_has_is_named_with_those_that_have(
    neardup: Neardup, tmp_path: Path, action: str, ends: int, names: list[str]
) -> None:
    """These records have no items to restore."""
    spiders = ["site1", "site2", "site2"]
    log = write_log(tmp_path / "a.jsonl", [entry(n, spider=of) for n, of in enumerate(spiders)])
    wanted = [word for name in names for word in ("--spider", name)]
    output = ["-o", str(tmp_path / "out.jsonl")] if action == "restore" else []

    code, _, err = neardup(action, str(log), *wanted, *output)

    told = "--spider nosuch: no record of this spider; the logs have records of site2, site1"
    assert (code, told in err.splitlines()) == (ends, True)


def test_of_many_spiders_only_some_are_named(neardup: Neardup, tmp_path: Path) -> None:
    log = write_log(tmp_path / "a.jsonl", [entry(n, spider=f"site{n}") for n in range(13)])
    _, _, err = neardup("list", str(log), "--spider", "nosuch")
    assert err.endswith(", site8, site9 and 3 more\n")


def test_a_log_without_records_has_no_spiders_to_name(neardup: Neardup, tmp_path: Path) -> None:
    log = write_log(tmp_path / "a.jsonl", [])
    _, _, err = neardup("list", str(log), "--spider", "nosuch")
    assert err.endswith("--spider nosuch: no record of this spider; the logs have no records\n")


def test_a_list_keeps_no_record_that_it_does_not_show(neardup: Neardup, tmp_path: Path) -> None:
    def peak(records: int) -> int:
        again = (entry(url="http://b.example/1", item={}) for _ in range(records))
        log = write_log(tmp_path / "a.jsonl", again)
        tracemalloc.start()
        _, out, _ = neardup("list", str(log), "--limit", "1")
        octets = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert f", {records - 1} not shown (--limit 0)" in out
        return octets

    peak(2)  # Whatever is loaded on first use is loaded now.

    assert peak(6_000) < peak(2) + (1 << 20)
