"""Near-duplicate of what: check, commit, release, and the rules between them."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.fingerprint import Fingerprinter, PageFingerprint
from dedup.index import Claim, Index, State, Verdict, index_spaces, words_reader
from dedup.schemes import Combined
from dedup.scope import scope_mask
from dedup.store import Header, MemoryStore, Record, Store, describe_spaces, open_folder

LAW = settings(derandomize=True, deadline=None, max_examples=100)
SCHEME = Combined()
FINGERPRINTER = Fingerprinter(SCHEME, "plain", min_tokens=40)
NEW, DUPLICATE, REVISIT, SKIPPED = Verdict


def text(name: str, changed: int = 0) -> PageFingerprint:
    """A text of 200 words of its own; some words at its end can be changed."""
    words = [f"{name}{n}" for n in range(200 - changed)] + [f"other{n}" for n in range(changed)]
    return FINGERPRINTER.of_text(" ".join(words))


def short(name: str, words: int = 20) -> PageFingerprint:
    """A text too short to be compared, and long enough to be equal to another."""
    return FINGERPRINTER.of_text(" ".join(f"{name}{n}" for n in range(words)))


def open_store(kind: str, folder: Path, scope: str = "global") -> Store:
    spaces, words_of = index_spaces(SCHEME), words_reader(SCHEME, scope)
    if kind == "memory":
        return MemoryStore(spaces, words_of)
    header = Header({"scheme": "combined"}, describe_spaces(spaces, "blocks"))
    return open_folder(folder, header, spaces, words_of, cache_mb=4)


@pytest.fixture(params=["memory", "leveldb"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    store = open_store(request.param, tmp_path / "store")
    yield store
    store.close()


@pytest.fixture
def index(store: Store) -> Index:
    return Index(store, SCHEME)


def check(index: Index, page: str, fingerprint: PageFingerprint) -> Claim:
    """Check a page of a host and path, fetched by the request of that URL."""
    return index.check(f"https://{page}", page.encode(), fingerprint)


def commit(
    index: Index, page: str, fingerprint: PageFingerprint, *, exported: bool = True
) -> Claim:
    claim = check(index, page, fingerprint)
    index.commit(claim, exported=exported)
    return claim


def matched(claim: Claim) -> str | None:
    """The page that a page was found to repeat."""
    return claim.match.record.url.removeprefix("https://") if claim.match else None


def test_a_first_page_is_new_and_stored_when_committed(index: Index) -> None:
    claim = check(index, "a.com/1", text("tea"))
    assert (claim.verdict, claim.match, claim.state) == (NEW, None, State.OPEN)
    assert len(index.store) == 0
    index.commit(claim)
    assert claim.state is State.COMMITTED
    assert index.store.find_request(b"a.com/1") == claim.record
    assert claim.record.exported


def test_a_page_of_the_same_text_is_its_duplicate(index: Index) -> None:
    commit(index, "a.com/1", text("tea"))
    claim = check(index, "b.com/1", text("tea"))
    assert (claim.verdict, matched(claim)) == (DUPLICATE, "a.com/1")
    assert claim.match is not None
    assert claim.match.comparison.similarity == 1.0
    assert claim.match.claim is None


def test_a_page_of_nearly_the_same_text_is_its_duplicate(index: Index) -> None:
    commit(index, "a.com/1", text("tea"))
    claim = check(index, "b.com/1", text("tea", changed=15))
    assert claim.verdict is DUPLICATE
    assert claim.match is not None
    assert 0.7 < claim.match.comparison.similarity < 1.0


def test_pages_of_one_host_must_be_more_alike(index: Index) -> None:
    commit(index, "a.com/1", text("tea"))
    half = text("tea", changed=70)
    assert check(index, "www.a.com/2", half).verdict is NEW
    index.release(check(index, "a.com/3", half))
    assert check(index, "b.com/1", half).verdict is DUPLICATE


def test_a_page_of_another_text_is_new(index: Index) -> None:
    commit(index, "a.com/1", text("tea"))
    assert check(index, "b.com/1", text("coffee")).verdict is NEW


def test_a_duplicate_is_not_stored(index: Index) -> None:
    commit(index, "a.com/1", text("tea"))
    commit(index, "b.com/1", text("tea"))
    assert len(index.store) == 1


def test_of_five_equal_pages_in_flight_exactly_one_is_new(index: Index) -> None:
    claims = [check(index, f"host{n}.com/", text("tea")) for n in range(5)]
    assert [claim.verdict for claim in claims] == [NEW, *[DUPLICATE] * 4]
    for claim in claims[1:]:
        assert claim.match is not None
        assert claim.match.claim is claims[0]


def test_a_page_waiting_for_one_that_was_released_is_new_when_decided_again(index: Index) -> None:
    first, second = (check(index, f"{host}.com/", text("tea")) for host in "ab")
    index.release(first)
    assert first.state is State.RELEASED
    index.decide_again(second)
    assert (second.verdict, second.match) == (NEW, None)
    assert check(index, "c.com/", text("tea")).verdict is DUPLICATE


def test_a_page_waiting_for_one_that_was_committed_stays_its_duplicate(index: Index) -> None:
    first, second = (check(index, f"{host}.com/", text("tea")) for host in "ab")
    index.commit(first)
    index.decide_again(second)
    assert (second.verdict, matched(second)) == (DUPLICATE, "a.com/")
    assert second.match is not None
    assert second.match.claim is None


def test_of_several_waiting_pages_one_takes_the_place_of_the_released_one(index: Index) -> None:
    first, *waiting = (check(index, f"{host}.com/", text("tea")) for host in "abcd")
    index.release(first)
    for claim in waiting:
        index.decide_again(claim)
    assert [claim.verdict for claim in waiting] == [NEW, DUPLICATE, DUPLICATE]


def test_two_fetches_of_one_page_never_repeat_each_other(index: Index) -> None:
    first = check(index, "a.com/", text("tea"))
    waiting = [check(index, "b.com/", text("tea")) for _ in range(2)]
    index.release(first)
    for claim in waiting:
        index.decide_again(claim)
    assert [claim.verdict for claim in waiting] == [NEW, NEW]


def test_listeners_are_called_once_when_a_claim_is_settled(index: Index) -> None:
    calls: list[str] = []
    claim = check(index, "a.com/", text("tea"))
    claim.on_settled(lambda: calls.append("early"))
    assert calls == []
    index.commit(claim)
    index.commit(claim)
    index.release(claim)
    assert calls == ["early"]
    claim.on_settled(lambda: calls.append("late"))
    assert calls == ["early", "late"]


def test_a_claim_is_settled_before_its_listeners_are_called(index: Index) -> None:
    first, second = (check(index, f"{host}.com/", text("tea")) for host in "ab")
    first.on_settled(lambda: index.decide_again(second))
    index.release(first)
    assert second.verdict is NEW


def test_a_settled_claim_stays_as_it_is(index: Index) -> None:
    claim = check(index, "a.com/", text("tea"))
    index.release(claim)
    index.commit(claim)
    assert claim.state is State.RELEASED
    assert len(index.store) == 0


def test_a_page_seen_again_is_a_revisit_and_no_duplicate_of_itself(index: Index) -> None:
    commit(index, "a.com/", text("tea"))
    claim = check(index, "a.com/", text("tea"))
    assert (claim.verdict, claim.match) == (REVISIT, None)


def test_a_known_page_is_a_revisit_even_with_the_text_of_another(index: Index) -> None:
    commit(index, "a.com/", text("tea"))
    commit(index, "b.com/", text("coffee"))
    assert check(index, "b.com/", text("tea")).verdict is REVISIT


def test_an_unchanged_revisit_writes_nothing(index: Index) -> None:
    first = commit(index, "a.com/", text("tea"))
    again = commit(index, "a.com/", text("tea"))
    assert again.record == first.record
    assert list(index.store.records()) == [first.record]


def test_a_changed_revisit_replaces_the_fingerprint(index: Index) -> None:
    first = commit(index, "a.com/", text("tea"))
    again = commit(index, "a.com/", text("coffee"))
    assert again.record.page_id == first.record.page_id
    assert len(index.store) == 1
    assert check(index, "b.com/", text("tea")).verdict is NEW
    assert matched(check(index, "c.com/", text("coffee"))) == "a.com/"


def test_the_new_text_of_a_revisit_is_reserved_while_in_flight(index: Index) -> None:
    commit(index, "a.com/", text("tea"))
    revisit = check(index, "a.com/", text("coffee"))
    other = check(index, "b.com/", text("coffee"))
    assert other.match is not None
    assert other.match.claim is revisit


def test_a_released_revisit_leaves_the_page_as_it_was(index: Index) -> None:
    first = commit(index, "a.com/", text("tea"))
    index.release(check(index, "a.com/", text("coffee")))
    assert list(index.store.records()) == [first.record]


def test_the_same_request_twice_in_flight_is_a_revisit(index: Index) -> None:
    one, two = (check(index, "a.com/", text("tea")) for _ in range(2))
    assert (one.verdict, two.verdict) == (NEW, REVISIT)
    index.release(one)
    index.commit(two)
    assert len(index.store) == 1


def test_a_request_released_is_new_again(index: Index) -> None:
    for claim in [check(index, "a.com/", text("tea")) for _ in range(2)]:
        index.release(claim)
    assert check(index, "a.com/", text("tea")).verdict is NEW


@pytest.mark.parametrize(("words", "reason"), [(0, "no_text"), (9, "short_text")])
def test_a_page_of_too_little_text_is_skipped_and_never_stored(
    index: Index, words: int, reason: str
) -> None:
    claims = [check(index, f"{host}.com/", short("tea", words)) for host in "ab"]
    assert {(claim.verdict, claim.reason) for claim in claims} == {(SKIPPED, reason)}
    for claim in claims:
        index.commit(claim)
        assert claim.state is State.COMMITTED
    assert len(index.store) == 0


def test_equal_short_texts_are_duplicates(index: Index) -> None:
    commit(index, "a.com/", short("tea"))
    claim = check(index, "b.com/", short("tea"))
    assert (claim.verdict, matched(claim)) == (DUPLICATE, "a.com/")


def test_short_texts_that_differ_in_one_word_are_not(index: Index) -> None:
    commit(index, "a.com/", short("tea"))
    assert check(index, "b.com/", short("tea", 21)).verdict is NEW


def test_a_page_without_exported_items_is_found(index: Index) -> None:
    claim = commit(index, "a.com/", text("tea"), exported=False)
    assert not claim.record.exported
    assert check(index, "b.com/", text("tea")).verdict is DUPLICATE


def test_a_page_without_exported_items_is_passed_over_when_decided_again(index: Index) -> None:
    commit(index, "a.com/", text("tea"), exported=False)
    claim = check(index, "b.com/", text("tea"))
    index.decide_again(claim)
    assert (claim.verdict, claim.match) == (NEW, None)


def test_a_page_once_exported_stays_so_while_its_text_does(index: Index) -> None:
    commit(index, "a.com/", text("tea"), exported=True)
    assert commit(index, "a.com/", text("tea"), exported=False).record.exported
    assert not commit(index, "a.com/", text("coffee"), exported=False).record.exported
    assert commit(index, "a.com/", text("coffee"), exported=True).record.exported


def insist(index: Index, page: str, fingerprint: PageFingerprint, *, exported: bool = True) -> None:
    """Store a page whatever it repeats."""
    claim = check(index, page, fingerprint)
    index.insist(claim)
    index.commit(claim, exported=exported)


def test_of_several_matches_an_exported_page_is_the_best(index: Index) -> None:
    insist(index, "a.com/", text("tea"), exported=False)
    insist(index, "b.com/", text("tea", changed=5))
    insist(index, "c.com/", text("tea"), exported=False)
    assert matched(check(index, "d.com/", text("tea"))) == "b.com/"


def test_of_exported_matches_the_most_alike_is_the_best(index: Index) -> None:
    insist(index, "a.com/", text("tea", changed=9))
    insist(index, "b.com/", text("tea", changed=2))
    insist(index, "c.com/", text("tea", changed=5))
    assert matched(check(index, "d.com/", text("tea"))) == "b.com/"


def test_of_equal_matches_the_oldest_is_the_best(index: Index) -> None:
    for n in range(8):  # a set of the numbers 1 and 8 gives 8 first
        insist(index, f"host{n}.com/", text("tea" if n in (0, 7) else f"other{n}"))
    assert matched(check(index, "last.com/", text("tea"))) == "host0.com/"


def test_an_exported_page_is_preferred_to_a_more_similar_one_in_flight(index: Index) -> None:
    insist(index, "a.com/", text("tea", changed=9))
    index.insist(check(index, "b.com/", text("tea")))
    claim = check(index, "c.com/", text("tea"))
    assert matched(claim) == "a.com/"
    assert claim.match is not None
    assert claim.match.certain


def test_a_page_in_flight_is_preferred_to_a_stored_one_without_items(index: Index) -> None:
    insist(index, "a.com/", text("tea"), exported=False)
    index.insist(check(index, "b.com/", text("tea", changed=9)))
    claim = check(index, "c.com/", text("tea"))
    assert matched(claim) == "b.com/"
    assert claim.match is not None
    assert not claim.match.certain


def test_no_word_is_common_among_pages_in_flight(store: Store) -> None:
    scheme = Combined(keys=1)
    index, make = Index(store, scheme), Fingerprinter(scheme, min_tokens=40)
    shared = [f"tea{n}" for n in range(150)]
    for n in range(60):
        words = shared + [f"host{n}-{i}" for i in range(50)]
        index.insist(check(index, f"host{n}.com/", make.of_text(" ".join(words))))
    assert check(index, "last.com/", make.of_text(" ".join(shared))).verdict is DUPLICATE


def test_of_equal_pages_in_flight_the_oldest_is_the_best(index: Index) -> None:
    for n in range(8):
        index.insist(check(index, f"host{n}.com/", text("tea" if n in (0, 7) else f"other{n}")))
    assert matched(check(index, "last.com/", text("tea"))) == "host0.com/"


def test_an_insisted_page_is_new_whatever_it_repeats(index: Index) -> None:
    check(index, "a.com/", text("tea"))
    claim = check(index, "b.com/", text("tea"))
    index.insist(claim)
    assert (claim.verdict, claim.match) == (NEW, None)
    index.commit(claim)
    assert index.store.find_request(b"b.com/") is not None


def test_a_new_page_insisted_on_or_decided_again_is_reserved_once(index: Index) -> None:
    claim = check(index, "a.com/", text("tea"))
    index.insist(claim)
    index.decide_again(claim)
    index.release(claim)
    assert check(index, "b.com/", text("tea")).verdict is NEW


@pytest.mark.parametrize(
    ("scope", "other_host", "other_domain"),
    [
        ("global", DUPLICATE, DUPLICATE),
        ("domain", DUPLICATE, NEW),
        ("host", NEW, NEW),
    ],
)
@pytest.mark.parametrize("kind", ["memory", "leveldb"])
@pytest.mark.parametrize("make", [text, short])
def test_pages_repeat_each_other_within_their_scope_only(
    kind: str,
    scope: str,
    other_host: Verdict,
    other_domain: Verdict,
    make: Callable[[str], PageFingerprint],
    tmp_path: Path,
) -> None:
    store = open_store(kind, tmp_path, scope)
    index = Index(store, SCHEME, scope)
    commit(index, "news.example.com/1", make("tea"))
    verdicts = []
    for page in ("news.example.com/2", "shop.example.com/", "example.org/"):
        claim = check(index, page, make("tea"))
        verdicts.append(claim.verdict)
        index.release(claim)
    assert verdicts == [DUPLICATE, other_host, other_domain]
    store.close()


def test_equal_pages_of_two_scopes_are_stored_under_different_words() -> None:
    words_of = words_reader(SCHEME, "host")
    made = [
        Index(MemoryStore(index_spaces(SCHEME), words_of), SCHEME, "host")
        .check(f"https://{page}", b"", text("tea"))
        .record
        for page in ("a.com/1", "a.com/2", "b.com/1")
    ]
    one, same_host, other_host = (set(words_of(record)) for record in made)
    assert one == same_host
    assert not one & other_host


def test_words_of_two_scopes_that_meet_by_chance_are_no_match(tmp_path: Path) -> None:
    index = Index(open_store("memory", tmp_path, "host"), SCHEME, "host")
    page = text("tea")
    commit(index, "a.com/", page)
    mask = scope_mask("a.com", 64) ^ scope_mask("b.com", 64)
    simhash = int.from_bytes(page.value[:8], "little") ^ mask
    value = simhash.to_bytes(8, "little") + page.value[8:]
    assert check(index, "b.com/", replace(page, value=value)).verdict is NEW


def test_a_page_older_than_the_time_to_live_repeats_nothing(store: Store) -> None:
    stored = commit(Index(store, SCHEME), "a.com/", text("tea")).record
    index = Index(store, SCHEME, ttl=3600)
    assert check(index, "b.com/", text("tea")).verdict is DUPLICATE
    store.put(replace(stored, seen=time.time() - 3601))
    assert check(index, "c.com/", text("tea")).verdict is NEW
    assert check(index, "a.com/", text("tea")).verdict is REVISIT


def test_without_a_time_to_live_no_page_is_too_old(store: Store) -> None:
    stored = commit(Index(store, SCHEME), "a.com/", text("tea")).record
    store.put(replace(stored, seen=0.0))
    assert check(Index(store, SCHEME), "b.com/", text("tea")).verdict is DUPLICATE


def test_a_read_only_index_finds_and_reserves_and_stores_nothing(store: Store) -> None:
    commit(Index(store, SCHEME), "a.com/", text("tea"))
    index = Index(store, SCHEME, read_only=True)
    assert check(index, "b.com/", text("tea")).verdict is DUPLICATE
    claim = check(index, "c.com/", text("coffee"))
    assert check(index, "d.com/", text("coffee")).verdict is DUPLICATE
    index.commit(claim)
    index.commit(check(index, "a.com/", text("milk")))
    assert [record.url for record in store.records()] == ["https://a.com/"]
    assert store.find_request(b"a.com/") == next(iter(store.records()))


def test_common_words_are_counted(index: Index) -> None:
    for n in range(25):
        insist(index, f"host{n}.com/", text("tea"))
    check(index, "last.com/", text("tea"))
    assert index.common_words > 0


def test_every_page_that_a_record_repeats_can_be_listed(index: Index) -> None:
    for host in "abc":
        insist(index, f"{host}.com/", text("tea"), exported=host != "b")
    record = check(index, "d.com/", text("tea")).record
    assert sorted(match.record.url[8] for match in index.matches(record)) == ["a", "b", "c"]
    exported = index.matches(record, exported_only=True)
    assert sorted(match.record.url[8] for match in exported) == ["a", "c"]


def test_every_page_found_can_be_listed_with_its_comparison_accepted_or_not(index: Index) -> None:
    insist(index, "a.com/", text("tea"))
    insist(index, "b.com/", text("tea", changed=60))
    record = check(index, "a.com/new", text("tea", changed=60)).record
    found = {match.record.url[8]: repeats for match, repeats in index.comparisons(record)}
    assert found == {"a": False, "b": True}  # one host must be more alike


def test_equal_texts_under_two_titles_are_two_pages_of_one_host_and_one_text_of_two(
    index: Index,
) -> None:
    body = "<p>" + " ".join(f"word{n}" for n in range(90)) + "</p>"
    red, blue = (
        FINGERPRINTER.of_html(f"<title>{colour} shirt</title><h1>{colour}</h1>{body}")
        for colour in ("Red", "Blue")
    )
    assert red.digest != blue.digest  # the plain extractor keeps the heading
    index.commit(check(index, "a.com/red", red))
    blue = replace(blue, digest=red.digest)
    assert check(index, "a.com/blue", blue).verdict is NEW
    assert check(index, "b.com/blue", blue).verdict is DUPLICATE


def test_a_stored_fingerprint_of_another_page_gone_is_no_match(index: Index) -> None:
    record: Record = commit(index, "a.com/", text("tea")).record
    index.store.remove(record.page_id)
    assert check(index, "b.com/", text("tea")).verdict is NEW


TEXTS = [text("tea"), text("tea", changed=15), text("coffee"), short("milk"), short("cocoa", 30)]
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("check"), st.integers(0, len(TEXTS) - 1)),
        st.tuples(st.sampled_from(["commit", "release"]), st.integers(0, 30)),
    ),
    max_size=40,
)


def run(index: Index, steps: list[tuple[str, int]]) -> list[Claim]:
    """Check pages, each by a request of its own, and settle some that are open."""
    claims: list[Claim] = []
    for step, number in steps:
        if step == "check":
            claims.append(check(index, f"host{len(claims)}.com/", TEXTS[number]))
        elif number < len(claims):
            getattr(index, step)(claims[number])
        held = [
            claim.record.digest
            for claim in claims
            if claim.verdict is NEW and claim.state is not State.RELEASED
        ]
        assert len(held) == len(set(held))
    return claims


@pytest.mark.parametrize("kind", ["memory", "leveldb"])
@LAW
@given(STEPS)
def test_no_two_new_pages_of_equal_text_are_open_or_committed(
    kind: str, steps: list[tuple[str, int]]
) -> None:
    with TemporaryDirectory() as folder:
        store = open_store(kind, Path(folder, "store"))
        claims = run(Index(store, SCHEME), steps)
        committed = [
            claim for claim in claims if (claim.verdict, claim.state) == (NEW, State.COMMITTED)
        ]
        assert len(store) == len(committed)
        store.close()


@LAW
@given(STEPS)
def test_every_store_gives_the_same_verdicts(steps: list[tuple[str, int]]) -> None:
    with TemporaryDirectory() as folder:
        stores = [open_store(kind, Path(folder, "store")) for kind in ("memory", "leveldb")]
        one, other = (run(Index(store, SCHEME), steps) for store in stores)
        assert [(claim.verdict, matched(claim)) for claim in one] == [
            (claim.verdict, matched(claim)) for claim in other
        ]
        stores[1].close()


def test_an_exempt_page_is_new_whatever_it_repeats(index: Index) -> None:
    commit(index, "a.com/1", text("tea"))
    index.store.exempt([b"b.com/1"])
    assert check(index, "b.com/1", text("tea")).verdict is NEW
    assert check(index, "b.com/2", text("tea")).verdict is DUPLICATE


def test_an_exempt_page_is_reserved_stored_and_then_a_revisit(index: Index) -> None:
    index.store.exempt([b"b.com/1"])
    commit(index, "a.com/1", text("tea"))
    commit(index, "b.com/1", text("tea"))
    assert len(index.store) == 2
    assert check(index, "b.com/1", text("tea")).verdict is REVISIT


def test_a_pages_text_is_stored_with_it(index: Index) -> None:
    fingerprint = replace(FINGERPRINTER, keep_text=True).of_text("\n".join(["one two"] * 40))
    claim = commit(index, "a.com/1", fingerprint)
    assert index.store.text(claim.record.page_id) == "\n".join(["one two"] * 40)
