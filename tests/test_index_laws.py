"""What holds of an index in whatever order pages are checked and settled."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from indexing import DUPLICATE, KINDS, NEW, SCHEME, check, matched, open_store, short, text

from dedup.index import Claim, Index, State
from dedup.store import Store

LAW = settings(derandomize=True, deadline=None, max_examples=100)
TEXTS = [text("tea"), text("tea", changed=15), text("coffee"), short("milk"), short("cocoa", 30)]
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("check"), st.integers(0, len(TEXTS) - 1)),
        st.tuples(st.sampled_from(["commit", "release"]), st.integers(0, 30)),
    ),
    max_size=40,
)

# Few requests, each with one of two texts at each fetch. ``end`` begins another crawl.
FETCHES = st.lists(
    st.tuples(
        st.sampled_from(["fetch", "item", "fetch", "item", "no item", "error", "end"]),
        st.integers(0, 1),
        st.sampled_from([0, 2]),
    ),
    min_size=20,
    max_size=80,
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


@pytest.mark.parametrize("kind", KINDS)
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
        stores = [open_store(kind, Path(folder, "store")) for kind in KINDS]
        one, other = (run(Index(store, SCHEME), steps) for store in stores)
        assert [(claim.verdict, matched(claim)) for claim in one] == [
            (claim.verdict, matched(claim)) for claim in other
        ]
        stores[1].close()


class Crawls:
    """Crawls over one store, in which pages give an item, give none or fail, in any order."""

    def __init__(self, store: Store) -> None:
        self._index = Index(store, SCHEME)
        self._fetched: list[Claim] = []
        self._waiting: list[Claim] = []
        self.exported: set[tuple[bytes, bytes]] = set()  # Requests and texts of exported pages.
        self.dropped = 0

    def fetch(self, request: int, number: int) -> None:
        self._fetched.append(check(self._index, f"host{request}.com/", TEXTS[number]))

    def settle(self, step: str, number: int) -> None:
        if not self._fetched:
            return
        claim = self._fetched.pop(number % len(self._fetched))
        if step == "item":
            self._waiting.append(claim)
        elif step == "no item":
            self._index.commit(claim, exported=False)
        else:
            self._index.release(claim)
        while any(map(self._judge, tuple(self._waiting))):
            pass

    def end(self) -> None:
        while self._fetched:
            self.settle("error", 0)
        assert not self._waiting
        self._index = Index(self._index.store, SCHEME)

    def _judge(self, claim: Claim) -> bool:
        """Decide about the item of a page as a crawl does; returns whether it is settled."""
        while claim.verdict is DUPLICATE:
            assert claim.match is not None
            other = claim.match.original
            if claim.match.claim is not None and claim.match.claim.state is State.OPEN:
                return False
            if other.exported:
                assert (other.request, other.digest) in self.exported
                self.dropped += 1
                break
            self._index.decide_again(claim)
        else:
            self.exported.add((claim.record.request, claim.record.digest))
            self._index.commit(claim)
        self._waiting.remove(claim)
        self._index.release(claim)
        return True


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_only_dropped_for_one_that_was_exported_with_that_text(kind: str) -> None:
    dropped = 0

    @LAW
    @given(FETCHES)
    def law(steps: list[tuple[str, int, int]]) -> None:
        nonlocal dropped
        with TemporaryDirectory() as folder:
            store = open_store(kind, Path(folder, "store"))
            crawls = Crawls(store)
            for step, number, text_number in steps:
                if step == "fetch":
                    crawls.fetch(number, text_number)
                elif step == "end":
                    crawls.end()
                else:
                    crawls.settle(step, number)
            crawls.end()
            dropped += crawls.dropped
            store.close()

    law()
    assert dropped
