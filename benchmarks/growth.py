"""What a page costs as a store grows, as a picture: time, disk and memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.store_run import Filled


def draw_growth(runs: Mapping[str, Sequence[Filled]], path: Path) -> None:
    """Draw growth curves, each with a run a size, into a file in the format of its ending.

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
            time.plot(along, [w.p50_us for w in longest.windows], ":", color=colour)
            disk.plot(sizes, [r.disk.total / r.pages for r in filled], "o-", color=colour)
            disk.plot(sizes, [r.disk.beside / r.pages for r in filled], "o:", color=colour)
            memory.plot(along, [w.memory_mb for w in longest.windows], color=colour)
        time.set(title="Microseconds a page", ylabel="CPU (line), p50 of wall time (dots)")
        disk.set(title="Bytes of disk a page", ylabel="all (line), beside the records (dots)")
        memory.set(title="Memory", ylabel="MiB")
        for axes in (time, disk, memory):
            axes.set(xscale="log", xlabel="pages in the store", ylim=(0, None))
            axes.grid(alpha=0.3)
        time.legend(frameon=False)
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
