"""Eight classic string hashes against xxh3: how often do different strings collide?

Each text gives its feature string (the rarest 70 % of its words, as the scheme ``idf-features`` has
it), and its words. Counted are the pairs of different strings with equal hashes: two texts that
such a scheme would take for one. By chance alone, n different strings make n(n - 1) / 2 / 2**32 of
them under 32 bits. The eight are unsigned 32-bit hashes of the strings' UTF-8 octets, as in
Partow's "General Purpose Hash Function Algorithms"; they run in plain Python here, xxh3 in C, so
their times compare with each other only.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from rich.console import Console
from rich.progress import track
from xxhash import xxh3_64_intdigest, xxh3_128_intdigest

from benchmarks.command import data_command
from benchmarks.corpus import read_texts
from benchmarks.report import Listing, Report, Value, at_most
from dedup.page import from_text, read_document
from dedup.schemes.literature.idf_features import IdfFeatures

MASK = 0xFFFFFFFF
TOP = 0xF0000000  # the four bits that PJW and ELF fold back

StringHash = Callable[[bytes], int]


def run(data: Path, console: Console) -> Report:
    """Collect the strings of all ``.jsonl.gz`` collections below a folder, hash and count."""
    features, words = Counter[bytes](), set[bytes]()
    scheme = IdfFeatures()
    for text in track(_texts(data), "texts", console=console):
        document = read_document(from_text(text))
        if document.tokens:
            features[scheme.feature_string(document).encode("utf-8", "replace")] += 1
            words.update(token.encode("utf-8", "replace") for token in document.tokens)
    report = Report("string_hashes")
    report.figures = {
        "texts": features.total(),
        "pairs of texts with equal feature strings": _pairs(features.values()),
        "different feature strings": len(features),
        "colliding feature strings by chance, 32 bits": _expected(len(features)),
        "different words": len(words),
        "colliding words by chance, 32 bits": _expected(len(words)),
    }
    rows = [
        _row(name, bits, function, list(features), list(words))
        for name, (bits, function) in track(HASHES.items(), "hashes", console=console)
    ]
    columns = ("hash", "bits", "feature strings", "words", "ms per MB of feature strings")
    report.listings = [Listing("pairs of different strings that collide", columns, rows)]
    wide = sum(int(row[2]) + int(row[3]) for row in rows if int(row[1]) > 32)
    report.bars = [at_most("colliding pairs under xxh3, 64 and 128 bits", wide, 0)]
    return report


def rs(octets: bytes) -> int:
    """Sedgewick's hash, "Algorithms in C"."""
    value, factor = 0, 63689
    for octet in octets:
        value = value * factor + octet & MASK
        factor = factor * 378551 & MASK
    return value


def js(octets: bytes) -> int:
    """Justin Sobel's bitwise hash."""
    value = 1315423911
    for octet in octets:
        value ^= (value << 5) + octet + (value >> 2) & MASK
    return value


def pjw(octets: bytes) -> int:
    """Weinberger's hash, in Aho, Sethi and Ullman, "Compilers"."""
    value = 0
    for octet in octets:
        value = (value << 4) + octet & MASK
        if top := value & TOP:
            value = (value ^ top >> 24) & ~TOP
    return value


def elf(octets: bytes) -> int:
    """The hash of ELF symbol tables; PJW's values by another order of steps."""
    value = 0
    for octet in octets:
        value = (value << 4) + octet & MASK
        top = value & TOP
        value ^= top >> 24
        value &= ~top
    return value


def bkdr(octets: bytes) -> int:
    """Kernighan and Ritchie, "The C Programming Language", with the factor 131."""
    value = 0
    for octet in octets:
        value = value * 131 + octet & MASK
    return value


def sdbm(octets: bytes) -> int:
    """The hash of the database library sdbm."""
    value = 0
    for octet in octets:
        value = octet + (value << 6) + (value << 16) - value & MASK
    return value


def djb(octets: bytes) -> int:
    """Bernstein's hash."""
    value = 5381
    for octet in octets:
        value = value * 33 + octet & MASK
    return value


def ap(octets: bytes) -> int:
    """Arash Partow's hash."""
    value = 0xAAAAAAAA
    for place, octet in enumerate(octets):
        if place & 1:
            value ^= ~((value << 11) + (octet ^ value >> 5)) & MASK
        else:
            value ^= (value << 7 ^ octet * (value >> 3)) & MASK
    return value


def xxh3_32(octets: bytes) -> int:
    """The lower half of xxh3-64."""
    return xxh3_64_intdigest(octets) & MASK


HASHES: dict[str, tuple[int, StringHash]] = {
    "ELF": (32, elf),
    "RS": (32, rs),
    "JS": (32, js),
    "PJW": (32, pjw),
    "BKDR": (32, bkdr),
    "SDBM": (32, sdbm),
    "DJB": (32, djb),
    "AP": (32, ap),
    "xxh3, lower half": (32, xxh3_32),
    "xxh3-64": (64, xxh3_64_intdigest),
    "xxh3-128": (128, xxh3_128_intdigest),
}


def collisions(function: StringHash, strings: Iterable[bytes]) -> int:
    """Count the pairs of different strings with equal hashes; the strings are all different."""
    return _pairs(Counter(map(function, strings)).values())


def _row(
    name: str, bits: int, function: StringHash, features: list[bytes], words: list[bytes]
) -> tuple[Value, ...]:
    started = time.thread_time()
    collided = collisions(function, features)
    taken = time.thread_time() - started
    speed = 1e9 * taken / max(1, sum(map(len, features)))
    return name, bits, collided, collisions(function, words), round(speed, 2)


def _texts(data: Path) -> Iterable[str]:
    collections = sorted(data.rglob("*.jsonl.gz"))
    if not collections:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(data / "*.jsonl.gz"))
    return [text.text for collection in collections for text in read_texts(collection)]


def _pairs(sizes: Iterable[int]) -> int:
    return sum(size * (size - 1) // 2 for size in sizes)


def _expected(count: int) -> float:
    return round(count * (count - 1) / 2 / 2**32, 4)


main = data_command("string_hashes", __doc__, run)

if __name__ == "__main__":
    sys.exit(main())
