"""For the tests of stores: pages with their words written in their fingerprints, and folders."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from dedup.schemes import Space
from dedup.store import Header, LevelDBStore, Opening, Place, Record, StoreError
from dedup.store.folder import DATABASE, LevelDBKind, plyvel
from dedup.store.guard import GuardedDatabase
from dedup.store.interface import WordsOf
from dedup.store.sweeps import USUAL, Sizes
from dedup.testing.samples import CAP, SPACES, header, page, words_of  # noqa: F401  (for tests)

REPOSITORY = Path(__file__).parents[2]


LEVELDB = LevelDBKind()


def at(folder: Path) -> Place:
    """The place of the store in a folder."""
    return Place(f"leveldb:{folder}")


def open_folder(
    path: Path,
    wanted: Header,
    spaces: Iterable[Space],
    words: WordsOf,
    layout: str = "blocks",
    cache_mb: int = 512,
    *,
    create: bool = True,
    other_tables: bool = False,
) -> LevelDBStore:
    """Open a LevelDB store that nobody in this process has open."""
    opening = Opening(wanted, tuple(spaces), words, layout, cache_mb, create, other_tables)
    return LEVELDB.make(at(path), opening)


def open_sample(
    path: Path, spaces: Iterable[Space] = SPACES, layout: str = "blocks", cache_mb: int = 4
) -> LevelDBStore:
    return open_folder(path, header(spaces, layout), spaces, words_of, layout, cache_mb)


def closed_sample(path: Path) -> Path:
    """A closed store of three pages; returns its folder."""
    store = open_sample(path)
    for request in range(3):
        store.put(page(request, near=[scattered(request)], exact=[request]))
    store.close()
    return path


def colliding(number: int, near: Iterable[int] = ()) -> Record:
    """A page whose request has the same XXH3 digest as those of other numbers.

    XXH3 multiplies parts of an input with 17 to 128 octets after an exclusive or with its secret.
    Two of these parts are the secret's own here, so the products are 0 whatever the number is.
    """
    secret = bytes.fromhex("b8fe6c3923a44bbe 7240a4a4b7b3671f")
    request = secret[:8] + number.to_bytes(4, "big") + secret[8:]
    return page(number, near)._replace(request=request)


def scattered(number: int) -> int:
    """A word far from those of other numbers."""
    return number * 0x9E3779B97F4A7C15 % 2**64


def guarded_database(
    folder: Path | str, watch: Callable[[Any], Any] = lambda db: db
) -> GuardedDatabase:
    """A database in a folder of its own, for a store; ``watch`` may put another before it."""
    open_db = partial(plyvel.DB, str(folder), paranoid_checks=True)
    return GuardedDatabase(
        lambda **options: watch(open_db(**options)),
        lambda error: StoreError(str(error)),
        create=True,
    )


def bare_store(
    db: GuardedDatabase,
    sizes: Sizes = USUAL,
    spaces: tuple[Space, ...] = SPACES,
    words: WordsOf = words_of,
    cache_bytes: int = 2000,
) -> LevelDBStore:
    """A store in a database, with a small cache and with batches and sweeps of some sizes."""
    return LevelDBStore(db, Opening(header(spaces), spaces, words), cache_bytes, db.close, sizes)


def database(folder: Path) -> closing[Any]:
    """The database of a store that is not open."""
    return closing(plyvel.DB(str(folder / DATABASE)))


@contextmanager
def open_elsewhere(folder: Path) -> Iterator[None]:
    """Have another process hold the store open."""
    program = (
        "import sys; from pathlib import Path\n"
        "from tests.store.samples import open_sample\n"
        "store = open_sample(Path(sys.argv[1])); print('open', flush=True)\n"
        "sys.stdin.read(); store.close()\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program, str(folder)],
        cwd=REPOSITORY,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with child:
        assert child.stdout
        assert child.stdout.readline() == b"open\n"
        yield


def contents(folder: Path) -> dict[str, bytes]:
    """All that LevelDB and the store wrote, but for LevelDB's own log of events."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in ("LOG", "LOG.old", "LOCK")
    }


def copy_open(folder: Path, target: Path) -> None:
    """Copy the folder of an open store, as a process leaves it that ends now.

    LevelDB adds and deletes tables in a thread of its own. A copy that may lack one is made again.
    """
    for _ in range(100):
        before = sorted(folder.rglob("*"))
        with suppress(shutil.Error, FileNotFoundError):
            shutil.copytree(folder, target)
            if sorted(folder.rglob("*")) == before:
                return
        shutil.rmtree(target, ignore_errors=True)
    raise RuntimeError(f"the files in {folder} change all the time")
