"""A bed of sites: real web applications that one script starts and stops on this machine.

The script is ``bed.py`` in a folder outside of this repository: ``bed.py list`` names the sites,
``bed.py start NAME PORT`` serves one and prints its URL, ``bed.py stop NAME`` ends it. It keeps all
that it installs in the folder of the variable BED_HOME, and fills sites with texts from BED_DATA
and BED_GIT on their first start.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_INSTALLED = ("root", "venv", "venv2")  # of the bed's setup
_URL = re.compile(r"http://127\.0\.0\.1:\d+\S*")
START_SECONDS = 900  # the first start fills the site


class BedError(Exception):
    """The bed is not set up, or a site of it does not start; the message is one line."""


@dataclass(frozen=True, slots=True)
class Bed:
    """The bed of one folder."""

    folder: Path  # It contains bed.py.
    home: Path  # The setup of the bed has installed everything here.

    def check(self) -> None:
        """Raise BedError where something is missing that crawls need."""
        if not self._script.is_file():
            raise BedError(f"{self._script} is missing: BED is the folder of bed.py")
        for name in _INSTALLED:
            if not (self.home / name).is_dir():
                raise BedError(
                    f"{self.home / name} is missing: run `bed.py setup`, or name the folder where "
                    "that was done: --home FOLDER or BED_HOME"
                )
        for name in ("BED_DATA", "BED_GIT"):
            if not Path(os.environ.get(name, "")).is_dir() or not os.environ.get(name):
                raise BedError(f"{name} must name a folder; got {os.environ.get(name)!r}")

    def sites(self) -> list[str]:
        """The names of all its sites."""
        return self._run("list").split()

    @contextmanager
    def serve(self, site: str) -> Iterator[str]:
        """Serve a site on a free port while the ``with`` block lasts; gives its first URL."""
        if (self.home / "pids" / site).exists():  # a start would end the one that is running
            raise BedError(f"{site} is being served already: wait, or run `bed.py stop {site}`")
        try:
            printed = self._run("start", site, str(free_port()))
            found = _URL.search(printed)
            if found is None:
                raise BedError(f"bed.py start {site} named no URL: {printed.strip()[-200:]}")
            yield found[0]
        finally:
            self._run("stop", site)

    @property
    def _script(self) -> Path:
        return self.folder / "bed.py"

    def _run(self, *arguments: str) -> str:
        """What bed.py prints. An interrupt from the keyboard does not reach it."""
        process = subprocess.Popen(
            [sys.executable, str(self._script.resolve()), *arguments],
            env={**os.environ, "BED_HOME": str(self.home.resolve())},
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            process_group=0,
        )
        try:
            printed, errors = process.communicate(timeout=START_SECONDS)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)  # what fills a site ends with it
            process.communicate()
            raise
        if process.returncode:
            reason = (errors.strip().splitlines() or ["no reason given"])[-1]
            raise BedError(f"bed.py {' '.join(arguments)} failed: {reason}")
        return printed


def free_port() -> int:
    """A port of 127.0.0.1 that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
