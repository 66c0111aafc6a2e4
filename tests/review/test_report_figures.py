"""The figures of a report: what is counted, and that it adds up."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from made_logs import entry, write_log

from dedup.review.records import Damage, Drop, read_drops
from dedup.review.report_figures import (
    BARS,
    LARGEST,
    MEMBERS,
    MOMENTS,
    Figures,
    make_time_line,
    sum_up,
)
from dedup.scrapy.commands.printing import encode_json


def figures(folder: Path, entries: list[dict[str, Any]], tail: str = "") -> Figures:
    lines = list(read_drops(write_log(folder / "drops.jsonl", entries, tail)))
    drops = [line for line in lines if isinstance(line, Drop)]
    return sum_up(["drops.jsonl"], drops, [line for line in lines if isinstance(line, Damage)])


def test_records_pages_and_hosts_are_counted(tmp_path: Path) -> None:
    entries = [
        entry(0),
        entry(1, action="tag", relation="equal", similarity=1.0, new=0.0, new_words=0),
        entry(1),  # the same page again, in a later crawl
        entry(2, url="http://www.a.example/copy", same_host=True),
    ]
    found = figures(tmp_path, entries)
    assert (found.records, found.pages, found.originals, found.hosts) == (4, 3, 1, 2)
    assert found.within_a_host == 1
    assert found.actions == {"drop": 3, "tag": 1}
    assert found.relations == {"edited": 3, "equal": 1}
    assert found.first == datetime(2026, 11, 10, 0, tzinfo=UTC)
    assert found.last == datetime(2026, 11, 10, 2, tzinfo=UTC)


def test_only_kept_pages_are_no_drops(tmp_path: Path) -> None:
    kept, dropped = entry(0, action="keep", relation="grown"), entry(1)
    assert figures(tmp_path, [kept]).only_kept
    assert not figures(tmp_path, [kept, dropped]).only_kept
    assert not figures(tmp_path, [dropped]).only_kept


def test_the_words_lost_with_a_page_are_counted_once(tmp_path: Path) -> None:
    twice = [entry(1, new_words=5), entry(1, new_words=7)]  # two items, or two crawls
    older = {name: value for name, value in entry(2).items() if name != "new_words"}
    assert figures(tmp_path, [entry(0, new_words=3), *twice, older]).new_words == 10


def test_no_records_are_figures_too(tmp_path: Path) -> None:
    found = figures(tmp_path, [])
    assert (found.records, found.first, found.time_line, found.clusters) == (0, None, None, ())


def test_damaged_lines_are_counted_and_named(tmp_path: Path) -> None:
    found = figures(tmp_path, [entry(0)], '{"version": 1, "time": "2026-')
    assert found.records == 1
    assert found.damaged == 1
    assert found.damage[0].line == 2


def test_histograms_hold_every_record_on_its_side(tmp_path: Path) -> None:
    values = [0.2, 0.21, 0.75, 0.999, 1.0]
    entries = [
        entry(n, similarity=value, distance=n, same_host=n > 2) for n, value in enumerate(values)
    ]
    found = figures(tmp_path, entries)
    assert sum(found.similarity.across_hosts) == 3
    assert sum(found.similarity.within_a_host) == 2
    assert found.similarity.across_hosts[BARS // 5] == 2
    assert found.similarity.within_a_host[-1] == 2
    assert found.distance.across_hosts == (1, 1, 1, 0, 0)
    assert found.distance.within_a_host == (0, 0, 0, 1, 1)


def test_records_without_a_distance_are_not_in_its_histogram(tmp_path: Path) -> None:
    assert figures(tmp_path, [entry(0, distance=None)]).distance.across_hosts == ()


def test_who_repeats_whom_has_a_direction(tmp_path: Path) -> None:
    back = entry(3, url="http://a.example/x", of="http://b.example/y", similarity=0.9)
    pairs = figures(tmp_path, [entry(0, similarity=0.4), entry(1, similarity=0.6), back]).host_pairs
    assert [(pair.host, pair.of, pair.pages) for pair in pairs] == [
        ("b.example", "a.example", 2),
        ("a.example", "b.example", 1),
    ]
    assert pairs[0].similarity == 0.5


def test_the_most_repeated_page_is_first(tmp_path: Path) -> None:
    entries = [
        entry(0, of="http://a.example/seldom"),
        entry(1, similarity=0.3),
        entry(2, url="http://c.example/"),
    ]
    first, second = figures(tmp_path, entries).repeated
    assert (first.url, first.pages, first.hosts, first.least) == (
        "http://a.example/story",
        2,
        2,
        0.3,
    )
    assert second.pages == 1


COPIES = [  # A page with a session in its URL, and copies with plainer URLs.
    entry(0, of="http://a.example/1?s=2"),
    entry(1, of="http://a.example/1?s", of_first="http://a.example/1?s=2"),
    entry(2, of="http://b.example/2", of_first="http://a.example/1?s=2"),
]


def test_a_page_with_several_plain_names_is_one_page(tmp_path: Path) -> None:
    found = figures(tmp_path, COPIES)
    assert (found.originals, found.hosts) == (1, 2)
    (repeated,) = found.repeated
    assert (repeated.url, repeated.plain) == ("http://a.example/1?s=2", "http://b.example/2")
    assert (repeated.pages, found.host_pairs[0].of) == (3, "a.example")
    (cluster,) = found.clusters
    assert (cluster.size, cluster.kept) == (4, ("http://a.example/1?s=2",))
    assert cluster.plain == "http://b.example/2"


def test_a_page_with_one_name_has_no_plain_name_beside_it(tmp_path: Path) -> None:
    found = figures(tmp_path, [*COPIES[:2], entry(3, of="http://a.example/1?s=2")])
    assert (found.repeated[0].plain, found.clusters[0].plain) == ("", "")


def test_pages_without_a_url_are_told_apart(tmp_path: Path) -> None:
    found = figures(tmp_path, [entry(n, of="", of_page_id=n) for n in range(3)])
    assert (found.originals, len(found.clusters)) == (3, 3)


def test_a_cluster_joins_chains_and_tells_who_was_kept(tmp_path: Path) -> None:
    chain = entry(1, url="http://c.example/", of="http://b.example/0")
    apart = entry(2, of="http://d.example/")
    clusters = figures(tmp_path, [entry(0), chain, apart]).clusters
    assert [(cluster.size, cluster.hosts) for cluster in clusters] == [(3, 3), (2, 2)]
    assert clusters[0].kept == ("http://a.example/story",)
    assert clusters[0].members == ("http://b.example/0", "http://c.example/")


def test_a_page_that_repeats_itself_is_no_cluster(tmp_path: Path) -> None:
    again = entry(0, url="http://a.example/1", of="http://a.example/1")
    assert figures(tmp_path, [again]).clusters == ()


def test_lists_are_bounded(tmp_path: Path) -> None:
    many = [entry(n, of=f"http://h{n}.example/") for n in range(LARGEST + 5)]
    many += [entry(n) for n in range(100, 100 + MEMBERS + 5)]
    found = figures(tmp_path, many)
    assert len(found.host_pairs) == len(found.repeated) == len(found.clusters) == LARGEST
    assert found.clusters[0].size == MEMBERS + 6
    assert len(found.clusters[0].kept + found.clusters[0].members) == MEMBERS


def test_figures_have_a_form_in_json(tmp_path: Path) -> None:
    value = json.loads(encode_json(asdict(figures(tmp_path, [entry(0)], "damage\n"))))
    assert value["records"] == 1
    assert value["first"] == "2026-11-10T00:00:00+00:00"
    assert (value["relations"], value["new_words"]) == ({"edited": 1}, 12)
    assert value["damage"][0]["line"] == 2


MOMENT = st.floats(0, 4e9)


@given(st.lists(MOMENT, min_size=1))
def test_a_time_line_holds_every_moment_in_few_bars(times: list[float]) -> None:
    line = make_time_line(times)
    assert line is not None
    assert sum(line.counts) == len(times)
    assert len(line.counts) <= MOMENTS
    assert line.start.timestamp() <= min(times)
