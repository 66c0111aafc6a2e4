"""Shared by actions on drop logs: find the logs, choose drops, warn of damaged lines."""

from __future__ import annotations

import argparse
import glob
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from dedup.review.judgements import OWN
from dedup.review.records import PACKED, Choice, Damage, Drop, read_drops, read_moment
from dedup.scope import bare_host
from dedup.scrapy.commands.context import CommandError, Context, checked, name_some, nonempty, share
from dedup.scrapy.environment import project_name
from dedup.scrapy.log_paths import (
    KEPT_PREFIX,
    SKIPPED_PREFIX,
    fill_in,
    kept_log,
    numbered,
    skip_log,
    without_number,
)
from dedup.verdict import Relation

T = TypeVar("T")
STEP = 1_000  # Records between two updates of a progress bar.
DROPS, SKIPS = "drop log", "log of skipped requests"
_SEVERAL = {DROPS: "drop logs", SKIPS: "logs of skipped requests"}
MOST_DAMAGED = 10_000  # Lines that are read to find the first record.


def add_drop_logs(parser: argparse.ArgumentParser) -> None:
    about = "drop logs (default: NEARDUP_LOG)"
    parser.add_argument("logs", nargs="*", default=[], metavar="LOG", help=about)
    parser.set_defaults(kept=False)


def add_logs(parser: argparse.ArgumentParser) -> None:
    """Add the argument that names the logs, and the option --kept."""
    add_drop_logs(parser)
    about = "read the logs of pages that were exported although they are related to another"
    parser.add_argument("--kept", action="store_true", help=about)


def add_choice(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose drops; their places are the names of the fields of Choice."""
    for name, place, metavar, kind, about in (
        ("--host", "hosts", "HOST", host, "only drops that have, or repeat, a page of this host"),
        ("--url", "urls", "URL", nonempty, "only drops of this page"),
        ("--of", "of", "URL", nonempty, "only drops that repeat this page"),
        ("--spider", "spiders", "NAME", nonempty, "only drops of this spider"),
    ):
        parser.add_argument(
            name,
            dest=place,
            action="append",
            default=[],
            type=kind,
            metavar=metavar,
            help=f"{about}; repeatable",
        )
    names = [relation.value for relation in Relation if relation is not Relation.NONE]
    parser.add_argument("--relation", default="", choices=names, help="only with this relation")
    about = "only dropped, or only tagged pages (default: both; for restore, drop)"
    parser.add_argument("--action", default="", choices=("drop", "tag"), help=about)
    parser.add_argument("--min-similarity", dest="least", type=share, default=0, metavar="0..1")
    parser.add_argument("--max-similarity", dest="most", type=share, default=1, metavar="0..1")
    for name, side in (("--since", "from this time on"), ("--until", "before this time")):
        parser.add_argument(
            name, type=_moment, metavar="TIME", help=f"{side}: 2026-11-21, or 2d, 3h, 30m ago"
        )


def chosen(context: Context) -> Iterator[Drop]:
    """The drops that the options choose, oldest log first; warns of damaged lines.

    At the end of the logs, warns of a spider in --spider of which they have no record.
    """
    asked = {item.name: getattr(context.options, item.name) for item in fields(Choice)}
    sets = {name: frozenset(value) for name, value in asked.items() if isinstance(value, list)}
    choice = Choice(**asked | sets)
    spiders: Counter[str] = Counter()
    for drop in all_drops(context):
        spiders[drop.spider] += 1
        if choice.takes(drop):
            yield drop
    if unknown := sorted(set(choice.spiders).difference(spiders)):
        shown = name_some([spider for spider, _ in spiders.most_common()])
        told = f"records of {shown}" if shown else "no records"
        context.warn(
            f"--spider {', '.join(unknown)}: no record of this spider; the logs have {told}"
        )


def all_drops(context: Context) -> Iterator[Drop]:
    """Every drop of the logs from ``log_paths``; warns of damaged lines."""
    return sound(context, read_logs(context, log_paths(context)))


def sound(context: Context, records: Iterable[T | Damage]) -> Iterator[T]:
    """The records of a log; warns of its damaged lines."""
    for record in records:
        if isinstance(record, Damage):
            context.warn(f"{record.log}, line {record.line}: {record.problem}; left out")
        else:
            yield record


def read_logs(context: Context, logs: Sequence[Path]) -> Iterator[Drop | Damage]:
    """Every record of some logs, with a progress bar by their sizes."""
    sizes = [path.stat().st_size for path in logs]
    before = 0
    with context.progress("read", sum(sizes)) as progress:
        for path, size in zip(logs, sizes, strict=True):
            records = read_drops(path)
            if context.options.logs:
                records = checked_log(records, "drop")
            for number, record in enumerate(records, start=1):
                yield record
                if number % STEP == 0 and isinstance(record, Drop):
                    # The offset in a packed log counts unpacked octets, so it may exceed the size.
                    progress(before + min(record.offset, size))
            before += size


def checked_log(records: Iterator[T | Damage], what: str) -> Iterator[T | Damage]:
    """The records of one log; CommandError if all its lines are damaged, as in another file.

    If more than ``MOST_DAMAGED`` lines come before the first record, there is no such error: the
    lines are kept in memory meanwhile.
    """
    first: list[T | Damage] = []  # Up to and including the first sound record.
    for record in records:
        first.append(record)
        if not isinstance(record, Damage) or len(first) == MOST_DAMAGED:
            break
    else:
        if first and isinstance(damage := first[0], Damage):
            told = f"line {damage.line}: {damage.problem}"
            raise CommandError(f"{damage.log} holds no record of a {what}; {told}")
    yield from first
    yield from records


def log_paths(context: Context) -> list[Path]:
    """The logs named on the command line; else all files that match NEARDUP_LOG, oldest first."""
    if named := _named(context, DROPS):
        return named
    place = _place(context)
    if context.options.kept:
        place = kept_log(place)
    patterns = [str(place)]
    if place.suffix == PACKED:
        patterns.append(str(numbered(place, "[0-9]*")))
    files = [path for path in _files(*patterns) if _is_wanted(context, path)]
    if not files and context.options.kept:
        what = f"log of kept pages at {kept_log(_shown(context))}"
        raise _missing(context, what, "no page was kept although it is related to another")
    if not files:
        raise _missing(context, f"{DROPS} at {_shown(context)}", "nothing was dropped or tagged")
    return files


def skip_logs(context: Context) -> list[Path]:
    """The logs of skipped requests named on the command line; else the newest one."""
    if named := _named(context, SKIPS):
        return named
    files = _files(str(skip_log(_place(context))))
    if not files:
        takes = "NEARDUP_SKIP_PREDICTED = True and PostponingQueue"
        what = f"{SKIPS} {skip_log(_shown(context))}"
        raise _missing(context, what, f"nothing was skipped (that takes {takes})")
    return files[-1:]


def skips_beside(context: Context, logs: Iterable[Path]) -> list[Path]:
    """The logs of skipped requests beside some drop logs, oldest first.

    If no log is named on the command line, these are all that belong to NEARDUP_LOG.
    """
    if context.options.logs or context.options.kept:
        return _files(*(glob.escape(str(_skips_of(log))) for log in logs))
    return _files(str(skip_log(_place(context))))


def _skips_of(log: Path) -> Path:
    """The log of skipped requests of a drop log, which may have a number that the other lacks."""
    own, first = skip_log(log), without_number(log)
    return own if own.exists() or not first.exists() else skip_log(first)


def _named(context: Context, kind: str) -> list[Path]:
    """The logs named on the command line, which must be files."""
    # By resolved path, so that each log is read once.
    named = {Path(name).resolve(): Path(name) for name in context.options.logs}
    for path in named.values():
        if path.is_dir():
            raise CommandError(f"{path} is a folder; name the {_SEVERAL[kind]} in it")
        if not path.is_file():
            raise CommandError(f"no {kind} {path}")
    return list(named.values())


def _place(context: Context) -> Path:
    """A pattern that all drop logs match."""
    return _log(context, glob.escape)


def _shown(context: Context) -> Path:
    """The paths of all drop logs, for people, with ``*`` for spider and time."""
    return _log(context, str).resolve()


def _log(context: Context, escape: Callable[[str], str]) -> Path:
    """NEARDUP_LOG with ``*`` for spider and time; the rest of the path is escaped."""
    pattern = escape(context.config.log)
    with suppress(ValueError):  # A bad pattern is used unchanged, as the crawl does.
        pattern = fill_in(pattern, escape(project_name()), "*", "*")
    return Path(escape(str(context.root))) / Path(pattern).expanduser()


def _files(*patterns: str) -> list[Path]:
    """The files that match one of some patterns, oldest first."""
    found = {Path(name) for pattern in patterns for name in glob.glob(pattern)}  # noqa: PTH207
    files = [path for path in found if path.is_file()]
    return sorted(files, key=lambda file: (file.stat().st_mtime, file))


def _missing(context: Context, what: str, why: str) -> CommandError:
    """The error where there is no log; ``what`` is its kind and its place."""
    wanted = _shown(context)
    if wanted.is_dir():
        return CommandError(f"NEARDUP_LOG: {wanted} is a folder; name a file in it")
    return CommandError(
        f"no {what}: {why}, or the crawl had another NEARDUP_LOG; name a file, or set NEARDUP_LOG "
        "with -s"
    )


def _is_wanted(context: Context, path: Path) -> bool:
    """Whether a file with the name of a log is a log of the chosen kind, dropped or kept."""
    if path.name.endswith(OWN):
        return False
    log = Path(context.config.log).name
    others = [SKIPPED_PREFIX] if context.options.kept else [KEPT_PREFIX, SKIPPED_PREFIX]
    return not any(path.name.startswith(other) and not log.startswith(other) for other in others)


@checked
def host(text: str) -> str:
    """Read an option that is a host; a URL is cut down to its host."""
    return bare_host(nonempty(text))


@checked
def _moment(text: str) -> datetime:
    return read_moment(text, datetime.now(UTC))
