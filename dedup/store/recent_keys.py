"""The exact keys read or written last, so that a put repeats no read of the look-up before it."""

from __future__ import annotations

from typing import Any

LIMIT = 8192  # keys of one half: about 2 MB
LARGEST = 1024  # bytes of a value above which it is not held


class RecentKeys:
    """Values of LevelDB by key, None where there is none; two halves, the older one let go.

    Every write of such a key goes through here: ``note`` it in the same step.
    """

    def __init__(self, db: Any) -> None:
        self._db = db
        self._young: dict[bytes, bytes | None] = {}
        self._old: dict[bytes, bytes | None] = {}

    def get(self, key: bytes) -> bytes | None:
        """The value of a key."""
        if key in self._young:
            return self._young[key]
        value: bytes | None = self._old[key] if key in self._old else self._db.get(key)
        self.note(key, value)
        return value

    def note(self, key: bytes, value: bytes | None) -> None:
        """Remember what a key holds from now on."""
        if value is not None and len(value) > LARGEST:
            self._young.pop(key, None)
            self._old.pop(key, None)
            return
        self._young[key] = value
        if len(self._young) > LIMIT:
            self._old, self._young = self._young, {}

    def clear(self) -> None:
        """Forget all."""
        self._young, self._old = {}, {}
