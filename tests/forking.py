"""Programs of tests that start at once: modules that need not be imported again.

A process that crawls one page spends most of its time on imports. So one process, the forker, has
imported what crawls need, and forks for each program. A fork does what ``python -m`` does: it has
a working folder, an environment, output and an end of its own, and tests may kill it.

Four things differ from a fresh Python: what is imported, the seed of hashes, which all forks
share, variables that Python itself reads as it starts, but for PYTHONWARNINGS, and objects that are
left at the end: they are not taken apart. Tests of those run ``sys.executable``.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
import warnings
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, NoReturn

from dedup import Config
from dedup.assembly import make_fingerprinter

# What crawls need is among the modules of these. None installs one of Twisted's reactors.
PACKAGES = (
    "scrapy",
    "scrapy.core",
    "scrapy.core.downloader",
    "scrapy.core.downloader.handlers",
    "scrapy.downloadermiddlewares",
    "scrapy.extensions",
    "scrapy.spidermiddlewares",
    "dedup.review",
    "dedup.schemes",
    "dedup.scrapy",
    "dedup.scrapy.commands",
    "dedup.store",
    "crawler",
    "crawler.spiders",
)
LONGEST = 1 << 17  # octets of a job

# In tests


@cache
def forker() -> socket.socket:
    """The connection to the forker, which ends with this process and is no child of it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    of_forks = {"COVERAGE_PROCESS_CONFIG", "COVERAGE_PROCESS_START", "PYTHONWARNINGS"}
    environment = {name: value for name, value in os.environ.items() if name not in of_forks}
    folders = Path(__file__).parents[1], Path(__file__).parent
    environment["PYTHONPATH"] = os.pathsep.join(map(str, folders))
    environment["OPENBLAS_NUM_THREADS"] = "1"  # A process with threads should not fork.
    command = [sys.executable, __file__, str(theirs.fileno())]
    with theirs:
        subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            env=environment,
            check=True,
        )
    atexit.register(ours.close)
    return ours


class Forked:
    """A program that runs in a fork, with those methods of ``Popen`` that tests use."""

    def __init__(self, words: list[str], folder: Path, environment: dict[str, str]) -> None:
        """Run a module, the first of the words, with the others as its arguments."""
        self.words = words
        self.returncode: int | None = None
        self._stdout, self._stderr = TemporaryFile(), TemporaryFile()  # noqa: SIM115
        self._news, theirs = socket.socketpair()
        job = json.dumps([words, str(folder), environment])
        with theirs:
            files = [file.fileno() for file in (self._stdout, self._stderr, theirs)]
            socket.send_fds(forker(), [job.encode()], files)
        self._lines = self._news.makefile()
        self.pid = int(self._lines.readline())

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            with suppress(ProcessLookupError):  # It has ended by itself.
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def printed(self) -> str:
        """What it has written to stdout so far."""
        return written(self._stdout)

    def told(self) -> str:
        """What it has written to stderr so far."""
        return written(self._stderr)

    def communicate(self, timeout: float) -> tuple[str, str]:
        """Wait for its end; returns what it wrote to stdout and to stderr."""
        if self.returncode is None:
            if not select.select([self._news], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(self.words, timeout, stderr=self.told())
            self.returncode = int(self._lines.readline())
            self._output = self.printed(), self.told()
            for file in (self._stdout, self._stderr, self._lines, self._news):
                file.close()
        return self._output


def run(
    words: list[str], folder: Path, environment: dict[str, str], timeout: float = 90.0
) -> subprocess.CompletedProcess[str]:
    """Run a module with its arguments to its end, as ``subprocess.run`` does a command."""
    process = Forked(words, folder, environment)
    try:
        output = process.communicate(timeout)
    except BaseException:
        process.kill()
        process.communicate(timeout)
        raise
    assert process.returncode is not None
    return subprocess.CompletedProcess(words, process.returncode, *output)


def written(file: IO[bytes]) -> str:
    """What a file holds; where its writer is in it stays as it is."""
    size = os.fstat(file.fileno()).st_size
    return os.pread(file.fileno(), size, 0).decode()


# In the forker


def serve(tests: socket.socket) -> tuple[bytes, list[int]]:
    """Fork for each job until the tests are over. Returns in the fork, with its job and files."""
    running: dict[int, tuple[int, int]] = {}  # Whom to tell of the end, by descriptor of process.
    while True:
        for ready in select.select([tests.fileno(), *running], [], [])[0]:
            if ready in running:
                os.close(ready)
                process, news = running.pop(ready)
                code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
                tell(news, code)
                os.close(news)
                continue
            job, files, _, _ = socket.recv_fds(tests, LONGEST, 3)
            if not job:
                for process, _ in running.values():
                    os.kill(process, signal.SIGKILL)
                tests.close()
                sys.exit()
            process = os.fork()
            if not process:
                tests.detach()
                return job, files
            *output, news = files
            for file in output:
                os.close(file)
            tell(news, process)
            running[os.pidfd_open(process)] = process, news


def tell(news: int, number: int) -> None:
    with suppress(BrokenPipeError):  # The test has ended.
        os.write(news, b"%d\n" % number)


def become(job: bytes, files: list[int], filters: list[Any]) -> None:
    """Run a job's module in this process, as Python does where that starts it.

    The filters of warnings that imported modules have set come before those of the environment.
    """
    words, folder, environment = json.loads(job)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.dup2(files[0], 1)
    os.dup2(files[1], 2)
    os.closerange(3, 4096)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[0] = folder
    sys.argv = words
    sys.orig_argv = [sys.executable, "-m", *words]
    if action := environment.get("PYTHONWARNINGS"):
        sys.warnoptions.append(action)
        warnings.simplefilter(action)
    for done, message, category, module, line in reversed(filters):
        texts = [pattern.pattern if pattern else "" for pattern in (message, module)]
        warnings.filterwarnings(done, texts[0], category, texts[1], line)
    if "COVERAGE_PROCESS_CONFIG" in environment:
        from coverage import process_startup

        process_startup(force=True)
    code = 0
    try:
        runpy.run_module(words[0], run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if not isinstance(end.code, int | None):
            raise
        code = end.code or 0
    gc.collect()  # Twisted tells of errors that nobody handled as they are freed.
    leave(code)


def leave(code: int) -> NoReturn:
    """End this process as Python does, but take no modules apart, which takes a second.

    So do forks of multiprocessing. An end by any other exception is left to Python.
    """
    threading._shutdown()  # type: ignore[attr-defined]  (waits for threads)
    atexit._run_exitfuncs()
    for file in (sys.stdout, sys.stderr):
        if file is not None and not file.closed:
            file.flush()
    os._exit(code & 0xFF)


def import_all() -> list[Any]:
    """Import all but what is deprecated, or needs a package that is missing.

    Returns the filters of warnings that the modules have set.
    """
    with warnings.catch_warnings(action="error"):
        before = [*warnings.filters]
        for package in PACKAGES:
            for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
                if module.name != "__main__":
                    with suppress(ImportError, Warning):
                        importlib.import_module(f"{package}.{module.name}")
        filters = [one for one in warnings.filters if one not in before]
    assert "twisted.internet.reactor" not in sys.modules
    make_fingerprinter(Config()).warm_up()  # reads dictionaries
    return filters


if __name__ == "__main__":
    added = import_all()
    gc.freeze()  # What is imported stays: forks need not look through it for garbage.
    if not os.fork():  # The first process ends, so that the forker is no child of the tests.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        become(*serve(socket.socket(fileno=int(sys.argv[1]))), added)
