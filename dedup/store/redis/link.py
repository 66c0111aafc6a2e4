"""Commands to one server or to a cluster, and what goes wrong on the way.

Commands are sent together and answered in order: one round trip on one server, on a cluster one to
each server concerned. A script that a server has lost, as it does when it restarts or fails over,
is loaded again and all commands of that trip are sent again, in their order. The same is done,
once, where an established connection turns out to be broken; so every command must be safe to
repeat.

A command whose answer nobody waits for is posted: it is sent at once and only once, and answered
with the next commands. Where the connection breaks before that, nobody knows whether it was done.

Many commands go in lots (batches): on one server some lots are on their way while the next one is
made, so that client and server work at the same time. Commands left unanswered are run again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from dedup.store.interface import StoreError
from dedup.store.redis.address import Address
from dedup.store.redis.driver import explained, make_client, options, redis, require
from dedup.store.redis.lookout import Lookout
from dedup.store.redis.lua import Script
from dedup.store.redis.scripts import SCRIPTS

SCAN_STEP = 1000
MOST_POSTED = 64  # commands without an answer
LOTS_AHEAD = 4  # sent before the answers to the first of them are read

T = TypeVar("T")
Command = Sequence[bytes]
Commands = Sequence[Command]
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

    def run(self, commands: Commands) -> list[Any]:
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

    def run_lots(self, lots: Iterable[tuple[T, Commands]]) -> Iterator[tuple[T, list[Any]]]:
        """Send lots of commands, each with what it is for, which is given back with the answers.

        Of two lots the first is done first, except for commands that get lost on the way. Raises as
        ``run`` does.
        """
        for purpose, commands in lots:
            yield purpose, self.run(commands)

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
    def _exchange(self, commands: Commands) -> list[Any]:
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
    require()
    return OneServer(address, timeout) if address.url else Cluster(address, timeout)


def call(script: Script, keys: Sequence[bytes], arguments: Sequence[bytes]) -> Command:
    """The command that runs a script."""
    return (b"EVALSHA", script.sha, b"%d" % len(keys), *keys, *arguments)


def pack(commands: Commands) -> bytes:
    """Commands as they go over the wire; redis-py's own way takes half as long again."""
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
        try:  # a connection of the pool would connect before errors are explained
            self._client, self._connection = make_client(address.url, timeout)
        except ValueError as error:
            raise StoreError(f"NEARDUP_STORE {error}") from None
        self._posted: deque[Answered] = deque()
        self._lookout = Lookout()

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
        self._begin([command], answered)

    def receive(self) -> None:
        with explained(self.shown, self._timeout):
            self._exchange([])

    def run_lots(self, lots: Iterable[tuple[T, Commands]]) -> Iterator[tuple[T, list[Any]]]:
        begun: deque[tuple[T, Commands, list[Any]]] = deque()
        for purpose, commands in lots:
            answers: list[Any] = []
            self._begin(commands, answers.append)
            begun.append((purpose, commands, answers))
            if len(begun) > LOTS_AHEAD:
                yield self._end(*begun.popleft())
        while begun:
            yield self._end(*begun.popleft())

    def _begin(self, commands: Commands, answered: Answered) -> None:
        """Send commands and wait for nothing; ``answered`` is told as by ``post``."""
        packed = pack(commands)
        was_good = self._connection.is_connected
        try:
            with explained(self.shown, self._timeout):
                self._transmit(packed)
            self._posted += [answered] * len(commands)
        except BaseException as error:
            self._break_off()
            if not (was_good and isinstance(error.__cause__, redis.ConnectionError)):
                raise
            for _ in commands:
                answered(None)

    def _end(self, purpose: T, commands: Commands, answers: list[Any]) -> tuple[T, list[Any]]:
        """All answers to a lot that was begun; what went astray is run again."""
        with explained(self.shown, self._timeout):
            try:
                while len(answers) < len(commands):
                    self._read_posted(len(commands) - len(answers))
            except redis.ConnectionError:
                self._break_off()
            except BaseException:
                self._break_off()
                raise
            astray = [place for place, answer in enumerate(answers) if _is_astray(answer)]
            again = self.run([commands[place] for place in astray])
            for place, answer in zip(astray, again, strict=True):
                answers[place] = answer
            return purpose, raised(answers)

    def _exchange(self, commands: Commands) -> list[Any]:
        packed = pack(commands)
        was_good = self._connection.is_connected
        try:
            return self._send(packed, len(commands))
        except redis.ConnectionError:
            if not was_good:
                raise
            return self._send(packed, len(commands))

    def _send(self, packed: bytes, count: int) -> list[Any]:
        try:
            if packed:
                self._transmit(packed)
            self._read_posted(len(self._posted))
            return [self._read() for _ in range(count)]
        except BaseException:
            self._break_off()  # or the next command would read the answers to these
            raise

    def _read_posted(self, count: int) -> None:
        """Read the answers to what was posted first, and tell them."""
        due: deque[tuple[Answered, Any]] = deque()
        try:
            for _ in range(count):
                due.append((self._posted[0], self._read()))
                self._posted.popleft()
        finally:
            tell(due)

    def _transmit(self, packed: bytes) -> None:
        # A check of the connection's health would read what was posted.
        self._connection.send_packed_command((packed,), check_health=not self._posted)

    def _read(self) -> Any:
        """The next answer, which may be an error."""
        come = self._lookout.wait(self._come)
        return come[0] if come else self._response()

    def _come(self) -> list[Any]:
        """The next answer, where it is there already."""
        try:
            return [self._response(timeout=0, disconnect_on_error=False)]
        except redis.TimeoutError:
            return []

    def _response(self, **how: Any) -> Any:
        try:
            return self._connection.read_response(disable_decoding=True, **how)
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
            return dict(self._client.info("memory", target_nodes=redis.RedisCluster.RANDOM))

    def close(self) -> None:
        if self._connected is not None:
            self._connected.close()

    def receive(self) -> None:
        """Nothing to do: nothing is posted."""

    @property
    def _client(self) -> Any:
        """The client, which asks for the shape of the cluster when it is made."""
        if self._connected is None:
            self._connected = redis.RedisCluster(
                startup_nodes=[_node(*node) for node in self._address.nodes],
                username=self._address.user,
                password=self._address.password,
                ssl=self._address.tls,
                **options(self._timeout),
            )
        return self._connected

    def _exchange(self, commands: Commands) -> list[Any]:
        pipeline = self._client.pipeline()
        for command in commands:
            pipeline.execute_command(command[0].decode(), *command[1:])
        return list(pipeline.execute(raise_on_error=False))

    def _load_scripts(self) -> None:
        for script in SCRIPTS:
            self._client.script_load(script.text)


def _node(host: str, port: int) -> Any:
    make: Any = redis.cluster.ClusterNode  # redis-py gives it no types
    return make(host, port)


def tell(due: deque[tuple[Answered, Any]]) -> None:
    """Give every poster its answer, whatever becomes of the others."""
    while due:
        answered, answer = due.popleft()
        try:
            answered(answer)
        except BaseException:
            tell(due)
            raise


def _is_astray(answer: Any) -> bool:
    """Whether an answer got lost, or the server has lost the script."""
    return answer is None or isinstance(answer, redis.exceptions.NoScriptError)


def raised(answers: list[Any]) -> list[Any]:
    """The answers; raises the first that is an error."""
    for answer in answers:
        if isinstance(answer, Exception):
            raise answer
    return answers
