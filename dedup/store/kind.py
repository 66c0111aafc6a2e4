"""A kind of store: checks and shows an address, and opens, closes and deletes the store there.

The word before the first colon of NEARDUP_STORE names the kind (``dedup.store.registry``). Crawls
and commands use the kind for everything except the pages in an open store.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from dedup.plugins import STORES, installed
from dedup.schemes import Space
from dedup.schemes.options import SEED
from dedup.store.headers import FORMAT, Header, describe_differences, unpack_header
from dedup.store.interface import (
    NOT_MADE,
    Store,
    StoreDamagedError,
    StoreError,
    StoreMismatchError,
    StoreMissingError,
    WordsOf,
)

TIMEOUT = 5.0  # Seconds to wait for the server of a store.
FORMS = "leveldb:FOLDER, memory: or redis://HOST:PORT (docs/shared-store.md has more)"
_SCHEME = re.compile(r"[a-z][a-z+]*://", re.IGNORECASE)
_MAY_HOLD_A_PASSWORD = re.compile(r"[@?=]|//")


@dataclass(frozen=True, slots=True)
class Place:
    address: str  # The value of NEARDUP_STORE.
    root: Path = Path()  # The folder that relative paths start from.
    timeout: float = TIMEOUT  # Seconds to wait for a server.

    @property
    def path(self) -> Path:
        """The part of the address after the first colon, as a path."""
        return self.root / Path(self.address.partition(":")[2]).expanduser()


def wrong_address(address: str) -> ValueError:
    """The error for an address of no known kind; its message is as for ``StoreKind.check``."""
    others = "".join(f", {kind}:" for kind in installed(STORES))
    return ValueError(f"must be {FORMS}{others}; got {hide_password(address)!r}")


def hide_password(address: str) -> str:
    """An address of unknown form for display: whole if it cannot contain a password.

    Else only its scheme is shown, since the password may end anywhere.
    """
    if not _MAY_HOLD_A_PASSWORD.search(address):
        return address
    scheme = _SCHEME.match(address)
    return f"{scheme[0] if scheme else ''}..."


@dataclass(frozen=True, slots=True)
class Opening:
    """The arguments for opening a store."""

    header: Header  # The header that the store must have; a new store gets it.
    spaces: tuple[Space, ...]  # The kinds of words it indexes.
    words_of: WordsOf  # Reads the words of a record.
    layout: str = "blocks"  # The tables for spaces with a radius, a name of ``layouts.LAYOUTS``.
    cache_mb: int = 512  # Memory for its caches, in MiB.
    create: bool = True  # Whether to make the store if it does not exist.
    # Whether to accept a store whose index has another layout, to ``rebuild`` it.
    other_tables: bool = False

    def settle(self, where: str, stored: bytes | None, elsewhere: str = "another place") -> Header:
        """The header of the store that is being opened.

        Args:
            where: the store, as shown in messages.
            stored: the packed header in the store; None if there is no store.
            elsewhere: an alternative value for NEARDUP_STORE, as shown in messages.

        Returns:
            ``header`` with the seed of the store. A new store must save it, packed by
            ``headers.pack_header``. An old store must save it when its index is rebuilt.

        Raises:
            StoreMissingError: there is no store, and ``create`` is False.
            StoreMismatchError: the store was made with other settings.
            StoreDamagedError: the stored header cannot be read.
        """
        if stored is not None:
            return self.header.with_seed(self.read(where, stored, elsewhere).seed)
        if not self.create:
            raise StoreMissingError(f"no store in {where}; {NOT_MADE}")
        return self.header.of_new_store()

    def read(self, where: str, stored: bytes, elsewhere: str) -> Header:
        """The header in a store; arguments and errors as for ``settle``."""
        try:
            header = unpack_header(stored)
        except StoreDamagedError as error:
            raise StoreDamagedError(
                f"the store {where} cannot be read: {error}; open it with the version that made "
                f"it, name {elsewhere} in NEARDUP_STORE, or start anew with NEARDUP_RESET=True"
            ) from None
        self.compare(where, header, elsewhere)
        return header

    def compare(self, where: str, stored: Header, elsewhere: str = "another place") -> None:
        """Make sure that a store matches the settings; arguments and errors as for ``settle``."""
        wanted = self.header.with_seed(stored.seed)
        if differences := describe_differences(stored.fingerprint, wanted.fingerprint):
            own = " (leave NEARDUP_HASH_SEED unset to use the seed of the store)"
            way_out = f"set these back{own if SEED in differences else ''}"
            raise StoreMismatchError(
                f"the store {where} was made with {differences}; {way_out}, "
                f"name {elsewhere} in NEARDUP_STORE, or start anew with NEARDUP_RESET=True",
                differences,
            )
        differences = describe_differences(stored.table_shape(), wanted.table_shape())
        if differences and not self.other_tables:
            made = f"was made with {differences}; set these back, or"
            how = " with the new ones (in settings.py, or by -s)"
            if (old := stored.tables.get(FORMAT, "none")) != (new := wanted.tables.get(FORMAT)):
                made, how = f"has format {old}, and this version reads format {new};", ""
            raise StoreMismatchError(
                f"the index of the store {where} {made} run `scrapy neardup rebuild`{how} to make "
                "the index anew (no page is lost)",
                differences,
            )


@dataclass(slots=True)
class _Open:
    """An open store, its header, and the number of its users in this process."""

    store: Store
    header: Header
    users: int = 1


class StoreKind(ABC):
    """A kind of store. One object serves all stores of the kind in this process.

    A subclass must implement ``make`` and ``delete``. The other methods have defaults for a store
    that one process uses at a time, in a file or folder whose path follows the colon.
    """

    is_shared: ClassVar[bool] = False  # Several processes use a store, a ``SharedStore``, at once.
    keeps: ClassVar[bool] = True  # A store outlives its process.
    # %(name)s and %(project)s are replaced in an address; False if ``path`` returns None.
    takes_names: ClassVar[bool] = True
    # An alternative value for NEARDUP_STORE, as shown in messages.
    elsewhere: ClassVar[str] = "another place"

    def __init__(self) -> None:
        self._open: dict[Hashable, _Open] = {}

    @property
    def renewed_within(self) -> float:
        """Seconds within which all processes renew their pages in flight after an outage."""
        return 0.0

    def check(self, address: str) -> None:
        """Raise ValueError if an address is invalid.

        The message continues a sentence that begins with "NEARDUP_STORE ". It is one line and
        reveals no password.
        """
        if not address.partition(":")[2]:
            raise wrong_address(address)
        try:
            _ = Place(address).path
        except RuntimeError:
            allowed = "a path without ~, or with one that leads to a home folder"
            raise ValueError(f"must be {allowed}; got {address!r}") from None

    def show(self, address: str) -> str:
        """An address for display, valid or not, without its password."""
        return hide_password(address)

    def where(self, place: Place) -> str:
        """A store, as shown in messages about its settings."""
        return self.show(place.address)

    def path(self, place: Place) -> Path | None:
        """The file or folder of a store; None if it is not in a file or folder."""
        return place.path

    def is_there(self, path: Path) -> bool:
        """Whether there is a store at a path."""
        return path.exists()

    def key(self, place: Place) -> Hashable:
        """The identity of a store: equal for two addresses of one store."""
        path = self.path(place)
        return place.address if path is None else path.resolve()

    def _shared_by(self, place: Place) -> Hashable:
        """Equal for all users in this process that share one open store."""
        return self.key(place)

    @abstractmethod
    def make(self, place: Place, opening: Opening) -> Store:
        """Open a store that is not open in this process; raises the same errors as ``open``."""

    @abstractmethod
    def delete(self, place: Place) -> bool:
        """Delete a store; returns whether there was one.

        Raises StoreError if it is in use, or it is no store.
        """

    def open(self, place: Place, opening: Opening) -> Store:
        """Open a store, or join the other users of it in this process.

        Raises:
            StoreLockedError: another process owns it.
            StoreMismatchError: it was made with other settings.
            StoreMissingError: it does not exist, and ``opening.create`` is False.
            StoreUnavailableError: its server cannot be used now.
            StoreDamagedError: it is damaged.
            StoreError: it cannot be opened for another reason.
        """
        key = self._shared_by(place)
        known = self._open.get(key)
        if known is None:
            store = self.make(place, opening)
            self._open[key] = _Open(store, opening.header.with_seed(store.seed))
            return store
        opening.compare(self.where(place), known.header, self.elsewhere)
        known.users += 1
        return known.store

    def close(self, place: Place) -> None:
        """Release a store; its last user in the process closes it."""
        key = self._shared_by(place)
        known = self._open.get(key)
        if known is not None:
            known.users -= 1
            if known.users == 0:
                try:
                    known.store.close()
                finally:
                    self._forget(key)

    def _forget(self, key: Hashable) -> None:
        """Remove a closed store. The next ``open`` opens it again, even if a user closed it."""
        self._open.pop(key, None)

    def is_open(self, place: Place) -> bool:
        """Whether this process has the store open."""
        return self._shared_by(place) in self._open

    def check_closed(self, place: Place) -> None:
        """Raise StoreError if the store is open in this process."""
        if self.is_open(place):
            raise StoreError(f"the store {self.show(place.address)} is open in this process")

    def is_locked(self, place: Place) -> bool:  # noqa: ARG002
        """Whether another process is known to own the store."""
        return False

    def ping(self, place: Place) -> None:  # noqa: B027
        """Raise StoreError if the server of a store cannot be used; any thread may call this."""

    def repair(self, place: Place) -> tuple[Path, list[str]] | None:  # noqa: ARG002
        """Repair the files of a store; None if unsupported.

        Returns the folder with the files that the repair replaced or could not use, and the names
        of the damaged logs. The data after the damage in these logs is lost.

        Raises StoreError if there is no store, or if it is in use.
        """
        return None
