"""What it costs to learn from the downloads of a crawl, and to store what was learned."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.downloads_log import Download
from dedup.store.tallies import pack_pattern, pack_tally
from dedup.urls import Learner
from dedup.urls.repeats import sketch

ROUNDS = 5  # The quickest one counts.
SITE = 1  # Any number.


@dataclass(frozen=True, slots=True)
class Learning:
    """The cost of learning."""

    cpu: float  # Microseconds a download, from its URL and its sketch on.
    sketch: float  # Microseconds a download for sketches, of the visible texts without markup.
    octets: float  # Octets of the store a download.


def measure_learning(downloads: Sequence[Download]) -> Learning:
    """Learn from the downloads of a crawl, in order, a few times."""
    made = [
        (one.url, one.size, None if one.text is None else one.text.encode()) for one in downloads
    ]
    pages = [body for _, _, body in made if body is not None]

    def learn() -> Learner:
        learner = Learner()
        for url, size, body in made:
            if body is None:
                learner.note_nothing(url, size)
            else:
                learner.note_page(url, body)
        return learner

    number = len(downloads) or 1
    sketches = _least_cpu(lambda: [sketch(body, SITE) for body in pages]) / number
    learned = learn().fresh()
    octets = sum(len(pack_pattern(one)) + len(pack_tally(tally)) for one, tally in learned.items())
    return Learning(max(0.0, _least_cpu(learn) / number - sketches), sketches, octets / number)


def _least_cpu(act: Callable[[], object]) -> float:
    """Microseconds of CPU that a function took at least."""
    taken = []
    for _ in range(ROUNDS):
        started = time.process_time()
        act()
        taken.append(time.process_time() - started)
    return 1e6 * min(taken)
