"""Files that are complete, or as they were before, whatever interrupts the writing.

whole_bytes, whole_file    a file has its name only once it is whole
open_lines, append_whole   a file of lines gets a line, or none of it
"""

from __future__ import annotations

import errno
import gzip
import io
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

LEVEL = 9  # of gzip
NOT_WRITTEN = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO))  # they name no file


@contextmanager
def whole_bytes(path: Path) -> Iterator[IO[bytes]]:
    """Write a file next to its place, and move it there at the end, over an older one.

    Raises:
        OSError: it cannot be written; it names the path.
    """
    part = _part(path)
    raw = part.open("wb")
    try:
        with raw:
            yield raw
        with part.open("rb") as written:
            os.fsync(written.fileno())  # or a power cut might leave the name to an empty file
        part.replace(path)
    except OSError as error:
        if error.errno in NOT_WRITTEN and not error.filename:
            error.filename = str(path)
        raise
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def whole_file(path: Path) -> Iterator[IO[str]]:
    """Write a text file as ``whole_bytes`` does, packed where its name ends in ``.gz``."""
    with (
        whole_bytes(path) as raw,
        packed(raw) if path.suffix == ".gz" else raw as octets,
        io.TextIOWrapper(octets, "utf-8", newline="\n") as out,
    ):
        yield out


def open_lines(path: Path) -> int:
    """Open a file to append lines to it, made with its folder where there is none.

    A last line that a kill cut short is ended, so that it spoils none after it.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
    size = os.fstat(file).st_size
    if size and os.pread(file, 1, size - 1) != b"\n":
        os.write(file, b"\n")
    return file


def append_whole(file: int, data: bytes) -> None:
    """Append octets in one write, or none of them; what others append stays.

    Raises:
        OSError: there is no room for them.
    """
    written = os.write(file, data)
    if written < len(data):
        end = os.lseek(file, 0, os.SEEK_CUR)  # of this write, wherever those of others had left it
        if os.fstat(file).st_size == end:
            os.ftruncate(file, end - written)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def packed(raw: IO[bytes]) -> gzip.GzipFile:
    """Pack what is written, with no time and no name: equal contents make equal files."""
    return gzip.GzipFile("", "wb", LEVEL, raw, mtime=0)


def check_target(path: Path, sources: Iterable[Path] = ()) -> None:
    """Find before a long run what would keep ``whole_file`` from writing at its end.

    Args:
        path: the file to be written.
        sources: what is read to make it, files and folders, of which nothing must be replaced.

    Raises:
        OSError: nothing can be written there; the message names the path.
    """
    if not path.parent.is_dir():
        raise OSError(errno.ENOENT, "there is no such folder", str(path.parent))
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "is not a file that can be replaced", str(path))
    if path.exists() and any(path.samefile(source) or _lies_in(path, source) for source in sources):
        raise OSError(
            errno.EEXIST, "is among what is read, so it cannot be the output too", str(path)
        )
    part = _part(path)
    part.touch()
    part.unlink()


def _lies_in(path: Path, folder: Path) -> bool:
    return folder.is_dir() and path.resolve().is_relative_to(folder.resolve())


def _part(path: Path) -> Path:
    return path.with_name(f"{path.name}.{os.getpid()}.part")
