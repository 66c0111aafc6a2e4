"""The optional package redis-py: its clients, its options, and the meaning of its errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from dedup.extras import how_to_install
from dedup.lazy import Library
from dedup.store.interface import StoreError, StoreUnavailableError

if TYPE_CHECKING:
    import redis
    import redis.backoff
    import redis.retry
else:
    redis = Library("redis")

__all__ = ["explained", "make_client", "options", "redis", "require"]

SETTING = "NEARDUP_STORE"  # The setting with the server's address, unless another one is given.
# Error codes of servers that cannot execute a command now, but may later. redis-py removes a code
# from the message if it has an exception class for the code.
_PASSING = ("MISCONF", "NOREPLICAS", "BUSY", "Command # ", "max number of clients")


def require() -> None:
    """Raise StoreError if redis-py is not installed."""
    if find_spec("redis") is None:
        raise StoreError(f"a store on Redis needs redis-py: {how_to_install('redis')}")


def options(timeout: float) -> dict[str, Any]:
    """The options of a redis-py client; the timeout is seconds to connect, and for an answer."""
    return {
        "socket_timeout": timeout,
        "socket_connect_timeout": timeout,
        "retry": redis.retry.Retry(redis.backoff.NoBackoff(), 1),
        "protocol": 2,
    }


def make_client(url: str, timeout: float, **more: Any) -> tuple[Any, Any]:
    """A client of one server, and a separate connection; neither is connected yet.

    The timeout is as for ``options``, and ``more`` are further options.

    Raises:
        ValueError: redis-py does not accept a parameter of the URL; the message contains its name.
    """
    try:
        client = redis.Redis.from_url(url, **options(timeout), **more)
        return client, client.connection_pool.make_connection()
    except (TypeError, ValueError, redis.RedisError) as error:
        named = re.search("unexpected keyword argument ('.*')", str(error))
        which = named[1] if named else str(error)
        raise ValueError(f"has a parameter that redis-py does not take: {which}") from None


@contextmanager
def explained(shown: str, timeout: float, setting: str = SETTING) -> Iterator[None]:
    """Turn errors of redis-py and of the operating system into StoreErrors with a way out.

    The setting ``setting`` has the server's address, and the one of this name followed by
    ``_TIMEOUT`` has the timeout.
    """
    try:
        yield
    except (redis.RedisError, redis.exceptions.RedisClusterException, OSError) as error:
        cause: BaseException = error
        while isinstance(cause, redis.exceptions.RedisClusterException) and cause.__cause__:
            cause = cause.__cause__  # The error of a node.
        raise _explain(shown, timeout, cause, setting) from error


def _explain(shown: str, timeout: float, error: BaseException, setting: str) -> StoreError:
    known = redis.exceptions
    passing = (known.ClusterDownError, known.TryAgainError)
    text = str(error).strip().rstrip(".")
    if isinstance(error, (known.AuthenticationError, known.NoPermissionError)):
        return StoreError(
            f"the server {shown} refuses: {text}; check user and password in {setting}"
        )
    if isinstance(error, (known.TimeoutError, TimeoutError)):
        reason = f"does not answer within {timeout:g} s; make sure that it runs, or raise "
        return StoreUnavailableError(f"the server {shown} {reason}{setting}_TIMEOUT")
    if isinstance(error, known.BusyLoadingError):
        reason = "is still loading its data; wait until it has"
    elif isinstance(error, known.OutOfMemoryError):
        reason = "has no memory left for this: raise its maxmemory, or give it a larger machine"
    elif isinstance(error, known.ReadOnlyError):
        reason = f"is a replica, which cannot be written; name its master in {setting}"
    elif isinstance(error, passing) or text.startswith(_PASSING):
        reason = f"cannot be used now: {text}"
    elif isinstance(error, known.ResponseError):
        return StoreError(f"the server {shown} refuses a command: {text}")
    else:
        reason = f"cannot be reached ({text}); start it, or correct {setting}"
    return StoreUnavailableError(f"the server {shown} {reason}")
