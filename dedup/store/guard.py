"""A LevelDB database that is protected against torn logs and damaged blocks.

LevelDB appends each batch to a log. If a write fails midway, for example on a full disk, the log
ends in half a batch. LevelDB would append after it, and at the next start treat all data from there
on as damaged. So after a failed write, the log is replaced by a new one before the next write. All
writes are refused until this succeeds. The acknowledged data goes into a table, and the torn log is
removed. If LevelDB fails to write a table, it refuses all further writes: then it is opened again.

Reads check LevelDB's block checksums: a flipped bit gives an error, never a wrong record.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from dedup.store.interface import StoreError, StoreUnwritableError
from dedup.store.logs import find_logs

try:
    import plyvel
except ImportError:  # On Python 3.12 and later: the maintained fork with the same interface.
    import plyvel_next as plyvel

__all__ = ["GuardedDatabase", "plyvel"]

ROOM = 2  # The logs become tables only if the free disk space is this many times their size.
PAST_ALL_KEYS = b"\xff"
_ERRORS = (plyvel.Error, RuntimeError)  # A closed database raises RuntimeError.


class GuardedDatabase:
    """The operations of a plyvel database that the store uses."""

    def __init__(
        self,
        open_db: Callable[..., Any],
        explain: Callable[[Exception], StoreError],
        *,
        create: bool,
    ) -> None:
        """Open a database; ``create`` makes one if there is none.

        Args:
            open_db: opens the plyvel database; takes plyvel's ``create_if_missing``.
            explain: turns an error of LevelDB into one that names the store and the way out.

        Raises:
            plyvel.Error: it cannot be opened.
        """
        self._open_db = open_db
        self._db = open_db(create_if_missing=create)
        self._explain = explain
        self._torn: StoreError | None = None

    @property
    def is_torn(self) -> bool:
        """Whether a write has failed and the log is not replaced yet."""
        return self._torn is not None

    def close(self) -> None:
        self._db.close()

    def get(self, key: bytes) -> bytes | None:
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

    def put(self, key: bytes, value: bytes, *, sync: bool = False) -> None:
        batch = self.write_batch(sync=sync)
        batch.put(key, value)
        batch.write()

    def delete(self, key: bytes) -> None:
        batch = self.write_batch()
        batch.delete(key)
        batch.write()

    def compact_range(self, *, start: bytes, stop: bytes) -> None:
        """Write the write buffer to disk, then compact the range between two keys."""
        try:
            self._db.compact_range(start=start, stop=stop)
        except _ERRORS as error:
            raise self._explained(error) from error

    def write_batch(self, **options: Any) -> _Batch:
        """A batch of changes; options as plyvel's.

        Raises StoreUnwritableError if an earlier write failed, and its cause persists.
        """
        if self._torn is not None:
            self._change_log(self._torn)
        return _Batch(self._db.write_batch(**options), self._failed)

    def _failed(self, error: Exception) -> StoreError:
        self._torn = self._explain(error)
        return self._torn

    def _change_log(self, reason: StoreError) -> None:
        """Make LevelDB begin a new log and write its memory to a table."""
        before = self._logs()
        room = shutil.disk_usage(before[-1].parent).free
        if room > ROOM * sum(log.stat().st_size for log in before):  # Of two write buffers.
            if not self._db.closed:
                self._db.compact_range(start=PAST_ALL_KEYS, stop=PAST_ALL_KEYS)
            if self._logs()[-1] == before[-1]:
                self._open_again()
        if self._logs()[-1] == before[-1]:
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
        """The database; opened again if that failed before, for example on a full disk."""
        if self._torn is not None and self._db.closed:
            self._change_log(self._torn)
        return self._db

    def _logs(self) -> list[Path]:
        return find_logs(Path(self._db.name))


class _Batch:
    """A batch of changes that reports its failure to the database."""

    __slots__ = ("_failed", "_write", "delete", "put")

    def __init__(self, batch: Any, failed: Callable[[Exception], StoreError]) -> None:
        self.put = batch.put
        self.delete = batch.delete
        self._write = batch.write
        self._failed = failed

    def write(self) -> None:
        """Write all changes, or none."""
        try:
            self._write()
        except plyvel.Error as error:
            raise self._failed(error) from error
