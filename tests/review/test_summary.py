"""The summary of a crawl."""

from dedup.review.summary import COUNTED, HOSTS, Frequent, Summary


def sum_up(*verdicts: tuple[str, str, str, int | None]) -> Summary:
    summary = Summary()
    for verdict in verdicts:
        summary.add(*verdict)
    return summary


def test_a_crawl_without_near_duplicates_says_nothing() -> None:
    assert list(Summary().lines()) == []
    assert list(Summary().stats()) == []


def test_the_lines_tell_hosts_reasons_originals_and_distances() -> None:
    summary = sum_up(
        ("http://b.example/1", "http://a.example/x", "near-duplicate", 3),
        ("http://b.example/2", "http://a.example/x", "equal-text", 0),
        ("http://a.example/3", "http://a.example/y", "near-duplicate", None),
    )
    assert list(summary.lines()) == [
        "Near-duplicates: 3 (2 near-duplicate, 1 equal-text)",
        "Near-duplicates by host: 2 x b.example repeats a.example",
        "Near-duplicates by host: 1 x a.example repeats itself",
        "Near-duplicates most repeated: 2 x http://a.example/x",
        "Near-duplicates by distance in bits: 0: 1, 3: 1",
    ]


def test_the_stats_are_counts_by_reason_distance_and_host() -> None:
    summary = sum_up(
        ("http://b.example/1", "http://a.example/x", "near-duplicate", 3),
        ("", "http://a.example/x", "near-duplicate", None),
    )
    assert dict(summary.stats()) == {
        "reason/near-duplicate": 2,
        "distance/3": 1,
        "by_host/b.example": 1,
        "by_host/(no host)": 1,
    }


def test_only_so_many_hosts_have_a_stat() -> None:
    summary = sum_up(*((f"http://h{n}.example/", "http://a/", "equal-text", 0) for n in range(99)))
    stats = [name for name, _ in summary.stats() if name.startswith("by_host/")]
    assert len(stats) == HOSTS


def test_counts_of_what_is_frequent_are_exact_in_bounded_memory() -> None:
    counts = Frequent()
    for number in range(5 * COUNTED):
        counts.note(f"once {number}")
        counts.note("often")
    assert counts["often"] == 5 * COUNTED
    assert len(counts) <= COUNTED
