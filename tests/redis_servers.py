"""Redis servers for tests: real ones, on free ports of this machine, gone with the test run."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import pytest

STARTING = 30.0  # seconds
SLOTS = 16384
CLUSTER_PORTS = range(20000, 30000)  # a node also listens 10000 ports above its own


@dataclass(slots=True)
class Server:
    """One running server; ``kill`` and ``start`` make it a crashed and a restarted one."""

    port: int
    folder: Path
    options: tuple[str, ...] = ()
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1"]
        command += ["--dir", str(self.folder), "--save", "", *self.options]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        import redis
        from redis.backoff import ConstantBackoff
        from redis.retry import Retry

        with redis.Redis(port=self.port, retry=Retry(ConstantBackoff(0.02), 1500)) as client:
            client.ping()

    def kill(self) -> None:
        """End it as a crash does."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


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
        server = Server(_free_port(), Path(folder), options)
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
                else self._stack.enter_context(running_cluster())
            )
        return f"{self._addresses[kind]}?prefix=test-{next(self._names)}"


@contextmanager
def running_cluster(nodes: int = 3) -> Iterator[str]:
    """A cluster of masters that share the slots; gives its address."""
    options = ("--cluster-enabled", "yes", "--cluster-node-timeout", "2000")
    require_redis()
    with ExitStack() as stack:
        servers = []
        for _ in range(nodes):
            folder = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
            server = Server(_free_cluster_port(), Path(folder), options)
            server.start()
            stack.callback(server.kill)
            servers.append(server)
        _join(servers)
        yield "redis+cluster://" + ",".join(f"127.0.0.1:{server.port}" for server in servers)


def _join(servers: list[Server]) -> None:
    """Make a cluster of single nodes, and wait until each of them says that it is one."""
    import redis

    clients = [redis.Redis(port=server.port, decode_responses=True) for server in servers]
    try:
        for number, client in enumerate(clients):
            first, last = (SLOTS * part // len(clients) for part in (number, number + 1))
            client.execute_command("CLUSTER ADDSLOTSRANGE", first, last - 1)
            client.execute_command("CLUSTER SET-CONFIG-EPOCH", number + 1)
            client.execute_command("CLUSTER MEET", "127.0.0.1", servers[0].port)
        for client in clients:
            while not _is_complete(client.execute_command("CLUSTER INFO"), len(servers)):
                pass
    finally:
        for client in clients:
            client.close()


def _is_complete(info: dict[str, str], nodes: int) -> bool:
    return info["cluster_state"] == "ok" and info["cluster_known_nodes"] == str(nodes)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _free_cluster_port() -> int:
    """A port that is free together with the one 10000 above it."""
    for port in CLUSTER_PORTS:
        try:
            with socket.socket() as one, socket.socket() as other:
                one.bind(("127.0.0.1", port))
                other.bind(("127.0.0.1", port + 10000))
        except OSError:
            continue
        return port
    raise RuntimeError("no free ports for a cluster")
