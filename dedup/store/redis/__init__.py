"""A store on Redis, Valkey or Kvrocks, one server or a cluster, that several processes share."""

from dedup.store.redis.address import SCHEMES, parse_address
from dedup.store.redis.opening import TIMEOUT, close_redis, delete_redis, open_redis
from dedup.store.redis.store import RedisStore

__all__ = [
    "SCHEMES",
    "TIMEOUT",
    "RedisStore",
    "close_redis",
    "delete_redis",
    "open_redis",
    "parse_address",
]
