"""Octets that are changed until something breaks: a fuzzer of the compiled code, led by coverage.

``.ci/sanitize`` runs this with a compiled module that reports each fault, and with libFuzzer, which
changes inputs so that they reach code that none has reached. Each input is put to the laws of
``benchmarks.fuzz_laws``. A broken law ends the process as a fault does.

    python -m benchmarks.fuzz seeds FOLDER DICTIONARY    write the inputs to begin with, and tags
    python -m benchmarks.fuzz pages                      check all pages once
    python -m benchmarks.fuzz run ARGUMENTS              run libFuzzer, or inputs that are named
"""

from __future__ import annotations

import ctypes
import os
import random
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

import xxhash

from benchmarks.nasty_pages import NASTY
from crawler.demo.pages import render_all
from dedup import native

LARGE = 20_000  # bytes of a page that are checked once; sanitizers make all of it slow
SMALL = 4_000  # bytes of an input that a fuzzer begins with
MOST_CHANGES = 8
ODDITIES = (
    b"\0", b"\xff", b"\xed\xa0\x80", b"\xcc\x81" * 40, b"\xe2\x80\xa8", b"\xef\xb7\xba", b"<", b">",
    b"'", b'"', b"=", b"&#xD800;", b"&#0;", b"<!--", b"-->", b"<![CDATA[", b"</html>", b"<script>",
    b"</script>", b"<plaintext>", b"<table>", b"<tr><td>", b"<h1>", b"<a>", b"<p", b"<br>", b"<?",
    b"<template>", b"<svg><title>", b"<frameset>", b"<meta charset=utf-7>", b"<div hidden>",
    b"\x1b$B", b"\xe4\xb8\xad", b"\xe3\x81\x82", b"\xf0\x9f\x91\xa8\xe2\x80\x8d",
)  # fmt: skip
PIECES = (
    *(b"class=", b"id=", b"role=", b"style='display:none'", b" hidden", b"href=", b"name=", b"/>"),
    *(b"article", b"sidebar", b"comments", b"menu", b"footer", b"cookie-notice", b"content"),
    *(b"&nbsp;", b"&amp;", b"&#65;", b"&hellip;", b"&#x4e2d;", b"&notit;", "。".encode(), b". "),
)
DICTIONARY = "茶 3 n\n茶树 2 n\n名册 16777216 n\n一 0\n龥 1".encode()
CALL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)


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


def demo_pages() -> list[bytes]:
    """The pages of the demo site."""
    served = render_all(dict.fromkeys(("news", "mirror"), "http://127.0.0.1:1"))
    return [page.body for page in served.values() if page.content_type.startswith("text/html")]


def all_pages() -> Iterator[bytes]:
    """The pages of the demo site and all nasty pages, up to ``LARGE``."""
    yield from demo_pages()
    for page in NASTY.values():
        yield page.make()[:LARGE]


def write_seeds(folder: Path, dictionary: Path) -> None:
    """Write the inputs that a fuzzer begins with, and the words that it may put in."""
    folder.mkdir(parents=True, exist_ok=True)
    for octets in (*all_pages(), DICTIONARY):
        seed = octets[:SMALL]
        (folder / xxhash.xxh3_64_hexdigest(seed)).write_bytes(seed)
    tags = [
        f"{start}{name}".encode() for name in native.core.NAMES if name for start in ("<", "</")
    ]
    words = [*ODDITIES, *PIECES, *tags]
    lines = ['"' + "".join(f"\\x{octet:02x}" for octet in word[:64]) + '"' for word in words]
    dictionary.write_text("\n".join(dict.fromkeys(lines)) + "\n")


def check_pages() -> None:
    """Put all pages to the laws once; each compiled function has to be called then."""
    from benchmarks import fuzz_laws as laws  # noqa: PLC0415  (there may be no compiled module)

    laws.give_exact_arrays()
    count, started = 0, time.monotonic()
    for count, page in enumerate((*all_pages(), DICTIONARY), 1):  # noqa: B007
        laws.check(page)
    laws.check_called()
    seconds = time.monotonic() - started
    print(f"{count} pages through {len(laws.FUNCTIONS)} functions in {seconds:.0f} s: no fault")


def run(arguments: list[str]) -> int:
    """Run libFuzzer, which is in the process already; returns its exit code.

    The arguments are its options and folders, or files to be run once; see its manual.
    """
    from benchmarks import fuzz_laws as laws  # noqa: PLC0415

    laws.give_exact_arrays()

    def call(at: int, length: int) -> int:
        try:
            laws.check(ctypes.string_at(at, length))
        except BaseException:
            traceback.print_exc()
            os.abort()  # libFuzzer writes the input down
        return 0

    values = [argument.encode() for argument in ("fuzz", *arguments)]
    argv = (ctypes.c_char_p * (len(values) + 1))(*values, None)
    count, first = ctypes.c_int(len(values)), ctypes.pointer(argv)
    start = ctypes.CDLL(None).LLVMFuzzerRunDriver
    return int(start(ctypes.byref(count), ctypes.byref(first), CALL(call)))


def main() -> int:
    """Do what the command line asks for."""
    match sys.argv[1:]:
        case ["seeds", folder, dictionary]:
            write_seeds(Path(folder), Path(dictionary))
        case ["pages"]:
            check_pages()
        case ["run", *arguments]:
            return run(arguments)
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
