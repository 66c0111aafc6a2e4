"""Files that have their name only once they are whole: what is cut short leaves the old one be."""

from __future__ import annotations

import errno
import gzip
import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def whole_file(path: Path) -> Iterator[IO[str]]:
    """Write a text file beside its place, and move it there at the end, over an older one.

    It is packed where the name ends in ``.gz``; the packed file holds no time and no name, so that
    equal contents make equal files.

    Raises:
        OSError: it cannot be written.
    """
    part = _part(path)
    raw = part.open("wb")
    try:
        with raw:
            if path.suffix == ".gz":
                with (
                    gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed,
                    io.TextIOWrapper(packed, "utf-8", newline="\n") as out,
                ):
                    yield out
            else:
                with io.TextIOWrapper(raw, "utf-8", newline="\n") as out:
                    yield out
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def check_target(path: Path, sources: Iterable[Path] = ()) -> None:
    """Find before a long run what would keep ``whole_file`` from writing at its end.

    Args:
        path: the file to be written.
        sources: what is read to make it, and must not be replaced.

    Raises:
        OSError: nothing can be written there; the message names the path.
    """
    if not path.parent.is_dir():
        raise OSError(errno.ENOENT, "there is no such folder", str(path.parent))
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "is not a file that can be replaced", str(path))
    if path.exists() and any(path.samefile(source) for source in sources):
        raise OSError(errno.EEXIST, "is read, so it cannot be the output too", str(path))
    part = _part(path)
    part.touch()
    part.unlink()


def _part(path: Path) -> Path:
    return path.with_name(f"{path.name}.part")
