"""Tiny data files, made up: archives of pages, and collections of texts."""

from __future__ import annotations

import gzip
import json
import tarfile
from pathlib import Path

from benchmarks.kinds_sets import MANUALS, REPOSTS


def page(text: str, navigation: str = "") -> str:
    """A page with its main text and, beside it, navigation."""
    links = "".join(f'<li><a href="#">{word}</a></li>' for word in navigation.split())
    paragraphs = "".join(f"<p>{part}.</p>" for part in text.split("\n"))
    return (
        '<html><head><meta charset="utf-8"><title>page</title></head><body>'
        f"<ul>{links}</ul><main>{paragraphs}</main></body></html>"
    )


def write_archive(archive: Path, pages: dict[str, str]) -> None:
    """Pages as the data files have them."""
    root = archive.with_suffix(".folder")
    for name, html in pages.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html, encoding="utf-8")
    with tarfile.open(archive, "w:xz") as tar:
        for path in sorted(root.iterdir()):
            tar.add(path, path.name)


def write_texts(collection: Path, texts: dict[str, str]) -> None:
    """Texts as the data files have them."""
    collection.parent.mkdir(exist_ok=True)
    with gzip.open(collection, "wt", encoding="utf-8") as lines:
        for name, text in texts.items():
            row = {"id": name, "text": text, "jaccard_char3": 0.8, "jaccard_char5": 0.7}
            lines.write(json.dumps(row) + "\n")


def write_reposts(data: Path, articles: dict[str, str], drafts: dict[str, str]) -> None:
    """The same articles and drafts in each collection of reposts."""
    for name, published, first in REPOSTS:
        write_texts(data / name / f"{published}.jsonl.gz", articles)
        write_texts(data / name / f"{first}.jsonl.gz", drafts)


def write_versions(data: Path, clusters: dict[str, list[str]]) -> None:
    """Versions of encyclopedia articles."""
    path = data / "wiki-versions/pages.jsonl.gz"
    path.parent.mkdir(exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        for cluster, texts in clusters.items():
            for text in texts:
                lines.write(json.dumps({"cluster": cluster, "text": text}) + "\n")


def write_manuals(data: Path, texts: dict[str, str]) -> None:
    """The same pages in each manual."""
    for name in MANUALS:
        write_archive(data / f"{name}.tar.xz", {f"{key}.html": page(texts[key]) for key in texts})
