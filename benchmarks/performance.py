"""All benchmarks of speed and size, one after the other: tables, and one file of JSON.

    page_to_fingerprint, inline_or_worker, store_scale, crawl_cost, flood

Quick, it takes minutes: some sizes are smaller. --full takes the sizes that the bars are set for,
and hours. What needs the data folder is skipped without it, and so are peers that are not
installed.
"""

from __future__ import annotations

import json
import os
import platform
import shlex
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks import crawl_cost, flood, inline_or_worker, page_to_fingerprint, store_scale
from benchmarks.command import EXIT_MISSED, timed

OUTPUT = Path("output")
MODULES = {
    "page_to_fingerprint": page_to_fingerprint,
    "inline_or_worker": inline_or_worker,
    "store_scale": store_scale,
    "crawl_cost": crawl_cost,
    "flood": flood,
}


@dataclass(frozen=True, slots=True)
class Job:
    """A benchmark with its arguments, as on the command line."""

    name: str
    arguments: str
    needs_data: bool = False

    def command(self, data: Path | None) -> list[str]:
        """The arguments, with the data folder where there is one."""
        return [*([str(data)] if data else []), *shlex.split(self.arguments)]


QUICK = (
    Job("page_to_fingerprint", "--rounds 1", needs_data=True),
    Job("inline_or_worker", "", needs_data=True),
    Job("store_scale", "--pages 1e5,1e6 --peers --picture output/growth.svg"),
    Job("store_scale", "--pages 1e5 --through index"),
    Job("store_scale", "--pages 1e5 --scheme combined"),
    Job("store_scale", "--pages 1e5 --skewed --texts 4000", needs_data=True),
    Job("crawl_cost", "--pages 300", needs_data=True),
    Job("flood", "--pages 20000"),
)
FULL = (
    Job("page_to_fingerprint", "--rounds 3", needs_data=True),
    Job("inline_or_worker", "", needs_data=True),
    Job("store_scale", "--pages 1e5,1e6,1e7,1e8 --peers --picture output/growth.svg"),
    Job("store_scale", "--pages 1e5,1e6 --through index"),
    Job("store_scale", "--pages 1e7 --cache-mb 64"),
    Job("store_scale", "--pages 1e5,1e6,1e7 --scheme combined"),
    Job("store_scale", "--pages 1e5,1e6,1e7 --skewed", needs_data=True),
    Job("crawl_cost", "--pages 2000", needs_data=True),
    Job("flood", "--pages 200000"),
)


def main(argv: Sequence[str] | None = None, quick: Sequence[Job] = QUICK) -> int:
    """Run all, or the quick jobs without --full; returns 1 where a bar was missed."""
    parser = ArgumentParser(
        prog="python -m benchmarks.performance",
        description=__doc__,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("data", nargs="?", type=Path, metavar="DATA_DIR")
    parser.add_argument("--full", action="store_true", help="the sizes of the bars")
    parser.add_argument("--folder", type=Path, help="for the stores (default: a temporary one)")
    parser.add_argument(
        "--output",
        type=Path,
        default=OUTPUT / "performance.json",
        help="(default: %(default)s)",
    )
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")
    options = parser.parse_args(argv)
    console = Console()
    options.output.parent.mkdir(parents=True, exist_ok=True)
    OUTPUT.mkdir(exist_ok=True)  # for pictures
    reports = []
    for report in run_jobs(FULL if options.full else quick, options, console):
        reports.append(report)  # written at once: a later one may take hours
        content = {"machine": describe_machine(), "full": options.full, "reports": reports}
        text = json.dumps(content, ensure_ascii=False, indent=2)
        options.output.write_text(text + "\n", encoding="utf-8")
    console.print(f"All figures: {options.output}", markup=False)
    return 0 if all(report["good"] for report in reports) else EXIT_MISSED


def run_jobs(jobs: Sequence[Job], options: Namespace, console: Console) -> Iterator[dict[str, Any]]:
    """Run each job, show its report, and give it as plain values."""
    for job in jobs:
        if job.needs_data and options.data is None:
            text = f"{job.name} {job.arguments}: skipped, it needs a folder of data files"
            console.print(f"{text} (make bench DATA=folder)", markup=False, soft_wrap=True)
            continue
        module, arguments = MODULES[job.name], job.command(options.data)
        if options.folder and job.name == "store_scale":
            arguments += ["--folder", str(options.folder)]
        command = f"python -m benchmarks.{job.name} {shlex.join(arguments)}"
        console.print(command, markup=False, soft_wrap=True)
        report = timed(
            module.run, module.make_arguments().parse_args(arguments), Console(stderr=True)
        )
        if options.markdown:
            console.print(report.as_markdown(), markup=False, soft_wrap=True)
        else:
            report.print(console)
        yield report.as_dict() | {"command": command}


def describe_machine() -> dict[str, Any]:
    """What the figures were taken on."""
    return {
        "processors": len(os.sched_getaffinity(0)),
        "system": platform.platform(),
        "python": platform.python_version(),
        "date": datetime.now(UTC).date().isoformat(),
    }


if __name__ == "__main__":
    sys.exit(main())
