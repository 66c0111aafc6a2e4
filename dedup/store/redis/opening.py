"""Opening, sharing and deleting an index on a server.

Any number of processes can use an index at once. Within one process all users of an address share
one open store, and the last user closes it.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable
from contextlib import suppress

from dedup.schemes import Space
from dedup.store.headers import Header, compare_headers, pack_header, read_header
from dedup.store.interface import NOT_MADE, StoreError, StoreMissingError, WordsOf
from dedup.store.kind import Opening, StoreKind
from dedup.store.places import TIMEOUT, Place, hide_password, wrong_address
from dedup.store.redis.address import URL_SCHEMES, Address, parse_address
from dedup.store.redis.key_names import Names
from dedup.store.redis.lease import LEASE_SECONDS, RENEWED_WITHIN, Lease
from dedup.store.redis.link import Link, make_link
from dedup.store.redis.rebuilding import delete_keys
from dedup.store.redis.store import LOT, RedisStore
from dedup.store.sharing import OpenStores

logger = logging.getLogger(__name__)

_open_stores: OpenStores[RedisStore] = OpenStores()


def open_redis(
    address: str,
    header: Header,
    spaces: Iterable[Space],
    words_of: WordsOf,
    layout: str = "blocks",
    timeout: float = TIMEOUT,
    *,
    create: bool = True,
    other_tables: bool = False,
    lease: float = LEASE_SECONDS,
    lot: int = LOT,
) -> RedisStore:
    """Open the index at an address, or the one this process has open there already.

    Args:
        address: see ``address.parse_address``.
        header, spaces, words_of, layout, create, other_tables: as in ``Opening``.
        timeout: seconds to wait for the server.
        lease: seconds after which a process that died counts as dead.
        lot: pages in a batch when many are put or looked up.

    Raises:
        ValueError: the address is invalid.
        StoreUnavailableError: the server cannot be reached.
        StoreMismatchError: the index was made with other settings.
        StoreMissingError: the index does not exist, and ``create`` is False.
        StoreDamagedError: its header is unreadable.
        StoreError: the server refuses, or redis-py is not installed.
    """
    place = parse_address(address)
    if (store := _open_stores.get(address)) is not None:
        _compare(place, store.header, header, other_tables=other_tables)
        return _open_stores.join(address)
    names, link = Names(place.name), make_link(place, timeout)
    stored, generation, index_id = _enter(
        link, place, header, create=create, other_tables=other_tables
    )
    owned = Lease(names, lambda: make_link(place, timeout), lease, index_id)
    tables = (spaces, words_of, layout)
    store = RedisStore(
        link,
        names,
        owned,
        header.with_seed(stored.seed),
        (stored, generation),
        *tables,
        lambda: _open_stores.forget(address),
        lot,
    )
    _open_stores.add(address, store)
    return store


def close_redis(address: str) -> None:
    """Release an open store; its last user closes it."""
    _open_stores.leave(address)


def ping_redis(address: str, timeout: float = TIMEOUT) -> None:
    """Check that a server can be used. Any thread may call this: it makes a separate connection.

    Raises:
        ValueError: the address is invalid.
        StoreUnavailableError: the server cannot be used now.
        StoreError: the server refuses, or redis-py is not installed.
    """
    place = parse_address(address)
    link = make_link(place, timeout)
    try:
        link.run([(b"EXISTS", Names(place.name).header)])
    finally:
        link.close()


def delete_redis(address: str, timeout: float = TIMEOUT) -> bool:
    """Delete exactly the keys of an index; returns whether there was one.

    Raises:
        ValueError: the address is invalid.
        StoreLockedError: other processes write to the index.
        StoreError: this process has the index open, or the server cannot be used.
    """
    place = parse_address(address)
    if address in _open_stores:
        raise StoreError(f"the store on {place.shown} is open in this process")
    names, link = Names(place.name), make_link(place, timeout)
    lease = Lease(names, lambda: make_link(place, timeout))
    try:
        was_there = bool(link.run([(b"EXISTS", names.header)])[0])
        lease.occupy(link)
        try:
            for pattern in names.patterns:
                delete_keys(link, pattern, spared=names.rebuilding)
        finally:
            lease.end(link)  # End its thread first: it would restore a deleted key.
            lease.vacate(link)
    finally:
        link.close()
    return was_there


def _enter(
    link: Link, place: Address, header: Header, *, create: bool, other_tables: bool
) -> tuple[Header, int, bytes]:
    """Read the header as ``_read_header`` does, and check it. Closes the link on any error."""
    try:
        stored = _read_header(link, place, header, create=create)
        _compare(place, stored[0], header, other_tables=other_tables)
        _warn_of_eviction(link)
    except BaseException:
        link.close()
        raise
    return stored


def _compare(place: Address, stored: Header, wanted: Header, *, other_tables: bool) -> None:
    compare_headers(_where(place), stored, wanted, "another prefix", other_tables=other_tables)


def _where(place: Address) -> str:
    return f"{place.name} on {place.shown}"


def _read_header(
    link: Link, place: Address, header: Header, *, create: bool
) -> tuple[Header, int, bytes]:
    """The header of the index, its generation and its id; a new index gets ``header``."""
    key = Names(place.name).header
    if create:
        made = pack_header(header.of_new_store())
        new = ((b"header", made), (b"id", secrets.token_hex(8).encode()))
        link.run([(b"HSETNX", key, *field) for field in new])
    data, generation, index_id = link.run([(b"HMGET", key, b"header", b"generation", b"id")])[0]
    if data is None:
        raise StoreMissingError(
            f"no store under the prefix {place.name!r} on {place.shown}; {NOT_MADE}"
        )
    stored = read_header(_where(place), data, "another prefix")
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


class RedisKind(StoreKind):
    """``redis://HOST:PORT`` and the other forms of ``dedup.store.redis.address``."""

    is_shared = True
    takes_names = False

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

    def key(self, place: Place) -> tuple[str, str]:
        address = parse_address(place.address)
        return address.shown, address.name

    def open(self, place: Place, opening: Opening) -> RedisStore:
        return self.make(place, opening)

    def make(self, place: Place, opening: Opening) -> RedisStore:
        return open_redis(
            place.address,
            opening.header,
            opening.spaces,
            opening.words_of,
            opening.layout,
            place.timeout,
            create=opening.create,
            other_tables=opening.other_tables,
        )

    def close(self, place: Place) -> None:
        close_redis(place.address)

    def delete(self, place: Place) -> bool:
        return delete_redis(place.address, place.timeout)

    def is_open(self, place: Place) -> bool:
        return place.address in _open_stores

    def ping(self, place: Place) -> None:
        ping_redis(place.address, place.timeout)
