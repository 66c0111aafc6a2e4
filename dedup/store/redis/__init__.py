"""A store on Redis, Valkey or Kvrocks, one server or a cluster, that several processes share.

Addresses are imported at once, since reading the settings needs them. The rest is imported on first
use.
"""

from typing import TYPE_CHECKING

from dedup.lazy import importer
from dedup.store.redis.address import (
    ONE_SERVER,
    URL_SCHEMES,
    Address,
    parse_address,
)

if TYPE_CHECKING:
    from dedup.store.redis.lease import RENEWED_WITHIN
    from dedup.store.redis.opening import (
        close_redis,
        delete_redis,
        is_open_redis,
        open_redis,
        ping_redis,
    )
    from dedup.store.redis.store import RedisStore
else:
    __getattr__ = importer(
        __name__,
        {
            "dedup.store.redis.lease": "RENEWED_WITHIN",
            "dedup.store.redis.opening": (
                "close_redis delete_redis is_open_redis open_redis ping_redis"
            ),
            "dedup.store.redis.store": "RedisStore",
        },
    )

__all__ = [
    "ONE_SERVER",
    "RENEWED_WITHIN",
    "URL_SCHEMES",
    "Address",
    "RedisStore",
    "close_redis",
    "delete_redis",
    "is_open_redis",
    "open_redis",
    "parse_address",
    "ping_redis",
]
