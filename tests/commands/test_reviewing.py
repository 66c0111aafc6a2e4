"""``scrapy neardup`` on drop logs and tagged feeds: what a user types, over real crawls."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Crawler, Neardup
from crawling import Pages, Web, article, text
from made_logs import entry, pack_text, write_log
from scrapy.http import Response

from dedup.page.plain_text import join_texts
from dedup.review.records import Drop, read_drops
from dedup.scrapy.commands.drops import dropped_text
from dedup.scrapy.values import encode_item

STORE = ("-s", "NEARDUP_STORE=leveldb:store")
URL = "http://b.example/1"  # of the first made record


@pytest.fixture
def urls(crawl: Crawler, web: Web) -> list[str]:
    """Two texts; of the first an equal copy on another host, and an edited one."""
    web.pages = {
        "/a": article("tides"),
        "/b": article("tides", edits=2),
        "/c": article("bread"),
    }
    urls = [*web.urls("/a", "/b", "/c"), web.url("/a", host="localhost")]
    crawl(urls=urls, CONCURRENT_REQUESTS=1, NEARDUP_STORE="leveldb:store")
    return urls


def listed(neardup: Neardup, *arguments: str) -> list[dict[str, Any]]:
    code, out, errors = neardup("list", "--json", *arguments)
    assert (code, errors) == (0, "")
    drops = [json.loads(line) for line in out.splitlines()]
    return sorted(drops, key=lambda drop: drop["url"])  # 127.0.0.1 before localhost


def test_list_gives_each_drop_as_json_without_its_bulk(urls: list[str], neardup: Neardup) -> None:
    drops = listed(neardup)
    assert [(drop["url"], drop["of"]) for drop in drops] == [(urls[1], urls[0]), (urls[3], urls[0])]
    assert [drop["relation"] for drop in drops] == ["edited", "equal"]
    assert [(drop["new"], drop["new_words"], drop["confirmed"]) for drop in drops] == [
        (0, 0, True),
        (0, 0, True),
    ]
    assert not {"item", "text", "passages"} & drops[0].keys()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--host", "localhost"), [3]),
        (("--host", "WWW.LocalHost"), [3]),
        (("--host", "http://localhost:8000/a"), [3]),
        (("--relation", "edited"), [1]),
        (("--relation", "equal"), [3]),
        (("--relation", "contained"), []),
        (("--max-similarity", "0.99"), [1]),
        (("--min-similarity", "0.99"), [3]),
        (("--action", "tag"), []),
        (("--spider", "pages"), [1, 3]),
        (("--since", "1h"), [1, 3]),
        (("--until", "1h"), []),
        (("--since", "2026-01-01", "--until", "2026-01-02"), []),
    ],
)
def test_list_filters(
    urls: list[str], neardup: Neardup, arguments: tuple[str, ...], expected: list[int]
) -> None:
    assert [drop["url"] for drop in listed(neardup, *arguments)] == [urls[n] for n in expected]


def test_list_finds_what_repeats_a_page(urls: list[str], neardup: Neardup) -> None:
    assert len(listed(neardup, "--of", urls[0])) == 2
    assert listed(neardup, "--of", urls[2]) == []


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--since", "yesterday"), "a time must be like"),
        (("--min-similarity", "2"), "a number from 0 to 1; got '2'"),
        (("--relation", "boredom"), "boredom"),
        (("--relation", "none"), "none"),
        (("--host", "http://"), "a host must be like b.example; got 'http://'"),
    ],
)
def test_a_filter_that_makes_no_sense_is_wrong_usage(
    neardup: Neardup, folder: Path, arguments: tuple[str, ...], says: str
) -> None:
    code, _, errors = neardup("list", *arguments)
    assert code == 2
    assert says in errors


def test_diff_gives_the_words_that_differ(urls: list[str], neardup: Neardup) -> None:
    code, out, _ = neardup("diff", urls[1], "--json", *STORE)
    found = json.loads(out)
    own = [piece["text"] for row in found["rows"] for piece in row["right"] if not piece["same"]]
    assert code == 0
    assert (found["url"], found["of"], found["drops"]) == (urls[1], urls[0], 1)
    assert own == ["edit0", "edit1"]


@pytest.mark.parametrize("way", ["--unified", "--side-by-side"])
def test_diff_shows_both_texts_with_the_changes_marked(
    urls: list[str], neardup: Neardup, way: str
) -> None:
    code, out, _ = neardup("diff", urls[1], way, *STORE)
    assert code == 0
    assert urls[0] in out
    assert re.search("relation +edited *\n", out)
    assert re.search(r"alike +similarity 0\.\d+, distance \d", out)
    assert re.search("new +0% of the page, 0 words, by the texts *\n", out)
    assert re.search("marked +words of reworded sentences, too; they do not count as new *\n", out)
    assert "{+edit0+}" in out
    assert "[-" in out


NEWS = text("rain", words=18)
REWORD = re.compile(r"(<p>\w+) (\w+) (\w+)")


@pytest.fixture
def updated(crawl: Crawler, web: Web) -> list[str]:
    """A text, and the same with some news below it."""
    web.pages = {"/a": article("tides"), "/b": article("tides", more=NEWS)}
    urls = web.urls("/a", "/b")
    crawl(urls=urls, CONCURRENT_REQUESTS=1, NEARDUP_STORE="leveldb:store")
    return urls


def test_diff_tells_how_much_of_a_page_is_new_and_what(
    updated: list[str], neardup: Neardup
) -> None:
    assert re.search(
        "new +7% of the page, 18 words, by the texts *\n", neardup("diff", updated[1], *STORE)[1]
    )
    found = json.loads(neardup("diff", updated[1], "--json", *STORE)[1])
    assert (found["relation"], found["new_words"], found["passages"]) == ("edited", 18, [NEWS])


def test_diff_tells_where_what_is_new_is_known_by_the_fingerprints_alone_or_not_at_all(
    urls: list[str], tmp_path: Path, neardup: Neardup
) -> None:
    (drop,) = [drop for drop in listed(neardup) if drop["url"] == urls[1]]
    facts = {name: drop[name] for name in ("of", "of_page_id")}
    by_fingerprints = entry(1, confirmed=False, new=0.1, new_words=24, **facts)
    older = entry(2, version=2, **facts)
    for name in ("new", "new_words", "confirmed"):
        del older[name]
    log = str(write_log(tmp_path / "made.jsonl", [by_fingerprints, older]))
    told = [neardup("diff", f"http://b.example/{n}", log, *STORE)[1] for n in (1, 2)]
    assert re.search("new +10% of the page, 24 words, by the fingerprints *\n", told[0])
    assert re.search("new +unknown: the log is of an earlier version *\n", told[1])


def test_where_only_longer_wording_is_new_no_words_are_said_to_be(
    crawl: Crawler, web: Web, neardup: Neardup, caplog: pytest.LogCaptureFixture
) -> None:
    tides = article("tides")
    web.pages = {"/a": tides, "/b": REWORD.sub(r"\1 \2 indeed \3", tides)}
    urls = web.urls("/a", "/b")
    crawl(urls=urls, CONCURRENT_REQUESTS=1, NEARDUP_STORE="leveldb:store")
    out = neardup("diff", urls[1], *STORE)[1]
    assert re.search(r"\{\+\s*indeed", out)
    told = (
        r"new +[1-9]\d?% of the page, as it is longer; no sentence of it is new, by the texts *\n"
    )
    assert re.search(told, out)
    assert "marked" in out
    assert re.search(r"new: no sentence, but it is [1-9]\d?% longer\)", caplog.text)


def test_of_a_page_with_new_sentences_alone_nothing_is_said_of_reworded_ones(
    updated: list[str], neardup: Neardup
) -> None:
    assert "reworded" not in neardup("diff", updated[1], *STORE)[1]


def test_list_sums_up_the_relations_and_what_is_new(updated: list[str], neardup: Neardup) -> None:
    _, out, _ = neardup("list")
    assert re.search(r" edited +7% +0\.\d+ ", out)
    assert out.endswith("1 near-duplicate (1 edited) of 1 page, 18 new words\n")


def test_list_counts_what_is_new_in_a_page_once(tmp_path: Path, neardup: Neardup) -> None:
    twice = [entry(1, new_words=5), entry(1, new_words=5), entry(2, new_words=3)]
    log = str(write_log(tmp_path / "log.jsonl", twice))
    told = "3 near-duplicates (3 edited) of 1 page, 8 new words"
    assert neardup("list", log)[1].endswith(f"{told}\n")
    assert neardup("list", log, "--limit", "1")[1].endswith(f"{told}, 2 not shown (--limit 0)\n")


def test_diff_reads_a_store_whose_index_is_laid_out_otherwise(
    urls: list[str], neardup: Neardup
) -> None:
    assert neardup("diff", urls[1], *STORE, "-s", "NEARDUP_LAYOUT=10")[0] == 0


def test_where_no_terminal_is_diff_gives_each_paragraph_a_line(
    urls: list[str], neardup: Neardup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = neardup("diff", urls[1], *STORE)[1].splitlines()[6:]
    signs = [line[:2] for line in lines if "{+edit0+}" in line or "[-" in line]
    assert {"+ ", "- "} == set(signs)
    assert max(map(len, lines)) > 200
    assert [line for line in lines if line != line.rstrip()] == []


def test_diff_shows_as_much_around_a_change_as_is_asked_for(
    urls: list[str], neardup: Neardup
) -> None:
    equal = text("tides").split("\n")[0][:20]  # the edits are in later paragraphs
    shown = [neardup("diff", urls[1], "--context", n, *STORE)[1] for n in ("0", "9")]
    assert [equal in out for out in shown] == [False, True]


def test_diff_takes_the_latest_of_several_drops_and_says_so(
    urls: list[str], crawl: Crawler, neardup: Neardup
) -> None:
    crawl(urls=urls, NEARDUP_STORE="leveldb:store")
    assert "dropped 2 times, this is the latest" in neardup("diff", urls[1], *STORE)[1]


def test_diff_takes_an_items_own_text_where_none_is_kept(
    crawl: Crawler, web: Web, neardup: Neardup
) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides", edits=2)}
    urls = web.urls("/a", "/b")
    crawl(urls=urls[:1], NEARDUP_STORE="leveldb:store")
    crawl(WithText, urls=urls, NEARDUP_STORE="leveldb:store", NEARDUP_KEEP_TEXT=False)
    code, out, errors = neardup("diff", urls[1], "--json", *STORE)
    assert (code, errors) == (0, "")
    assert "edit0" in out


class WithText(Pages):
    def item(self, response: Response) -> Any:
        return {"url": response.url, "text": "\n".join(response.css("p::text").getall())}


@pytest.mark.parametrize("kind", [list, tuple])
def test_the_text_of_a_dropped_item_is_the_one_that_the_pipeline_reads(
    tmp_path: Path, kind: type
) -> None:
    item = {"title": "t", "text": kind(["one", "two", 3]), "price": 4}
    log = write_log(tmp_path / "log.jsonl", [entry(1, item=encode_item(item)[1])])
    [drop] = read_drops(log)
    assert isinstance(drop, Drop)
    fields = ("title", "price", "text", "none")
    assert dropped_text(drop, fields) == join_texts(map(item.get, fields)) == "t\none\ntwo\n3"


def test_the_text_kept_goes_before_the_fields_of_the_item(tmp_path: Path) -> None:
    texts = {"kept": pack_text("Kept."), "own": "", "none": ""}
    items = {"kept": {"text": "own"}, "own": {"text": "own"}, "none": None}
    records = [entry(item=items[name], text=texts[name] or None) for name in texts]
    drops = read_drops(write_log(tmp_path / "log.jsonl", records))
    found = [dropped_text(drop, ("text",)) for drop in drops if isinstance(drop, Drop)]
    assert found == ["Kept.", "own", ""]


def test_diff_without_texts_says_how_to_get_them(
    crawl: Crawler, web: Web, neardup: Neardup
) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides", edits=2)}
    urls = web.urls("/a", "/b")
    crawl(
        WithText,
        urls=urls,
        CONCURRENT_REQUESTS=1,
        NEARDUP_STORE="leveldb:store",
        NEARDUP_KEEP_TEXT=False,
    )
    code, _, errors = neardup("diff", urls[1], *STORE)
    assert code == 1
    assert "NEARDUP_KEEP_TEXT=True" in errors


def test_diff_says_so_where_the_store_at_hand_is_not_the_crawls_own(
    urls: list[str], crawl: Crawler, neardup: Neardup, folder: Path
) -> None:
    crawl(urls=urls[2:3], NEARDUP_STORE="leveldb:other")
    code, _, errors = neardup("diff", urls[1], "-s", "NEARDUP_STORE=leveldb:other")
    assert (code, errors.count("\n")) == (1, 1)
    assert f"the store in {folder / 'other'} does not have {urls[0]}" in errors
    assert "NEARDUP_STORE" in errors
    assert "NEARDUP_KEEP_TEXT" not in errors


def test_diff_of_a_page_that_was_not_dropped_says_so(urls: list[str], neardup: Neardup) -> None:
    code, _, errors = neardup("diff", urls[2], *STORE)
    assert code == 1
    assert f"{urls[2]} was not dropped; `scrapy neardup list` shows" in errors
    assert neardup("diff", "", *STORE)[::2] == (
        2,
        "scrapy neardup: name a dropped page by its URL\n",
    )


def test_diff_of_a_page_that_is_repeated_says_how_to_find_those(
    urls: list[str], neardup: Neardup
) -> None:
    code, _, errors = neardup("diff", urls[0], *STORE)
    assert code == 1
    assert f"`scrapy neardup list --of {urls[0]}` shows the 2 that repeat it" in errors


def test_clusters_are_shown_with_their_survivor(urls: list[str], neardup: Neardup) -> None:
    [line] = neardup("clusters", "--json")[1].splitlines()
    cluster = json.loads(line)
    assert (cluster["size"], cluster["survivor"]) == (3, urls[0])
    assert sorted(cluster["dropped"]) == [urls[1], urls[3]]
    out = neardup("clusters")[1]
    assert urls[0] in out
    assert out.endswith("1 cluster of 3 pages\n")
    assert neardup("clusters", "--min-size", "4")[1] == "0 clusters of 0 pages\n"


@pytest.mark.parametrize("action", [["list"], ["list", "--json"], ["report"], ["clusters"]])
def test_a_file_that_is_no_drop_log_is_said_to_be_none(
    neardup: Neardup, folder: Path, action: list[str]
) -> None:
    (folder / "feed.jsonl").write_text('{"url": "http://a.example/"}\n' * 3)

    code, out, errors = neardup(*action, "feed.jsonl")

    assert (code, out) == (1, "")
    assert errors == (
        "scrapy neardup: feed.jsonl holds no record of a drop; line 1: no field 'version'; "
        "not a drop log of this extension\n"
    )


def test_what_stands_before_the_first_record_is_told_by_its_line(
    neardup: Neardup, folder: Path
) -> None:
    log = write_log(folder / "drops.jsonl", [{"url": "http://a.example/"}, entry()], tail="[")

    code, out, errors = neardup("list", "--json", str(log))

    assert (code, out.count("\n")) == (0, 1)
    assert [line.partition(": ")[0].split()[-1] for line in errors.splitlines()] == ["1", "3"]


def test_a_packed_log_is_found_and_read(crawl: Crawler, web: Web, neardup: Neardup) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides")}
    for _ in range(2):
        crawl(urls=web.urls("/a", "/b"), NEARDUP_STORE="memory:", NEARDUP_LOG="drops.jsonl.gz")
    assert len(listed(neardup, "-s", "NEARDUP_LOG=drops.jsonl.gz")) == 2


def test_the_crawl_ends_with_a_summary(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides")}
    done = crawl(urls=web.urls("/a", "/b"), CONCURRENT_REQUESTS=1)
    assert "Near-duplicates: 1 (1 equal)" in caplog.text
    assert "1 x 127.0.0.1 repeats itself" in caplog.text
    assert (done["relation/equal"], done["distance/0"], done["by_host/127.0.0.1"]) == (1, 1, 1)


def test_a_limit_may_be_larger_than_any_list(urls: list[str], neardup: Neardup) -> None:
    assert len(listed(neardup, "--limit", "9" * 30)) == 2


def test_list_gives_no_more_than_the_limit(urls: list[str], neardup: Neardup) -> None:
    assert len(listed(neardup, "--limit", "1")) == 1
    assert len(listed(neardup, "--limit", "0")) == 2


def test_pages_of_one_url_are_told_apart_by_their_requests(
    tmp_path: Path, neardup: Neardup
) -> None:
    """Items of no URL, and one URL asked for with other bodies, crawl after crawl."""
    logs = []
    for name in ("a", "b"):
        records = [
            {"request": name + digit} | entry(version=2, url="", item={"title": name + digit})
            for digit in "12"
        ]
        logs.append(str(write_log(tmp_path / f"{name}.jsonl", records)))
    feed = tmp_path / "feed.jsonl"
    code, _, errors = neardup("restore", *logs, "--output", str(feed), "--no-mark")
    assert (code, errors) == (0, "")
    titles = [json.loads(line)["title"] for line in feed.read_text().splitlines()]
    assert titles == ["a1", "a2", "b1", "b2"]


def test_items_that_two_spiders_made_of_one_page_are_restored_both(
    tmp_path: Path, neardup: Neardup
) -> None:
    records = [
        entry(hour, url=URL, spider=spider, item={"title": f"{spider} {hour}"})
        for hour, spider in enumerate(["prices", "site", "prices"])
    ]
    logs = [
        str(write_log(tmp_path / f"{number}.jsonl", [record]))
        for number, record in enumerate(records)
    ]
    feed = tmp_path / "feed.jsonl"
    assert neardup("restore", *logs, "--output", str(feed), "--no-mark")[0] == 0
    titles = [json.loads(line)["title"] for line in feed.read_text().splitlines()]
    assert titles == ["site 1", "prices 2"]


def test_list_names_items_without_a_url_as_clusters_does(tmp_path: Path, neardup: Neardup) -> None:
    log = write_log(tmp_path / "log.jsonl", [{"request": "ab12"} | entry(url="", of="")])
    for action in ("list", "clusters"):
        _, out, _ = neardup(action, str(log))
        assert "(no URL) ab12" in out
        assert "(no URL) page 1" in out


def test_diff_shows_joiners_and_spaces_of_any_width(
    urls: list[str], tmp_path: Path, neardup: Neardup
) -> None:
    said = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645\u00a0\u3000."
    (drop,) = [drop for drop in listed(neardup) if drop["url"] == urls[1]]
    facts = {name: drop[name] for name in ("of", "of_page_id")}
    log = write_log(tmp_path / "said.jsonl", [entry(1, text=pack_text(said), **facts)])
    _, out, _ = neardup("diff", URL, str(log), *STORE)
    assert said in out


def test_diff_says_so_where_nothing_differs(urls: list[str], neardup: Neardup) -> None:
    code, out, errors = neardup("diff", urls[3], *STORE)
    assert (code, errors) == (0, "")
    assert "The two texts are the same, as far as they are kept." in out


def test_diff_shows_as_many_paragraphs_around_as_there_are(
    urls: list[str], neardup: Neardup
) -> None:
    code, out, errors = neardup("diff", urls[1], *STORE, "--context", str(10**20))
    assert (code, errors) == (0, "")
    assert out


@pytest.mark.parametrize("name", ["--host", "--url", "--of", "--spider"])
def test_an_empty_choice_is_refused_rather_than_taken_for_all(neardup: Neardup, name: str) -> None:
    code, _, errors = neardup("restore", name, "", "--dry-run")
    assert code == 2
    assert f"{name}: it is empty, which would choose everything" in errors


def test_restore_writes_to_a_file_only(neardup: Neardup) -> None:
    code, _, errors = neardup("restore", "-o", "-")
    assert code == 2
    assert "--output FILE" in errors
