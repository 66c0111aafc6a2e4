"""Near-duplicate of what: check, commit, release, and the rules between them."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from indexing import (
    DUPLICATE,
    FINGERPRINTER,
    KINDS,
    NEW,
    REVISIT,
    SCHEME,
    SKIPPED,
    check,
    commit,
    matched,
    open_store,
    short,
    text,
)

from dedup.fingerprint import Fingerprinter, PageFingerprint, refuse
from dedup.index import Claim, Index, State, Verdict
from dedup.schemes import make_scheme
from dedup.store import Store
from dedup.verdict import Relation, Rules


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    store = open_store(request.param, tmp_path / "store")
    yield store
    store.close()


@pytest.fixture
def index(store: Store) -> Index:
    return Index(store, SCHEME)


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
    assert claim.match.comparison[:3] == (1.0, 0, 1.0)
    assert claim.match.relation is Relation.EQUAL
    assert claim.match.claim is None


def test_a_page_of_nearly_the_same_text_is_its_duplicate(index: Index) -> None:
    commit(index, "a.com/1", text("tea"))
    claim = check(index, "b.com/1", text("tea", changed=15))
    assert claim.verdict is DUPLICATE
    assert claim.match is not None
    assert 0.7 < claim.match.comparison.similarity < 1.0
    assert claim.match.relation is Relation.EDITED


@pytest.mark.parametrize("page", ["a.com/2", "www.a.com/2", "b.com/1"])
def test_a_page_of_which_much_is_new_is_new_and_names_the_page_nearest_to_it(
    index: Index, page: str
) -> None:
    commit(index, "a.com/1", text("tea"))
    claim = check(index, page, text("tea", changed=70))
    assert (claim.verdict, matched(claim)) == (NEW, None)
    assert claim.match is not None
    assert claim.match.record.url == "https://a.com/1"
    assert claim.match.relation is Relation.OVERLAP
    assert claim.match.kinship.new == pytest.approx(0.35, abs=0.1)


def test_a_page_of_another_text_is_new_and_has_to_do_with_none(index: Index) -> None:
    commit(index, "a.com/1", text("tea"))
    claim = check(index, "b.com/1", text("coffee"))
    assert (claim.verdict, claim.match) == (NEW, None)


@pytest.mark.parametrize(
    ("dropped", "expected"),
    [
        (["equal"], [DUPLICATE, NEW, NEW]),
        (["edited"], [NEW, DUPLICATE, NEW]),
        (["equal", "overlap"], [DUPLICATE, NEW, DUPLICATE]),
        ([], [NEW, NEW, NEW]),
    ],
)
def test_the_rules_say_which_relations_make_a_page_a_duplicate(
    store: Store, dropped: list[str], expected: list[Verdict]
) -> None:
    commit(Index(store, SCHEME), "a.com/1", text("tea"))
    index = Index(store, SCHEME, rules=Rules(frozenset(map(Relation, dropped))))
    verdicts = []
    for changed in (0, 15, 70):
        claim = check(index, "b.com/1", text("tea", changed=changed))
        verdicts.append(claim.verdict)
        index.release(claim)
    assert verdicts == expected


@pytest.mark.parametrize(("most_new", "verdict"), [(0.2, NEW), (0.5, DUPLICATE)])
def test_the_rules_say_how_much_of_a_page_may_be_new(
    store: Store, most_new: float, verdict: Verdict
) -> None:
    index = Index(store, SCHEME, rules=Rules(most_new=most_new))
    commit(index, "a.com/1", text("tea"))
    assert check(index, "b.com/1", text("tea", changed=70)).verdict is verdict


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


def test_of_two_fetches_of_one_page_in_flight_one_export_is_enough(index: Index) -> None:
    first, second = (check(index, "a.com/", text("tea")) for _ in range(2))
    index.commit(second, exported=True)
    index.commit(first, exported=False)
    stored = index.store.find_request(b"a.com/")
    assert stored is not None
    assert stored.exported


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


@pytest.mark.parametrize(("before", "after"), [("tea", "coffee"), ("coffee", "tea")])
def test_the_new_text_of_a_revisit_is_reserved_while_in_flight(
    index: Index, before: str, after: str
) -> None:
    commit(index, "a.com/", text(before))
    revisit = check(index, "a.com/", text(after))
    other = check(index, "b.com/", text(after))
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


def test_a_page_that_was_refused_is_skipped_for_that(index: Index) -> None:
    claim = check(index, "a.com/", refuse("too_many_tags"))
    assert (claim.verdict, claim.reason) == (SKIPPED, "too_many_tags")


def test_a_request_that_no_record_has_room_for_is_refused(index: Index) -> None:
    with pytest.raises(ValueError, match="at most 65535 bytes; got 65536"):
        index.check("http://a.com/", bytes(65_536), text("tea"))


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


def test_a_page_that_gave_no_item_yet_repeats_only_exported_pages(index: Index) -> None:
    for page in ("a.com/", "b.com/"):
        index.commit(check(index, page, text(page)), exported=False)
    first, second = check(index, "a.com/", text("tea")), check(index, "b.com/", text("coffee"))
    for claim in (first, second):
        assert claim.verdict is NEW
        assert claim.gave_no_item
        index.commit(claim, exported=False)

    assert check(index, "a.com/", text("coffee")).verdict is NEW
    exported = check(index, "c.com/", text("tea"))
    assert not exported.gave_no_item
    index.decide_again(exported)  # As when it gives an item.
    index.commit(exported)
    assert matched(check(index, "b.com/", text("tea", changed=5))) == "c.com/"


def test_a_page_that_gave_no_item_yet_is_a_revisit_while_it_is_in_flight(index: Index) -> None:
    commit(index, "a.com/", text("tea"), exported=False)
    commit(index, "b.com/", text("coffee"))
    first = check(index, "a.com/", text("tea"))
    second = check(index, "a.com/", text("coffee"))
    assert (first.verdict, second.verdict) == (NEW, REVISIT)
    for claim in (first, second):
        index.release(claim)
    assert check(index, "a.com/", text("coffee")).verdict is DUPLICATE


def test_a_page_once_exported_stays_so_while_its_text_does(index: Index) -> None:
    commit(index, "a.com/", text("tea"), exported=True)
    assert commit(index, "a.com/", text("tea"), exported=False).record.exported
    assert not commit(index, "a.com/", text("coffee"), exported=False).record.exported
    assert commit(index, "a.com/", text("coffee"), exported=True).record.exported


def test_a_page_that_never_gave_an_item_stays_so(index: Index) -> None:
    for _ in range(2):
        assert not commit(index, "a.com/", text("tea"), exported=False).record.exported
    stored = index.store.find_request(b"a.com/")
    assert stored is not None
    assert not stored.exported


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


@pytest.mark.parametrize("decide", [Index.insist, Index.decide_again])
def test_a_settled_page_is_reserved_no_more(
    index: Index, decide: Callable[[Index, Claim], None]
) -> None:
    first, second = (check(index, f"{host}.com/", text("tea")) for host in "ab")
    index.release(second)
    index.release(first)

    decide(index, second)

    assert (second.verdict, second.state) == (NEW, State.RELEASED)
    assert check(index, "c.com/", text("tea")).verdict is NEW


def test_a_page_older_than_the_time_to_live_repeats_nothing(store: Store) -> None:
    stored = commit(Index(store, SCHEME), "a.com/", text("tea")).record
    index = Index(store, SCHEME, ttl=3600)
    assert check(index, "b.com/", text("tea")).verdict is DUPLICATE
    store.put(stored._replace(seen=time.time() - 3601))
    assert check(index, "c.com/", text("tea")).verdict is NEW
    assert check(index, "a.com/", text("tea")).verdict is REVISIT


def test_without_a_time_to_live_no_page_is_too_old(store: Store) -> None:
    stored = commit(Index(store, SCHEME), "a.com/", text("tea")).record
    store.put(stored._replace(seen=0.0))
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


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("keep_text", [True, False])
def test_equal_texts_under_sister_headings_are_two_pages_of_one_site_and_one_text_of_two(
    index: Index, keep_text: bool
) -> None:
    body = "<p>" + " ".join(f"word{n}" for n in range(90)) + "</p>"
    make = replace(FINGERPRINTER, keep_text=keep_text)
    red, blue = (make.of_html(f"<title>{colour} shirt</title>{body}") for colour in ("Red", "Blue"))
    assert red.digest == blue.digest
    commit(index, "a.com/red", red)
    sister = check(index, "shop.a.com/blue", blue)
    assert sister.verdict is NEW
    assert sister.match is not None
    assert sister.match.relation is Relation.VARIANT
    index.release(sister)
    assert check(index, "b.com/blue", blue).verdict is DUPLICATE


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("keep_text", [True, False])
def test_equal_texts_of_one_site_repeat_each_other_under_a_heading_written_anew(
    index: Index, keep_text: bool
) -> None:
    body = "<p>" + " ".join(f"word{n}" for n in range(90)) + "</p>"
    make = replace(FINGERPRINTER, keep_text=keep_text)
    commit(index, "a.com/1", make.of_html(f"<title>Storm stops the ferry</title>{body}"))
    again = make.of_html(f"<title>Islanders wait as wind closes the port</title>{body}")
    claim = check(index, "a.com/2", again)
    assert (claim.verdict, matched(claim)) == (DUPLICATE, "a.com/1")


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("keep_text", [True, False])
def test_a_brief_text_in_a_longer_page_of_its_site_repeats_it_only_under_its_heading(
    index: Index, keep_text: bool
) -> None:
    make = replace(FINGERPRINTER, keep_text=keep_text)

    def page(title: str, count: int) -> PageFingerprint:
        lines = [" ".join(f"word{n + m}" for m in range(10)) for n in range(count)]
        body = "".join(f"<p>{line}.</p>" for line in lines)
        return make.of_html(f"<title>{title}</title>{body}")

    commit(index, "a.com/1", page("Storm stops the ferry", 20))
    claim = check(index, "a.com/2", page("Islanders wait as wind closes the port", 6))
    assert claim.verdict is NEW
    assert claim.match is not None
    assert claim.match.relation is Relation.VARIANT
    index.release(claim)
    assert check(index, "a.com/3", page("Storm stops the ferry", 6)).verdict is DUPLICATE
    long = page("Islanders wait as wind closes the port", 9)
    assert check(index, "a.com/4", long).verdict is DUPLICATE


@pytest.mark.parametrize("name", ["combined", "simhash", "minhash", "exact"])
def test_a_brief_page_repeats_itself_under_another_url_whatever_the_scheme(
    tmp_path: Path, name: str
) -> None:
    scheme = make_scheme(name)
    page = Fingerprinter(scheme, "plain", min_tokens=40, keep_text=False).of_text(
        " ".join(f"word{n}" for n in range(60))
    )
    index = Index(open_store("memory", tmp_path, scheme=scheme), scheme)
    commit(index, "a.com/1", page)
    assert check(index, "a.com/1?session=2", page).verdict is DUPLICATE


@pytest.mark.usefixtures("compiled")
def test_texts_without_fingerprints_are_brief_however_long(index: Index) -> None:
    make = replace(FINGERPRINTER, min_tokens=100, keep_text=True)
    body = "<p>" + " ".join(f"word{n}" for n in range(90)) + "</p>"
    commit(index, "a.com/1", make.of_html(f"<title>Storm stops the ferry</title>{body}"))
    again = make.of_html(f"<title>Islanders wait as wind closes the port</title>{body}")
    assert again.value == b""
    assert check(index, "a.com/2", again).verdict is NEW


@pytest.mark.usefixtures("compiled")
def test_short_texts_that_are_equal_repeat_on_one_site_only_under_one_title(index: Index) -> None:
    def page(title: str) -> PageFingerprint:
        body = "".join(f"<p>Add it to your basket, line {n}.</p>" for n in range(3))
        return FINGERPRINTER.of_html(f"<title>{title} | Shop 24</title>{body}")

    red = page("Red shirt")
    assert red.value == b""
    assert not red.short
    index.commit(check(index, "a.com/red", red))
    blue = check(index, "a.com/blue", page("Blue shirt"))
    assert blue.verdict is NEW
    assert blue.match is not None
    assert blue.match.relation is Relation.VARIANT
    assert check(index, "a.com/again", page("Red shirt")).verdict is DUPLICATE
    assert check(index, "a.com/9", page("9: red SHIRT")).verdict is DUPLICATE  # a section's number
    other_host = check(index, "b.com/blue", page("Blue shirt"))
    assert other_host.verdict is DUPLICATE
    assert other_host.match is not None
    assert other_host.match.relation is Relation.EQUAL


def test_an_exempt_page_is_new_whatever_it_repeats(index: Index) -> None:
    commit(index, "a.com/1", text("tea"))
    index.store.exempt([b"b.com/1"])
    claim = check(index, "b.com/1", text("tea"))
    assert claim.verdict is NEW
    assert claim.match is not None
    assert claim.match.relation is Relation.EQUAL
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
    assert index.store.text(claim.record.page_id) == "\n".join(["", "", *["one two"] * 40])


@pytest.mark.usefixtures("compiled")
def test_pages_under_one_title_have_the_heading_of_their_text(index: Index) -> None:
    make = Fingerprinter(SCHEME, min_tokens=40, keep_text=True)
    inherited = "".join(
        f"<section><h4>{name}()</h4><p>Sets the {name} of this part, and of all parts in it that"
        f" do not set their own {name}. Returns the {name} that was set before.</p></section>"
        for name in ("colour", "border", "shadow", "margin", "cursor", "opacity", "order")
    )

    def page(name: str, own: str) -> PageFingerprint:
        body = f"<h2>{name}</h2><h4>run()</h4><p>{own}</p>{inherited}"
        return make.of_html(f"<title>Reference</title><div><article>{body}</article></div>")

    commit(index, "a.com/1", page("Slider", "Moves a knob along a line and tells its place."))
    dial = page("Dial", "Turns a knob around a point and tells its angle.")
    other = check(index, "a.com/2", dial)
    assert other.match is not None
    assert (other.verdict, other.match.relation) == (NEW, Relation.VARIANT)
    index.commit(other)
    assert commit(index, "a.com/2?print=1", dial).verdict is DUPLICATE
