"""The kinds of stores, by the word before the first colon of an address.

Some kinds are built in. Other packages register theirs by an entry point of the group
``neardup.stores``. Its name is that word, and its value is a subclass of ``StoreKind``.
"""

from __future__ import annotations

from dedup.plugins import MANUAL, STORES, installed, load
from dedup.store.kind import StoreKind, hide_password, wrong_address

_BUILT_IN = {  # Each module is imported when its kind is first used.
    "leveldb": "dedup.store.folder.LevelDBKind",
    "memory": "dedup.store.memory.MemoryKind",
    **dict.fromkeys(
        ("redis", "rediss", "unix", "redis+cluster", "rediss+cluster"),
        "dedup.store.redis.opening.RedisKind",
    ),
}
_kinds: dict[str, StoreKind] = {}


def kind_of(address: str) -> StoreKind:
    """The kind of the store at an address.

    Raises ValueError if the kind is unknown. The message is as for ``StoreKind.check``.
    """
    name, colon, _ = address.partition(":")
    if not colon:
        raise wrong_address(address)
    if name not in _kinds:
        _kinds[name] = _find(name, address)
    return _kinds[name]


def is_address(text: str) -> bool:
    """Whether a text begins like the address of a store."""
    name, colon, _ = text.partition(":")
    return bool(colon) and (name in _BUILT_IN or name in installed(STORES))


def show_store(address: str) -> str:
    """An address for display, valid or not, without its password."""
    try:
        kind = kind_of(address)
    except ValueError:
        return hide_password(address)
    return kind.show(address)


def _find(name: str, address: str) -> StoreKind:
    if name not in _BUILT_IN and name not in installed(STORES):
        raise wrong_address(address)
    try:
        found = load(STORES, _BUILT_IN.get(name, name))
    except ValueError as error:
        whose = "" if name in _BUILT_IN else " of another package"
        raise ValueError(f"names the kind {name!r}{whose}: {error}") from None
    if not isinstance(found, type) or not issubclass(found, StoreKind):
        raise ValueError(  # noqa: TRY004
            f"names the kind {name!r}, whose entry point is no class derived from "
            f"dedup.store.StoreKind ({MANUAL})"
        )
    return found()
