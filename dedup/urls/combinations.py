"""Finds the parameters of a URL that are new in their combination.

Many parameters change nothing of a page, such as the number of a session, and only the site knows
which. A URL that differs from an earlier one by such a parameter alone repeats its page. A URL that
differs by more may have a new page. So it matters by which parameter alone a URL differs from an
earlier one; each of the others is new.
"""

from __future__ import annotations

from collections.abc import Sequence

MOST_KEYS = 1 << 16  # Keys of the latest URLs; as many of the URLs before them are kept, too.


class Combinations:
    """The parameters of the latest URLs."""

    def __init__(self, most_keys: int = MOST_KEYS) -> None:
        self._most_keys = most_keys
        self._latest: set[int] = set()
        self._former: set[int] = set()

    def note(self, where: str, pairs: Sequence[str]) -> set[str]:
        """Note a URL; returns the names of its new parameters.

        A parameter is new if no URL was noted before that is the same but for the value of this
        parameter, or lacks it. The order of parameters does not matter. ``where`` is the URL
        without its parameters, and ``pairs`` are these: ``name=value``.
        """
        parts = [hash(pair) for pair in pairs]
        whole = sum(parts)
        keys, new = [hash((where, whole))], set()
        for pair, part in zip(pairs, parts, strict=True):
            without = hash((where, whole - part))
            name = pair.partition("=")[0]
            other = hash((without, name))
            keys.append(other)
            if not (self._has(other) or self._has(without)):
                new.add(name)
        if len(self._latest) + len(keys) > self._most_keys:
            self._latest, self._former = set(), self._latest
        self._latest.update(keys)
        return new

    def _has(self, key: int) -> bool:
        return key in self._latest or key in self._former
