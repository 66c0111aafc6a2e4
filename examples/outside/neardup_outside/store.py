"""A store in one file of SQLite, whose pages are in memory, too, while it is open."""

import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path

from dedup.store import Header, MemoryStore, Opening, Place, Record, StoreKind
from dedup.store.headers import pack_header
from dedup.store.interface import Progress, StoreDamagedError, StoreLockedError
from dedup.store.records import pack_record, unpack_record
from dedup.store.tallies import pack_pattern, pack_tally, readable
from dedup.urls import Tally

MARK = 0x6E647570  # tells a store from other files of SQLite
TABLES = f"""
PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA application_id = {MARK};
CREATE TABLE IF NOT EXISTS header (id PRIMARY KEY, content);
CREATE TABLE IF NOT EXISTS pages (id INTEGER PRIMARY KEY AUTOINCREMENT, record, text);
CREATE TABLE IF NOT EXISTS exempt (request UNIQUE);
CREATE TABLE IF NOT EXISTS tallies (pattern UNIQUE, tally);
"""


class SQLiteKind(StoreKind):
    """``sqlite:FILE``, which one process opens at a time."""

    def make(self, place: Place, opening: Opening) -> "SQLiteStore":
        if not opening.create and not place.path.exists():
            opening.settle(self.show(place.address), None)  # raises the error of a missing store
        place.path.parent.mkdir(parents=True, exist_ok=True)
        db = _connect(place.path)
        try:
            stored = db.execute("SELECT content FROM header").fetchone()
            header = opening.settle(self.show(place.address), stored and stored[0])
            return SQLiteStore(db, header, opening, is_new=stored is None)
        except BaseException:
            db.close()
            raise

    def delete(self, place: Place) -> bool:
        self.check_closed(place)
        if not place.path.exists():
            return False
        _connect(place.path).close()  # raises the error of a file that is in use, or no store
        place.path.unlink()
        return True


class SQLiteStore(MemoryStore):
    """Each page is written when it is put, so that a kill loses none; ``sync`` outlasts power."""

    def __init__(
        self, db: sqlite3.Connection, header: Header, opening: Opening, *, is_new: bool
    ) -> None:
        super().__init__(opening.spaces, opening.words_of, opening.layout, header.seed)
        self._db, self._header = db, header
        if is_new:
            self._write("INSERT INTO header VALUES (1, ?)", pack_header(header))
        for page_id, record, text in db.execute("SELECT * FROM pages ORDER BY id"):
            self.add(unpack_record(page_id, record), text)
        super().exempt(request for (request,) in db.execute("SELECT request FROM exempt"))
        super().tally(dict(readable(db.execute("SELECT * FROM tallies"))))
        for (self.last_id,) in db.execute("SELECT seq FROM sqlite_sequence"):
            pass

    def put(self, record: Record, text: bytes = b"") -> Record:
        stored = super().put(record, text)
        row = (stored.page_id, pack_record(stored), self._texts.get(stored.page_id, b""))
        self._write("REPLACE INTO pages VALUES (?, ?, ?)", *row)
        return stored

    def remove(self, page_id: int, known: Record | None = None) -> bool:
        removed = super().remove(page_id, known)
        if removed:
            self._write("DELETE FROM pages WHERE id = ?", page_id)
        return removed

    def exempt(self, requests: Iterable[bytes]) -> None:
        for request in requests:
            super().exempt([request])
            self._write("REPLACE INTO exempt VALUES (?)", request)
        self.sync()

    def tally(self, tallies: Mapping[str, Tally]) -> None:
        super().tally(tallies)
        added = [(p, self._tallies[p]) for p in tallies if p in self._tallies]
        rows = [(pack_pattern(pattern), pack_tally(tally)) for pattern, tally in added]
        with self._db:
            self._db.executemany("REPLACE INTO tallies VALUES (?, ?)", rows)

    def forget_tallies(self, patterns: Iterable[str]) -> int:
        gone = list(patterns)
        with self._db:
            rows = [(pack_pattern(pattern),) for pattern in gone]
            self._db.executemany("DELETE FROM tallies WHERE pattern = ?", rows)
        self.sync()
        return super().forget_tallies(gone)

    def rebuild(self, progress: Progress | None = None) -> int:
        self._write("REPLACE INTO header VALUES (1, ?)", pack_header(self._header))
        return super().rebuild(progress)

    def compact(self) -> None:
        self._db.execute("VACUUM")

    def sync(self) -> None:
        self._db.execute("PRAGMA wal_checkpoint(FULL)")

    def close(self) -> None:
        self._db.close()

    def _write(self, statement: str, *values: object) -> None:
        with self._db:
            self._db.execute(statement, values)


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=0.2)
    try:
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        (others,) = db.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
        if others and db.execute("PRAGMA application_id").fetchone() != (MARK,):
            raise sqlite3.DatabaseError("it belongs to another program")
        db.executescript(TABLES)
    except sqlite3.DatabaseError as error:
        db.close()
        if "locked" in str(error):
            raise StoreLockedError(f"the store {path} is in use by another process") from None
        raise StoreDamagedError(f"{path} is no store: {error}; name another file") from None
    return db
