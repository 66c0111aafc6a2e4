"""What holds for any octets that go through the functions of ``dedup.native.core``.

A law that is broken raises AssertionError. The functions are called as the package calls them.
Each gets its octets in an array of just that length, so AddressSanitizer sees any read behind it.
"""

from __future__ import annotations

import math
from array import array
from collections import UserDict
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import xxhash

from dedup import native
from dedup.items import Naming
from dedup.native import core
from dedup.native.portable import find_links, find_numbers, is_utf8, sketch_visible
from dedup.page import Document, MainText, extract, read_document
from dedup.page.normalisation import spell
from dedup.page.segmentation import space
from dedup.schemes.combined import Combined
from dedup.verdict.sentences import split

CUT = b"<!--|-->"  # between the two pages of an input; without it, the second is half of the first
SEED = 7
ENTRY, SLOTS, MARK = 12, 4, 0x7FFF  # of a bucket
SCHEME = Combined(sketch=16, keys=4)
FUNCTIONS = frozenset(name for name, one in vars(core).items() if callable(one) and name[0] != "_")
called: set[str] = set()


class Exact:
    """The compiled module, whose functions get octets in arrays of just their length.

    Octets in ``bytes`` have a NUL behind them, and a read of it would go unseen.
    """

    def __getattr__(self, name: str) -> Any:
        function = getattr(core, name)
        if name not in FUNCTIONS:
            return function

        def call(*arguments: object, **named: object) -> object:
            called.add(name)
            exact_ones = (_exact(one) if isinstance(one, bytes) else one for one in arguments)
            return function(*exact_ones, **named)

        setattr(self, name, call)
        return call


def _exact(octets: bytes) -> array[int]:
    return array("B", octets)[:]  # a new array has room for more, a copy has none


exact: Any = Exact()


def give_exact_arrays() -> None:
    """Have the package call the compiled functions through ``exact``."""
    native.core = exact
    for name in FUNCTIONS & set(vars(native)):
        setattr(native, name, getattr(exact, name))


def check(octets: bytes) -> None:
    """Check all laws with any octets: one page, or two with ``CUT`` between.

    Raises:
        AssertionError: a law is broken.
    """
    one, _, other = octets.partition(CUT)
    first, second = (check_page(page) for page in (one, other or one[: len(one) // 2]))
    check_fingerprints(first, second, octets)
    check_sentences(first, second)
    check_steps(one)
    check_visible(one)
    check_words(one)
    check_packed(one)
    check_item(one)
    check_dictionary(one)


def check_page(body: bytes) -> Document:
    """Read a page; return the document of its main text."""
    page: str | bytes = body
    if not is_utf8(body):
        page = body.decode(errors="replace")
        with suppress(UnicodeDecodeError):  # Python cannot read some octets
            extract(body)
    documents = []
    for extractor in ("plain", "weighted_dom"):
        main = extract(page, extractor)
        assert extract(page, extractor) == main, "the same page reads the same"
        check_text(page if isinstance(page, str) else page.decode(), main)
        documents.append(read_document(main))
        documents[-1].spaced.decode()
    return documents[-1]


def check_text(page: str, main: MainText) -> None:
    """Text is UTF-8 and folded; where a page has no references, it stands there in that order."""
    texts = [paragraph.text for paragraph in main.paragraphs]
    for text in (*texts, main.title, main.heading):
        text.encode()
        assert text == " ".join(text.split(" ")).strip(), "white space is folded"
    assert all(texts), "a paragraph has text"
    if "&" not in page:
        letters = iter(page)
        assert all(letter in letters for letter in "".join("".join(texts).split())), "text is found"


def check_visible(octets: bytes) -> None:
    """The sketch of what a page shows is that of Python, whatever the octets."""
    seed, most = len(octets), 1 + len(octets) % 32
    assert exact.sketch_visible(octets, seed, most) == sketch_visible(octets, seed, most)


def check_steps(octets: bytes) -> None:
    """Tags stand one behind the other; blocks have text, and no more of it in links."""
    end = 0
    for start, stop, name in exact.show_tags(octets):
        assert end <= start < stop
        assert octets[start : start + 1] == b"<"
        assert name in core.NAMES
        end = stop
    assert 0 <= exact.say(octets) < 1 << len(core.SAYINGS)
    for outline in (False, True):
        for _, text, link_chars, level in exact.show_blocks(octets, _replace, outline=outline):
            assert text
            assert 0 <= link_chars <= len(text)
            assert 0 <= level <= 6


def _replace(octets: bytes) -> str:
    return octets.decode(errors="replace")


def check_item(octets: bytes) -> None:
    """An item is known by the same, whatever holds its fields."""
    text = octets[:200].decode(errors="replace")
    fields = {"title": text, "price": text[-8:], "teaser": text[:120], text[:9]: len(text)}
    naming = Naming()
    plain, other = (naming.identify(kind(fields), "http://a.example/") for kind in (dict, UserDict))
    assert (plain and plain.digest) == (other and other.digest)


def check_fingerprints(first: Document, second: Document, octets: bytes) -> None:
    """Two fingerprints are as alike as they are the other way round; any octets can be compared."""
    one, other = (SCHEME.fingerprint(document) for document in (first, second))
    there, back = exact.compare_sketches(one, other, 0.0), exact.compare_sketches(other, one, 0.0)
    if there:
        resemblance, *shares = there[:3]
        assert back[:3] == (resemblance, *reversed(shares))
        assert all(0 <= share <= 1 for share in there[:5])
    else:
        assert there == back
    if first.joined[1]:
        assert exact.compare_sketches(one, one, 0.0)[0] == 1
    exact.compare_sketches(octets, one, 0.0)
    exact.compare_sketches(one[:24] + octets, one, 0.0)


def check_sentences(first: Document, second: Document) -> None:
    """Sentences are found where there are some; all of a text stands in itself."""
    ours, theirs = split(*([p.text for p in one.paragraphs] for one in (first, second)))
    here, there = ([line.words for line in text.lines] for text in (ours, theirs))
    found, alone, gone, broken = native.match_sentences(here, there)
    assert all(0 <= place < len(here) and -1 <= at < len(there) for place, _, at in found)
    assert all(0 <= share <= 1 for _, share, at in found if at >= 0)
    assert all(0 <= place < len(there) for place in alone)
    assert set(gone) | set(broken) <= set(alone)
    assert not any(native.match_sentences(here, here)), "nothing is changed"
    assert not split(ours.blocks, ours.blocks)[0].lines, "nothing is different"


def check_words(octets: bytes) -> None:
    """Words are joined, counted and hashed as Python does it; any text is spelled and parted."""
    words = octets.split()
    assert exact.join_tokens(octets) == (b" ".join(words), len(words))
    assert exact.count_octet(octets, ord("<")) == octets.count(b"<")
    assert exact.is_utf8(octets) == is_utf8(octets)
    for longest in (len(octets), 1):
        assert exact.find_links(octets, 512, longest) == find_links(octets, 512, longest)
    for most, asked in ((len(octets), bytes.isspace), (2, bytes.isalnum)):
        assert exact.find_numbers(octets, most, 9, asked) == find_numbers(octets, most, 9, asked)
    hashes = array("Q", exact.hash_tokens(octets, SEED, xxhash.xxh3_64_intdigest))
    assert hashes.tolist() == [xxhash.xxh3_64_intdigest(word, SEED) for word in words]
    _, shingles, smallest = exact.sketch(octets, SEED, xxhash.xxh3_64_intdigest, 2, 2, 8)
    assert shingles <= len(words)
    assert len(smallest) == 5 * min(shingles, 8) + 4 * min(shingles, 2)
    for segmenter in ("jieba", "chars"):
        space(spell(octets.decode(errors="surrogateescape")), segmenter).decode()


def check_packed(octets: bytes) -> None:
    """Packed words and marks are found as Python finds them; weights that are none are refused."""
    numbers = array("Q", octets[: len(octets) // 8 * 8])
    weights = array("d", numbers.tobytes())
    word, radius = (numbers[0], len(octets) % 65) if numbers else (0, 0)
    near = [one for one in numbers if (one ^ word).bit_count() <= radius]
    assert exact.near_words(octets, word, radius) == near
    marks = exact.read_marks(octets, ENTRY, SLOTS, MARK)
    assert sum(map(len, marks)) == len(octets) // ENTRY
    if all(0 <= weight <= 2**53 for weight in weights):
        assert 0 <= exact.simhash(numbers, weights) < 2**64
    else:
        _refuses(exact.simhash, numbers, weights)
    _refuses(exact.simhash, numbers, array("d", [*weights, math.nan]))


def _refuses(function: Callable[..., object], *arguments: object) -> None:
    try:
        function(*arguments)
    except ValueError:
        return
    raise AssertionError("what cannot be counted is refused")


def check_dictionary(octets: bytes) -> None:
    """Octets are a dictionary or are refused; any octets are cut into words by one."""
    with suppress(ValueError):
        exact.space_tokens("茶树名册一龥".encode(), KINDS, exact.read_dictionary(octets))
    for words in (None, TEA):
        exact.space_tokens(octets, KINDS, words)


def _kinds() -> bytes:
    """What characters are, for ``space_tokens``: by the numbers of native/segmentation.c."""
    kinds = bytearray(code % 6 for code in range(0x10000))  # of all kinds, side by side,
    kinds = bytearray(kind if kind != 2 else 1 for kind in kinds)
    kinds[0x4E00:0x9FD6] = b"\2" * (0x9FD6 - 0x4E00)  # but Han characters are where jieba has them
    return bytes(kinds)


KINDS = _kinds()
TEA = core.read_dictionary("茶树 3 n\n茶 2 n\n名册 1 n".encode())


def check_called() -> None:
    """Raise AssertionError unless each function was called."""
    assert called >= FUNCTIONS, f"not called: {sorted(FUNCTIONS - called)}"
