"""The description of a batch, and a check of the machine for its requirements."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from dedup.config import Config
from dedup.extras import missing
from dedup.review.clusters import PREFERENCES, read_preference

INLINE = "inline"
KEEP = (INLINE, *PREFERENCES)
FORMATS = ("parquet", "jsonl")


class BatchError(Exception):
    """A batch cannot run; the message is complete for users."""


def first_line(error: Exception) -> str:
    """The message of an error, in one line."""
    said = getattr(error, "strerror", None) or str(error)
    return next(iter(said.strip().splitlines()), type(error).__name__)


@dataclass(frozen=True, slots=True)
class Fields:
    """The field names of a record, in order of preference."""

    url: str = "url"  # The URL of the page.
    # The page; the first field with non-empty text or bytes counts.
    html: tuple[str, ...] = ("html", "body")
    # Used without ``html``; all are joined, as in the item pipeline.
    text: tuple[str, ...] = ("title", "text")
    # The date of writing or fetching; the first field with a date counts.
    date: tuple[str, ...] = ("date", "published", "fetched")


@dataclass(frozen=True, slots=True)
class Job:
    """One batch; raises BatchError if ``keep`` has another value."""

    config: Config
    inputs: tuple[Path, ...]  # Files, and folders of files.
    output: Path  # The folder of the results.
    fields: Fields = Fields()
    # A store, written as in ``NEARDUP_STORE``, or an export file; empty for none. Its pages come
    # before the pages of the inputs, and all of them survive.
    against: str = ""
    root: Path = Path()  # The base folder of a store's relative path.
    keep: str = INLINE  # Which page of a cluster survives: one of KEEP.
    format: str = "parquet"  # The format of the results, one of FORMATS.
    master: str = "local[*]"  # The master URL of Spark.

    def __post_init__(self) -> None:
        if self.keep != INLINE:
            try:
                read_preference(self.keep, INLINE)
            except ValueError as error:
                raise BatchError(f"keep {error}") from None


def check_machine() -> None:
    """Raise BatchError if a package or Java is missing; the message contains the remedy."""
    if lacking := missing("spark"):
        raise BatchError(f"batch needs {lacking}")
    home = os.environ.get("JAVA_HOME")
    if not (shutil.which(str(Path(home) / "bin" / "java")) if home else shutil.which("java")):
        where = f"JAVA_HOME = {home} has none" if home else "there is none on the PATH"
        raise BatchError(f"batch needs Java 17 or newer, and {where}: install openjdk-17-jre")
