"""What holds of an index in whatever order pages are checked and settled."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from indexing import KINDS, NEW, SCHEME, check, matched, open_store, short, text

from dedup.index import Claim, Index, State

LAW = settings(derandomize=True, deadline=None, max_examples=100)
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
