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

Run = Callable[[argparse.Namespace, Console], Report]
Main = Callable[..., int]


def data_command(name: str, about: str | None, run: Callable[[Path, Console], Report]) -> Main:
    """The ``main`` of a benchmark that is given the data folder and nothing else."""
    return as_command(
        lambda: make_parser(name, about, needs_data=True),
        lambda options, console: run(options.data, console),
    )


def as_command(make_arguments: Callable[[], argparse.ArgumentParser], run: Run) -> Main:
    """The ``main`` of a benchmark: reads the arguments, runs it and prints its report.

    ``run`` makes the report, and shows its progress on a console.

    Returns:
        A function of the arguments, by default those of the process. It returns the exit code: 0
        all bars met, 1 one missed or the benchmark failed, 2 wrong usage.
    """

    def main(argv: Sequence[str] | None = None) -> int:
        parser = make_arguments()
        options = parser.parse_args(argv)
        try:
            report = timed(run, options, Console(stderr=True))
        except FileNotFoundError as error:
            print(f"{parser.prog}: {error.filename} is missing", file=sys.stderr)
            return EXIT_USAGE
        except NotADirectoryError as error:
            print(f"{parser.prog}: {error.filename} is no folder, or not in one", file=sys.stderr)
            return EXIT_USAGE
        if options.json:
            print(report.as_json())
        elif options.markdown:
            print(report.as_markdown())
        else:
            report.print(Console())
        return 0 if report.good else EXIT_MISSED

    return main


def make_parser(
    name: str, about: str | None, *, needs_data: bool, otherwise: str = "not needed"
) -> argparse.ArgumentParser:
    """The arguments that every benchmark has, by the name and the documentation of its module.

    ``otherwise`` is what --help says of the data folder if it is not needed.
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
        help="folder of the data files" if needs_data else otherwise,
    )
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="print one JSON object")
    shape.add_argument("--markdown", action="store_true", help="print Markdown tables")
    return parser


def timed(run: Run, options: argparse.Namespace, console: Console) -> Report:
    """Run a benchmark and note in its report how long it took."""
    started = time.perf_counter()
    report = run(options, console)
    report.figures["seconds in all"] = round(time.perf_counter() - started, 1)
    return report


def whole_number(text: str) -> int:
    """A positive whole number as people write large ones: 1000000, 1e6 or 1_000_000.

    Raises:
        argparse.ArgumentTypeError: it is none.
    """
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if number < 1 or not number.is_integer():  # neither endless nor undefined
        raise argparse.ArgumentTypeError(f"must be a whole number from 1, as 1e6; got {text!r}")
    return int(number)


def whole_numbers(text: str) -> list[int]:
    """Positive whole numbers, separated by commas, in ascending order."""
    return sorted(map(whole_number, text.split(",")))
