"""What a batch is asked to do, and what it must find on the machine to do it."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from dedup.config import Config
from dedup.extras import missing
from dedup.review.survivors import PREFERENCES, read_preference

INLINE = "inline"
KEEP = (INLINE, *PREFERENCES)
FORMATS = ("parquet", "jsonl")


class BatchError(Exception):
    """A batch cannot be run; the message is all the user needs."""


def first_line(error: Exception) -> str:
    """What an error says, in one line."""
    said = getattr(error, "strerror", None) or str(error)
    return next(iter(said.strip().splitlines()), type(error).__name__)


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a record, in order of preference.

    Attributes:
        url: its page.
        html: the page itself; the first that is a string and not empty counts.
        text: in place of ``html``; all are joined, as the item pipeline does.
        date: when it was written or fetched; the first that is a date counts.
    """

    url: str = "url"
    html: tuple[str, ...] = ("html", "body")
    text: tuple[str, ...] = ("title", "text")
    date: tuple[str, ...] = ("date", "published", "fetched")


@dataclass(frozen=True, slots=True)
class Job:
    """One batch.

    Attributes:
        config: settings, as for a crawl.
        inputs: files, and folders of files.
        output: the folder of the results.
        fields: where the inputs' records have what.
        against: a store as ``NEARDUP_STORE`` names it, or a file of an export; empty for none. Its
            pages were there before those of the inputs, and all survive.
        root: the folder that a relative path of a store is taken from.
        keep: which page of a cluster survives: one of KEEP.
        format: of the results, one of FORMATS.
        master: where Spark runs.

    Raises:
        BatchError: no such policy or format.
    """

    config: Config
    inputs: tuple[Path, ...]
    output: Path
    fields: Fields = Fields()
    against: str = ""
    root: Path = Path()
    keep: str = INLINE
    format: str = "parquet"
    master: str = "local[*]"

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise BatchError(f"format must be one of {', '.join(FORMATS)}; got {self.format!r}")
        if self.keep != INLINE:
            try:
                read_preference(self.keep)
            except ValueError:
                allowed = ", ".join(KEEP)
                raise BatchError(f"keep must be one of {allowed}; got {self.keep!r}") from None


def check_machine() -> None:
    """Find what Spark would miss before it is started.

    Raises:
        BatchError: a package or Java is missing; says how to get it.
    """
    if lacking := missing("spark"):
        raise BatchError(f"batch needs {lacking}")
    home = os.environ.get("JAVA_HOME")
    if not (shutil.which(str(Path(home) / "bin" / "java")) if home else shutil.which("java")):
        where = f"JAVA_HOME = {home} has none" if home else "there is none on the PATH"
        raise BatchError(f"batch needs Java 17 or newer, and {where}: install openjdk-17-jre")
