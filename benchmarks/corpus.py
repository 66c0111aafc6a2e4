"""The data files: archives of HTML pages, gold pages, tables of page pairs, texts."""

from __future__ import annotations

import csv
import gzip
import json
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from dedup.lab.main_text.gold import GoldPage, read_gold
from dedup.lab.simulator.prose import make_text
from dedup.lab.simulator.simulate import Article

WORDS = 50  # words (Chinese: characters) from which on a page is more than a stub
LEAST_JACCARD = 0.8  # of two versions of a page that must be found
VERSIONS, SIZES = ("ver_a", "ver_b"), ("words_or_chars_a", "words_or_chars_b")  # columns

Pages = dict[str, bytes]  # URL -> HTML


@dataclass(frozen=True, slots=True)
class Pair:
    """Two versions of a page, by their URLs."""

    urls: tuple[str, str]
    jaccard_main: float  # Exact, of the 5-grams of their main texts.


@dataclass(frozen=True, slots=True)
class Text:
    """One text of a collection; ``jaccard_char3`` where it is a draft of a published one."""

    id: str
    text: str
    jaccard_char3: float = 0.0


def read_archive(archive: Path) -> Pages:
    """Read the HTML pages of an archive; the keys are quoted paths such as ``en/amd64/a.html``."""
    pages = {}
    with tarfile.open(archive) as tar:
        for member in tar:
            if member.name.endswith(".html") and (file := tar.extractfile(member)):
                pages[quote(PurePosixPath(member.name).as_posix())] = file.read()
    return dict(sorted(pages.items()))


def read_gold_set(data: Path, name: str) -> list[GoldPage]:
    """Read a set of gold pages from the data folder.

    Raises:
        FileNotFoundError: it is not there.
    """
    archive = data / "html-gold" / f"{name}.tar.xz"
    archive.stat()  # else read_gold has an error of its own
    return read_gold(archive)


def read_pairs(table: Path, root: str = "") -> Iterator[Pair]:
    """The eligible pairs in a tab-separated table: alike, and neither page a stub.

    Their URLs are ``root``, the version and the name of the page.
    """
    with table.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            jaccard = float(row["jaccard_main"])
            if jaccard >= LEAST_JACCARD and all(int(row[name]) >= WORDS for name in SIZES):
                one, other = (f"{root}{row[name]}/{quote(row['page'])}" for name in VERSIONS)
                yield Pair((one, other), jaccard)


def read_articles(data: Path) -> list[Article]:
    """The published Chinese articles of the data folder that have a paragraph, to be simulated."""
    texts = read_texts(data / "lctt-zh" / "articles.jsonl.gz")
    made = (Article(text.id, make_text("", text.text)) for text in texts)
    return [article for article in made if article.text.paragraphs]


def read_texts(collection: Path) -> Iterator[Text]:
    """Read a collection of texts, gzipped JSON lines, in order."""
    with gzip.open(collection, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield Text(row["id"], row["text"], float(row.get("jaccard_char3", 0.0)))
