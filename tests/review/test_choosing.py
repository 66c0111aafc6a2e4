"""Choosing among drops, and times as people give them."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from dedup.review.records import Choice, Drop, read_moment
from dedup.verdict import Relation

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
DROP = Drop(
    log=Path("drops.jsonl"),
    offset=0,
    time=NOW,
    spider="site",
    action="drop",
    relation=Relation.EDITED,
    url="http://www.b.example/1",
    of="http://a.example/1",
    of_page_id=1,
    similarity=0.5,
    distance=3,
    containment=None,
    same_host=False,
    tokens=100,
    of_tokens=100,
)


def test_nothing_asked_takes_everything() -> None:
    assert Choice().takes(DROP)
    assert Choice().takes(replace(DROP, similarity=0.0))


@pytest.mark.parametrize(
    ("asked", "other"),
    [
        ({"hosts": ["b.example"]}, {"hosts": ["c.example"]}),
        ({"hosts": ["c.example", "a.example"]}, {"hosts": ["example"]}),
        ({"urls": [DROP.of, DROP.url]}, {"urls": [DROP.of]}),
        ({"of": [DROP.url, DROP.of]}, {"of": [DROP.url]}),
        ({"relation": "edited"}, {"relation": "equal"}),
        ({"action": "drop"}, {"action": "tag"}),
        ({"spiders": ["other", "site"]}, {"spiders": ["other"]}),
        ({"least": 0.5}, {"least": 0.51}),
        ({"most": 0.5}, {"most": 0.49}),
        ({"since": NOW}, {"since": NOW + timedelta(seconds=1)}),
        ({"until": NOW + timedelta(seconds=1)}, {"until": NOW}),
    ],
)
def test_a_drop_is_taken_where_it_is_what_is_asked_for(
    asked: dict[str, Any], other: dict[str, Any]
) -> None:
    assert Choice(**asked).takes(DROP)
    assert not Choice(**other).takes(DROP)


def test_a_drop_has_the_hosts_of_both_names_of_the_repeated_page() -> None:
    drop = replace(DROP, of_first="http://m.example/1")
    for host in ("a.example", "b.example", "m.example"):
        assert Choice(hosts=[host]).takes(drop)
    assert not Choice(hosts=["m.example"]).takes(DROP)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-11-20", datetime(2026, 11, 20, tzinfo=UTC)),
        ("2026-11-20T08:30", datetime(2026, 11, 20, 8, 30, tzinfo=UTC)),
        ("2026-11-20T08:30+01:00", datetime(2026, 11, 20, 7, 30, tzinfo=UTC)),
        ("2d", NOW - timedelta(days=2)),
        ("3h", NOW - timedelta(hours=3)),
        ("30m", NOW - timedelta(minutes=30)),
        ("1w", NOW - timedelta(weeks=1)),
    ],
)
def test_a_time_is_read_as_people_give_it(text: str, moment: datetime) -> None:
    assert read_moment(text, NOW) == moment


@pytest.mark.parametrize("text", ["", "yesterday", "2x", "d", "-1d", "99999999999d"])
def test_what_is_no_time_is_an_error_that_quotes_it(text: str) -> None:
    with pytest.raises(ValueError, match=repr(text)):
        read_moment(text, NOW)
