"""Names of queues: a queue stands for the patterns of its URLs, and there are not too many."""

from __future__ import annotations

from typing import Protocol

MOST_QUEUES = 1_000  # Patterns with queues of their own; others share those of coarser patterns.
_JOINT = "\n"  # Joins the patterns of a queue to its name; no URL has one.


class Names(Protocol):
    """The names of some queues."""

    def __len__(self) -> int: ...

    def __contains__(self, name: object, /) -> bool: ...


def queue_of(patterns: tuple[str, ...], queues: Names, most_queues: int = MOST_QUEUES) -> str:
    """The queue of a URL: of its finest pattern, or of a coarser one where there are many.

    Args:
        patterns: of the URL, from coarse to fine.
        queues: that there are.
        most_queues: beyond which a finest pattern has no queue of its own.
    """
    name = _JOINT.join(patterns)
    if name in queues or len(queues) < most_queues:
        return name
    coarser = (_JOINT.join(patterns[:level]) for level in range(len(patterns) - 1, 0, -1))
    return next((name for name in coarser if name in queues), patterns[0])


def patterns_of(queue: str) -> tuple[str, ...]:
    """The patterns of a queue, from coarse to fine."""
    return tuple(queue.split(_JOINT))
