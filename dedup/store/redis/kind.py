"""The kind of stores on Redis servers; its client is imported when a store is first used."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from dedup.lazy import Library
from dedup.store.interface import Store
from dedup.store.kind import Opening, StoreKind
from dedup.store.places import Place, hide_password, wrong_address
from dedup.store.redis.address import URL_SCHEMES, parse_address

_redis: Any = Library("dedup.store.redis")


class RedisKind(StoreKind):
    """``redis://HOST:PORT`` and the other forms of ``dedup.store.redis.address``."""

    is_shared = True
    takes_names = False

    @property
    def renewed_within(self) -> float:
        seconds: float = _redis.RENEWED_WITHIN
        return seconds

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
                server = parse_address(address)
                return f"{server.name} on {server.shown}"
        return hide_password(address)

    def path(self, place: Place) -> None:  # noqa: ARG002
        return None

    def key(self, place: Place) -> tuple[str, str]:
        address = parse_address(place.address)
        return address.shown, address.name

    def open(self, place: Place, opening: Opening) -> Store:
        return self.make(place, opening)

    def make(self, place: Place, opening: Opening) -> Store:
        store: Store = _redis.open_redis(
            place.address,
            opening.header,
            opening.spaces,
            opening.words_of,
            opening.layout,
            place.timeout,
            create=opening.create,
            other_tables=opening.other_tables,
        )
        return store

    def close(self, place: Place) -> None:
        _redis.close_redis(place.address)

    def delete(self, place: Place) -> bool:
        deleted: bool = _redis.delete_redis(place.address, place.timeout)
        return deleted

    def is_open(self, place: Place) -> bool:
        is_open: bool = _redis.is_open_redis(place.address)
        return is_open

    def ping(self, place: Place) -> None:
        _redis.ping_redis(place.address, place.timeout)
