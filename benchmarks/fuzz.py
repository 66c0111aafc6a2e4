"""Broken pages, one after the other for a time: does any break the chain to the fingerprint?

Each is a page of ``benchmarks.nasty_pages``, cut to a few kilobytes, or an article, changed at
random: bits flipped, parts cut out, doubled, moved, tags and odd characters put in. It goes through
an extractor and a scheme drawn by lot. An input breaks a promise where anything is raised, where
the same bytes give another fingerprint, or where it takes too long. Inputs that do are kept in a
folder, to be run again with ``--replay``. A seed makes a run repeatable.
"""

from __future__ import annotations

import random
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

import xxhash
from rich.console import Console

from benchmarks.command import as_command, make_parser, whole_number
from benchmarks.nasty_pages import NASTY, article
from benchmarks.report import Listing, Report, at_most
from dedup.fingerprint import Fingerprinter
from dedup.page import EXTRACTORS, SEGMENTERS
from dedup.schemes import PUBLISHED, make_scheme

SECONDS = 60
SMALL = 20_000  # bytes of a seed
MOST_CPU = 2.0  # seconds an input may take
MOST_CHANGES = 8
CONTENT_TYPES = (
    "text/html; charset=utf-8",
    "text/html; charset=gb2312",
    "text/html; charset=utf-16",
    "text/html; charset=no-such-thing",
    "text/html; charset=hex",
    "text/html",
    "",
)
ODDITIES = (
    b"\0", b"\xff", b"\xed\xa0\x80", b"\xcc\x81" * 40, b"\xe2\x80\xa8", b"\xef\xb7\xba", b"<", b">",
    b"'", b'"', b"=", b"&#xD800;", b"&#0;", b"<!--", b"-->", b"<![CDATA[", b"</html>", b"<script>",
    b"</script>", b"<plaintext>", b"<table>", b"<tr><td>", b"<h1>", b"<a>", b"<p", b"<br>", b"<?",
    b"<template>", b"<svg><title>", b"<frameset>", b"<meta charset=utf-7>", b"<div hidden>",
    b"\x1b$B", b"\xe4\xb8\xad", b"\xe3\x81\x82", b"\xf0\x9f\x91\xa8\xe2\x80\x8d",
)  # fmt: skip


def make_arguments() -> ArgumentParser:
    """What can be asked for on the command line."""
    parser = make_parser("fuzz", __doc__, needs_data=False)
    parser.add_argument(
        "--seconds", type=whole_number, default=SECONDS, help=f"(default: {SECONDS})"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the changes (default: 0)")
    parser.add_argument("--failures", type=Path, default=Path("fuzz-failures"), metavar="FOLDER")
    parser.add_argument("--replay", action="store_true", help="run the inputs of that folder again")
    return parser


def run(options: Namespace, console: Console) -> Report:
    """Break pages until the time is over."""
    report = Report("fuzz")
    broken: list[tuple[str, str, str]] = []
    ended = time.monotonic() + options.seconds
    inputs = replayed(options.failures) if options.replay else made(options.seed)
    count = 0
    with console.status("fuzzing"):
        for number, (body, content_type, fingerprinter) in enumerate(inputs, 1):
            count = number
            if reason := break_promise(fingerprinter, body, content_type):
                way = f"{fingerprinter.extractor} {fingerprinter.scheme.name}"
                broken.append((keep(options.failures, body), way, reason))
            if time.monotonic() > ended and not options.replay:
                break
    report.figures = {"inputs": count, "seed": options.seed}
    report.listings = [Listing("broken promises", ("input", "chain", "what"), broken)]
    report.bars = [at_most("inputs that broke a promise", len(broken), 0)]
    return report


def made(seed: int) -> Iterator[tuple[bytes, str, Fingerprinter]]:
    """Inputs without end, the same ones for the same seed."""
    chance = random.Random(seed)
    seeds = [article().encode(), *(page.make()[:SMALL] for page in NASTY.values())]
    while True:
        yield (
            mutate(chance.choice(seeds), chance.getrandbits(64)),
            chance.choice(CONTENT_TYPES),
            Fingerprinter(
                make_scheme(chance.choice(PUBLISHED)),
                chance.choice(list(EXTRACTORS)),
                chance.choice(SEGMENTERS),
                min_tokens=1,
            ),
        )


def replayed(folder: Path) -> Iterator[tuple[bytes, str, Fingerprinter]]:
    """The inputs of a folder, each through every extractor and scheme."""
    for path in sorted(folder.glob("*.bin")):
        for content_type in CONTENT_TYPES:
            for extractor in EXTRACTORS:
                for scheme in PUBLISHED:
                    chain = Fingerprinter(make_scheme(scheme), extractor, min_tokens=1)
                    yield path.read_bytes(), content_type, chain


def mutate(body: bytes, seed: int) -> bytes:
    """Change a page in a few places."""
    chance = random.Random(seed)
    for _ in range(chance.randint(1, MOST_CHANGES)):
        start, end = sorted(chance.choices(range(len(body) + 1), k=2))
        end = min(end, start + chance.choice((1, 16, 256, 4096)))
        part, kind = body[start:end], chance.randrange(5)
        if kind == 0:
            part = b""
        elif kind == 1:
            part *= chance.randint(2, 20)
        elif kind == 2:
            part = bytes(octet ^ chance.getrandbits(8) for octet in part[:16]) + part[16:]
        else:
            part = chance.choice(ODDITIES) * chance.choice((1, 1, 3, 50)) + part * (kind - 3)
        body = body[:start] + part + body[end:]
    return body


def break_promise(fingerprinter: Fingerprinter, body: bytes, content_type: str) -> str:
    """What goes wrong with a page, in a few words; empty where nothing does."""
    started = time.process_time()
    try:
        one = fingerprinter.of_page(body, content_type or None)
        taken = time.process_time() - started
        again = fingerprinter.of_page(body, content_type or None)
        if one.value:
            fingerprinter.scheme.words(one.value)
            fingerprinter.scheme.compare(one.value, again.value)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if one != again:
        return "another fingerprint the second time"
    return f"{taken:.1f} seconds of CPU" if taken > MOST_CPU else ""


def keep(folder: Path, body: bytes) -> str:
    """Write an input down under its digest; returns the file's name."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{xxhash.xxh3_64_hexdigest(body)}.bin"
    path.write_bytes(body)
    return path.name


main = as_command(make_arguments, run)

if __name__ == "__main__":
    sys.exit(main())
