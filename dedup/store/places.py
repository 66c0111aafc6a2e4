"""Where stores are: addresses as NEARDUP_STORE has them, and what is said of wrong ones."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from dedup.plugins import STORES, installed

TIMEOUT = 5.0  # seconds to wait for the server of a store
FORMS = "leveldb:FOLDER, memory: or redis://HOST:PORT (docs/shared-store.md has more)"
_SCHEME = re.compile(r"[a-z][a-z+]*://", re.IGNORECASE)
_MAY_HOLD_A_PASSWORD = re.compile(r"[@?=]|//")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a store is.

    Attributes:
        address: the value of NEARDUP_STORE.
        root: the folder that relative paths are taken from.
        timeout: seconds to wait for a server.
    """

    address: str
    root: Path = Path()
    timeout: float = TIMEOUT

    @property
    def path(self) -> Path:
        """The part of the address after the first colon, as a path."""
        return self.root / Path(self.address.partition(":")[2]).expanduser()


def check_path(address: str) -> None:
    """Make sure that an address has a path after its colon.

    Raises:
        ValueError: it has none, or one that leads nowhere; as of ``StoreKind.check``.
    """
    if not address.partition(":")[2]:
        raise wrong_address(address)
    try:
        _ = Place(address).path
    except RuntimeError:
        allowed = "a path without ~, or with one that leads to a home folder"
        raise ValueError(f"must be {allowed}; got {address!r}") from None


def wrong_address(address: str) -> ValueError:
    """The error of an address of no kind; as of ``StoreKind.check``."""
    others = "".join(f", {kind}:" for kind in installed(STORES))
    return ValueError(f"must be {FORMS}{others}; got {hide_password(address)!r}")


def hide_password(address: str) -> str:
    """An address of no known form for display: where its password ends is unknown."""
    if not _MAY_HOLD_A_PASSWORD.search(address):
        return address
    scheme = _SCHEME.match(address)
    return f"{scheme[0] if scheme else ''}..."
