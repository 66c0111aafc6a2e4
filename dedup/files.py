"""Writes files so that an interruption leaves them complete or unchanged.

whole_bytes, whole_file    write a whole file under another name, then rename it
open_lines, append_whole   append a whole line, or nothing of it
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

LEVEL = 9  # Compression level of gzip.
_GZIP = b"\x1f\x8b"  # The first octets of a gzip file.
# Errors of a write; Python raises them without a file name.
NOT_WRITTEN = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO))


@contextmanager
def whole_bytes(path: Path) -> Iterator[IO[bytes]]:
    """Write a temporary file in the same folder; at the end rename it, over an older file.

    Raises OSError if the file cannot be written; the error has its path.
    """
    part = _part(path)
    try:
        raw = part.open("wb")
    except OSError as error:
        raise _named(error, path) from None
    try:
        with raw:
            yield raw
        with part.open("rb") as written:
            os.fsync(written.fileno())  # Else a power cut could leave an empty file.
        part.replace(path)
    except OSError as error:
        if error.errno in NOT_WRITTEN and not error.filename:
            error.filename = str(path)
        raise
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def whole_file(path: Path) -> Iterator[IO[str]]:
    """Write a text file as ``whole_bytes`` does, with gzip if its name ends in ``.gz``."""
    with (
        whole_bytes(path) as raw,
        packed(raw) if path.suffix == ".gz" else raw as octets,
        io.TextIOWrapper(octets, "utf-8", newline="\n") as out,
    ):
        yield out


def open_lines(path: Path) -> int:
    """Open a file to append lines; the file and its folder are made if they are missing.

    If a kill cut the last line short, a line end is added, so that the next line stays whole.

    Raises OSError if the file cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
    size = os.fstat(file).st_size
    if size and os.pread(file, 1, size - 1) != b"\n":
        os.write(file, b"\n")
    return file


def append_whole(file: int, data: bytes) -> None:
    """Append all octets in one write, or none; octets that other processes append stay.

    Raises OSError if there is no room.
    """
    written = os.write(file, data)
    if written < len(data):
        end = os.lseek(file, 0, os.SEEK_CUR)  # The end of this write; other processes write too.
        if os.fstat(file).st_size == end:
            os.ftruncate(file, end - written)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def packed(raw: IO[bytes]) -> gzip.GzipFile:
    """A gzip file without time and name, so that equal contents make equal files."""
    return gzip.GzipFile("", "wb", LEVEL, raw, mtime=0)


def is_packed(file: IO[bytes]) -> bool:
    """Whether a file begins like gzip; goes to its beginning."""
    file.seek(0)
    begins = file.read(len(_GZIP))
    file.seek(0)
    return begins == _GZIP


def check_target(path: Path, sources: Iterable[Path] = ()) -> None:
    """Check before a long run that ``whole_file`` can write the file at its end.

    The file must not replace any of ``sources``: input files and folders.

    Raises OSError if the file cannot be written; the message names the path.
    """
    if str(path) == "-":
        raise OSError(errno.EINVAL, "is no name of a file here; name one", str(path))
    if not path.parent.is_dir():
        raise OSError(errno.ENOENT, "there is no such folder", str(path.parent))
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "is not a file that can be replaced", str(path))
    if path.exists() and any(
        path.samefile(source) or path.resolve().is_relative_to(source.resolve())
        for source in sources
        if source.exists()
    ):
        raise OSError(
            errno.EEXIST, "is among what is read, so it cannot be the output too", str(path)
        )
    part = _part(path)
    try:
        part.touch()
        part.unlink()
    except OSError as error:
        raise _named(error, path) from None


def _named(error: OSError, path: Path) -> OSError:
    """The error of a temporary file, about the file that it is for."""
    return OSError(error.errno, error.strerror, str(path))


def _part(path: Path) -> Path:
    return path.with_name(f"{path.name}.{os.getpid()}.part")
