"""Collections of texts to evaluate on, read as a stream: one page is in memory at a time.

A corpus is files of JSON lines (``.jsonl`` or ``.jl``, also packed) and folders. A folder has
``.jsonl`` files, or else ``.html``, ``.htm`` and ``.txt`` pages at any depth. A line is an object
with ``id`` or ``url``, with ``text`` or ``html``, and perhaps with ``title``, ``cluster``, ``edit``
(or ``kind``) and ``strength``. The id of a page in a folder is its relative path.

Each file of lines, and each folder of pages, counts as one host, unless pages have URLs. Pages of
one cluster are edits of the same text. Without clusters, pages of equal id in different files of
lines are such edits: a file of drafts beside a file of published articles needs no labels.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

from dedup.page import decode_html

LINES = (".jsonl", ".jsonl.gz")  # In a folder.
FILES = (*LINES, ".jl", ".jl.gz")  # Named by themselves.
HTML = (".html", ".htm")
PAGES = (*HTML, ".txt")


class CorpusError(ValueError):
    """A corpus cannot be used; the message names the file, the line and the reason."""


@dataclass(frozen=True, slots=True)
class CorpusPage:
    key: str  # Unique in the corpus: name of the file, ``/``, id.
    id: str  # As given, else the URL; a relative path in a folder.
    place: str  # Its file and line, for messages.
    url: str  # Its URL, or a made-up one with the file as host.
    cluster: str  # Equal for pages that are edits of the same text.
    content: str | bytes  # Plain text or HTML; a file of HTML in bytes.
    html: bool
    kind: str = ""  # How it was made from another text; empty if that is not known.
    title: str = ""  # Its title, if given.

    @property
    def decoded(self) -> str:
        """The content as text."""
        return self.content if isinstance(self.content, str) else decode_html(self.content)


@dataclass(frozen=True, slots=True)
class Source:
    """One file of lines, or one folder of pages; the keys of its pages begin with the name."""

    path: Path
    name: str


@dataclass(frozen=True, slots=True)
class Corpus:
    """An opened corpus; each iteration reads it from its beginning, in the same order."""

    sources: tuple[Source, ...]  # The files and folders of its pages.
    equal_ids: bool  # Whether pages of equal id in different sources are the same text.
    limit: int | None = None  # Maximum pages read of each source; None for all.

    def __iter__(self) -> Iterator[CorpusPage]:
        """Read every page; raises CorpusError for a file or line that cannot be read."""
        for source in self.sources:
            if source.path.is_dir():
                pages = _pages(source)
            else:
                lines = read_lines(source.path)
                pages = (_page(source, *line, equal_ids=self.equal_ids) for line in lines)
            yield from islice(pages, self.limit)

    def files(self) -> Iterator[Path]:
        """Every file that is read."""
        for source in self.sources:
            yield from _page_files(source.path) if source.path.is_dir() else (source.path,)


def open_corpus(paths: Iterable[Path], limit: int | None = None) -> Corpus:
    """Find the files of a corpus: files of lines, folders of such files, folders of pages.

    At most ``limit`` pages of each file or folder of pages will be read.

    Raises CorpusError if a path is none of these.
    """
    sources = [source for path in paths for source in _sources(path)]
    files = sum(not source.path.is_dir() for source in sources)
    return Corpus(tuple(sources), files > 1, limit)


def read_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Read the objects of a file of JSON lines, each with its place; empty lines are left out.

    Raises CorpusError if the file cannot be read, or a line is no JSON object.
    """
    with open_text(path) as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            place = f"{path}, line {number}"
            try:
                fields = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise CorpusError(f"{place}: not JSON: {getattr(error, 'msg', error)}") from None
            if not isinstance(fields, dict):
                raise CorpusError(f"{place}: a line must be a JSON object; got {line.strip()[:40]}")
            yield place, fields


@contextmanager
def open_text(path: Path) -> Iterator[IO[str]]:
    """Open a text file, perhaps packed by gzip, perhaps with a byte order mark.

    Raises CorpusError if it cannot be opened, unpacked or decoded, now or while it is read.
    """
    try:
        with (
            gzip.open(path, "rt", encoding="utf-8-sig")
            if path.name.endswith(".gz")
            else path.open(encoding="utf-8-sig") as file
        ):
            yield file
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CorpusError(f"{path} cannot be read: {reason}") from None


def _sources(path: Path) -> list[Source]:
    if not path.is_dir():
        if path.is_file() and path.name.endswith(FILES):
            ending = next(filter(path.name.endswith, FILES))
            return [Source(path, _writable(path.name.removesuffix(ending)))]
        if not path.exists():
            raise CorpusError(f"there is no {path}")
        raise CorpusError(f"{path} must be a folder or a file named {' or '.join(FILES)}")
    files = sorted(file for file in path.iterdir() if file.name.endswith(LINES))
    if files:
        return [source for file in files for source in _sources(file)]
    if next(_page_files(path), None) is None:
        raise CorpusError(f"{path} holds neither files of JSON lines nor .html or .txt pages")
    return [Source(path, _writable(path.resolve().name))]


def _page_files(folder: Path) -> Iterator[Path]:
    """The pages below a folder, in the order of their names; links may lead in a circle."""
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            if not path.is_symlink():
                yield from _page_files(path)
        elif path.suffix.lower() in PAGES and path.is_file():  # A pipe has no end.
            yield path


def _pages(source: Source) -> Iterator[CorpusPage]:
    for path in _page_files(source.path):
        name = _writable(path.relative_to(source.path).as_posix())
        html = path.suffix.lower() in HTML
        try:
            body = path.read_bytes()
        except OSError as error:
            raise CorpusError(f"{path} cannot be read: {error.strerror}") from None
        key = f"{source.name}/{name}"
        yield CorpusPage(
            key=key,
            id=name,
            place=str(path),
            url=_url(source, name),
            cluster=f"page {key}",
            content=body if html else body.decode("utf-8", "replace"),
            html=html,
        )


def _page(source: Source, place: str, fields: dict[str, Any], *, equal_ids: bool) -> CorpusPage:
    name = _label(place, fields, "id") or _label(place, fields, "url")
    if not name:
        raise CorpusError(f"{place}: there is neither an id nor a url")
    html = _string(place, fields, "html")
    text = _string(place, fields, "text")
    if (html is None) == (text is None):
        raise CorpusError(f"{place}: a page has either text or html; got {', '.join(fields)}")
    key = f"{source.name}/{name}"
    cluster = _label(place, fields, "cluster")
    unlabelled = f"id {name}" if equal_ids else f"page {key}"
    edit = _label(place, fields, "edit") or _label(place, fields, "kind")
    return CorpusPage(
        key=key,
        id=name,
        place=place,
        url=_string(place, fields, "url") or _url(source, name),
        cluster=f"cluster {cluster}" if cluster else unlabelled,
        kind=f"{edit} {_label(place, fields, 'strength')}".strip() if edit else "",
        title=_string(place, fields, "title") or "",
        content=html or text or "",
        html=text is None,
    )


def _string(place: str, fields: dict[str, Any], name: str) -> str | None:
    value = fields.get(name)
    if value is None:
        return None
    if isinstance(value, str):
        return _writable(value)
    raise CorpusError(f"{place}: {name} must be a string; got {value!r:.40}")


def _label(place: str, fields: dict[str, Any], name: str) -> str:
    """A short name, which may be given as a number; empty if there is none."""
    value = fields.get(name)
    if value is None:
        return ""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return _writable(str(value))
    raise CorpusError(f"{place}: {name} must be a string or a number; got {value!r:.40}")


def _writable(text: str) -> str:
    """A text without lone surrogates, so that a file can contain it."""
    return text.encode("utf-8", "replace").decode()


def _url(source: Source, name: str) -> str:
    host = quote(source.name, safe="", errors="replace")
    return f"http://{host}.example/{quote(name, errors='replace')}"
