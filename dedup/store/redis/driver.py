"""redis-py, an optional package: how it is used, and what its errors mean."""

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

__all__ = ["explain", "explained", "make_client", "options", "redis", "require"]

SETTING = "NEARDUP_STORE"  # where the address of a server stands, if nothing else is said
# Codes of answers that mean that the server cannot do something now, but could later; redis-py
# removes the code if it has a class for it.
_PASSING = ("MISCONF", "NOREPLICAS", "BUSY", "Command # ", "max number of clients")


def require() -> None:
    """Go on only where it is installed.

    Raises:
        StoreError: it is not.
    """
    if find_spec("redis") is None:
        raise StoreError(f"a store on Redis needs redis-py: {how_to_install('redis')}")


def options(timeout: float) -> dict[str, Any]:
    """How its clients are made.

    Args:
        timeout: seconds to wait for a connection, and for an answer.
    """
    return {
        "socket_timeout": timeout,
        "socket_connect_timeout": timeout,
        "retry": redis.retry.Retry(redis.backoff.NoBackoff(), 1),
        "protocol": 2,
    }


def make_client(url: str, timeout: float, **more: Any) -> tuple[Any, Any]:
    """A client of one server, and a connection of its own; neither is connected yet.

    Args:
        url: of the server.
        timeout: as for ``options``.
        more: options besides.

    Raises:
        ValueError: redis-py does not take a parameter of the URL; the message says which.
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
    """Turn redis-py's errors into those of a store."""
    try:
        yield
    except (redis.RedisError, redis.exceptions.RedisClusterException, OSError) as error:
        raise explain(shown, timeout, _of_a_node(error), setting) from error


def _of_a_node(error: BaseException) -> BaseException:
    """What a node of a cluster said, where that is why the cluster cannot be used."""
    while isinstance(error, redis.exceptions.RedisClusterException) and error.__cause__:
        error = error.__cause__
    return error


def explain(shown: str, timeout: float, error: BaseException, setting: str) -> StoreError:
    """What an error means and what can be done.

    Args:
        shown: the server for people.
        timeout: seconds that it was waited for.
        error: of redis-py, or of the operating system.
        setting: where its address stands; that with ``_TIMEOUT`` after it holds the seconds.
    """
    known = redis.exceptions
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
    elif _is_passing(error, text):
        reason = f"cannot be used now: {text}"
    elif isinstance(error, known.ResponseError):
        return StoreError(f"the server {shown} refuses a command: {text}")
    else:
        reason = f"cannot be reached ({text}); start it, or correct {setting}"
    return StoreUnavailableError(f"the server {shown} {reason}")


def _is_passing(error: BaseException, text: str) -> bool:
    passing = (redis.exceptions.ClusterDownError, redis.exceptions.TryAgainError)
    return isinstance(error, passing) or text.startswith(_PASSING)
