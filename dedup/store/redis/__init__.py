"""A store on Redis, Valkey or Kvrocks, one server or a cluster, that several processes share."""

from dedup.store.redis.address import ONE_SERVER, SCHEMES, Address, parse_address, show_store
from dedup.store.redis.lease import RENEWED_WITHIN
from dedup.store.redis.opening import (
    TIMEOUT,
    close_redis,
    delete_redis,
    is_open_redis,
    open_redis,
    ping_redis,
)
from dedup.store.redis.store import RedisStore

__all__ = [
    "ONE_SERVER",
    "RENEWED_WITHIN",
    "SCHEMES",
    "TIMEOUT",
    "Address",
    "RedisStore",
    "close_redis",
    "delete_redis",
    "is_open_redis",
    "open_redis",
    "parse_address",
    "ping_redis",
    "show_store",
]
