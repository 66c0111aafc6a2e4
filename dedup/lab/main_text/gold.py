"""Gold pages: HTML, and its main text by people's judgement.

A collection is a folder or an archive (.tar.xz, .tar.gz) of a ``gold.json`` and HTML files, beside
it or in a folder ``pages``:

    {id: {"file": name, "text": main text, "url": ..., "lang": ..., "kind": ...}}

Only ``file`` is needed; a page without ``text`` has no gold. Archives are untrusted: nothing is
written to disk, and their unpacked size is limited.
"""

from __future__ import annotations

import gzip
import io
import json
import lzma
import posixpath
import re
import tarfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dedup.page import decode_html, extract

INDEX = "gold.json"
LIMIT = 1 << 29  # Maximum bytes of an unpacked collection.
SUFFIXES: dict[str, Callable[[Path], lzma.LZMAFile | gzip.GzipFile]] = {
    ".tar.xz": lzma.LZMAFile,
    ".tar.gz": gzip.GzipFile,
    ".tgz": gzip.GzipFile,
}

Files = Callable[[str], bytes | None]

_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]")
_KANA = re.compile("[\u3040-\u30ff]")
_SCHEMA_TYPE = re.compile(r'"@type"\s*:\s*\[?\s*"(\w+)"')
_OG_TYPE = re.compile(r"""<meta\b[^>]{0,200}og:type[^>]{0,200}""", re.IGNORECASE)
_FORUM_TYPES = frozenset(("DiscussionForumPosting", "QAPage"))


class GoldError(Exception):
    """A collection cannot be read; the message is one sentence with the reason."""


@dataclass(frozen=True, slots=True)
class GoldPage:
    id: str  # Its name in the collection.
    html: str  # The page, decoded.
    text: str | None  # Its main text by people's judgement; None without gold.
    url: str  # Its URL, or that of its site; empty if neither is known.
    language: str  # From the collection, else ``zh`` or ``other`` by script.
    kind: str  # From the collection, else as the page declares.


def read_gold(path: Path, limit: int = LIMIT) -> list[GoldPage]:
    """Read a collection, a folder or an archive.

    ``limit`` is the maximum size in bytes of an unpacked archive, and of a file in a folder.

    Raises GoldError if there is none, or it is damaged, too large or incomplete.
    """
    if not path.exists():
        raise GoldError(f"there is no {path}")
    files = _in_folder(path, limit) if path.is_dir() else _in_archive(path, limit)
    if (index := files(INDEX)) is None:
        raise GoldError(f"{path} has no {INDEX}; a collection of gold pages needs one")
    try:
        entries = json.loads(index)
    except (ValueError, RecursionError) as error:
        raise GoldError(f"{INDEX} in {path} is no JSON: {error}") from None
    if not isinstance(entries, dict) or not entries:
        raise GoldError(f"{INDEX} in {path} must be an object of at least one page, by id")
    return [_read_page(path, files, name, entry) for name, entry in entries.items()]


def _read_page(path: Path, files: Files, name: str, entry: Any) -> GoldPage:
    def field(key: str) -> str | None:
        value = entry.get(key) if isinstance(entry, dict) else None
        if isinstance(value, str) or (value is None and key != "file"):
            return value
        raise GoldError(f"page {name!r} in {INDEX} of {path} has no string for {key!r}: {value!r}")

    file, text = field("file") or "", field("text")
    places = (posixpath.join("pages", file), file)
    body = next((found for place in places if (found := files(place)) is not None), None)
    if body is None:
        raise GoldError(f"{path} lacks the file {file!r} of page {name!r}")
    html, site = decode_html(body), field("site")
    return GoldPage(
        id=name,
        html=html,
        text=text,
        url=field("url") or (f"http://{site}/" if site else ""),
        language=field("lang") or detect_language(text or extract(html).text),
        kind=field("kind") or declared_kind(html),
    )


def detect_language(text: str) -> str:
    """``zh`` if three letters in ten are Han and hardly any are kana; else ``other``."""
    letters = sum(map(str.isalpha, text))
    chinese = len(_HAN.findall(text)) >= 0.3 * letters
    japanese = len(_KANA.findall(text)) > 0.05 * letters
    return "zh" if letters and chinese and not japanese else "other"


def declared_kind(html: str) -> str:
    """``forum``, ``news``, ``article`` or ``undeclared``, by JSON-LD types and og:type."""
    types = set(_SCHEMA_TYPE.findall(html))
    graph = _OG_TYPE.search(html)
    declared = graph[0].lower() if graph else ""
    if types & _FORUM_TYPES:
        return "forum"
    if any(name.endswith("NewsArticle") for name in types) or '"news"' in declared:
        return "news"
    if types & {"Article", "BlogPosting", "TechArticle"} or '"article"' in declared:
        return "article"
    return "undeclared"


def _in_folder(root: Path, limit: int) -> Files:
    root = root.resolve()

    def read(name: str) -> bytes | None:
        if "\0" in name:  # No path may contain it.
            return None
        file = (root / name).resolve()
        if not file.is_relative_to(root) or not file.is_file():
            return None
        if file.stat().st_size > limit:
            raise GoldError(f"{file} is larger than {limit:,} bytes")
        return file.read_bytes()

    return read


def _in_archive(path: Path, limit: int) -> Files:
    """Unpack an archive into memory."""
    opener = next((SUFFIXES[end] for end in SUFFIXES if path.name.endswith(end)), None)
    if opener is None:
        names = ", ".join(SUFFIXES)
        raise GoldError(f"gold pages are a folder or an archive ({names}); got {path}")
    try:
        with opener(path) as packed:
            unpacked = packed.read(limit + 1)
        if len(unpacked) > limit:
            raise GoldError(f"{path} unpacks to more than {limit:,} bytes")
        tar = tarfile.open(fileobj=io.BytesIO(unpacked), mode="r:")  # noqa: SIM115  (read later)
        members = {posixpath.normpath(member.name): member for member in tar if member.isreg()}
    except (tarfile.TarError, lzma.LZMAError, zlib.error, EOFError, OSError) as error:
        raise GoldError(f"{path} cannot be read: {error}") from None
    indexes = [name for name in members if posixpath.basename(name) == INDEX]
    folder = posixpath.dirname(min(indexes, key=lambda name: name.count("/"), default=""))

    def read(name: str) -> bytes | None:
        member = members.get(posixpath.normpath(posixpath.join(folder, name)))
        file = tar.extractfile(member) if member else None
        return file.read() if file else None

    return read
