"""Traditional and simplified Chinese: one text in both scripts shares a verdict.

Converted: articles in simplified script are indexed as pages of one host; the same articles put
into traditional script by OpenCC (``s2t`` character by phrase, ``s2twp`` with Taiwan's own words
too) are looked up as pages of another.

Translated: one book translated twice, for zh-cn and for zh-tw, by different hands: a harder and
real case, reported without a bar. Its zh-cn chapters are indexed, its zh-tw chapters looked up as
pages of another host and of the same host; its English chapters must repeat neither.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path

from opencc import OpenCC
from rich.console import Console
from rich.progress import track

from benchmarks.command import data_command
from benchmarks.corpus import Pages, read_archive, read_texts
from benchmarks.indexing import Engine, repeated
from benchmarks.report import Bar, Listing, Report, Value
from benchmarks.resemblance import Resemblance
from dedup import Claim
from dedup.page import decode_html

ARTICLES = 500
LEAST = 0.99
CONVERSIONS = ("s2t", "s2twp")


def run(data: Path, console: Console) -> Report:
    """Look converted and translated texts up."""
    texts = islice(read_texts(data / "lctt-zh/articles.jsonl.gz"), ARTICLES)
    articles = {text.id: text.text for text in texts}
    book = read_archive(data / "debian-reference.tar.xz")
    found = {
        name: _converted(articles, name, track(articles.items(), name, console=console))
        for name in CONVERSIONS
    }
    rows, figures = _translated(book)
    return Report(
        "two_scripts",
        {"articles": len(articles), **figures},
        [Bar(f"found in traditional script, {name}", found[name], LEAST) for name in CONVERSIONS],
        [
            Listing(
                "chapters translated twice",
                ("chapter", "of another host", "of the same host", "J main", "tokens"),
                rows,
            )
        ],
    )


def _converted(
    articles: dict[str, str], conversion: str, texts: Iterable[tuple[str, str]]
) -> float:
    """Share of articles found again in the other script, each against itself."""
    convert: Callable[[str], str] = OpenCC(conversion).convert
    with Engine.open() as engine:
        for name, text in articles.items():
            engine.add(f"http://simplified.example/{name}", text=text)
        kept = {record.url for record in engine.index.store.records()}
        found = total = 0
        for name, text in texts:
            if f"http://simplified.example/{name}" not in kept:  # repeats another article
                continue
            claim = engine.look_up(f"http://traditional.example/{name}", text=convert(text))
            total += 1
            record = repeated(claim)
            found += record is not None and record.url.endswith(f"/{name}")
    return found / max(total, 1)


def _translated(book: Pages) -> tuple[list[tuple[Value, ...]], dict[str, Value]]:
    pages = {url: decode_html(body, "text/html") for url, body in book.items()}
    resemblance = Resemblance(book)
    chapters = {_chapter(url): url for url in pages if "zh-cn" in url}
    rows: list[tuple[Value, ...]] = []
    english = 0
    with Engine.open() as engine:
        for url in chapters.values():
            engine.add(f"http://cn.example/{url}", html=pages[url])
        for url, html in pages.items():
            if "zh-cn" in url:
                continue
            claims = [
                engine.look_up(f"http://{host}.example/{url}", html=html) for host in ("tw", "cn")
            ]
            if "zh-tw" not in url:
                english += any(repeated(claim) is not None for claim in claims)
                continue
            own = chapters[_chapter(url)]
            rows.append(
                (
                    _chapter(url),
                    *(_shown(claim, own) for claim in claims),
                    resemblance.main(own, url),
                    claims[0].record.tokens,
                )
            )
    figures: dict[str, Value] = {
        "chapters in both scripts": len(rows),
        "found as pages of two hosts": sum(row[1] == "found" for row in rows),
        "found as pages of one host": sum(row[2] == "found" for row in rows),
        "English chapters joined with Chinese ones": english,
    }
    return rows, figures


def _chapter(url: str) -> str:
    """Name of a chapter's file without its language."""
    return url.rpartition("__")[2].partition(".")[0]


def _shown(claim: Claim, own: str) -> str:
    record = repeated(claim)
    if record is None:
        return "-"
    return "found" if record.url.endswith(own) else "another chapter"


main = data_command("two_scripts", __doc__, run)

if __name__ == "__main__":
    sys.exit(main())
