"""Items that are the same one, and items that are not, whichever page gives them."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.config import Config
from dedup.items import Naming, UnreadableError, reading
from dedup.items.names import COUNTERS, MAYBE_COUNTERS
from dedup.items.values import DEEPEST, walk
from dedup.store import ITEM_BYTES

LIST = "https://shop.example/list?page=1"
NAMING = Naming()
LAW = settings(derandomize=True, deadline=None, max_examples=200)
ENTRY = {
    "url": "https://shop.example/a/1",
    "title": "Green tea, first flush",
    "price": 12.5,
    "teaser": "A tea of the first days of spring, " * 5,
}


def digest(fields: dict[str, Any], page: str = LIST) -> bytes:
    identity = NAMING.identify(fields, page)
    assert identity is not None
    assert len(identity.digest) == ITEM_BYTES
    return identity.digest


@pytest.mark.parametrize(
    "change",
    [
        {"position": 7},
        {"Rank": "3"},
        {"comments": "21"},
        {"views": 1_204},
        {"scraped_at": "yesterday"},
        {"source": LIST},
        {"near_duplicate": {"of": "https://a.example/"}},
        {"note": "3 hours ago"},
        {"teaser": "Another teaser of this tea, " * 5},
        {"price": "12.50"},
        {"url": "/a/1"},
        {"viewCount": 1_204},
        {"View Count": "1,204"},
        {"scrapedAt": "yesterday"},
        {"page-no": 3},
        {"play_count": 88},
        {"阅读数": 1_204},
        {"抓取时间": "昨天"},
    ],
    ids="-".join,
)
def test_what_changes_with_every_visit_makes_no_other_item(change: dict[str, Any]) -> None:
    assert digest(ENTRY | change) == digest(ENTRY)


@pytest.mark.parametrize(
    "write",
    [
        datetime.isoformat,
        lambda now: now.strftime("%Y/%m/%d %H:%M:%S"),
        lambda now: now.strftime("%d/%m/%Y %H:%M:%S"),
        lambda now: now.strftime("%m/%d/%Y, %H:%M"),
        lambda now: now.strftime("%d.%m.%Y %H:%M"),
        lambda now: now.strftime("%Y%m%d%H%M%S"),
        lambda now: now.strftime("%Y%m%d_%H%M%S"),
        lambda now: now.strftime("%Y-%m-%d_%H-%M-%S"),
        lambda now: now.strftime("%Y年%m月%d日 %H:%M"),
        lambda now: now.strftime("%Y年%m月%d日 %H时%M分%S秒"),
        lambda now: now.strftime("%d.%m.%Y, %H:%M Uhr"),
        lambda now: now.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f +0000 UTC"),
        lambda now: now.astimezone(UTC).strftime("%Y/%m/%d %H:%M GMT"),
        datetime.timestamp,
        lambda now: int(1000 * now.timestamp()),
        lambda now: now.astimezone(timezone(timedelta(hours=5, minutes=45))).isoformat(),
        lambda now: now,
    ],
)
def test_the_moment_of_the_visit_makes_no_other_item(write: Callable[[datetime], Any]) -> None:
    now = datetime.now(UTC)
    assert digest(ENTRY | {"seen": write(now)}) == digest(ENTRY)
    if write is not datetime.timestamp:
        assert digest(ENTRY | {"seen": write(now - timedelta(days=3))}) != digest(ENTRY)


@pytest.mark.parametrize(
    "text",
    ["99/99/2026 12:05:00", "00.00.0000 00:00", "20269999999999", "2026年13月45日 27:61", "1" * 40],
)
def test_a_text_like_a_moment_that_is_none_counts(text: str) -> None:
    assert digest(ENTRY | {"seen": text}) != digest(ENTRY)


@pytest.mark.parametrize(
    "form", ["%Y-%m-%d %H:%M Goal for Leeds", "%d.%m.%Y, %H:%M: closed", "%Y%m%d%H%M%S-A17"]
)
def test_a_text_behind_the_moment_of_the_visit_counts(form: str) -> None:
    assert digest(ENTRY | {"seen": datetime.now().strftime(form)}) != digest(ENTRY)


def test_the_moment_of_the_visit_counts_in_a_field_of_facts() -> None:
    naming = Naming(facts=frozenset(("goal",)))
    for now in (datetime.now(UTC), datetime.now(UTC).isoformat(), time.time(), int(time.time())):
        one, other = (naming.identify(item, LIST) for item in (ENTRY, ENTRY | {"goal": now}))
        assert one is not None
        assert other is not None
        assert one.digest != other.digest


@pytest.mark.parametrize(
    "change",
    [
        {"url": "https://shop.example/a/2"},
        {"price": 13.5},
        {"title": "Green tea, second flush"},
        {"date": "2024-05-18"},
        {"size": "34B"},
        {"price": "12.5 USD"},
        {"price": "$12.5"},
        {"code": "01234"},
        {"stock": {"red": 5}},
        {"stock": True},
        {"position": "Head of Sales"},
        {"position": "12345 Nurse"},
        {"depth": "30 cm"},
        {"specs": {"Depth": "30 cm"}},
        {"score": "2:1"},
        {"text": "A text that is no teaser, of more than a hundred letters. " * 3},
        {"date": "18 May 2024"},
        {"starts": (datetime.now(UTC) + timedelta(days=1)).isoformat()},
        {"comments": ["Nice tea"]},
        {"sizes": ["S", "M"]},
        {"rank": "a sentence about its rank that is too long to be a number"},
    ],
    ids="-".join,
)
def test_a_fact_makes_another_item(change: dict[str, Any]) -> None:
    assert digest(ENTRY | change) != digest(ENTRY)


@pytest.mark.parametrize(
    "write",
    [
        lambda visit: {"likes": visit, "commentCount": str(visit)},
        lambda visit: {"crawled_at": f"visit {visit}", "page": LIST},
        lambda visit: {"by": {"name": "Jo", "posted": f"{visit} hours ago"}},
        lambda visit: {"likes": [visit], "by": {"posted": [f"{visit} hours ago"]}},
        lambda visit: [{"text": "Nice tea", "likes": visit}],
        lambda visit: {"seen": (datetime.now(UTC) + timedelta(seconds=visit)).isoformat()},
    ],
)
def test_what_changes_inside_a_value_makes_no_other_item(write: Callable[[int], Any]) -> None:
    one, other = (ENTRY | {"more": write(visit)} for visit in (2, 3))
    assert digest(one) == digest(other)
    whole = [getattr(NAMING.identify(item, LIST), "whole", None) for item in (one, other)]
    assert whole[0] != whole[1] or one == other


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"likes": [2, 3]}, {"likes": [2, 4]}),
        ({"position": [52.5, 13.4]}, {"position": [52.5, 13.5]}),
        ({"price": 2}, {"price": 3}),
        ({"comments": "Nice"}, {"comments": "Bad"}),
    ],
    ids=str,
)
def test_facts_inside_a_value_tell_items_apart(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert digest(ENTRY | {"more": one}) != digest(ENTRY | {"more": other})
    assert digest(ENTRY | {"more": [one]}) != digest(ENTRY | {"more": [other]})


def test_the_first_item_of_a_crawl_is_known_as_the_later_ones_are() -> None:
    naming, item = Naming(), ENTRY | {"added": "3 days ago", "stock": 5}
    first = naming.identify(item, LIST)
    naming.identify(ENTRY | {"stock": 5}, LIST)
    assert naming.identify(item, LIST) == first


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"size": "34B"}, {"size": "34C"}),
        ({"capacity": "1 TB"}, {"capacity": "1 GB"}),
        ({"price": "10 EUR"}, {"price": "10 USD"}),
        ({"time": "3 am"}, {"time": "3 pm"}),
        ({"id": "1234567890123456789"}, {"id": "1234567890123456788"}),
        ({"stock": {"red": 5}}, {"stock": {"blue": 5}}),
        ({"in_stock": True}, {"in_stock": False}),
    ],
    ids=str,
)
def test_units_signs_keys_and_long_numbers_tell_items_apart(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    assert digest(ENTRY | one) != digest(ENTRY | other)


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("version", "3.1", "3.10"),
        ("version", "Python 3.2", "Python 3.20"),
        ("model", "X 3.1", "X 3.10"),
        ("price", "1.500 EUR", "1.5 EUR"),
        ("price", "1.500", 1.5),
        ("pay", "$1.500", "$1.5"),
        ("price", "1.20.1", "1.2.1"),
        ("note", "3.10 for $5", "3.1 for $5"),
        ("price", "1,500", "1.500"),
    ],
)
def test_zeros_that_may_count_tell_items_apart(name: str, one: Any, other: Any) -> None:
    assert digest(ENTRY | {name: one}) != digest(ENTRY | {name: other})
    assert digest(ENTRY | {name: [one]}) != digest(ENTRY | {name: [other]})


@pytest.mark.parametrize(
    ("name", "amounts"),
    [
        ("price", [1299, 1299.0, "1,299", "1299.00", "1,299.00", Decimal("1299.00")]),
        ("price", [10**16, 1e16, "10000000000000000"]),
        ("salePrice", ["0.5", "0.50", "0.500", 0.5]),
        ("pay", ["$12.50", "$12.5"]),
        ("pay", ["12.50 EUR an hour", "12.5 eur an hour"]),
        ("pay", ["12.50欧元", "12.5欧元"]),
        ("offers", [{"price": "12.50"}, {"price": 12.5}]),
    ],
)
def test_an_amount_of_money_is_the_same_however_it_is_written(
    name: str, amounts: list[Any]
) -> None:
    assert len({digest(ENTRY | {name: amount}) for amount in amounts}) == 1


@pytest.mark.parametrize("name", [*MAYBE_COUNTERS, "Row"])
def test_a_number_of_a_doubtful_name_counts_in_an_item_without_a_url(name: str) -> None:
    seat = {"name": "Seat in the upper circle, left"}
    assert digest(seat | {name: 1}) != digest(seat | {name: 2})
    assert digest(ENTRY | {name: 1}) == digest(ENTRY | {name: 2})
    naming = Naming(facts=frozenset((name.lower(),)))
    one, other = (naming.identify(ENTRY | {name: number}, LIST) for number in (1, 2))
    assert one != other


@pytest.mark.parametrize("name", ["rank", "排名"])
def test_a_song_without_a_url_counts_at_each_place_of_the_charts(name: str) -> None:
    song = {"title": "Song of the green hills", "artist": "Jo"}
    assert digest(song | {name: 1}) != digest(song | {name: 2})


@pytest.mark.parametrize("name", COUNTERS)
def test_a_place_in_a_list_and_a_count_of_readers_never_count(name: str) -> None:
    entry = {"name": "Seat in the upper circle, left"}
    assert digest(entry | {name: 1}) == digest(entry | {name: 2})


@pytest.mark.parametrize(
    "name",
    ["reposts_count", "attitudesCount", "likes_count", "num_replies", "fav_count", "num_reactions",
     "views count", "点赞量", "评论次数", "访问量", "播放次数"],
)  # fmt: skip
def test_a_count_of_readers_has_many_names(name: str) -> None:
    post = {"text": "The first tea of the year is in", "author": "Jo"}
    assert digest(post | {name: "1.2万"}) == digest(post | {name: 13})


@pytest.mark.parametrize(
    "name", ["comment_nums", "praise_num", "readNum", "comments_num", "num_shares", "share_nums"]
)
def test_a_number_of_readers_counts_where_it_may_be_another_number(name: str) -> None:
    row = {"text": "Sold by a director on the market", "holder": "Jo"}
    assert digest(row | {name: 500}) != digest(row | {name: 800})
    assert digest(ENTRY | {name: 500}) == digest(ENTRY | {name: 800})


@pytest.mark.parametrize(
    "name", ["count", "word_count", "seats_count", "num_pages", "num", "库存量"]
)
def test_another_count_tells_items_apart(name: str) -> None:
    assert digest(ENTRY | {name: 500}) != digest(ENTRY | {name: 800})


def test_items_that_share_a_url_are_told_apart_by_their_texts() -> None:
    review = {"url": ENTRY["url"], "author": "Anna", "rating": 5, "text": "I like this tea. " * 9}
    assert digest(review) != digest(review | {"text": "I do not like it at all. " * 9})


def test_another_site_cannot_give_an_item_with_another_teaser_under_its_url() -> None:
    here = {"link": ENTRY["url"], "title": "Green tea", "description": "Of the first days. " * 9}
    spam = here | {"description": "Buy pills. " * 20}
    assert digest(here) == digest(spam)  # on one site it is a teaser written anew
    assert digest(here) != digest(spam, "https://evil.example/feed")
    short = {"link": ENTRY["url"], "title": "Green tea"}
    assert digest(short) == digest(short, "https://evil.example/feed")  # nothing of it is lost


@pytest.mark.parametrize(
    "value",
    [
        "0001-01-01T00:00:00",
        "9999-12-31T23:59:59",
        datetime.min,
        datetime.max,
        10**400,
        -(10**400),
        float("nan"),
        float("inf"),
        b"\xff",
        object,
        {1: {2: 3}},
        "1" * 100_000,
    ],
    ids=lambda value: str(value)[:20],
)
@pytest.mark.parametrize("zone", ["UTC", "Asia/Shanghai", "America/New_York"])
def test_values_of_any_kind_are_taken(
    value: Any, zone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("TZ", zone)
        time.tzset()
        _take(value)
    time.tzset()


def _take(value: Any) -> None:
    assert digest(ENTRY | {"seen": value}) != digest(ENTRY)
    assert digest(ENTRY | {2020: value}) != digest(ENTRY)  # type: ignore[dict-item]


@pytest.mark.parametrize(
    "fields",
    [
        {"link": "javascript:void(0)"},
        {"link": "mailto:a@b.example"},
        {"link": "//[bad"},
        {"loc": "Berlin"},
        {"guid": "4711"},
        {"url": LIST},
        {"url": ""},
        {"url": None},
    ],
    ids=str,
)
def test_without_a_url_of_its_own_a_teaser_tells_an_item_apart(fields: dict[str, Any]) -> None:
    one, other = ("Of the first days of spring. " * 9, "Of the last days of autumn. " * 9)
    assert digest(fields | {"teaser": one}) != digest(fields | {"teaser": other})


def test_an_item_without_a_url_of_its_own_is_all_that_it_holds() -> None:
    post = {"url": LIST, "author": "Jo", "text": "I like this tea. " * 20}
    assert digest(post) == digest({"author": "Jo", "text": post["text"]})
    assert digest(post) != digest(post | {"text": f"{post['text']} Really."})
    other_page = LIST.replace("1", "2")
    assert digest(post) == digest(post | {"url": other_page}, other_page)


def test_an_item_that_says_nothing_has_no_identity() -> None:
    assert NAMING.identify({"url": LIST, "position": 123456789012345678}, LIST) is None
    assert NAMING.identify({"name": "", "price": None}, LIST) is None
    assert NAMING.identify({}, LIST) is None


@pytest.mark.parametrize(
    "fields", [{"stars": 12}, {"name": "Tea", "price": ""}, {"offer": {"salePrice": 12}}], ids=str
)
def test_an_item_that_says_little_has_a_brief_identity(fields: dict[str, Any]) -> None:
    identity = NAMING.identify(fields, LIST)
    assert identity is not None
    assert identity.brief
    for name in ("Tea from the hills", "绿茶红茶白茶"):
        longer = NAMING.identify(fields | {"name": name}, LIST)
        assert longer is not None
        assert not longer.brief


def test_fields_can_be_named_by_users() -> None:
    naming = Naming(url_field="address", changing=frozenset(("stock",)))
    one, other = (
        naming.identify({"address": "/a/1", "stock": stock, "name": "tea"}, LIST)
        for stock in (1, 2)
    )
    assert one is not None
    assert other is not None
    assert one.digest == other.digest
    assert one.whole != other.whole


@pytest.mark.parametrize(
    "change",
    [
        {"token": "a text of more than forty letters that no other visit gives again"},
        {"Token": 5, "pictureUrl": ["https://cdn.example/1.jpg?signature=1f4b7a"]},
        {"more": {"picture_url": "https://cdn.example/1.jpg?signature=1f4b7a", "token": [1, 2]}},
        {"price_checked": "12:05"},
        {"near_duplicate": None},
    ],
    ids="-".join,
)
def test_a_field_that_users_name_is_ignored_whatever_it_holds(change: dict[str, Any]) -> None:
    naming = Config(changing_fields=("token", "picture_url", "price_checked")).naming
    entry = ENTRY | {"more": {}} if "more" in change else ENTRY
    one, other = (naming.identify(item, LIST) for item in (entry, entry | change))
    assert one is not None
    assert other is not None
    assert one.digest == other.digest


@pytest.mark.parametrize(
    "url",
    [
        "/a/1?utm_source=list&utm_content=7",
        "/a/1;JSESSIONID=9A3F?utm_source=list",
        "/a/1?UTM_Source=list#",
        "/a/1?fbclid=IwAR0",
        "/a/1;jsessionid=9A3F",
        "/a/1?PHPSESSID=9a3f&gclid=4",
    ],
)
def test_what_tracks_a_visit_is_no_part_of_a_url(url: str) -> None:
    assert digest(ENTRY | {"url": url}) == digest(ENTRY)
    more = "https://shop.example/a?id=1&utm_id=3&page=2#part"
    assert NAMING.own_url({"url": more}, LIST) == "https://shop.example/a?id=1&page=2#part"
    assert NAMING.own_url({"url": more}, more) is None


@pytest.mark.parametrize(
    "url",
    [
        "/a/1?id=2",
        "/a/1?utm=2",
        "/a/1?my_utm_id=2",
        "/a/1?session_id=4",
        "/a/1#utm_id=2",
        "/a/1?id=5&utm_id=2",
        "/a/1?next=/b?utm_id=2",
        "/a/1?utm_zone=33&utm_easting=448251",
        "/a/1;jsessionid=9A3F;id=2",
        "/a/1?utm_source=list;id=2",
    ],
)
def test_other_parameters_are_a_part_of_a_url(url: str) -> None:
    assert digest(ENTRY | {"url": url}) != digest(ENTRY)


def test_a_url_that_users_name_is_none() -> None:
    naming = Config(changing_fields=("url",)).naming
    assert naming.own_url(ENTRY, LIST) is None
    one, other = (naming.identify(ENTRY | {"url": url}, LIST) for url in ("/a/1?s=1", "/a/1?s=2"))
    assert one is not None
    assert other is not None
    assert one.digest == other.digest
    assert naming.own_url(ENTRY | {"link": "/a/1"}, LIST) == "https://shop.example/a/1"


def test_of_a_name_in_both_settings_a_fact_is_made() -> None:
    naming = Config(changing_fields=("Stock",), fact_fields=("stock",)).naming
    one, other = (naming.identify(ENTRY | {"stock": stock}, LIST) for stock in (1, 2))
    assert one is not None
    assert other is not None
    assert one.digest != other.digest


def test_a_set_is_the_same_in_every_process() -> None:
    program = (
        "from dedup.items import Naming\n"
        "tags = {'alpha', 'beta', 'gamma', 'delta', 5, ('x', 'y'), frozenset({'one', 'two'})}\n"
        "fields = {'url': '/a', 'tags': tags, 'more': {'tags': tags}}\n"
        f"print(Naming().identify(fields, {LIST!r}).digest.hex())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "123"
    }
    assert len(digests) == 1


def test_sets_of_other_members_are_told_apart() -> None:
    assert digest(ENTRY | {"tags": {"green", "new"}}) == digest(ENTRY | {"tags": {"new", "green"}})
    assert digest(ENTRY | {"tags": {"green", "new"}}) != digest(ENTRY | {"tags": {"green", "old"}})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([["10:00"], [], ["12:00"]], [[], ["10:00"], ["12:00"]]),
        ([["a", "b"], ["c"]], [["a"], ["b", "c"]]),
        ([("a", "b"), ["c"]], [("a",), ["b", "c"]]),
        ({"open": {}, "closed": 1}, {"open": {"closed": 1}}),
        ([{"name": "a", "size": 1}, {"name": "b"}], [{"name": "a"}, {"size": 1, "name": "b"}]),
        ({("a", "b"), ("c",)}, {("a",), ("b", "c")}),
    ],
)
def test_values_in_other_groups_make_another_item(one: Any, other: Any) -> None:
    assert digest(ENTRY | {"slots": one}) != digest(ENTRY | {"slots": other})
    assert digest(ENTRY | {"more": {"slots": one}}) != digest(ENTRY | {"more": {"slots": other}})


def test_the_type_of_a_list_makes_no_other_item() -> None:
    assert digest(ENTRY | {"slots": [("a",), "b"]}) == digest(ENTRY | {"slots": (["a"], "b")})


@pytest.mark.parametrize("write", [lambda value: value, lambda value: [value, "Rain."]])
def test_values_with_names_are_no_teaser(write: Callable[[Any], Any]) -> None:
    one, other = (
        write({"home": goals, "away": 1, "report": "The teams met in the rain. " * 9})
        for goals in (2, 3)
    )
    assert digest(ENTRY | {"summary": one}) != digest(ENTRY | {"summary": other})


def test_a_teaser_of_several_paragraphs_is_one() -> None:
    one, other = (["Of the first days. " * 9, last] for last in ("Sweet.", "Bitter."))
    assert digest(ENTRY | {"summary": one}) == digest(ENTRY | {"summary": other})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"link": "https://a.example/1"}, {"link": "https://a.example/2"}),
        ({"loc": "Berlin"}, {"loc": "Paris"}),
        ({"guid": "4711"}, {"guid": "4712"}),
        ({"href": ["/a", "/b"]}, {"href": ["/a", "/c"]}),
        ({"permalink": "/a/1?id=1"}, {"permalink": "/a/1?id=2"}),
    ],
    ids=str,
)
def test_a_second_url_counts_as_any_value(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert digest(ENTRY | one) != digest(ENTRY | other)


@pytest.mark.parametrize(
    "second",
    [ENTRY["url"], "/a/1", f"{ENTRY['url']}?utm_source=list", "/a/1;jsessionid=9A3F", LIST, ""],
)
def test_a_second_url_that_says_no_more_makes_no_other_item(second: str) -> None:
    assert digest(ENTRY | {"permalink": second}) == digest(ENTRY)
    entry = ENTRY | {"link": "https://b.example/x?id=1"}
    assert digest(entry) == digest(ENTRY | {"link": "https://b.example/x?id=1&utm_source=list"})


def test_a_second_url_on_the_page_itself_counts_on_every_page_alike() -> None:
    """An entry moves to the next page of a list when new ones come."""
    entry = ENTRY | {"link": "#comments"}
    assert digest(entry, LIST) == digest(entry, f"{LIST}/2")
    assert digest(entry, LIST) == digest(ENTRY | {"link": f"{LIST}#comments"}, LIST)
    assert digest(entry, LIST) != digest(ENTRY | {"link": "#reviews"}, LIST)
    assert digest(entry, LIST) != digest(ENTRY, LIST)


@pytest.mark.parametrize("name", ["z.example", "\x1dz.example", "z.example\x1d"])
def test_no_field_passes_for_the_url_and_the_site_of_another_item(name: str) -> None:
    url = "https://z.example/1"
    here = {"title": "Green tea", "url": url, "summary": "Of the first days of spring. " * 9}
    spam = {"title": "Green tea", name: url}
    for page in ("https://evil.example/", "https://evil.example/feed"):
        assert digest(here, "https://z.example/") != digest(spam, page)


def test_no_name_passes_for_the_values_of_another_item() -> None:
    """The names of an item may come from a page, as those of JSON do."""
    forged = {"a\x1dthe first value\x1eb": "the second value"}
    assert digest(forged) != digest({"a": "the first value", "b": "the second value"})


def test_names_as_long_as_a_page_are_read_in_part_and_not_remembered() -> None:
    naming, names = Naming(), [f"{'aB' * 500_000}{number}" for number in range(3)]
    start = time.process_time()
    one, other = (naming.identify(dict.fromkeys(names, text), LIST) for text in ("tea", "leaf"))
    assert time.process_time() - start < 1
    assert one is not None
    assert other is not None
    assert one.digest != other.digest
    assert naming.identify({names[0]: "tea"}, LIST) != naming.identify({names[1]: "tea"}, LIST)
    assert not naming._known[False]


def test_values_are_told_apart_however_deep_they_are() -> None:
    def nest(value: Any, levels: int) -> Any:
        return [nest(value, levels - 1)] if levels else value

    assert digest(ENTRY | {"thread": nest("a", 60)}) != digest(ENTRY | {"thread": nest("b", 60)})


def test_an_item_that_contains_itself_is_refused() -> None:
    endless: dict[str, Any] = {}
    endless["self"] = endless
    with pytest.raises(ValueError, match="more than 200 levels"):
        digest(ENTRY | {"tags": endless})


def test_an_item_with_too_many_values_to_read_is_refused() -> None:
    with pytest.raises(ValueError, match="more than 100,000 values"):
        digest(ENTRY | {"tags": [[5] * 1_000] * 100})


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
FIELDS = st.dictionaries(st.text(max_size=8) | st.sampled_from(("url", "link")), VALUES, max_size=6)


@LAW
@given(FIELDS, st.text(max_size=30))
def test_any_item_has_one_identity_or_none_whatever_the_order_of_its_fields(
    fields: dict[str, Any], page: str
) -> None:
    backwards = dict(reversed(fields.items()))
    if "\x00" not in page:
        assert NAMING.identify(fields, page) == NAMING.identify(backwards, page)


def test_a_list_that_contains_itself_is_read_down_to_the_deepest_level() -> None:
    endless: list[Any] = ["tea"]
    endless.append(endless)
    read = walk(endless)
    assert [*islice(read, DEEPEST)] == [((), "tea")] * DEEPEST
    with pytest.raises(ValueError, match=f"more than {DEEPEST} levels"):
        next(read)


def test_a_value_that_raises_any_exception_is_told_as_unreadable() -> None:
    with pytest.raises(UnreadableError, match="KeyError") as told, reading():
        raise KeyError("tea")
    assert isinstance(told.value.__cause__, KeyError)


@pytest.mark.parametrize(
    ("fields", "kind", "digest"),
    [
        ({"title": "Tea in the hills", "price": "5"}, "", "f03d4a0fa8226cd5"),
        ({"title": "Tea in the hills", "price": "5"}, "Tea", "10beb086bac4ab5e"),
        ({"url": "/tea", "title": "Tea in the hills"}, "", "3083abeb185e7424"),
        ({"url": "/tea", "title": "Tea in the hills"}, "Tea", "e9999a7a411ade18"),
    ],
)
def test_stored_identities_are_those_of_later_versions(
    fields: dict[str, str], kind: str, digest: str
) -> None:
    """The records of a store contain them: with others, all items would be exported again."""
    found = Naming().identify(fields, "https://example.com/new", kind)
    assert found is not None
    assert found.digest.hex() == digest


def test_what_ends_the_process_is_no_fault_of_a_value() -> None:
    with pytest.raises(KeyboardInterrupt), reading():
        raise KeyboardInterrupt
