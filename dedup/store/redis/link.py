"""Send commands to one server or to a cluster, and handle lost scripts and connections.

Commands are sent together and answered in order. This takes one round trip on one server, and on a
cluster one round trip to each server concerned. A server loses its scripts when it restarts or
fails over. The scripts are then loaded again, and all commands of the round trip are sent again, in
their order. The same is done once if an established connection turns out to be broken. So every
command must be safe to repeat.

A command whose answer nobody waits for is posted: it is sent at once and only once, and its answer
is read with the next commands. If the connection breaks before that, its outcome is unknown.

Many commands are sent in batches, here called lots. On one server some lots are on their way while
the next one is made, so client and server work at the same time. Unanswered commands are retried.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeVar

from dedup.chunks import chunks
from dedup.store.interface import StoreError
from dedup.store.redis.address import Address
from dedup.store.redis.driver import explained, make_client, options, redis, require
from dedup.store.redis.scripts import SCRIPTS, Script

SCAN_STEP = 1000  # Keys that the server examines in one step of a scan.
MOST_POSTED = 64  # Posted commands without an answer.
LOTS_AHEAD = 4  # Lots that are sent before the answers to the first one are read.

T = TypeVar("T")
Command = Sequence[bytes]
Commands = Sequence[Command]
Answered = Callable[[Any], None]


class Link(ABC):
    """A connection that sends commands. It belongs to one thread."""

    single: bool  # Whether one script may use any keys; False for a cluster.
    _client: Any  # The client of redis-py.

    def __init__(self, address: Address, timeout: float) -> None:
        self.shown = address.shown  # The server, as shown in messages.
        self._timeout = timeout

    def run(self, commands: Commands) -> list[Any]:
        """Send commands together; returns their answers in order.

        Raises:
            StoreUnavailableError: the server is away, or cannot execute a command now.
            StoreError: the server refuses a command.
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
        """Send lots of commands; yields the answers of each lot together with its purpose.

        The lots are executed in order, except for commands that are lost on the way. Raises the
        same errors as ``run``.
        """
        for purpose, commands in lots:
            yield purpose, self.run(commands)

    def receive(self) -> None:  # noqa: B027  (a cluster link posts no commands)
        """Wait for the answers to all posted commands, as long as the connection holds.

        Raises StoreUnavailableError if the server does not answer in time.
        """

    def scan(self, pattern: bytes) -> Iterator[bytes]:
        """All keys that match a pattern, some perhaps twice; raises the same errors as ``run``."""
        with explained(self.shown, self._timeout):
            yield from self._client.scan_iter(match=pattern, count=SCAN_STEP)

    def delete_keys(self, pattern: bytes, spared: bytes = b"") -> None:
        """Delete all keys that match a pattern, except ``spared``; errors as of ``run``."""
        for keys in chunks(self.scan(pattern), SCAN_STEP):
            self.run([(b"UNLINK", key) for key in keys if key != spared])

    def members(self, key: bytes) -> Iterator[bytes]:
        """All members of a set, some perhaps twice; raises the same errors as ``run``."""
        with explained(self.shown, self._timeout):
            yield from self._client.sscan_iter(key, count=SCAN_STEP)

    def info(self) -> dict[str, Any]:
        """The memory section of a server's INFO; raises the same errors as ``run``."""
        node = {} if self.single else {"target_nodes": redis.RedisCluster.RANDOM}
        with explained(self.shown, self._timeout):
            return dict(self._client.info("memory", **node))

    @abstractmethod
    def close(self) -> None:
        """Close the connections."""

    @abstractmethod
    def _exchange(self, commands: Commands) -> list[Any]:
        """The answers to commands; an answer may be an error."""

    @abstractmethod
    def _load_scripts(self) -> None:
        """Load all scripts into the server."""


def make_link(address: Address, timeout: float) -> Link:
    """A link to a server or cluster; it connects with the first command.

    The timeout is seconds to wait for a connection, and for an answer.

    Raises StoreError if redis-py is not installed.
    """
    require()
    return OneServer(address, timeout) if address.url else Cluster(address, timeout)


def call(script: Script, keys: Sequence[bytes], arguments: Sequence[bytes]) -> Command:
    return (b"EVALSHA", script.sha, b"%d" % len(keys), *keys, *arguments)


class OneServer(Link):
    """The link to one server, over one permanent connection."""

    single = True

    def __init__(self, address: Address, timeout: float) -> None:
        super().__init__(address, timeout)
        try:  # A pooled connection would connect here, outside ``explained``.
            self._client, self._connection = make_client(address.url, timeout)
        except ValueError as error:
            raise StoreError(f"NEARDUP_STORE {error}") from None
        self._posted: deque[Answered] = deque()

    def close(self) -> None:
        self._client.close()
        self._break_off()

    def post(self, command: Command, answered: Answered) -> None:
        """Send a command without waiting for its answer.

        ``answered`` is called with the answer, which may be an error, during this or a later call.
        It is called with None if the answer is lost. It must not use the link itself.

        Raises:
            StoreError: as for ``run``; ``answered`` is not called then.
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
        """Send commands without waiting; ``answered`` is called for each as in ``post``."""
        packed = self._connection.pack_commands(commands)
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
        """Read all answers to a lot that was sent; lost commands are run again."""
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
        packed = self._connection.pack_commands(commands)
        was_good = self._connection.is_connected
        try:
            return self._send(packed, len(commands))
        except redis.ConnectionError:
            if not was_good:
                raise
            return self._send(packed, len(commands))

    def _send(self, packed: list[bytes], count: int) -> list[Any]:
        try:
            if packed:
                self._transmit(packed)
            self._read_posted(len(self._posted))
            return [self._read() for _ in range(count)]
        except BaseException:
            self._break_off()  # Else the next command would read the answers to these commands.
            raise

    def _read_posted(self, count: int) -> None:
        """Read the answers to the oldest posted commands, and call their callbacks."""
        due: deque[tuple[Answered, Any]] = deque()
        try:
            for _ in range(count):
                due.append((self._posted[0], self._read()))
                self._posted.popleft()
        finally:
            tell(due)

    def _transmit(self, packed: list[bytes]) -> None:
        # A health check of the connection would read the answers to posted commands.
        self._connection.send_packed_command(packed, check_health=not self._posted)

    def _read(self) -> Any:
        """The next answer, which may be an error."""
        try:
            return self._connection.read_response(disable_decoding=True)
        except redis.ResponseError as error:
            if not self._connection.is_connected:
                raise
            return error

    def _break_off(self) -> None:
        """Close the connection; the callbacks of posted commands get None."""
        self._connection.disconnect()
        lost, self._posted = self._posted, deque()
        tell(deque((answered, None) for answered in lost))

    def _load_scripts(self) -> None:
        raised(self._exchange([(b"SCRIPT", b"LOAD", script.text.encode()) for script in SCRIPTS]))


class Cluster(Link):
    """The link to a cluster; each command goes to the server that has its keys."""

    single = False

    def __init__(self, address: Address, timeout: float) -> None:
        super().__init__(address, timeout)
        self._address = address

    def close(self) -> None:
        if "_client" in vars(self):
            self._client.close()

    @cached_property
    def _client(self) -> Any:
        """The client. Its creation reads the layout of the cluster from the nodes."""
        make_node: Any = redis.cluster.ClusterNode  # redis-py has no types for it.
        return redis.RedisCluster(
            startup_nodes=[make_node(*node) for node in self._address.nodes],
            username=self._address.user,
            password=self._address.password,
            ssl=self._address.tls,
            **options(self._timeout),
        )

    def _exchange(self, commands: Commands) -> list[Any]:
        pipeline = self._client.pipeline()
        for command in commands:
            pipeline.execute_command(command[0].decode(), *command[1:])
        return list(pipeline.execute(raise_on_error=False))

    def _load_scripts(self) -> None:
        for script in SCRIPTS:
            self._client.script_load(script.text)


def tell(due: deque[tuple[Answered, Any]]) -> None:
    """Call every callback with its answer, even if one of them raises."""
    while due:
        answered, answer = due.popleft()
        try:
            answered(answer)
        except BaseException:
            tell(due)
            raise


def _is_astray(answer: Any) -> bool:
    """Whether an answer is lost, or the server has lost the script."""
    return answer is None or isinstance(answer, redis.exceptions.NoScriptError)


def raised(answers: list[Any]) -> list[Any]:
    """The answers; raises the first error among them."""
    for answer in answers:
        if isinstance(answer, Exception):
            raise answer
    return answers
