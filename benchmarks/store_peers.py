"""Other indexes of 64-bit SimHashes within 3 bits, each in a process of its own.

    measure_peer -> fill to a size -> then steps at that size: look a page up, add it

A peer is filled as fast as it can be, then steps are timed at the full size, for a few seconds at
most. All keep everything in memory; none writes to disk as it goes. What ``exact`` says is checked
on planted near-duplicates.
"""

from __future__ import annotations

import random
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from benchmarks.apart import Cpu, memory_mb
from benchmarks.stored_pages import BATCH, Pages

RADIUS = 3
BITS = 64
STEPS = 5_000  # timed, at most
STEP_SECONDS = 10.0
PROBES = 200
PERMUTATIONS = 128

Values = npt.NDArray[np.uint64]


class Peer(ABC):
    """An index under test."""

    name: ClassVar[str]
    module: ClassVar[str]  # It must be installed.
    exact: ClassVar[bool]  # Whether it claims to find every value within the radius.
    # Pages from which on it takes too much time or memory to be measured.
    most: ClassVar[int] = 10_000_000
    # Whether it is given 64-bit values; else what stands for them, the same for equal ones.
    takes_bits: ClassVar[bool] = True
    how: ClassVar[str]  # What it is, in a few words.

    def prepare(self, values: Values) -> Sequence[Any]:
        """The values as the peer takes them; it is not timed."""
        return values.tolist()

    def fill(self, first: int, values: Values, prepared: Sequence[Any]) -> None:  # noqa: ARG002
        """Add values under the numbers ``first``, ``first + 1`` ..., as fast as it can."""
        for number, value in enumerate(prepared, start=first):
            self.add(number, value)

    @abstractmethod
    def add(self, number: int, value: Any) -> None:
        """Add one value."""

    @abstractmethod
    def find(self, value: Any) -> Iterable[Any]:
        """The numbers of the values near one."""


class SimhashIndex(Peer):
    """PyPI ``simhash``."""

    name, module, exact = "simhash SimhashIndex", "simhash", True
    most = 3_000_000
    how = "4 tables of 16 bits, sets of strings in a dictionary"

    def __init__(self) -> None:
        import logging  # noqa: PLC0415

        from simhash import Simhash, SimhashIndex  # noqa: PLC0415

        logging.getLogger("simhash").setLevel(logging.ERROR)
        self._make = Simhash
        self._index = SimhashIndex([], f=BITS, k=RADIUS)

    def prepare(self, values: Values) -> Sequence[Any]:
        return [self._make(value, f=BITS) for value in values.tolist()]

    def add(self, number: int, value: Any) -> None:
        self._index.add(str(number), value)

    def find(self, value: Any) -> Iterable[Any]:
        return map(int, self._index.get_near_dups(value))


class NumpyScan(Peer):
    """The plainest index: compare with everything."""

    name, module, exact = "numpy scan", "numpy", True
    how = "popcount of everything"

    def __init__(self) -> None:
        self._values = np.zeros(self.most + STEPS, np.uint64)  # memory is taken as it is filled
        self._count = 0

    def fill(self, first: int, values: Values, prepared: Sequence[Any]) -> None:  # noqa: ARG002
        self._values[first : first + len(values)] = values
        self._count = first + len(values)

    def add(self, number: int, value: int) -> None:
        self._values[number] = value
        self._count = number + 1

    def find(self, value: int) -> Iterable[Any]:
        distances = np.bitwise_count(self._values[: self._count] ^ np.uint64(value))
        return np.flatnonzero(distances <= RADIUS).tolist()


class _Faiss(Peer):
    """faiss binary indexes; radius searches there mean "less than"."""

    module, exact = "faiss", True

    def __init__(self) -> None:
        import faiss  # noqa: PLC0415

        faiss.omp_set_num_threads(1)
        self._index = self._make(faiss)

    @abstractmethod
    def _make(self, faiss: Any) -> Any:
        """The index."""

    def prepare(self, values: Values) -> Sequence[Any]:
        return list(values.view(np.uint8).reshape(-1, 1, 8))

    def fill(self, first: int, values: Values, prepared: Sequence[Any]) -> None:  # noqa: ARG002
        self._index.add(values.view(np.uint8).reshape(-1, 8))

    def add(self, number: int, value: Any) -> None:  # noqa: ARG002
        self._index.add(value)

    def find(self, value: Any) -> Iterable[Any]:
        return self._index.range_search(value, RADIUS + 1)[2].tolist()


class FaissMultiHash(_Faiss):
    """faiss ``IndexBinaryMultiHash``."""

    name = "faiss IndexBinaryMultiHash"
    how = "4 hash tables of 16 bits"

    def _make(self, faiss: Any) -> Any:
        return faiss.IndexBinaryMultiHash(BITS, 4, 16)


class FaissHash(_Faiss):
    """faiss ``IndexBinaryHash``; 3 flips make it exact."""

    name = "faiss IndexBinaryHash"
    how = "one hash table of 16 bits, 697 probes"

    def _make(self, faiss: Any) -> Any:
        index = faiss.IndexBinaryHash(BITS, 16)
        index.nflip = RADIUS
        return index


class FaissFlat(_Faiss):
    """faiss ``IndexBinaryFlat``."""

    name = "faiss IndexBinaryFlat"
    how = "compares with everything"

    def _make(self, faiss: Any) -> Any:
        return faiss.IndexBinaryFlat(BITS)


class Gaoya(Peer):
    """gaoya takes texts only: each value is a text of its own; hashing it counts."""

    name, module, exact = "gaoya SimHashStringIndex", "gaoya", True
    takes_bits = False
    how = "4 blocks; takes texts only, here of 8 words, and hashes them too"

    def __init__(self) -> None:
        from gaoya.simhash import SimHashStringIndex  # noqa: PLC0415

        self._index = SimHashStringIndex(hash_size=BITS, num_blocks=4, hamming_distance=RADIUS)

    def prepare(self, values: Values) -> Sequence[Any]:
        return list(map(self._text, values.tolist()))

    def add(self, number: int, value: Any) -> None:
        self._index.insert_document(number, value)

    def find(self, value: Any) -> Iterable[Any]:
        return self._index.query(value)

    @staticmethod
    def _text(value: int) -> str:
        digits = f"{value:016x}"
        return " ".join(f"{place}{digits[place : place + 2]}" for place in range(0, 16, 2))


def sketcher() -> Callable[[int], Any]:
    """A function from a number to a MinHash of datasketch, always the same one, drawn at random."""
    from datasketch import MinHash  # noqa: PLC0415

    # Given to each sketch, or else each would draw them anew.
    shared = MinHash(num_perm=PERMUTATIONS, scheme="legacy").permutations

    def sketch(number: int) -> Any:
        hashes = np.random.default_rng(number).integers(0, 1 << 32, PERMUTATIONS, np.uint64)
        return MinHash(PERMUTATIONS, permutations=shared, scheme="legacy", hashvalues=hashes)

    return sketch


class DatasketchLSH(Peer):
    """datasketch ``MinHashLSH``: another kind of fingerprint, 128 hashes a page."""

    name, module, exact = "datasketch MinHashLSH", "datasketch", False
    most = 300_000
    takes_bits = False
    how = "MinHash of 128, threshold 0.8; in memory; misses by chance"

    def __init__(self) -> None:
        from datasketch import MinHashLSH  # noqa: PLC0415

        self._sketch = sketcher()
        self._index = MinHashLSH(threshold=0.8, num_perm=PERMUTATIONS)

    def prepare(self, values: Values) -> Sequence[Any]:
        return list(map(self._sketch, values.tolist()))

    def add(self, number: int, value: Any) -> None:
        self._index.insert(number, value, check_duplication=False)

    def find(self, value: Any) -> Iterable[Any]:
        return self._index.query(value)


PEERS: dict[str, type[Peer]] = {
    peer.name: peer
    for peer in (
        SimhashIndex,
        DatasketchLSH,
        Gaoya,
        FaissMultiHash,
        FaissHash,
        FaissFlat,
        NumpyScan,
    )
}


@dataclass(frozen=True, slots=True)
class PeerCost:
    """What a peer takes at a size."""

    fill_us: float  # CPU a page while it was filled, as it fills fastest.
    find_us: float  # CPU of one look-up at the full size.
    add_us: float  # CPU of adding one page then.
    bytes_a_page: float  # Bytes of memory.
    missed: int  # Planted near-duplicates not found, of PROBES.

    @property
    def step_us(self) -> float:
        """Check and add."""
        return self.find_us + self.add_us


def measure_peer(name: str, pages: Pages, count: int) -> PeerCost:
    """Fill a peer and time it; call it in a fresh process."""
    peer = PEERS[name]()
    before = memory_mb()
    cpu = Cpu()
    for number in range(count // BATCH):
        with cpu.leave_out():
            values = pages.values(number)
            prepared = peer.prepare(values)
        peer.fill(number * BATCH, values, prepared)
    filled = cpu.seconds
    grown = (memory_mb() - before) * 2**20
    missed = _missed(peer, pages, count)
    find, add, steps = _time_steps(peer, peer.prepare(pages.values(count // BATCH)), count)
    return PeerCost(
        1e6 * filled / count, 1e6 * find / steps, 1e6 * add / steps, grown / count, missed
    )


def _time_steps(peer: Peer, values: Sequence[Any], count: int) -> tuple[float, float, int]:
    """CPU seconds of look-ups and of additions, and how many of each."""
    find = add = 0.0
    started = time.perf_counter()
    for done, value in enumerate(values):
        if time.perf_counter() - started > STEP_SECONDS:
            return find, add, done
        zero = time.thread_time()
        for _ in peer.find(value):
            pass
        one = time.thread_time()
        peer.add(count + done, value)
        find, add = find + one - zero, add + time.thread_time() - one
    return find, add, len(values)


def _missed(peer: Peer, pages: Pages, count: int) -> int:
    """Look up values near stored ones, or the same ones where the peer takes no bits."""
    chance = random.Random(pages.seed)
    missed = 0
    batches = [chance.randrange(count // BATCH) for _ in range(10)]
    for batch in batches:
        values = pages.values(batch)
        for place in chance.sample(range(BATCH), PROBES // len(batches)):
            flips = chance.randint(0, RADIUS) if peer.takes_bits else 0
            mask = sum(1 << bit for bit in chance.sample(range(BITS), flips))
            asked = peer.prepare(values[place : place + 1] ^ np.uint64(mask))[0]
            missed += batch * BATCH + place not in set(peer.find(asked))
    return missed
