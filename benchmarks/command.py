"""The command line that all benchmarks share."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console

from benchmarks.report import Report

EXIT_MISSED = 1
EXIT_USAGE = 2

Run = Callable[[Path, Console], Report]


def run_command(
    name: str,
    about: str | None,
    run: Run,
    argv: Sequence[str] | None,
    *,
    needs_data: bool = True,
) -> int:
    """Read the arguments, run a benchmark and print its report.

    Args:
        name: of the benchmark's module.
        about: its documentation, shown by --help.
        run: makes the report from the data folder; shows its progress on a console.
        argv: the arguments; None for those of the process.
        needs_data: whether it reads files of the data folder.

    Returns:
        The exit code: 0 all bars met, 1 one missed or the benchmark failed, 2 wrong usage.
    """
    parser = argparse.ArgumentParser(
        prog=f"python -m benchmarks.{name}",
        description=about,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "data",
        type=Path,
        nargs=None if needs_data else "?",
        default=Path(),
        metavar="DATA_DIR",
        help="folder of the data files" if needs_data else "not needed",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(argv)
    started = time.perf_counter()
    try:
        report = run(options.data, Console(stderr=True))
    except FileNotFoundError as error:
        print(f"{parser.prog}: {error.filename} is missing", file=sys.stderr)
        return EXIT_USAGE
    report.figures["seconds in all"] = round(time.perf_counter() - started, 1)
    if options.json:
        print(report.as_json())
    else:
        report.print(Console())
    return 0 if report.good else EXIT_MISSED
