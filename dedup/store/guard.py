"""The database as the store uses it: no torn log is appended to, no damaged block trusted.

LevelDB appends each batch to a log. Where a write fails midway, on a full disk say, the log ends in
half a batch; LevelDB would continue after it, and at the next start treat all that follows as
damage. So after a failed write the log is replaced by a new one before anything else is written;
until that succeeds, nothing is. Acknowledged data then goes into a table, and the torn log is
removed. If a table could not be written, LevelDB itself writes nothing more: it is opened again.

Reads check the sums that LevelDB keeps of its blocks: a flipped bit is an error, never a record.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from dedup.store.interface import StoreError, StoreUnwritableError

try:
    import plyvel
except ImportError:  # Python 3.12 and later: the maintained fork, same interface
    import plyvel_next as plyvel

__all__ = ["GuardedDatabase", "plyvel"]

ROOM = 2  # times the logs have to fit on the disk before they are made tables
PAST_ALL_KEYS = b"\xff"
_ERRORS = (plyvel.Error, RuntimeError)  # the latter of a closed database


class GuardedDatabase:
    """What the store needs of a plyvel database."""

    def __init__(
        self,
        open_db: Callable[..., Any],
        explain: Callable[[Exception], StoreError],
        *,
        create: bool,
    ) -> None:
        """Open a database.

        Args:
            open_db: opens the plyvel database; takes plyvel's ``create_if_missing``.
            explain: turns an error of LevelDB into one that names the store and the way out.
            create: make it where there is none.

        Raises:
            plyvel.Error: it cannot be opened.
        """
        self._open_db = open_db
        self._db = open_db(create_if_missing=create)
        self._explain = explain
        self._torn: StoreError | None = None

    @property
    def is_torn(self) -> bool:
        """Whether a write has failed, and none has been made since."""
        return self._torn is not None

    def close(self) -> None:
        """Let go of the database."""
        self._db.close()

    def get(self, key: bytes) -> bytes | None:
        """The value of a key."""
        try:
            value: bytes | None = self._opened().get(key, verify_checksums=True)
        except _ERRORS as error:
            raise self._explained(error) from error
        return value

    def iterator(self, **options: Any) -> Iterator[Any]:
        """Keys and values in the order of keys; options as plyvel's."""
        try:
            yield from self._opened().iterator(verify_checksums=True, **options)
        except _ERRORS as error:
            raise self._explained(error) from error

    def values(self, prefix: bytes) -> list[bytes]:
        """The values of all keys that begin so, in the order of these.

        Quicker than ``iterator``, which hands them out one by one; LevelDB caches none of them.
        """
        options = {"include_key": False, "fill_cache": False, "verify_checksums": True}
        try:
            return list(self._opened().iterator(prefix=prefix, **options))
        except _ERRORS as error:
            raise self._explained(error) from error

    def put(self, key: bytes, value: bytes, *, sync: bool = False) -> None:
        """Write one value."""
        batch = self.write_batch(sync=sync)
        batch.put(key, value)
        batch.write()

    def delete(self, key: bytes) -> None:
        """Delete one value."""
        batch = self.write_batch()
        batch.delete(key)
        batch.write()

    def compact_range(self, *, start: bytes, stop: bytes) -> None:
        """Rewrite what lies between two keys; the write buffer first."""
        try:
            self._db.compact_range(start=start, stop=stop)
        except _ERRORS as error:
            raise self._explained(error) from error

    def write_batch(self, **options: Any) -> _Batch:
        """A batch of changes; options as plyvel's.

        Raises:
            StoreUnwritableError: an earlier write failed, and its cause persists.
        """
        if self._torn is not None:
            self._change_log(self._torn)
        return _Batch(self._db.write_batch(**options), self._failed)

    def _failed(self, error: Exception) -> StoreError:
        self._torn = self._explain(error)
        return self._torn

    def _change_log(self, reason: StoreError) -> None:
        """Have LevelDB begin a new log, and make a table of what memory holds."""
        before = self._newest_log()
        room = shutil.disk_usage(before.parent).free
        if room > ROOM * sum(log.stat().st_size for log in self._logs()):  # those of two buffers
            if not self._db.closed:
                self._db.compact_range(start=PAST_ALL_KEYS, stop=PAST_ALL_KEYS)
            if self._newest_log() == before:
                self._open_again()
        if self._newest_log() == before:
            raise StoreUnwritableError(
                f"{reason}; nothing is stored until there is room on the disk"
            ) from reason
        self._torn = None

    def _open_again(self) -> None:
        self._db.close()
        try:
            self._db = self._open_db(create_if_missing=False)
        except plyvel.Error as error:
            self._torn = self._explain(error)
            raise StoreUnwritableError(f"{self._torn}; nothing is stored until then") from error

    def _explained(self, error: Exception) -> StoreError:
        if self._db.closed:
            folder = Path(self._db.name).parent
            return StoreError(str(self._torn or f"the store in {folder} is closed"))
        return self._explain(error)

    def _opened(self) -> Any:
        """The database; opened again where that failed before, for lack of room, say."""
        if self._torn is not None and self._db.closed:
            self._change_log(self._torn)
        return self._db

    def _logs(self) -> list[Path]:
        return list(Path(self._db.name).glob("*.log"))

    def _newest_log(self) -> Path:
        return max(self._logs())


class _Batch:
    """A batch of changes that tells when it fails."""

    __slots__ = ("_failed", "_write", "clear", "delete", "put")

    def __init__(self, batch: Any, failed: Callable[[Exception], StoreError]) -> None:
        self.put = batch.put
        self.delete = batch.delete
        self.clear = batch.clear
        self._write = batch.write
        self._failed = failed

    def write(self) -> None:
        """Write all changes, or none."""
        try:
            self._write()
        except plyvel.Error as error:
            raise self._failed(error) from error
