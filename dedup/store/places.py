"""Addresses of stores, as in NEARDUP_STORE, and the errors of wrong addresses."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from dedup.plugins import STORES, installed

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
