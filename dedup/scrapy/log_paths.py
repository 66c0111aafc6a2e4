"""The names of a crawl's logs: of drops, of kept pages, and of skipped requests.

NEARDUP_LOG -> ``fill_in`` -> the drop log -> ``kept_log``, ``skip_log``: the logs beside it
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from dedup.config import PROJECT, SPIDER, file_name
from dedup.review.records import PACKED, RECORD

KEPT_PREFIX = "kept-"
SKIPPED_PREFIX = "skipped-"
_BLANKS = re.compile(r"%(?:%|\(project\)s|\(name\)s|\(time\)s)?")


def fill_in(log: str, project: str, name: str, time: str) -> str:
    """Replace the placeholders in NEARDUP_LOG by the project, the spider and the time.

    Raises ValueError if there is a percent sign outside of ``%(project)s``, ``%(name)s``,
    ``%(time)s`` and ``%%``.
    """
    values = {PROJECT: file_name(project), SPIDER: file_name(name), "%(time)s": time, "%%": "%"}

    def value(found: re.Match[str]) -> str:
        if found[0] not in values:
            raise ValueError(f"a percent sign alone in {log!r}")
        return values[found[0]]

    return _BLANKS.sub(value, log)


def why_unwritable(log: Path) -> str:
    """The reason why a log cannot be written, if there is one that shows in advance; else empty."""
    if os.path.isdir(log):  # noqa: PTH112  (is_dir may raise)
        return "it is a folder"
    if _is_foreign(log):
        return "it is another file, with other lines"
    place = next(path for path in (log, *log.parents) if os.path.lexists(path))
    if place != log and not os.path.isdir(place):  # noqa: PTH112
        return f"{place} is no folder"
    return "" if os.access(place, os.W_OK) else f"{place} cannot be written"


def _is_foreign(log: Path) -> bool:
    """Whether a file has lines of another kind; a packed log is never appended to."""
    if log.suffix == PACKED or not os.path.isfile(log):  # noqa: PTH113  (is_file may raise)
        return False
    try:
        with log.open("rb") as file:
            start = file.read(len(RECORD))
    except OSError:  # The log may be appended to, but not read.
        return False
    return not RECORD.startswith(start.partition(b"\n")[0])


def kept_log(log: Path) -> Path:
    """The path of the log of pages that were exported although they are related to another page.

    ``drops-pages.jsonl`` becomes ``kept-drops-pages.jsonl``.
    """
    return log.parent / f"{KEPT_PREFIX}{log.name}"  # The root folder has no name.


def skip_log(log: Path) -> Path:
    """The path of the log of skipped requests: ``drops.jsonl`` becomes ``skipped-drops.jsonl``."""
    return log.parent / f"{SKIPPED_PREFIX}{log.name.removesuffix(PACKED)}"


def numbered(log: Path, number: int | str) -> Path:
    """The name that a packed log gets if its own is taken: ``drops-2.jsonl.gz``."""
    stem, _, suffixes = log.name.partition(".")
    return log.with_name(f"{stem}-{number}.{suffixes}")


def without_number(log: Path) -> Path:
    """The name of a packed log before ``numbered``."""
    if log.suffix != PACKED:
        return log
    stem, _, suffixes = log.name.partition(".")
    return log.with_name(f"{re.sub('-[0-9]+$', '', stem)}.{suffixes}")
