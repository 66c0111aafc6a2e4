"""Opening and deleting an index on a server, which any number of processes can use at once."""

from __future__ import annotations

import logging
import secrets
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial

from dedup.store.headers import Header, pack_header
from dedup.store.interface import NOT_MADE, StoreMissingError
from dedup.store.kind import Opening, Place, StoreKind, hide_password, wrong_address
from dedup.store.redis.address import URL_SCHEMES, Address, parse_address
from dedup.store.redis.key_names import Names
from dedup.store.redis.lease import LEASE_SECONDS, RENEWED_WITHIN, Lease
from dedup.store.redis.link import Link, make_link
from dedup.store.redis.store import LOT, RedisStore

logger = logging.getLogger(__name__)


class RedisKind(StoreKind):
    """``redis://HOST:PORT`` and the other forms of ``dedup.store.redis.address``."""

    is_shared = True
    takes_names = False
    elsewhere = "another prefix"

    @property
    def renewed_within(self) -> float:
        return RENEWED_WITHIN

    def check(self, address: str) -> None:
        if not address.startswith(URL_SCHEMES):
            raise wrong_address(address)
        try:
            parse_address(address)
        except ValueError as error:
            raise ValueError(f"= {self.show(address)!r} {error}") from None

    def show(self, address: str) -> str:
        if address.startswith(URL_SCHEMES):
            with suppress(ValueError):
                return _where(parse_address(address))
        return hide_password(address)

    def path(self, place: Place) -> None:  # noqa: ARG002
        return None

    def key(self, place: Place) -> tuple[tuple[object, ...], str]:
        address = parse_address(place.address)
        return address.database, address.name

    def _shared_by(self, place: Place) -> str:
        return place.address  # Each login has its own connections.

    def make(
        self, place: Place, opening: Opening, lease: float = LEASE_SECONDS, lot: int = LOT
    ) -> RedisStore:
        """Open an index; ``lease`` is the seconds after which a killed process counts as dead."""
        address = parse_address(place.address)
        names, link = Names(address.name), make_link(address, place.timeout)
        try:
            stored, generation, index_id = _read_header(link, address, opening)
            _warn_of_eviction(link)
        except BaseException:
            link.close()
            raise
        owned = Lease(names, lambda: make_link(address, place.timeout), lease, index_id)
        opening = replace(opening, header=opening.header.with_seed(stored.seed))
        release = partial(self._forget, self._shared_by(place))
        return RedisStore(link, names, owned, opening, (stored, generation), release, lot)

    def delete(self, place: Place) -> bool:
        """Delete exactly the keys of an index."""
        address = parse_address(place.address)
        self.check_closed(place)
        names = Names(address.name)
        with closing(make_link(address, place.timeout)) as link:
            lease = Lease(names, lambda: make_link(address, place.timeout))
            was_there = bool(link.run([(b"EXISTS", names.header)])[0])
            lease.occupy(link)
            try:
                for pattern in names.patterns:
                    link.delete_keys(pattern, spared=names.rebuilding)
            finally:
                lease.end(link)  # End its thread first: it would restore a deleted key.
                lease.vacate(link)
        return was_there

    def ping(self, place: Place) -> None:
        address = parse_address(place.address)
        # Connections belong to one thread.
        with closing(make_link(address, place.timeout)) as link:
            link.run([(b"EXISTS", Names(address.name).header)])


def _where(address: Address) -> str:
    return f"{address.name} on {address.shown}"


def _read_header(link: Link, address: Address, opening: Opening) -> tuple[Header, int, bytes]:
    """The header of the index, its generation and its id; a new index gets the wanted header."""
    key = Names(address.name).header
    if opening.create:
        made = pack_header(opening.header.of_new_store())
        new = ((b"header", made), (b"id", secrets.token_hex(8).encode()))
        link.run([(b"HSETNX", key, *field) for field in new])
    data, generation, index_id = link.run([(b"HMGET", key, b"header", b"generation", b"id")])[0]
    if data is None:
        raise StoreMissingError(
            f"no store under the prefix {address.name!r} on {address.shown}; {NOT_MADE}"
        )
    stored = opening.read(_where(address), data, RedisKind.elsewhere)
    return stored, int(generation or 0), index_id or b""


def _warn_of_eviction(link: Link) -> None:
    """Log a warning if the server may drop keys when its memory is full."""
    info = link.info()
    policy = info.get("maxmemory_policy", "noeviction")
    if info.get("maxmemory") and policy.startswith("allkeys"):
        logger.warning(
            "The server %s has maxmemory-policy %s: when its memory is full it silently "
            "drops pages; set it to noeviction",
            link.shown,
            policy,
        )
