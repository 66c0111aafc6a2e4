"""Manuals whose pages all differ: what their drops lose, by a judge that is not the product.

Each folder in DATA_DIR is one site: a manual as HTML, for example of a Debian package
(libreoffice-help-en-us, openjdk-17-doc, qtbase5-doc-html). At most 2,000 of its pages, drawn by
lot, go through the index.

Then the same pages are taken under one title and without <h1>, as on a site where a script sets the
titles.

The judge reads all visible text with lxml, without lines that stand on more than a tenth of the
pages. A drop is costly if more than 30 % of the 4-word shingles of the page stand on no page that
was exported before it.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from pathlib import Path

import lxml.html
from lxml.etree import ParserError
from rich.console import Console

from benchmarks.command import data_command
from benchmarks.indexing import Engine, repeated
from benchmarks.report import Listing, Report
from dedup.page import decode_html

MOST_PAGES = 2_000
FEW_PAGES = 30  # A folder of fewer pages is no manual.
COMMON = 0.1  # Maximum share of the pages that have a line.
COSTLY = 0.3
SHOWN = 20

_TOKEN = re.compile(r"[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]|[^\W_]+")
_TITLE, _H1 = re.compile(r"(?is)(<title\b[^>]*>).*?(</title>)"), re.compile(r"(?i)(</?h)1\b")
_HIDDEN = "//script | //style | //noscript | //template | //head | //nav"

Shingles = frozenset[int]
Drop = tuple[float, str, str, str]  # Share of text nowhere else, relation, page, what it repeats.


def run(data: Path, console: Console) -> Report:
    """Take every manual through an index of its own."""
    report = Report("manuals")
    rows, drops = [], []
    for folder in sorted(path for path in data.iterdir() if path.is_dir()):
        files = sorted(path for path in folder.rglob("*.htm*") if path.is_file())
        if len(files) < FEW_PAGES:
            report.notes.append(f"{folder.name} has fewer than {FEW_PAGES} pages")
            continue
        with console.status(folder.name):
            pages = _read(random.Random(5).sample(files, min(MOST_PAGES, len(files))), folder)
            found = _judge(pages)
            untitled = _judge({url: _without_title(html) for url, html in pages.items()})
        costly = _costly(found)
        mean = sum(new for new, *_ in found) / max(len(found), 1)
        both = (len(found), len(costly), round(mean, 3), len(untitled), len(_costly(untitled)))
        rows.append((folder.name, len(pages), *both))
        drops += costly[:SHOWN]
    one = "under one title: dropped", "costly under one title"
    columns = ("manual", "pages", "dropped", "costly", "text nowhere else, mean of a drop", *one)
    report.figures = {
        "pages": sum(row[1] for row in rows),
        "dropped": sum(row[2] for row in rows),
        "costly drops": sum(row[3] for row in rows),
        "dropped under one title": sum(row[5] for row in rows),
        "costly drops under one title": sum(row[6] for row in rows),
    }
    report.listings = [
        Listing("manuals", columns, rows),
        Listing("costly drops", ("text nowhere else", "relation", "page", "repeats"), drops),
    ]
    return report


def _read(files: list[Path], folder: Path) -> dict[str, str]:
    """The pages, by URL."""
    root = f"http://{folder.name}.example/"
    return {root + str(path.relative_to(folder)): decode_html(path.read_bytes()) for path in files}


def _without_title(html: str) -> str:
    """A page with the title that all pages have then, and with <h2> for <h1>."""
    return _H1.sub(r"\g<1>2", _TITLE.sub(r"\1Notes\2", html))


def _costly(drops: list[Drop]) -> list[Drop]:
    """The drops that lose much, the worst first."""
    return sorted((drop for drop in drops if drop[0] > COSTLY), reverse=True)


def _judge(pages: dict[str, str]) -> list[Drop]:
    """The drops: the share of text nowhere else, relation, page, and the page it repeats."""
    lines = {url: _lines(html) for url, html in pages.items()}
    counts = Counter(line for found in lines.values() for line in set(found))
    most = COMMON * len(pages)
    drops, exported = [], set[int]()
    with Engine.open() as engine:
        for url, html in pages.items():
            own = _shingles([line for line in lines[url] if counts[line] <= most])
            claim = engine.add(url, html=html)
            if repeated(claim) is None:
                exported |= own
            elif claim.match is not None:
                new = len(own - exported) / max(len(own), 1)
                drops.append((round(new, 3), claim.match.relation.value, url, claim.match.of))
    return drops


def _lines(html: str) -> list[str]:
    """The runs of visible text of a page."""
    try:
        tree = lxml.html.document_fromstring(html.encode(), lxml.html.HTMLParser(encoding="utf-8"))
    except ParserError:  # It has no content.
        return []
    for element in tree.xpath(_HIDDEN):
        element.drop_tree()
    return [" ".join(text.split()).lower() for text in tree.itertext() if text.strip()]


def _shingles(lines: list[str]) -> Shingles:
    """The hashed 4-word shingles of a text; a shorter text is one shingle."""
    tokens = _TOKEN.findall("\n".join(lines))
    return frozenset(hash(tuple(tokens[at : at + 4])) for at in range(max(len(tokens) - 3, 1)))


main = data_command("manuals", __doc__, run)

if __name__ == "__main__":
    sys.exit(main())
