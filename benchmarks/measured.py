"""A crawl in a process of its own, and what it took: CPU, wall time, memory."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

from benchmarks.apart import PeakMemory

PROJECT = Path(__file__).resolve().parent.parent
_STAT = re.compile(r"'([\w/]+)': (\d+)")


class CrawlError(Exception):
    """A crawl did not run to its end; the message holds the end of its log."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What a process and all its descendants took."""

    cpu: float  # Seconds, user and system.
    wall: float  # Seconds.
    peak_mb: float  # The most memory at one time, in MiB; shared pages count once a process.
    stats: dict[str, int]  # The counts of the crawl.


def crawl_command(
    spider: str, arguments: Mapping[str, str], settings: Mapping[str, object]
) -> list[str]:
    """``scrapy crawl`` with arguments of the spider and settings."""
    command = [sys.executable, "-m", "scrapy", "crawl", spider]
    for option, given in (("-a", arguments), ("-s", settings)):
        for name, value in given.items():
            command += [option, f"{name}={value}"]
    return command


def crawl_environment(settings_module: str, proxy: str | None = None) -> dict[str, str]:
    """The environment, with a profile, and with a proxy or none.

    Bytecode is written, as it is for packages that are installed.
    """
    unwanted = {"http_proxy", "no_proxy", "scrapy_project", "pythondontwritebytecode"}
    kept = {key: value for key, value in os.environ.items() if key.lower() not in unwanted}
    kept["SCRAPY_SETTINGS_MODULE"] = settings_module
    return kept | ({"http_proxy": proxy} if proxy else {})


def files_in(folder: Path) -> dict[str, object]:
    """The settings by which feed, store and drop log lie in a folder."""
    return {
        "FEEDS": json.dumps({str(folder / "items.jsonl"): {"format": "jsonlines"}}),
        "NEARDUP_STORE": f"leveldb:{folder / 'store'}",
        "NEARDUP_LOG": str(folder / "drops.jsonl").replace("%", "%%"),
    }


def measure_crawl(
    spider: str,
    settings_module: str,
    settings: Mapping[str, object],
    log: Path,
    proxy: str | None = None,
    **arguments: str,
) -> Taken:
    """Run ``scrapy crawl`` and measure it.

    The settings are on top of those of a profile, which is named by its module. A proxy answers for
    all hosts.

    Raises:
        CrawlError: it did not end well.
    """
    command = crawl_command(spider, arguments, {"LOG_FILE": log, **settings})
    environment = crawl_environment(settings_module, proxy)
    with log.with_suffix(".out").open("wb") as output:
        cpu, wall, peak_mb, code = measure(command, environment, output.fileno())
    text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    if code or "'finish_reason': 'finished'" not in text:
        printed = log.with_suffix(".out").read_text(encoding="utf-8", errors="replace")
        raise CrawlError(f"the crawl of {spider} failed with {code}:\n{(text or printed)[-4000:]}")
    return Taken(cpu, wall, peak_mb, read_stats(text))


def read_stats(log: str) -> dict[str, int]:
    """The counts of a crawl, from its log."""
    return {key: int(value) for key, value in _STAT.findall(log)}


def measure(
    command: Sequence[str],
    environment: Mapping[str, str],
    output: int,
    limit: float | None = None,
) -> tuple[float, float, float, int]:
    """Run a command and measure it: CPU seconds, wall seconds, peak memory in MiB, exit code.

    It runs in a process group of its own, which is killed after ``limit`` seconds, or if the wait
    is broken off. ``output`` is the descriptor of the file for what it prints.
    """
    memory = PeakMemory()
    started = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=PROJECT,
        env=environment,
        stdout=output,
        stderr=output,
        stdin=subprocess.DEVNULL,
        process_group=0,
    )
    clock = Timer(limit or 0, _kill, [process.pid])
    try:
        if limit is not None:
            clock.start()
        with memory.watch(process.pid):
            _, status, usage = os.wait4(process.pid, 0)  # of its descendants, too
    except BaseException:
        _kill(process.pid)
        process.wait()
        raise
    finally:
        clock.cancel()
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, wall, memory.mb, process.returncode


def _kill(group: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
