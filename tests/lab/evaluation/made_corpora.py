"""Corpora for the tests of evaluation: made-up words, and what is made of them by editing."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def prose(seed: int, words: int = 120) -> str:
    """Made-up words, the same for the same seed."""
    chance = random.Random(seed)
    return " ".join("".join(chance.choices(LETTERS, k=7)) for _ in range(words))


def edited(text: str, seed: int, every: int = 12) -> str:
    """A text with one word in ``every`` replaced."""
    words = text.split()
    for place in range(seed % every, len(words), every):
        words[place] = f"edit{seed}x{place}"
    return " ".join(words)


def write_lines(path: Path, objects: Iterable[dict[str, Any]]) -> Path:
    """Write JSON lines, packed where the name says so."""
    text = "".join(json.dumps(fields, ensure_ascii=False) + "\n" for fields in objects)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def write_drafts(folder: Path, count: int = 12) -> Path:
    """A folder of articles and drafts: two hosts, each draft an edited article of its id."""
    folder.mkdir()
    write_lines(
        folder / "articles.jsonl", [{"id": f"a{n}", "text": prose(n)} for n in range(count)]
    )
    write_lines(
        folder / "drafts.jsonl.gz",
        [{"id": f"a{n}", "text": edited(prose(n), n)} for n in range(count)],
    )
    return folder
