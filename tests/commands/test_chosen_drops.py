"""The options of ``scrapy neardup list`` and its like that choose drops."""

from __future__ import annotations

import json
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
