"""What is compiled gives, to the last bit, what its counterpart in Python gives."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from random import Random
from types import ModuleType
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from xxhash import xxh3_64_intdigest

from benchmarks.fuzz import mutate
from crawler.demo.pages import render_all
from dedup import native
from dedup.native import portable
from dedup.native.portable.votes import log_weights
from dedup.page import MainText, extract, normalise, read_body, read_document
from dedup.page.charset import decode_html
from dedup.page.compiled import encode
from dedup.page.normalisation import spell
from dedup.page.segmentation import SEGMENTERS, space
from dedup.schemes.combined import Combined, read_sketch
from dedup.schemes.sketched import APART, compare_sketches
from dedup.verdict.sentences import split
from tests.portable_steps import use_portable

if not native.is_compiled:
    assert "NEARDUP_REQUIRE_SERVERS" not in os.environ, native.MISSING
    pytest.skip(native.MISSING, allow_module_level=True)

LAW = settings(derandomize=True, deadline=None, max_examples=400)
T = TypeVar("T")

SIGNS = st.one_of(
    st.sampled_from("ab1_ \n.,-é汉字分词のカナー〇\u0301\u0e01\u0e34’😀𠀀\u0902अ\u093f\u3400ª²"),
    st.characters(),
)


@cache
def demo_pages() -> list[bytes]:
    """The pages of the demo site."""
    served = render_all(dict.fromkeys(("news", "mirror"), "http://127.0.0.1:1"))
    return [page.body for page in served.values() if page.content_type.startswith("text/html")]


def both(make: Callable[[], T]) -> tuple[T, T]:
    made = make()
    with pytest.MonkeyPatch.context() as patch:
        use_portable(patch)
        return made, make()


def to_fingerprint(main: MainText) -> tuple[object, ...]:
    """All that a main text becomes on the way to its fingerprint."""
    document = read_document(main)
    made = Combined().fingerprint(document) if document.joined[1] else b""
    return document.spaced, document.joined, document.digest, made


@LAW
@given(st.integers(0, 1 << 32))
def test_real_pages_that_are_cut_up_become_the_same(seed: int) -> None:
    pages = demo_pages()
    main = extract(read_body(mutate(pages[seed % len(pages)], seed)), "plain")
    one, other = both(lambda: to_fingerprint(main))
    assert one == other


def test_the_demo_pages_become_the_same() -> None:
    for page in demo_pages():
        main = extract(read_body(page))
        one, other = both(lambda main=main: to_fingerprint(main))
        assert one == other


@LAW
@given(st.binary(max_size=40) | st.text(SIGNS).map(lambda s: s.encode("utf-8", "surrogatepass")))
def test_octets_are_utf_8_where_python_can_decode_them(octets: bytes) -> None:
    try:
        octets.decode()
        valid = True
    except UnicodeDecodeError:
        valid = False
    assert native.core.is_utf8(octets) == portable.is_utf8(octets) == valid


@LAW
@example(b"aab" * 3_000, ord("a"))  # more than are summed up in one octet
@given(st.binary(max_size=600), st.integers(0, 255))
def test_octets_are_counted_alike(octets: bytes, octet: int) -> None:
    many = octets + bytes((octet,)) * len(octets)
    assert native.core.count_octet(many, octet) == portable.count_octet(many, octet) >= len(octets)


@LAW
@given(
    st.lists(st.sampled_from(["<", "<link", "<LinK", "<base", "<body", ">", " a", "_", "é", "\n"])),
    st.integers(0, 40),
    st.integers(0, 9),
)
def test_links_of_a_head_are_found_alike(parts: list[str], most: int, longest: int) -> None:
    page = "".join(parts).encode()
    here, there = (steps.find_links(page, most, longest) for steps in (native.core, portable))
    assert here == there


@LAW
@example(["0", "\n", "00", "x" * 16, "1", "\n", "12"], 9)
@given(
    st.lists(st.sampled_from("0|07|19| |\n|x|xxxxxxxxxxxxxxxxx|月".split("|"))), st.integers(0, 9)
)
def test_numbers_are_found_alike(parts: list[str], most: int) -> None:
    lines, asked = "".join(parts).encode(), list[bytes]()

    def is_left_out(line: bytes) -> bool:
        asked.append(line)
        return len(line) % 2 == 1

    here = native.core.find_numbers(lines, most, 20, is_left_out)
    asked_here, asked[:] = [*asked], []
    assert portable.find_numbers(lines, most, 20, is_left_out) == here
    assert asked == asked_here


@LAW
@given(
    text=st.text(SIGNS, max_size=30),
    segmenter=st.sampled_from(SEGMENTERS),
    normalised=st.booleans(),
)
def test_any_text_is_parted_alike(text: str, segmenter: str, *, normalised: bool) -> None:
    written = normalise(text) if normalised else text
    one, other = both(lambda: space(written, segmenter))
    assert one == other


@LAW
@example("\u2f3e")  # a radical, which is spelled as a Han character
@example("\uff77\uffd5")  # Hangul in parts
@example("茶  茶 \ufe0f 茶 \ue000 茶\n 茶 a 茶")  # white space beside what is removed, and icons
@example("茶 ½ 茶 茶\n茶 茶")  # a line that Python spells
@given(st.text(SIGNS | st.sampled_from("ＡÅ\u030aß…！\u3000\u200b\xadC++#漢臺İ\n")))
def test_any_text_is_spelled_alike(text: str) -> None:
    one, other = both(lambda: spell(text))
    assert one == other


def test_every_character_is_spelled_alike_beside_others() -> None:
    text = "\n".join(f"a{chr(code)}b" for code in range(0x110000) if not 0xD800 <= code < 0xE000)
    one, other = both(lambda: spell(text))
    assert one == other


@pytest.mark.parametrize("page", ["<p>caf\xe9", "<p>茶</p>", "<p>a\0b", "\ufeff<p>tea"])
@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16"])
def test_a_body_reads_as_its_page_does(page: str, encoding: str) -> None:
    body = page.encode(encoding)
    read, decoded = read_body(body), decode_html(body)
    assert encode(read) == encode(decoded)


@LAW
@given(st.lists(st.binary(min_size=1, max_size=40)), st.integers(0, (1 << 64) - 1))
def test_tokens_are_hashed_by_xxh3(tokens: list[bytes], seed: int) -> None:
    words = [word for token in tokens for word in token.split()]
    text = b" ".join(words)
    hashes = native.core.hash_tokens(text, seed, xxh3_64_intdigest)
    assert hashes == portable.hash_tokens(text, seed, xxh3_64_intdigest)
    assert np.frombuffer(hashes, np.uint64).tolist() == [xxh3_64_intdigest(w, seed) for w in words]
    assert native.core.join_tokens(b" \n" + text + b"\t") == (text, len(words))


@LAW
@given(st.lists(st.binary(max_size=20), max_size=20), st.binary(max_size=3))
def test_any_octets_are_taken_apart_alike(parts: list[bytes], between: bytes) -> None:
    text = (b" " + between).join(parts)
    assert native.core.join_tokens(text) == portable.join_tokens(text)
    hashes, by_python = (
        steps.hash_tokens(text, 1, xxh3_64_intdigest) for steps in (native.core, portable)
    )
    assert hashes == by_python


@LAW
@given(st.lists(st.tuples(st.integers(0, (1 << 64) - 1), st.integers(1, 9)), max_size=50))
def test_votes_are_counted_alike(features: list[tuple[int, int]]) -> None:
    hashes = np.array([feature for feature, _ in features], np.uint64).reshape(-1, 1)
    weights = log_weights(np.array([count for _, count in features], np.int64))
    assert native.core.simhash(hashes, weights) == portable.simhash(hashes, weights)


@LAW
@given(
    st.lists(st.integers(0, (1 << 64) - 1), max_size=20),
    st.integers(0, (1 << 64) - 1),
    st.integers(0, 64),
)
def test_near_words_are_the_same(stored: list[int], word: int, radius: int) -> None:
    packed = b"".join(one.to_bytes(8, "little") for one in (*stored, word ^ 5, word))
    found = native.core.near_words(packed, word, radius)
    assert found == portable.near_words(packed, word, radius)
    assert found == [w for w in (*stored, word ^ 5, word) if (w ^ word).bit_count() <= radius]


@pytest.mark.parametrize("steps", [native.core, portable])
def test_among_no_words_none_is_near(steps: ModuleType) -> None:
    assert steps.near_words(b"", 0, 64) == steps.near_words(bytearray(), 0, 0) == []


@LAW
@given(st.lists(st.binary(min_size=12, max_size=12)), st.sampled_from([1, 4, 256]))
def test_marks_are_the_same(entries: list[bytes], slots: int) -> None:
    marks = native.core.read_marks(b"".join(entries), 12, slots, 0x7FFF)
    assert marks == portable.read_marks(b"".join(entries), 12, slots, 0x7FFF)
    assert sum(map(len, marks)) == len(entries)


PASSAGES = st.lists(st.integers(0, 12), min_size=1, max_size=12)  # by their lengths
LETTERS = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=200)


def edited(seed: int) -> list[str]:
    """A text with words changed all over: other ones by another seed."""
    chance = Random(seed)
    return [f"w{i}" if chance.randrange(2 + seed % 9) else f"w{i}x{seed}" for i in range(300)]


TEXTS = st.one_of(
    LETTERS,
    PASSAGES.map(lambda passages: [f"p{n}w{i}" for n in passages for i in range(12 * n + 1)]),
    st.integers(0, 999).map(edited),
).map(" ".join)


@LAW
@example("", 8, 8, 1, 0)
@given(
    TEXTS,
    st.integers(1, 9),
    st.integers(0, 9),
    st.sampled_from([0, 1, 20, 128, 500]),
    st.integers(0, (1 << 64) - 1),
)
def test_sketches_are_made_alike(text: str, shingle: int, keys: int, most: int, seed: int) -> None:
    arguments = (text.encode(), seed, xxh3_64_intdigest, shingle, keys, most)
    assert native.core.sketch(*arguments) == portable.sketch(*arguments)


@LAW
@given(TEXTS, TEXTS, st.sampled_from([8, 20, 128]), st.sampled_from([1, 8]))
def test_sketches_are_compared_alike(one: str, other: str, sketch: int, keys: int) -> None:
    scheme = Combined(sketch=sketch, keys=keys)
    documents = [read_document(extract(f"<p>{text}</p>", "plain")) for text in (one, other)]
    fingerprints = [*map(scheme.fingerprint, documents)]
    a, b = map(read_sketch, fingerprints)
    for least in (0.0, 0.1, 0.5):
        expected = compare_sketches(a, b, least)
        found = native.core.compare_sketches(*fingerprints, least)
        assert found == (() if expected is APART else expected)
    assert native.core.compare_sketches(fingerprints[0], fingerprints[1][:-1], 0.0) is None


SENTENCE_WORDS = st.lists(st.sampled_from("abcdefghij茶酒"), min_size=1, max_size=9)
SENTENCES = st.lists(SENTENCE_WORDS.map(" ".join), max_size=40)


@st.composite
def versions(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Two texts in sentences, the second edited from the first, or another one."""
    first = draw(SENTENCES)
    if draw(st.booleans()):
        return first, draw(SENTENCES)
    return first, edited(first, Random(draw(st.integers(0, 999))))


def edited(first: list[str], chance: Random) -> list[str]:
    """A text with some sentences left out and others changed."""
    second = [line for line in first if chance.randrange(6)]
    edit = {0: lambda line: f"{line} x{chance.randrange(9)}", 1: lambda line: line[2:]}
    changed = [edit.get(chance.randrange(4), str)(line) for line in second]
    return [line for line in changed if line]


@LAW
@given(versions())
def test_sentences_are_found_alike(texts: tuple[list[str], list[str]]) -> None:
    check_sentences(*texts)


@pytest.mark.parametrize("words", ["ab", "abcdefghij茶酒"])
def test_sentences_of_many_short_texts_are_found_alike(words: str) -> None:
    chance = Random(words)
    for number in range(600):
        first = [
            " ".join(chance.choices(words, k=chance.randint(1, 9)))
            for _ in range(chance.randint(0, 40))
        ]
        second = chance.sample(first, len(first)) if number % 2 else first
        check_sentences(first, edited(second, chance))


def check_sentences(first: list[str], second: list[str]) -> None:
    ours, theirs = ([line.words for line in split(lines, [])[0].lines] for lines in (first, second))
    assert native.core.match_sentences(ours, theirs) == portable.match_sentences(ours, theirs)


@pytest.mark.parametrize("seed", range(4))
def test_sentences_of_long_texts_are_found_alike(seed: int) -> None:
    chance = Random(seed)
    words = [f"w{number}" for number in range(140)] + ["tea"] * seed
    first = [
        " ".join(chance.choices(words, k=chance.randint(1, 30))) for _ in range(200 + 150 * seed)
    ]
    second = [line.replace(chance.choice(words), "x") for line in first if chance.randrange(8)]
    ours, theirs = ([line.words for line in split(lines, [])[0].lines] for lines in (first, second))
    matching = native.core.match_sentences(ours, theirs)
    assert matching == portable.match_sentences(ours, theirs)
    found, _, _, broken = matching
    assert found
    assert broken


def test_what_are_no_sentences_is_refused() -> None:
    with pytest.raises(TypeError):
        native.core.match_sentences(["tea"], [])
    with pytest.raises(ValueError, match="too many words"):
        native.core.match_sentences([b" " * (1 << 24)], [])


def test_what_does_not_fit_is_refused_and_a_failing_function_is_heard() -> None:
    core = native.core
    with pytest.raises(ValueError, match="16 bits"):
        core.space_tokens(b"tea", b"", None)
    with pytest.raises(ValueError, match="two octets for each"):
        core.spell("tea", b"", str)
    with pytest.raises(ValueError, match="power of two"):
        core.read_marks(b"", 12, 3, 1)
    with pytest.raises(ValueError, match="one weight"):
        core.simhash(b"12345678", b"")
    with pytest.raises(ZeroDivisionError):
        core.hash_tokens(b"a" * 20, 0, lambda *_: 1 / 0)
