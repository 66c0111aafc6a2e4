"""What a page costs as a store grows, as a picture (SVG): CPU, latency, disk and memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.store_run import Filled


def draw_growth(runs: Mapping[str, Sequence[Filled]], path: Path) -> None:
    """Draw growth curves into a file.

    Args:
        runs: by name, a run a size.
        path: written, with its ending's format.

    Raises:
        ImportError: matplotlib is not installed.
    """
    from matplotlib import rc_context  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    with rc_context({"svg.hashsalt": "neardup", "svg.fonttype": "none"}):
        figure = Figure(figsize=(12, 4), layout="constrained")
        time, disk, memory = figure.subplots(1, 3)
        for number, (name, filled) in enumerate(runs.items()):
            colour = f"C{number}"
            longest = max(filled, key=lambda run: run.pages)
            sizes = [run.pages for run in filled]
            along = [window.pages for window in longest.windows]
            time.plot(along, [w.cpu_us for w in longest.windows], color=colour, label=name)
            time.plot(along, [w.p99_us for w in longest.windows], ":", color=colour)
            disk.plot(sizes, [r.disk.total / r.pages for r in filled], "o-", color=colour)
            disk.plot(sizes, [r.disk.beside / r.pages for r in filled], "o:", color=colour)
            memory.plot(along, [w.memory_mb for w in longest.windows], color=colour)
        time.set(title="microseconds a page: CPU (line), p99 (dots)", ylim=(0, None))
        disk.set(
            title="bytes on disk a page: all (line), beside the records (dots)", ylim=(0, None)
        )
        memory.set(title="memory of the process, MiB", ylim=(0, None))
        for axes in (time, disk, memory):
            axes.set(xscale="log", xlabel="pages in the store")
            axes.grid(alpha=0.3)
        time.legend(frameon=False)
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
