"""The store as it grows: what checking and adding a page costs, and what it takes up.

A fresh store is filled to each size, in a process of its own, with pages drawn at random or, with
--skewed, from SimHashes of real texts and their edited copies. One step looks a page up and adds
it. CPU a page is that of the last half of the filling, with LevelDB's compaction threads; p50 and
p99 are wall time of the steps in the last twentieth, the worst step is that of the whole filling.
Afterwards planted near-duplicates are looked up, none of which may be missed; and the store is
opened again by a new process after the system was made to forget its files.

Memory is growth since before the store was opened; LevelDB maps its files, and the system takes
those pages back when it needs them, so that "own" memory stands beside it. Disk beside the records
is all that is no page record.

With --peers other indexes are filled to the same sizes, each in its own process. Their steps are
timed at the full size.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean

from rich.console import Console

from benchmarks.apart import run_apart
from benchmarks.chains import INSTALL, Missing, missing
from benchmarks.command import as_command, make_parser, whole_number, whole_numbers
from benchmarks.growth import draw_growth
from benchmarks.report import Bar, Listing, Report, Value, at_most
from benchmarks.store_peers import PEERS, PeerCost, measure_peer
from benchmarks.store_run import THROUGH, Filled, measure
from benchmarks.stored_pages import BATCH, Pages, real_fingerprints
from dedup import Config

SIZES = [100_000, 1_000_000]
DISK_SHARE = 3  # free space wanted, over what the last size would take if pages cost the same
FIRST_GUESS = 400  # bytes a page, before anything is measured
MOST_CPU = {  # microseconds a page, by scheme, at most MiB of cache (0: default), and pages
    ("simhash", 0): {1_000_000: 40.0, 10_000_000: 60.0},
    ("combined", 0): {10_000_000: 150.0},
    ("simhash", 64): {10_000_000: 150.0},
}
MOST_GROWTH = 3.0  # of CPU from 1e5 to 1e7 pages
MOST_BESIDE = 80.0  # bytes a page
MOST_MEMORY = 200  # MiB above the cache
MOST_COLD_MS = 20.0  # at p90
MOST_OPEN = 1.0  # seconds, at 1e7 pages
PEER_PAGES = 1_000_000
MOST_TO_FASTEST = 3.0


def make_arguments() -> ArgumentParser:
    """What can be asked for on the command line."""
    parser = make_parser(
        "store_scale", __doc__, needs_data=False, otherwise="needed by --skewed only"
    )
    parser.add_argument(
        "--pages", type=whole_numbers, default=SIZES, metavar="N,...", help="(default: 1e5,1e6)"
    )
    parser.add_argument("--scheme", default="simhash", help="(default: simhash)")
    parser.add_argument("--cache-mb", type=whole_number, help="instead of the default")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="any other setting, without its prefix; again for more",
    )
    parser.add_argument("--through", choices=THROUGH, default="store", help="(default: store)")
    parser.add_argument("--skewed", action="store_true", help="real SimHashes; needs DATA_DIR")
    parser.add_argument(
        "--texts", type=whole_number, default=20_000, help="real ones made (default: 20000)"
    )
    parser.add_argument("--peers", action="store_true", help="other indexes, too")
    parser.add_argument("--folder", type=Path, help="for the stores (default: a temporary one)")
    parser.add_argument("--picture", type=Path, help="draw the growth into this file, SVG or PNG")
    return parser


def run(options: Namespace, console: Console, absent: Missing = missing) -> Report:
    """Fill stores, then those peers whose modules are not absent."""
    config = make_config(options)
    real = None
    if options.skewed:
        with console.status(f"SimHashes of {options.texts} real texts"):
            real = real_fingerprints(options.data, options.texts)
    pages = Pages(config.make_scheme(), real)
    sizes = [max(BATCH, size // BATCH * BATCH) for size in options.pages]
    report = Report("store_scale")
    report.figures = {
        "scheme": config.scheme,
        "cache, MiB": config.cache_mb,
        "through": options.through,
        "fingerprints": "random" if real is None else f"blocks of {len(real)} real ones",
    }
    runs = list(_fill_stores(config, pages, sizes, options, report, console))
    report.listings += [_costs(runs), _places(runs), _openings(runs), _keys(runs)]
    report.bars += bars(runs, config, default_cache=options.cache_mb is None)
    if options.peers:
        _add_peers(report, pages, runs, console, absent)
    if options.picture and runs:
        draw_growth({f"{config.scheme}, {options.through}": runs}, options.picture)
        report.notes.append(f"picture: {options.picture}")
    return report


def make_config(options: Namespace) -> Config:
    """The settings asked for.

    Raises:
        SystemExit: there is no such setting, or its value is not allowed.
    """
    settings = {"SCHEME": options.scheme, "STORE": "leveldb:store"}
    if options.cache_mb is not None:
        settings["CACHE_MB"] = options.cache_mb
    settings |= dict(map(_pair, options.set))
    try:
        return Config.from_settings({f"NEARDUP_{name}": v for name, v in settings.items()})
    except ValueError as error:
        raise SystemExit(str(error)) from None


def _pair(entry: str) -> tuple[str, str]:
    name, _, value = entry.partition("=")
    return name.upper(), value


def _fill_stores(
    config: Config,
    pages: Pages,
    sizes: Sequence[int],
    options: Namespace,
    report: Report,
    console: Console,
) -> Iterator[Filled]:
    """A run a size, as long as the disk has room."""
    bytes_a_page = float(FIRST_GUESS)
    for size in sizes:
        with tempfile.TemporaryDirectory(dir=options.folder, prefix="store-scale-") as folder:
            free, wanted = shutil.disk_usage(folder).free, DISK_SHARE * bytes_a_page * size
            if free < wanted:
                report.notes.append(
                    f"{size:,} pages: skipped, {wanted / 2**30:.0f} GiB of disk wanted and "
                    f"{free / 2**30:.0f} free; --folder names another place"
                )
                continue
            with console.status(f"{size:,} pages through the {options.through}"):
                filled = run_apart(measure, config, Path(folder), pages, size, options.through)
        bytes_a_page = filled.disk.total / filled.pages
        yield filled


def bars(runs: Sequence[Filled], config: Config, *, default_cache: bool) -> list[Bar]:
    """What the figures of some sizes must keep to."""
    found = []
    limits = MOST_CPU.get((config.scheme, 0 if default_cache else config.cache_mb), {})
    for run in runs:
        at = f"{run.pages:,} pages"
        found += [
            at_most(f"missed near-duplicates, {at}", run.missed, 0),
            at_most(f"false hits, {at}", run.false, 0),
            at_most(f"own memory, MiB, {at}", run.anonymous_mb, config.cache_mb + MOST_MEMORY),
            at_most(f"cold look-ups, ms at p90, {at}", run.opening.p90_ms, MOST_COLD_MS),
        ]
        if run.pages in limits:
            found.append(at_most(f"CPU us a page, {at}", run.cpu_us, limits[run.pages]))
        if config.scheme == "simhash":
            beside = run.disk.beside / run.pages
            found.append(at_most(f"bytes a page beside the records, {at}", beside, MOST_BESIDE))
        if run.pages >= 10_000_000:
            found.append(at_most(f"seconds to open, {at}", run.opening.seconds, MOST_OPEN))
    by_size = {run.pages: run.cpu_us for run in runs}
    if by_size.keys() >= {100_000, 10_000_000}:
        growth = by_size[10_000_000] / by_size[100_000]
        found.append(at_most("CPU at 1e7 / at 1e5 pages", growth, MOST_GROWTH))
    return found


def _costs(runs: Sequence[Filled]) -> Listing:
    columns = ("pages", "CPU us a page", "whole filling", "p50 us", "p99 us", "worst ms")
    rows: list[tuple[Value, ...]] = [
        (
            run.pages,
            round(run.cpu_us, 1),
            round(fmean(window.cpu_us for window in run.windows), 1),
            round(run.windows[-1].p50_us, 1),
            round(run.windows[-1].p99_us, 1),
            round(run.worst_ms, 1),
        )
        for run in runs
    ]
    return Listing("check and add", columns, rows)


def _places(runs: Sequence[Filled]) -> Listing:
    columns = ("pages", "disk, bytes a page", "records", "beside", "memory, MiB", "own", "missed")
    rows: list[tuple[Value, ...]] = [
        (
            run.pages,
            round(run.disk.total / run.pages, 1),
            round(run.disk.records / run.pages, 1),
            round(run.disk.beside / run.pages, 1),
            round(run.growth_mb),
            round(run.anonymous_mb),
            run.missed,
        )
        for run in runs
    ]
    return Listing("disk and memory", columns, rows)


def _openings(runs: Sequence[Filled]) -> Listing:
    columns = ("pages", "open, s", "look-up p50, ms", "p90", "worst")
    rows: list[tuple[Value, ...]] = [
        (
            run.pages,
            round(run.opening.seconds, 3),
            round(run.opening.p50_ms, 2),
            round(run.opening.p90_ms, 2),
            round(run.opening.worst_ms, 2),
        )
        for run in runs
    ]
    return Listing("first look-ups after a cold open", columns, rows)


def _keys(runs: Sequence[Filled]) -> Listing:
    rows = [
        (run.pages, key, round(size / run.pages, 2))
        for run in runs[-1:]
        for key, size in run.disk.by_key.items()
    ]
    return Listing("disk by first octet of the key", ("pages", "key", "bytes a page"), rows)


def _add_peers(
    report: Report, pages: Pages, runs: Sequence[Filled], console: Console, absent: Missing
) -> None:
    """Other indexes at the sizes of the runs, and the bar against them."""
    if pages.scheme.name != "simhash":
        report.notes.append("peers: skipped, they hold 64-bit values: --scheme simhash")
        return
    rows: list[tuple[Value, ...]] = []
    for run in runs:
        rows.append(_own_row(run))
        exact: list[PeerCost] = []
        for name, peer in PEERS.items():
            if absent((peer.module,)):
                report.notes.append(f"{name}: skipped, without {peer.module}: {INSTALL}")
            elif run.pages > peer.most:
                report.notes.append(f"{name}: skipped, too slow or large at {run.pages:,} pages")
            else:
                with console.status(f"{run.pages:,} pages in {name}"):
                    cost = run_apart(measure_peer, name, pages, run.pages)
                rows.append(_peer_row(run.pages, name, cost))
                if peer.exact and not cost.missed:
                    exact.append(cost)
        if run.pages == PEER_PAGES and exact:
            fastest = min(cost.step_us for cost in exact)
            ratio = run.cpu_us / fastest
            name = f"CPU of a step / fastest exact peer's, {run.pages:,} pages"
            report.bars.append(at_most(name, ratio, MOST_TO_FASTEST))
    report.notes = list(dict.fromkeys(report.notes))
    columns = (
        "pages",
        "index",
        "exact",
        "persists",
        "check us",
        "add us",
        "both",
        "filling, us",
        "memory, bytes a page",
        "missed",
    )
    report.listings.append(Listing("beside other indexes", columns, rows))
    how = [f"{name}: {peer.how}" for name, peer in PEERS.items()]
    report.notes += ["Of the other indexes none writes to disk as it goes.", *how]


def _own_row(run: Filled) -> tuple[Value, ...]:
    memory = round(run.anonymous_mb * 2**20 / run.pages)
    both = round(run.cpu_us, 1)
    filling = round(fmean(window.cpu_us for window in run.windows), 1)
    return (run.pages, "this store", "yes", "yes", "", "", both, filling, memory, run.missed)


def _peer_row(count: int, name: str, cost: PeerCost) -> tuple[Value, ...]:
    return (
        count,
        name,
        "yes" if PEERS[name].exact else "no",
        "no",
        round(cost.find_us, 1),
        round(cost.add_us, 1),
        round(cost.step_us, 1),
        round(cost.fill_us, 1),
        round(cost.bytes_a_page),
        cost.missed,
    )


main = as_command(make_arguments, run)

if __name__ == "__main__":
    sys.exit(main())
