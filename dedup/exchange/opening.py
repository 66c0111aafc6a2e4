"""Open a source by its name: an export, or the address of a store as in NEARDUP_STORE.

A source must be complete, and its fingerprints must match the settings. If the settings contain no
seed, the caller may accept any seed.

The store and the index trust fingerprints. An unreadable one would cause an error for every later
page that is compared with it. So each fingerprint of an export is read here once as in the index:
for its words, and for a comparison (with itself). A readable fingerprint may still be forged.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import IO

from dedup.assembly import close_store, make_header, open_store
from dedup.config import NAMES, Config
from dedup.exchange.entries import ExchangeError
from dedup.exchange.files import ExportFile, StoreSource
from dedup.fingerprint import Fingerprinter
from dedup.schemes import UNREADABLE, Scheme
from dedup.store import (
    StoreMismatchError,
    StoreMissingError,
    describe_differences,
    is_address,
    show_store,
)
from dedup.store.interface import Progress

SAMPLES = (
    "word",
    "\n".join(" ".join(f"word{25 * line + at}" for at in range(40)) + "." for line in range(25)),
)

Source = ExportFile | StoreSource
CACHE_MB = 16  # Cache of a store: small, since it is read once from beginning to end.

Bar = Callable[[int], AbstractContextManager[Progress]]  # Called with the total amount of work.


class FingerprintCheck:
    """Checks fingerprints of one scheme."""

    def __init__(self, scheme: Scheme) -> None:
        """Find the length of the scheme's fingerprints, if it is fixed."""
        fingerprinter = Fingerprinter(scheme, min_tokens=1)
        lengths = {len(fingerprinter.of_text(text).value) for text in SAMPLES}
        self._scheme = scheme
        # If one word and a thousand words give the same length, the length is fixed.
        self._length = lengths.pop() if len(lengths) == 1 else None

    def __call__(self, fingerprint: bytes) -> None:
        """Check a fingerprint. Short texts have an empty one, which is valid.

        Raises ValueError if the scheme makes no such fingerprint.
        """
        if not fingerprint:
            return
        if self._length is not None and len(fingerprint) != self._length:
            raise ValueError(
                f"fingerprint must be {self._length} bytes for scheme {self._scheme.name}; "
                f"got {len(fingerprint)}"
            )
        try:
            self._scheme.words(fingerprint)
            similarity = self._scheme.compare(fingerprint, fingerprint).similarity
        except UNREADABLE:
            similarity = math.nan
        if not 0 < similarity <= 1:  # Every page has such a similarity with itself.
            raise ValueError(
                f"fingerprint of {len(fingerprint)} bytes is none of scheme {self._scheme.name}"
            )


def no_bar(_: int) -> AbstractContextManager[Progress]:
    """A progress bar that shows nothing."""
    return nullcontext(lambda _: None)


def config_of(name: str, config: Config) -> Config:
    """The settings with another, persistent store.

    Raises ExchangeError if the name is no address, is a store in memory, or stands for the stores
    of several spiders.
    """
    try:
        named = replace(config, store=name, reset=False)
    except ValueError as error:
        raise ExchangeError(str(error)) from None
    if not named.store_kind.keeps:
        raise ExchangeError(f"a store in memory ({named.store}) keeps nothing; name another")
    if any(name in named.store for name in NAMES):
        raise ExchangeError(f"{name} stands for several stores; name the folder of one")
    return named


@contextmanager
def open_source(
    config: Config, name: str, root: Path, bar: Bar = no_bar, *, any_seed: bool = False
) -> Iterator[Source]:
    """Open an export, or the store at an address, for the length of a ``with``.

    Its fingerprints must match the settings. If these contain no seed, the source may have none,
    or with ``any_seed`` any. A relative path of a store starts from ``root``. ``bar`` shows the
    progress of the check of an export, in octets.

    Raises:
        ExchangeError: it is damaged, is no source, or has other fingerprints.
        StoreError: a store cannot be opened, or has a damaged record.
        OSError: a file cannot be read.
    """
    if is_address(name):
        named = config_of(name, replace(config, cache_mb=CACHE_MB))
        with _open_store(named, root, any_seed=any_seed) as source:
            yield source
    elif "://" in name:
        kinds = "leveldb:FOLDER, redis://HOST:PORT (docs/shared-store.md has more)"
        raise ExchangeError(f"{show_store(name)} is no store: {kinds}")
    elif Path(name).is_dir():
        raise ExchangeError(f"{name} is a folder; the store in it is named leveldb:{name}")
    else:
        with Path(name).open("rb") as file:
            yield read_export(config, file, name, bar, any_seed=any_seed)


def read_export(
    config: Config, file: IO[bytes], name: str, bar: Bar, *, any_seed: bool = False
) -> ExportFile:
    """Open and check an export; arguments and errors as for ``open_source``."""
    export = _open_export(config, file, name, any_seed=any_seed)
    with bar(os.fstat(file.fileno()).st_size) as progress:
        export.check(FingerprintCheck(config.make_scheme()), progress)
    return export


def find_seed(config: Config, name: str, root: Path) -> int:
    """The seed of a source. Only the beginning of an export is read.

    Arguments and errors as for ``open_source``.
    """
    if is_address(name) or not Path(name).is_file():
        with open_source(config, name, root, any_seed=True) as source:
            return source.seed
    with Path(name).open("rb") as file:
        return _open_export(config, file, name, any_seed=True).seed


def _open_export(config: Config, file: IO[bytes], name: str, *, any_seed: bool) -> ExportFile:
    export = ExportFile(file, name)
    wanted = make_header(config, any_seed=any_seed).with_seed(export.seed)
    if differences := describe_differences(export.fingerprint, wanted.fingerprint):
        raise _other_fingerprints(name, differences)
    return export


@contextmanager
def _open_store(config: Config, root: Path, *, any_seed: bool) -> Iterator[StoreSource]:
    place = show_store(config.store)
    try:  # Only records are read, so the index may have another layout.
        store = open_store(config, root, create=False, other_tables=True, any_seed=any_seed)
    except StoreMissingError as error:
        missing = str(error).partition(";")[0]  # The rest is advice for NEARDUP_STORE.
        raise ExchangeError(f"{missing}; correct {place}") from None
    except StoreMismatchError as error:
        raise _other_fingerprints(place, error.differences or str(error)) from None
    try:
        yield StoreSource(store, place)
    finally:
        close_store(config, root)


def _other_fingerprints(name: str, differences: str) -> ExchangeError:
    return ExchangeError(
        f"{name} was made with {differences}; fingerprints of one kind cannot be compared with "
        "others, or turned into them: set these back, and use it with what was made with the same"
    )


def other_seed(name: str, target: str) -> ExchangeError:
    """The error for a source whose seed differs from the seed of a store."""
    return ExchangeError(
        f"{show_store(name)} has another seed than {target}, so that their fingerprints cannot be "
        "compared: stores that belong together share a seed, which `scrapy neardup create --like` "
        "takes from one for another before the crawl"
    )
