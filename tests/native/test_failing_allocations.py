"""Where memory cannot be had, compiled code raises MemoryError, gives nothing wrong, keeps nothing.

One allocation after the other is made to fail, until a call needs no more of them. The allocators
that fail are those of Python, which compiled code uses, too; they are compiled for these tests.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from array import array
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from xxhash import xxh3_64_intdigest

from dedup import native
from dedup.items import Naming
from dedup.items.identity import _text_of
from dedup.page import extract, segment

if native.core is None:
    assert "NEARDUP_REQUIRE_SERVERS" not in os.environ, native.MISSING
    pytest.skip(native.MISSING, allow_module_level=True)

core: Any = native.core
HERE = Path(__file__).parent
COMPILER = shlex.split(sysconfig.get_config_var("CC") or "cc")
MOST_KEPT = 300  # times that a call may keep something for the next: Python's lists of free objects
SENTENCE = "The tea of the second harvest is darker, and so is what it leaves in the cup. "
HAN = "第二次采收的茶，颜色更深，杯中留下的也是如此。"
ARTICLE = f"<article><h1>{{1}} <i>tea</i></h1><p>{3 * SENTENCE}<p>{HAN}</article>"
PAGE = (
    "<title>Black tea &amp; more</title><body><ul class=menu><li><a href=/>Tea</a></ul>"
    "<div class=content><p>a &alpha; &lt; b<br>c <a href=/x>" + SENTENCE + "</a>"
    "<ruby>茶<rt>cha</rt></ruby><b hidden>x</b><span style='display:none'>y</span>"
    + ARTICLE.replace("{1}", "Black")
    + ARTICLE.replace("{1}", "Green")
    + "</div><div id='a &amp;' class=footer>"
    + SENTENCE
    + "</div>"
)
LIST = f"<title>Tea</title><h2><a href=/x?a&amp;b>Black</a></h2><p>{9 * SENTENCE}"
HEADED = f"<title>Tea</title><h1>Shop</h1><div><h1>Black</h1><p>{9 * SENTENCE}</div>"
VAGUE = f"<title>Shop</title><div><h2>Black</h2><p>{9 * SENTENCE}</div>"
TEXT = f"{SENTENCE} Ｔｅａ… {HAN} お茶を飲む ﷺ"
WORDS = f"{SENTENCE} {'long' * 9} {HAN}".encode()
DICTIONARY = "茶 3 n\n茶树 2 n\n名册 1 n\n".encode()
LINES = [f"{SENTENCE}{number}".encode() for number in range(9)]
SPELLINGS = array("H", [*range(0x3400), *range(0xFF00, 0x10000)]).tobytes()  # each as it is
PACKED = array("Q", range(40)).tobytes()
WEIGHTS = array("d", range(40))


def make_sketch(words: bytes = WORDS) -> bytes:
    """A fingerprint of the scheme ``combined``, as far as sketches of it are compared."""
    _, shingles, smallest = core.sketch(words, 1, xxh3_64_intdigest, 2, 2, 8)
    return b"".join((bytes(8), shingles.to_bytes(4, "little"), b"\x08\0\x02", bytes(9), smallest))


def never(*_: object) -> bool:
    return False


LEFT_OUT = b"7 09".__eq__  # Of the lines with numbers.
ONE, OTHER = make_sketch(), make_sketch(WORDS[40:])
NAMING = Naming()
NAMING.identify({"title": "tea", "price": "7.50"}, "http://a.example/")
FIELDS = NAMING._known[False]  # what the names of fields say
CALLS: dict[str, Callable[[str], object]] = {
    "weighted_dom": lambda _: extract(PAGE.encode()),
    "heading link": lambda _: extract(LIST.encode()),
    "two headings": lambda _: extract(HEADED.encode()),
    "heading of the text": lambda _: extract(VAGUE.encode()),
    "plain": lambda _: extract(PAGE.encode(), "plain"),
    "spell": lambda _: core.spell(TEXT, SPELLINGS, str.upper),
    "space_tokens": lambda _: segment(TEXT),
    "read_dictionary": lambda _: type(core.read_dictionary(DICTIONARY)),
    "join_tokens": lambda _: core.join_tokens(WORDS),
    "hash_tokens": lambda _: core.hash_tokens(WORDS, 1, xxh3_64_intdigest),
    "sketch": lambda _: make_sketch(),
    "sketch_visible": lambda _: core.sketch_visible(PAGE.encode(), 1, 32),
    "compare_sketches": lambda _: core.compare_sketches(ONE, OTHER, 0.0),
    "match_sentences": lambda _: core.match_sentences(LINES, [b"a " + LINES[0], *LINES[2:]]),
    "simhash": lambda _: core.simhash(PACKED, WEIGHTS),
    "near_words": lambda _: core.near_words(PACKED, 5, 3),
    "read_marks": lambda _: core.read_marks(PACKED, 8, 4, 0x7FFF),
    "is_utf8": lambda _: core.is_utf8(WORDS),
    "find_links": lambda _: core.find_links(b"<base href=/><link rel=canonical>", 99, 9),
    "find_numbers": lambda _: core.find_numbers(b"7 09\nx 8 cups 1", 9, 6, LEFT_OUT),
    "count_octet": lambda _: core.count_octet(WORDS, 32),
    "say": lambda _: core.say(WORDS),
    "show_blocks": lambda _: core.show_blocks(PAGE.encode(), str),
    "show_tags": lambda _: core.show_tags(PAGE.encode()),
    "tell_item": lambda _: core.tell_item(
        {"title": "tea", "price": "7.50"}, FIELDS, "", False, 100, _text_of, never, never
    ),
}
# These call functions in Python, which itself keeps some of a call whose variables find no memory.
READ_PAGES = ("weighted_dom", "heading link", "two headings", "heading of the text", "plain")
CALLS_PYTHON = (*READ_PAGES, "tell_item")
# These make generators. Python 3.13 itself crashes where it has no memory for one.
CRASH = READ_PAGES if sys.version_info[:2] == (3, 13) else ()
# This asks Python what it has no memory to find.
ASKS_AGAIN = ("tell_item",)


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Allocators that fail when they are told to."""
    if shutil.which(COMPILER[0]) is None:
        assert "NEARDUP_REQUIRE_SERVERS" not in os.environ, f"{COMPILER[0]} is missing"
        pytest.skip(f"{COMPILER[0]} is missing")
    built = tmp_path_factory.mktemp("failing") / "failing.so"
    headers = sysconfig.get_path("include")
    subprocess.run(
        [*COMPILER, "-shared", "-fPIC", "-O1", f"-I{headers}", HERE / "failing.c", "-o", built],
        check=True,
        env={name: value for name, value in os.environ.items() if name != "LD_PRELOAD"},
    )
    spec = spec_from_file_location("failing", built)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def untraced() -> Iterator[None]:
    """Measure no coverage here: it allocates, too, and a call would never come to its end."""
    trace = sys.gettrace()
    sys.settrace(None)
    yield
    sys.settrace(trace)


def test_every_function_has_its_call() -> None:
    named = {name for name in dir(core) if callable(getattr(core, name)) and name[0] != "_"}
    assert named - CALLS.keys() == {"read_page"}  # which ``extract`` calls


@pytest.mark.parametrize("for_ever", [False, True], ids=["one", "all from one on"])
@pytest.mark.parametrize("name", CALLS)
def test_where_memory_cannot_be_had_memory_error_is_raised(
    failing: Any, name: str, *, for_ever: bool
) -> None:
    call = CALLS[name]
    expected = call("x"), call("x")
    number, raised = 0, 0
    while True:
        try:
            made = failing.call(number, for_ever, name in CRASH, call, "x")
        except MemoryError:
            raised += 1
        else:
            assert made == expected[0]
            if not failing.failed():
                break
        number += 1
    enough = 0.5 if name in ASKS_AGAIN else 0.9
    assert raised > enough * number or number < 5, "Python itself does without little"


@pytest.mark.parametrize("name", CALLS)
def test_a_call_that_fails_keeps_no_memory(failing: Any, name: str) -> None:
    CALLS[name]("x")  # what is made once stays
    number = 0
    while fail_once(failing, name, number):
        assert any(keeps_nothing(failing, name, number) for _ in range(MOST_KEPT)), (
            f"allocation {number} leaks"
        )
        number += 1


def keeps_nothing(failing: Any, name: str, number: int) -> bool:
    """Whether as many blocks are free after a call that fails as before it."""
    before = failing.live()
    fail_once(failing, name, number)
    return bool(failing.live() - before <= 1)  # the number itself is a block


def fail_once(failing: Any, name: str, number: int) -> bool:
    """Whether an allocation of that number is made in a call, and so failed."""
    try:
        failing.call(number, False, name in CALLS_PYTHON, CALLS[name], "x")
    except MemoryError:
        return True
    return bool(failing.failed())
