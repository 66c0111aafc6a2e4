"""Commands to one server or to a cluster, and what goes wrong on the way.

Commands are sent together and answered in order: one round trip on one server, on a cluster one to
each server concerned. A script that a server has lost, as it does when it restarts or fails over,
is loaded again and all commands of that trip are sent again, in their order. So they are, once,
where a connection turns out to be broken that was good before. For that no command may do harm the
second time.

A command whose answer nobody waits for is posted: it is sent at once and only once, and answered
with the next commands. Where the connection breaks before that, nobody knows whether it was done.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from dedup.store.interface import StoreError, StoreUnavailableError
from dedup.store.redis.address import Address
from dedup.store.redis.lookout import Lookout
from dedup.store.redis.lua import Script
from dedup.store.redis.scripts import SCRIPTS

try:
    import redis
    from redis.backoff import NoBackoff
    from redis.cluster import ClusterNode, RedisCluster
    from redis.retry import Retry
except ImportError:
    redis = None  # type: ignore[assignment]

SCAN_STEP = 1000
MOST_POSTED = 64  # commands without an answer
# Codes of answers that say that the server cannot do now what it could do at another time.
_PASSING = ("CLUSTERDOWN", "MASTERDOWN", "MISCONF", "NOREPLICAS", "TRYAGAIN", "BUSY", "Command # ")

Command = Sequence[bytes]
Answered = Callable[[Any], None]


class Link(ABC):
    """A way to send commands. It belongs to one thread.

    Attributes:
        single: whether one script may touch any keys.
        shown: the server for people.
    """

    single: bool

    def __init__(self, address: Address, timeout: float) -> None:
        self.shown = address.shown
        self._timeout = timeout

    def run(self, commands: Sequence[Command]) -> list[Any]:
        """Send commands together; returns their answers in order.

        Raises:
            StoreUnavailableError: the server cannot be asked, or cannot do it now.
            StoreError: it refuses a command.
        """
        if not commands:
            return []
        with explained(self.shown, self._timeout):
            answers = self._exchange(commands)
            if any(isinstance(answer, redis.exceptions.NoScriptError) for answer in answers):
                self._load_scripts()
                answers = self._exchange(commands)
            return raised(answers)

    @abstractmethod
    def receive(self) -> None:
        """Wait for the answers to what was posted, where the connection holds.

        Raises:
            StoreUnavailableError: the server does not answer in time.
        """

    @abstractmethod
    def scan(self, pattern: bytes) -> Iterator[bytes]:
        """All keys that match a pattern, some perhaps twice; raises as ``run`` does."""

    @abstractmethod
    def info(self) -> dict[str, Any]:
        """What a server says of its memory; raises as ``run`` does."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the connections."""

    @abstractmethod
    def _exchange(self, commands: Sequence[Command]) -> list[Any]:
        """The answers to commands, errors among them."""

    @abstractmethod
    def _load_scripts(self) -> None:
        """Tell the server all scripts."""


def make_link(address: Address, timeout: float) -> Link:
    """A way to a server; it connects with the first command.

    Args:
        address: the server.
        timeout: seconds to wait for a connection, and for an answer.

    Raises:
        StoreError: redis-py is not installed.
    """
    if redis is None:
        raise StoreError(
            "a store on Redis needs redis-py: pip install 'scrapy-neardup[redis]' (or redis)"
        )
    return OneServer(address, timeout) if address.url else Cluster(address, timeout)


def call(script: Script, keys: Sequence[bytes], arguments: Sequence[bytes]) -> Command:
    """The command that runs a script."""
    return (b"EVALSHA", script.sha, b"%d" % len(keys), *keys, *arguments)


def pack(commands: Sequence[Command]) -> bytes:
    """Commands as they go over the wire; redis-py's own way takes several times as long."""
    parts = []
    for command in commands:
        parts.append(b"*%d\r\n" % len(command))
        parts += [b"$%d\r\n%b\r\n" % (len(argument), argument) for argument in command]
    return b"".join(parts)


class OneServer(Link):
    """The link to one server: one connection, kept."""

    single = True

    def __init__(self, address: Address, timeout: float) -> None:
        super().__init__(address, timeout)
        try:
            self._client = redis.Redis.from_url(address.url, **_options(timeout))
            # Not connected yet; one of the pool would be, before errors are explained.
            self._connection: Any = self._client.connection_pool.make_connection()
            self._posted: deque[Answered] = deque()
            self._lookout = Lookout()
        except (TypeError, ValueError) as error:
            raise StoreError(
                f"NEARDUP_STORE has a parameter that redis-py does not take ({error})"
            ) from None

    def scan(self, pattern: bytes) -> Iterator[bytes]:
        with explained(self.shown, self._timeout):
            yield from self._client.scan_iter(match=pattern, count=SCAN_STEP)

    def info(self) -> dict[str, Any]:
        with explained(self.shown, self._timeout):
            return dict(self._client.info("memory"))

    def close(self) -> None:
        self._client.close()
        self._break_off()

    def post(self, command: Command, answered: Answered) -> None:
        """Send a command and wait for nothing.

        Args:
            command: to send.
            answered: called with the answer, which may be an error, during this or a later call;
                with None where none can come any more. It asks for nothing itself.

        Raises:
            StoreError: as ``run``; ``answered`` is not called.
        """
        if len(self._posted) >= MOST_POSTED:
            self.receive()
        packed = pack([command])
        was_good = self._connection.is_connected
        try:
            with explained(self.shown, self._timeout):
                self._transmit(packed)
            self._posted.append(answered)
        except BaseException as error:
            self._break_off()
            if not (was_good and isinstance(error.__cause__, redis.ConnectionError)):
                raise
            answered(None)

    def receive(self) -> None:
        with explained(self.shown, self._timeout):
            self._exchange([])

    def _exchange(self, commands: Sequence[Command]) -> list[Any]:
        packed = pack(commands)
        was_good = self._connection.is_connected
        try:
            return self._send(packed, len(commands))
        except redis.ConnectionError:
            if not was_good:
                raise
            return self._send(packed, len(commands))

    def _send(self, packed: bytes, count: int) -> list[Any]:
        due: deque[tuple[Answered, Any]] = deque()
        try:
            if packed:
                self._transmit(packed)
            while self._posted:
                due.append((self._posted[0], self._read()))
                self._posted.popleft()
            return [self._read() for _ in range(count)]
        except BaseException:
            self._break_off()  # or the next command would read the answers to these
            raise
        finally:
            tell(due)

    def _transmit(self, packed: bytes) -> None:
        # A check of the connection's health would read what was posted.
        self._connection.send_packed_command((packed,), check_health=not self._posted)

    def _read(self) -> Any:
        """The next answer, which may be an error."""
        self._lookout.wait(self._connection.can_read)
        try:
            return self._connection.read_response(disable_decoding=True)
        except redis.ResponseError as error:
            if not self._connection.is_connected:
                raise
            return error

    def _break_off(self) -> None:
        """Let go of the connection, and so of the answers that have not come."""
        self._connection.disconnect()
        lost, self._posted = self._posted, deque()
        tell(deque((answered, None) for answered in lost))

    def _load_scripts(self) -> None:
        raised(self._exchange([(b"SCRIPT", b"LOAD", script.text.encode()) for script in SCRIPTS]))


class Cluster(Link):
    """The link to a cluster: each command goes to the server that has its keys."""

    single = False

    def __init__(self, address: Address, timeout: float) -> None:
        super().__init__(address, timeout)
        self._address = address
        self._connected: Any = None

    def scan(self, pattern: bytes) -> Iterator[bytes]:
        with explained(self.shown, self._timeout):
            yield from self._client.scan_iter(match=pattern, count=SCAN_STEP)

    def info(self) -> dict[str, Any]:
        with explained(self.shown, self._timeout):
            return dict(self._client.info("memory", target_nodes=RedisCluster.RANDOM))

    def close(self) -> None:
        if self._connected is not None:
            self._connected.close()

    def receive(self) -> None:
        """Nothing to do: nothing is posted."""

    @property
    def _client(self) -> Any:
        """The client, which asks for the shape of the cluster when it is made."""
        if self._connected is None:
            self._connected = RedisCluster(
                startup_nodes=[_node(*node) for node in self._address.nodes],
                username=self._address.user,
                password=self._address.password,
                ssl=self._address.tls,
                **_options(self._timeout),
            )
        return self._connected

    def _exchange(self, commands: Sequence[Command]) -> list[Any]:
        pipeline = self._client.pipeline()
        for command in commands:
            pipeline.execute_command(command[0].decode(), *command[1:])
        return list(pipeline.execute(raise_on_error=False))

    def _load_scripts(self) -> None:
        for script in SCRIPTS:
            self._client.script_load(script.text)


def _options(timeout: float) -> dict[str, Any]:
    return {
        "socket_timeout": timeout,
        "socket_connect_timeout": timeout,
        "retry": Retry(NoBackoff(), 1),
        "protocol": 2,
    }


def _node(host: str, port: int) -> Any:
    make: Any = ClusterNode  # redis-py gives it no types
    return make(host, port)


def tell(due: deque[tuple[Answered, Any]]) -> None:
    """Give each who posted its answer, whatever becomes of the others."""
    while due:
        answered, answer = due.popleft()
        try:
            answered(answer)
        except BaseException:
            tell(due)
            raise


def raised(answers: list[Any]) -> list[Any]:
    """Answers, none of which is an error: the first that is, is raised."""
    for answer in answers:
        if isinstance(answer, Exception):
            raise answer
    return answers


@contextmanager
def explained(shown: str, timeout: float) -> Iterator[None]:
    """Turn redis-py's errors into those of a store."""
    try:
        yield
    except (redis.RedisError, OSError) as error:
        raise explain(shown, timeout, error) from error


def explain(shown: str, timeout: float, error: Exception) -> StoreError:
    """What an error means and what can be done."""
    known = redis.exceptions
    text = str(error).strip().rstrip(".")
    if isinstance(error, (known.AuthenticationError, known.NoPermissionError)):
        return StoreError(
            f"the server {shown} refuses: {text}; check user and password in NEARDUP_STORE"
        )
    if isinstance(error, (known.TimeoutError, TimeoutError)):
        reason = f"does not answer within {timeout:g} s; make sure that it runs, or raise "
        return StoreUnavailableError(f"the server {shown} {reason}NEARDUP_STORE_TIMEOUT")
    if isinstance(error, known.BusyLoadingError):
        reason = "is still loading its data; wait until it has"
    elif isinstance(error, known.OutOfMemoryError):
        reason = "has no memory left for this: raise its maxmemory, or give it a larger machine"
    elif isinstance(error, known.ReadOnlyError):
        reason = "is a replica, which cannot be written; name its master in NEARDUP_STORE"
    elif isinstance(error, known.ResponseError) and not text.startswith(_PASSING):
        return StoreError(f"the server {shown} refuses a command: {text}")
    elif isinstance(error, known.ResponseError):
        reason = f"cannot be used now: {text}"
    else:
        reason = f"cannot be reached ({text}); start it, or correct NEARDUP_STORE"
    return StoreUnavailableError(f"the server {shown} {reason}")
