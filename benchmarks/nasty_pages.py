"""Pages that nobody should have to read, made by code: the worst that a server may answer with.

A page is as large as the default NEARDUP_MAX_BODY lets through, or just within the limits of
``dedup.page.limits``, where all the work is done that may be. All are the same at each run, and
made only when asked for.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise

from dedup.page import readability
from dedup.page.attributes import LONG_TAGS
from dedup.page.limits import (
    MOST_IN_LONG_TAGS,
    MOST_PARAGRAPHS,
    MOST_REFERENCES,
    MOST_TAGS,
    MOST_TEXT,
)

SIZE = 5_000_000  # bytes: as much as is read by default
DEEP = 50_000
UTF8 = "text/html; charset=utf-8"
UNTOLD = "text/html"
BLOCK_TAGS = (
    "html body main article section div header footer nav aside p h1 h2 h6 ul ol li dl dt dd pre "
    "blockquote figure table tbody tr td caption form fieldset legend details address center"
).split()
OTHER_TAGS = "a b i font span button select option object svg template nobr".split()
FEW_TAGS = readability.MOST_TAGS

Make = Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class NastyPage:
    """A page, and how it is served."""

    make: Make
    content_type: str = UTF8
    wordy: bool = False  # Whether it has enough text to be hard on schemes, too.


def flood(unit: str | bytes, size: int = SIZE, before: str = "", after: str = "") -> bytes:
    """One thing over and over, cut at ``size`` bytes; something else before and after."""
    octets = unit if isinstance(unit, bytes) else unit.encode()
    start, end = before.encode(), after.encode()
    room = size - len(start) - len(end)
    return start + (octets * (room // len(octets) + 1))[:room] + end


@cache
def words(count: int) -> tuple[str, ...]:
    """So many words, hardly one of them twice."""
    chance = random.Random(count)
    letters = "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=7 * count))
    return tuple(letters[start : start + 7] for start in range(0, 7 * count, 7))


def han(count: int) -> str:
    """So many Han characters at random."""
    return "".join(map(chr, random.Random(count).choices(range(0x4E00, 0x9FA5), k=count)))


def article() -> str:
    """A page of six paragraphs: what a page is about that is nasty around it."""
    text = words(360)
    paragraphs = (" ".join(text[start : start + 60]) for start in range(0, 360, 60))
    return "<article>" + "".join(f"<p>{paragraph}.</p>" for paragraph in paragraphs)


def nested(tag: str, text: str = "") -> bytes:
    """An article inside of 50,000 elements."""
    return (f"<{tag}>{text}" * DEEP + article()).encode()


def attributes(count: int, tags: int = 1, form: str = "a{}") -> bytes:
    """Tags of so many attributes of different names each."""
    names = " ".join(form.format(number) for number in range(count))
    return flood(f"<p {names}>word", min(SIZE, tags * (len(names) + 8)), after=article())


def paragraphs(count: int, length: int, before: str = "<p>", after: str = "") -> bytes:
    """So many paragraphs of so many words."""
    text = words(count * length)
    parts = (" ".join(text[place : place + length]) for place in range(0, len(text), length))
    return "".join(f"{before}{part}{after}" for part in parts).encode()[:SIZE]


def marks(count: int) -> bytes:
    """Combining marks in an order that is not theirs."""
    shuffled = random.Random(count).choices("\u0315\u0300\u0321\u05ae", k=count)
    return ("a" + "".join(shuffled)).encode()


def bombs() -> bytes:
    """Entities made of entities, as XML readers expand them."""
    names = "abcdefghijklmnopqrst"
    inner = "".join(f'<!ENTITY {after} "{f"&{name};" * 10}">' for name, after in pairwise(names))
    return flood("&t; ", SIZE, f'<!DOCTYPE html [<!ENTITY a "aaaaaaaaaa">{inner}]><p>')


def utf16(unit: str) -> bytes:
    """A flood in UTF-16."""
    return b"\xff\xfe" + (unit * (SIZE // (2 * len(unit)))).encode("utf-16-le")[: SIZE - 2]


def noise() -> bytes:
    """Random bytes."""
    return random.Random(0).randbytes(SIZE)


def depths(levels: int, tags: int) -> bytes:
    """Many short paragraphs, each as deep as so many levels."""
    each = "<div>" * levels + "<p>text, of, a, line that goes on" + "</div>" * levels
    return (each * (tags // (2 * levels + 1))).encode()


def _headed_deep() -> bytes:
    """An <h1>, an introduction and an article in the innermost of very many elements."""
    head = f"<h1>word</h1><div><p>{' '.join(words(60))}.</div>"
    return f"{'<div>' * (MOST_TAGS - 100)}{head}{article()}".encode()


def _captions_deep() -> bytes:
    """An article, and captions in captions below it that have no figure."""
    caption = f"<p>{' '.join(words(60))}."
    return f"{article()}{'<figcaption>' * (DEEP - 1_000)}{caption}".encode()


def _nesting() -> Iterator[tuple[str, NastyPage]]:
    for tag in (*BLOCK_TAGS, *OTHER_TAGS):
        yield f"50,000 deep: {tag}", NastyPage(partial(nested, tag))
    for tag in ("div", "p", "a", "b", "span"):
        yield f"50,000 deep with words: {tag}", NastyPage(partial(nested, tag, "word "))
    for rest in ("< a ", "<script ", "<!-- x", "<script></style>"):
        before = "<div>" * DEEP
        yield f"50,000 deep, then {rest.strip()}", NastyPage(partial(flood, rest, SIZE, before))
    for rest in ("</table>", "</li>", "<td>", "<li>", "</body>", "<h1>a"):
        before = "<table><tr><ul><li>" + "<div>" * (DEEP - 1_000)
        make = partial(flood, rest, len(before) + (DEEP - 1_000) * len(rest), before)
        yield f"49,000 deep, then 49,000 of {rest}", NastyPage(make)
    behind = f"</h1>{'a' * 31}<b>x</b>"  # text that no <h1> heads
    deep = "<div a=hidden>" * 40_000
    make = partial(flood, behind, len(deep) + 15_000 * len(behind), deep)
    yield "40,000 deep, then 15,000 of </h1> and text", NastyPage(make)
    yield "an article below an <h1>, as deep as is read", NastyPage(_headed_deep)
    yield "captions in captions, below an article", NastyPage(_captions_deep)
    yield "the same <h1>, behind <html/>", NastyPage(lambda: b"<html/>" + _headed_deep())
    for levels in (5, 240, 1_900):
        for tags in (FEW_TAGS, MOST_TAGS):
            yield f"{tags:,} tags {levels:,} deep", NastyPage(partial(depths, levels, tags - 100))
    for tag in ("article", "header"):
        unit = f"<{tag}><h1>word</h1><p>text, of, a, line that goes on"
        make = partial(flood, unit, DEEP // 3 * len(unit), "<title>word</title>")
        yield f"{tag} in {tag}, each with <h1>", NastyPage(make)


def _floods_of_markup() -> Iterator[tuple[str, NastyPage]]:
    units = (
        "<p> <p>x <div> <a> <b> <br> <br>a <h1>word <h1><a>word</a></h1> <li>a <i/> <tr><td>a "
        "</p> </div> </html> < <! <!-- <!----> <?a?> <![CDATA[ <script> <style> <textarea> "
        "<plaintext> <select><option>a <form><input> <svg><title>x</title></svg> "
        "<table><tr><td> <nobr><b><p> <frameset><frame> & &lt; &#x4e2d; &#xD800; &#8232; "
        "<!DOCTYPE> </html<p> \u2028a"
    ).split(" ")
    for unit in units:
        yield f"5 MB of {unit}".replace("\u2028", "U+2028 "), NastyPage(partial(flood, unit))
    afters = ("<script>", "<!--", "<style ", "</html" + " " * 50_000)
    for after in afters:
        page = NastyPage(partial(flood, after, SIZE, "<html><p>tea</html>"))
        yield f"5 MB of {after.strip()} after the end", page
    yield "an entity's name of 5 MB", NastyPage(partial(flood, "a", SIZE, "<p>&"))
    yield "entities in entities", NastyPage(bombs)
    yield "a gigantic table", NastyPage(partial(flood, "<tr><td>word<td>12.5", SIZE, "<table>"))


def _attributes() -> Iterator[tuple[str, NastyPage]]:
    for count in (1_000, 20_000, 160_000, 600_000):
        yield f"{count:,} attributes in a tag", NastyPage(partial(attributes, count))
    form = "a{}='>'"
    yield "160,000 attributes with > inside", NastyPage(partial(attributes, 160_000, form=form))
    for count, tags in ((100, 50_000), (MOST_IN_LONG_TAGS - 2, 1), (LONG_TAGS.least // 6, 1_500)):
        name = f"{tags:,} tags of {count:,} attributes"
        yield name, NastyPage(partial(attributes, count, tags))
    end = ">" + article()
    yield (
        "one attribute 5 MB long",
        NastyPage(partial(flood, "nav- ", SIZE, "<p class='", "'" + end)),
    )
    yield "a million equal attributes", NastyPage(partial(flood, " a=b", SIZE, "<p", end))
    yield "a million attributes", NastyPage(partial(flood, "<i a=b c=d>"))
    yield (
        "5 MB of blanks in a tag",
        NastyPage(partial(flood, " ", SIZE, "<div", "class=x>" + article())),
    )
    unit = f"<p style='display:{' ' * 1_000}x'>w"
    yield "styles that hide nothing", NastyPage(partial(flood, unit))
    unit = """<a x=">" y='>' z="> """
    size = MOST_TAGS * len(unit) - 100
    yield "tags that end in no value", NastyPage(partial(flood, unit, size, "", article()))
    units = ("<span hidden>a ", "<p><b hidden>a ", "<i hidden>a</i>", "<div hidden>a ")
    for unit in (*units, "<h1><i hidden>a "):
        size = MOST_TAGS // 2 * len(unit) - 100
        yield f"many {unit.strip()}", NastyPage(partial(flood, unit, size, "", article()))
    unit = f"<div class='{'a nav-' * 30}'>some words</div>"
    yield "long names", NastyPage(partial(flood, unit))


def _encodings() -> Iterator[tuple[str, NastyPage]]:
    yield "random bytes as UTF-8", NastyPage(noise)
    yield "random bytes of no name", NastyPage(noise, UNTOLD)
    yield "random bytes as UTF-16", NastyPage(lambda: b"\xff\xfe" + noise()[2:])
    yield "one word and a byte astray", NastyPage(lambda: flood("x")[1:] + b"\xff", UNTOLD)
    yield "a byte astray and one word", NastyPage(lambda: b"\xff" + flood("x")[1:], UNTOLD)
    yield "tags in UTF-16", NastyPage(partial(utf16, "<p>word "), UNTOLD)
    yield "Chinese in UTF-16 called UTF-8", NastyPage(lambda: utf16(han(1_000))[2:])
    yield "NULs", NastyPage(partial(flood, "\0"))
    yield "NULs and controls in words", NastyPage(partial(flood, "te\0a \x01\x02"))
    yield "lone surrogates", NastyPage(partial(flood, b"\xed\xa0\x80 "))
    yield "byte order marks", NastyPage(partial(flood, "\ufeff"))
    units = {
        "utf-7": b"+ADw-p+AD4- ",
        "iso-2022-jp": b"\x1b$B!!\x1b(B ",
        "hz-gb-2312": b"~{!!~} ",
        "utf-16": b"tea ",
        "x-none": b"tea ",
    }
    for name, unit in units.items():
        page = NastyPage(partial(flood, unit, SIZE, f"<meta charset={name}><p>"), UNTOLD)
        yield f"called {name}", page
    yield "5 MB of <meta charset=", NastyPage(partial(flood, "<meta charset="), UNTOLD)


def _text() -> Iterator[tuple[str, NastyPage]]:
    units = {
        "a word of": "x",
        "one word": "spam ",
        "single letters": "a ",
        "line feeds": "\n",
        "dots": ".",
        "closing quotes": "\"\"'''))) ",
        "right to left": "\u202e\u202d\u05d0\u0627 ",
        "one combining mark": "\u0301",
        "words of 1,000 marks": "a" + "\u0301" * 1_000 + " ",
        "characters that are phrases": "\ufdfa",
        "characters that are words": "\u3316",
        "few characters that are phrases": "\ufdfa" + "a " * 38,
        "signs that are four signs": "\u2057",
        "Hangul letters": "\u1100\u1161\u11a8",
        "zero-width spaces": "\u200b",
        "emoji in families": "\U0001f468\u200d\U0001f469\u200d\U0001f467 ",
        "one Han character": "\u4e2d",
        "words within words": "\u4e2d\u534e\u4eba\u6c11\u5171\u548c\u56fd",
        "Han between letters": "\u4e2da",
        "traditional characters": "\u842c\u8207\u91ab\u8846\u88e1\u9aee\u5f8c\u4e7e",
        "kana": "\u3042\u3044\u30ab",
        "Thai": "\u0e20\u0e32\u0e29\u0e32",
        "less-than signs": "a < b ",
    }
    for name, unit in units.items():
        yield f"5 MB of text: {name}", NastyPage(partial(flood, unit))
        yield (
            f"as much text as is read: {name}",
            NastyPage(partial(flood, unit, MOST_TEXT), wordy=len(unit) < 8),
        )
    yield "5 MB of marks in disorder", NastyPage(partial(marks, SIZE // 2 - 1))
    yield "as many marks in disorder as are read", NastyPage(partial(marks, MOST_TEXT // 2 - 1))
    yield "5 MB of Chinese without a stop", NastyPage(lambda: han(SIZE // 3).encode())
    page = NastyPage(lambda: han(MOST_TEXT // 3).encode(), wordy=True)
    yield "as much Chinese as is read", page


def _many_of_a_kind() -> Iterator[tuple[str, NastyPage]]:
    most = MOST_TEXT // 8
    yield "words, each another", NastyPage(partial(paragraphs, 1, most), wordy=True)
    yield (
        "sentences, each another",
        NastyPage(partial(paragraphs, most // 5, 5, "", ". "), wordy=True),
    )
    for unit in ("&b", "&#1;"):
        make = partial(flood, unit, MOST_REFERENCES * len(unit), "<p><a>")
        yield f"as many references as are read: {unit}", NastyPage(make)
    yield "sentences of a letter", NastyPage(partial(flood, "a. ", MOST_TEXT), wordy=True)
    most = MOST_PARAGRAPHS - 100
    yield "paragraphs, each another", NastyPage(partial(paragraphs, most, 3), wordy=True)
    yield "paragraphs of a word", NastyPage(partial(paragraphs, most, 1), wordy=True)
    for tag in ("p", "li", "td", "h1", "br", "span", "div"):
        make = partial(flood, f"<{tag}>aa bb cc, ", (MOST_TAGS - 100) * (len(tag) + 12))
        yield f"as many tags as are read: {tag}", NastyPage(make, wordy=tag in ("p", "td"))
        make = partial(flood, f"<{tag}>aa bb cc, ", (FEW_TAGS - 100) * (len(tag) + 12))
        yield f"as many as readability reads: {tag}", NastyPage(make)


NASTY: Mapping[str, NastyPage] = dict(
    (
        *_nesting(),
        *_floods_of_markup(),
        *_attributes(),
        *_encodings(),
        *_text(),
        *_many_of_a_kind(),
    )
)
