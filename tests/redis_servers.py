"""Redis servers for tests: real ones, on free ports of this machine, gone with the test run."""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import pytest

from tests.waiting import POLL, wait_until

SLOTS = 16384
MEET_AGAIN = 5.0  # seconds; a server that is held up forgets whom it was to meet
CHANCE = random.SystemRandom()  # of which tests that seed the other one know nothing
ATTEMPTS = 10  # at a port that nobody else takes meanwhile


@dataclass(slots=True)
class Server:
    """One server; ``kill`` and ``start`` make it a crashed and a restarted one."""

    folder: Path
    options: tuple[str, ...] = ()
    port: int = 0  # given by the first start
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start it, and wait until it answers; at the same port as before, if it had one."""
        if self.port:
            assert self._answers_at(self.port), f"port {self.port} is taken"
            return
        ports = (_free_port() for _ in range(ATTEMPTS))
        self.port = next(port for port in ports if self._answers_at(port))

    def kill(self) -> None:
        """End it as a crash does."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def hang(self) -> None:
        """Have it do nothing until ``go_on``; what is sent to it meanwhile waits."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """End a ``hang``."""
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)

    def _answers_at(self, port: int) -> bool:
        """Start it; whether it is what answers at a port, and no other process's server."""
        import redis

        command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1"]
        command += ["--dir", str(self.folder), "--save", "", *self.options]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while self.process.poll() is None:
            try:
                with redis.Redis(port=port, retry=None) as client:
                    if client.info("server")["process_id"] == self.process.pid:
                        return True
            except (redis.ConnectionError, redis.TimeoutError, redis.BusyLoadingError):
                time.sleep(POLL)
        return False


@dataclass(frozen=True, slots=True)
class Cluster:
    """Masters that share the slots; ``kill`` and ``start`` are those of all of them."""

    servers: tuple[Server, ...]

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"127.0.0.1:{each.port}" for each in self.servers)

    def kill(self) -> None:
        """End all of it as a crash does."""
        for server in self.servers:
            server.kill()

    def start(self) -> None:
        """Start it again; it is a cluster again a while later, and says CLUSTERDOWN until then."""
        for server in self.servers:
            server.start()


def require_redis() -> None:
    """Skip the test where there is no Redis, or fail if servers are required."""
    missing = [name for name in ("redis-server",) if shutil.which(name) is None]
    missing += [] if find_spec("redis") else ["redis-py"]
    if missing:
        message = f"needs {', '.join(missing)} (apt-get install redis-server; pip install redis)"
        required = os.environ.get("CI") or os.environ.get("NEARDUP_REQUIRE_SERVERS") == "1"
        (pytest.fail if required else pytest.skip)(message)


@contextmanager
def running_server(*options: str) -> Iterator[Server]:
    """A server with an empty memory; options as on its command line."""
    require_redis()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        server = Server(Path(folder), options)
        server.start()
        try:
            yield server
        finally:
            server.kill()


class Servers:
    """A server and a cluster for all tests of a module, each started when first asked for."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._addresses: dict[str, str] = {}
        self._names = count()

    def address(self, kind: str) -> str:
        """Where an empty index of its own can be made: ``redis`` or ``redis cluster``."""
        if kind not in self._addresses:
            is_one = kind == "redis"
            self._addresses[kind] = (
                self._stack.enter_context(running_server()).url
                if is_one
                else self._stack.enter_context(running_cluster(patience=30.0)).url
            )
        return f"{self._addresses[kind]}?prefix=test-{next(self._names)}"


@contextmanager
def running_cluster(*options: str, nodes: int = 3, patience: float = 2.0) -> Iterator[Cluster]:
    """A cluster, empty.

    Args:
        options: as on the command line of each of its servers.
        nodes: how many servers.
        patience: seconds that a server may be silent before the others say that it is down.
    """
    require_redis()
    with ExitStack() as stack:
        options = ("--cluster-node-timeout", f"{1000 * patience:.0f}", *options)
        servers = [stack.enter_context(_running_node(*options)) for _ in range(nodes)]
        _join(servers)
        yield Cluster(tuple(server for server, _ in servers))


@contextmanager
def _running_node(*options: str) -> Iterator[tuple[Server, int]]:
    """A server that can be one of a cluster, and the port at which it speaks to the others."""
    bus = _free_port()
    own = ("--cluster-enabled", "yes", "--cluster-port", str(bus))
    with running_server(*own, *options) as server:
        yield server, bus


def _join(servers: list[tuple[Server, int]]) -> None:
    """Make a cluster of single nodes, and wait until each of them says that it is one."""
    import redis

    clients = [redis.Redis(port=server.port, decode_responses=True) for server, _ in servers]
    first, bus = servers[0]

    def meet() -> None:
        for client in clients:
            client.execute_command("CLUSTER MEET", "127.0.0.1", first.port, bus)

    try:
        for number, client in enumerate(clients):
            begin, end = (SLOTS * part // len(clients) for part in (number, number + 1))
            client.execute_command("CLUSTER ADDSLOTSRANGE", begin, end - 1)
            client.execute_command("CLUSTER SET-CONFIG-EPOCH", number + 1)
        meet()
        met = time.monotonic()

        def is_whole() -> bool:
            nonlocal met
            if time.monotonic() - met > MEET_AGAIN:
                meet()
                met = time.monotonic()
            infos = [client.execute_command("CLUSTER INFO") for client in clients]
            return all(_is_complete(info, len(servers)) for info in infos)

        wait_until(is_whole, "the servers are a cluster")
    finally:
        for client in clients:
            client.close()


def _is_complete(info: dict[str, str], nodes: int) -> bool:
    return info["cluster_state"] == "ok" and info["cluster_known_nodes"] == str(nodes)


def _free_port() -> int:
    """One below those that Linux gives to outgoing connections, which come and go meanwhile."""
    while True:
        port = CHANCE.randrange(20_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
