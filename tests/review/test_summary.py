"""The summary of a crawl."""

from dedup.index import Kinship, Match
from dedup.review.summary import COUNTED, HOSTS, Frequent, Summary
from dedup.schemes import Comparison
from dedup.store import Record
from dedup.verdict import Relation

EQUAL, EDITED = Relation.EQUAL, Relation.EDITED


def sum_up(*verdicts: tuple[str, str, Relation, int | None, int]) -> Summary:
    """The summary of verdicts: page, page repeated, relation, distance, words that are new."""
    summary = Summary()
    for url, of, relation, distance, new_words in verdicts:
        record = Record(of, b"", 0.0, exported=True, tokens=0, digest=b"", fingerprint=b"")
        match = Match(record, Kinship(Comparison(0.5, distance), relation))
        summary.add(url, match, new_words)
    return summary


def test_a_crawl_without_near_duplicates_says_nothing_and_counts_no_new_words() -> None:
    assert list(Summary().lines()) == []
    assert list(Summary().stats()) == [("new_words", 0)]


def test_the_lines_tell_relations_new_words_hosts_originals_and_distances() -> None:
    summary = sum_up(
        ("http://b.example/1", "http://a.example/x", EDITED, 3, 20),
        ("http://b.example/2", "http://a.example/x", EQUAL, 0, 0),
        ("http://a.example/3", "http://a.example/y", EDITED, None, 11),
    )
    assert list(summary.lines()) == [
        "Near-duplicates: 3 (2 edited, 1 equal)",
        "Near-duplicates, words of new sentences in them: 31",
        "Near-duplicates by host: 2 x b.example repeats a.example",
        "Near-duplicates by host: 1 x a.example repeats itself",
        "Near-duplicates most repeated: 2 x http://a.example/x",
        "Near-duplicates by distance in bits: 0: 1, 3: 1",
    ]


def test_the_most_repeated_page_is_named_as_it_was_exported_whatever_its_plain_name() -> None:
    summary = Summary()
    record = Record("http://a.example/1?s", b"", 0.0, True, 0, b"", b"", page_id=7)
    for name in ("", "http://m.example/1", "http://m.example/"):
        match = Match(record, Kinship(Comparison(0.5, None), EQUAL), name=name)
        summary.add("http://b.example/", match, 0)
    lines = [*summary.lines()]
    assert "Near-duplicates most repeated: 3 x http://a.example/1?s" in lines
    assert "Near-duplicates by host: 3 x b.example repeats a.example" in lines


def test_pages_without_a_url_are_told_apart() -> None:
    summary = Summary()
    for number in (7, 8, 8):
        record = Record("", b"", 0.0, True, 0, b"", b"", page_id=number)
        summary.add("", Match(record, Kinship(Comparison(0.5, None), EQUAL)), 0)
    (line,) = [line for line in summary.lines() if "most repeated" in line]
    assert line == "Near-duplicates most repeated: 2 x (no URL) page 8"


def test_the_stats_are_counts_by_relation_distance_and_host_and_of_new_words() -> None:
    summary = sum_up(
        ("http://b.example/1", "http://a.example/x", EDITED, 3, 20),
        ("", "http://a.example/x", EDITED, None, 11),
    )
    assert dict(summary.stats()) == {
        "new_words": 31,
        "relation/edited": 2,
        "distance/3": 1,
        "by_host/b.example": 1,
        "by_host/(no host)": 1,
    }


def test_only_so_many_hosts_have_a_stat() -> None:
    summary = sum_up(*((f"http://h{n}.example/", "http://a/", EQUAL, 0, 0) for n in range(99)))
    stats = [name for name, _ in summary.stats() if name.startswith("by_host/")]
    assert len(stats) == HOSTS


def test_counts_of_what_is_frequent_are_exact_in_bounded_memory() -> None:
    counts = Frequent()
    for number in range(5 * COUNTED):
        counts.note(f"once {number}")
        counts.note("often")
    assert counts["often"] == 5 * COUNTED
    assert len(counts) <= COUNTED
