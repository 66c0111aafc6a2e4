"""Random steps of a store, and all that may be found after a kill in the midst of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from breaking import SMALL

from dedup.exchange.merging import put_pages
from dedup.schemes import Word
from dedup.store import LevelDBStore, MemoryStore, Record, Store
from dedup.store.sweeps import Sizes
from dedup.urls import Tally
from tests.store.samples import SPACES, bare_store, guarded_database, page, scattered, words_of

Step = tuple[str, tuple[Any, ...]]
NAMES = (
    *["put"] * 8,
    "put_many",
    "put_many",
    "remove",
    "remove",
    "exempt",
    "tally",
    "forget_tallies",
    "rebuild",
    "verify",
    "compact",
)
REQUESTS, EXACT = 12, 3
PATTERNS = ["a.example", "a.example ?id", "b.example"]
NEAR = [0, 1, 7, *(scattered(n) for n in range(4))]


def random_steps(chance: random.Random, count: int) -> list[Step]:
    """Calls of a store's methods: pages put, replaced and removed, marks, tallies, rebuilds."""
    arguments = {
        "put": lambda: (_random_page(chance),),
        "put_many": lambda: ([_random_page(chance) for _ in range(chance.randint(1, 5))],),
        "remove": lambda: (chance.randint(1, REQUESTS),),
        "exempt": lambda: ([page(chance.randrange(REQUESTS)).request],),
        "tally": lambda: ({pattern: Tally(1) for pattern in chance.sample(PATTERNS, 2)},),
        "forget_tallies": lambda: ([chance.choice(PATTERNS)],),
        "rebuild": tuple,
        "verify": tuple,
        "compact": tuple,
    }
    return [(name, arguments[name]()) for name in chance.choices(NAMES, k=count)]


def _random_page(chance: random.Random) -> Record:
    near = chance.sample(NEAR, chance.randint(0, 3))
    exact = chance.sample(range(EXACT), chance.randint(0, EXACT))
    return page(chance.randrange(REQUESTS), near, exact)


def take(store: Store, step: Step) -> None:
    """Do what a step says."""
    name, arguments = step
    if name == "import":
        put_pages(store, *arguments, Counter(), texts=True)
    else:
        getattr(store, name)(*arguments)


def open_small(folder: Path, sizes: Sizes = SMALL) -> LevelDBStore:
    """A store with a small cache, small batches and small sweeps."""
    return bare_store(guarded_database(folder), sizes)


def answers(store: Store) -> tuple[Any, ...]:
    """All that a store can be asked, in the steps' small world."""
    words = [Word("near", value) for value in NEAR] + [Word("exact", n) for n in range(EXACT)]
    requests = [page(number).request for number in range(REQUESTS)]
    return (
        len(store),
        list(store.records()),
        [store.near([word]) for word in words],
        [store.find_request(request) for request in requests],
        [store.text(record.page_id) for record in store.records()],
        set(store.exempted()),
        dict(store.tallies()),
    )


def expected(steps: list[Step]) -> Iterator[list[tuple[Any, ...]]]:
    """What a store may answer while each step is under way, by brute force; what it does at last.

    A list for each step, whose last entry is what it answers once the step is done; before the
    first one, an empty store.
    """
    truth = MemoryStore(SPACES, words_of)
    yield [answers(truth)]
    for name, arguments in steps:
        held = []
        for step in _singly(name, arguments):
            take(truth, step)
            held.append(answers(truth))
        yield held


def _singly(name: str, arguments: tuple[Any, ...]) -> list[Step]:
    """A step, as steps of one page each if it takes several."""
    match name:
        case "put_many":
            return [("put", (record,)) for record in arguments[0]]
        case "import":
            return [("import", ([page],)) for page in arguments[0]]
        case "close":  # a store in memory is not opened again
            return [("sync", ())]
    return [(name, arguments)]
