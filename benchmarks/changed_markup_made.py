"""Changes of a page's markup that leave its main text as it is.

Templates differ in names, in elements, and in what they put beside the text. An extractor should
find the same text after each change. The words that are put beside it are of another page's text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from itertools import cycle, islice

from lxml.html import HtmlElement, HTMLParser, document_fromstring, tostring
from lxml.html.builder import E

from dedup.page.attributes import blank_controls

NAMES = ("class", "id", "role")
ELEMENTS = frozenset(("main", "article", "section", "header", "footer", "nav", "aside"))

Words = Iterator[str]  # Without end.
Change = Callable[[HtmlElement, Words], None]


def change_page(html: str, change: Change, other: str) -> str:
    """The HTML of a page after a change of its ``<body>``.

    Words of another text are put beside the page's own; characters if that text has no spaces.
    """
    root = document_fromstring(html.encode(errors="replace"), parser=HTMLParser(encoding="utf-8"))
    words = blank_controls(other).split()
    by_character = len(other) > 12 * len(words)
    body = root.find("body")
    if body is not None:  # A page of frames has none.
        change(body, cycle("".join(words) if by_character else words))
    return "<!DOCTYPE html>" + tostring(root, encoding="unicode")


def _keep(body: HtmlElement, words: Words) -> None:
    """Change nothing; the page is only written anew."""


def _without_names(body: HtmlElement, _: Words) -> None:
    for element in body.iter("*"):
        for name in NAMES:
            element.attrib.pop(name, None)


def _with_hashed_names(body: HtmlElement, _: Words) -> None:
    for element in body.iter("*"):
        for name in NAMES[:2]:
            if element.get(name):
                element.set(name, " ".join(map(_hashed, element.get(name).split())))


def _hashed(name: str) -> str:
    digest = hashlib.md5(name.encode(), usedforsecurity=False).hexdigest()
    return "z" + digest[:6].translate(str.maketrans("abcdef", "uvwxyz"))


def _without_elements(body: HtmlElement, _: Words) -> None:
    for element in body.iter(*ELEMENTS):
        element.tag = "div"


def _without_hints(body: HtmlElement, words: Words) -> None:
    _with_hashed_names(body, words)
    _without_elements(body, words)


def _renamed(old: str, new: str) -> Change:
    def rename(body: HtmlElement, _: Words) -> None:
        for element in body.iter(old):
            element.tag = new

    return rename


def _with_breaks(body: HtmlElement, _: Words) -> None:
    for element in list(body.iter("p")):
        element.tag = "span"
        for _ in range(2):
            element.addnext(E.br())
            element.getnext().tail, element.tail = element.tail, None


def _with_boxes(body: HtmlElement, _: Words) -> None:
    for element in list(body.iter("p")):
        box = E.div(E.div())
        box.tail, element.tail = element.tail, None
        element.getparent().replace(element, box)
        box[0].append(element)


def _in_frame(body: HtmlElement, _: Words) -> None:
    frame = E.div(*body, {"class": "has-sidebar sticky-footer"})
    frame.text, body.text = body.text, None
    body.extend([E.a("Skip to content", href="#content"), frame])


def _with_menu(body: HtmlElement, words: Words) -> None:
    links = (E.div(E.a(_say(words, 3), href=f"/menu/{number}")) for number in range(150))
    body.insert(0, E.div(*links))


def _with_words_above(body: HtmlElement, words: Words) -> None:
    body.insert(0, E.div(E.p(_say(words, 60))))


def _with_words_below(body: HtmlElement, words: Words) -> None:
    body.append(E.div(*(E.p(_say(words, 60)) for _ in range(3))))


def _with_teasers(body: HtmlElement, words: Words) -> None:
    body.append(E.div(*(_teaser(words, number) for number in range(15))))


def _teaser(words: Words, number: int) -> HtmlElement:
    headline = E.h3(E.a(_say(words, 8), href=f"/story/{number}"))
    return E.div(headline, E.p(_say(words, 25)))


def _with_comments(body: HtmlElement, words: Words) -> None:
    comments = (E.div(E.b("Ann"), E.p(_say(words, 35)), {"class": "comment"}) for _ in range(10))
    body.append(E.div(*comments, {"class": "comments"}))


def _say(words: Words, number: int) -> str:
    """Some words; of characters, twice as many without spaces."""
    said = list(islice(words, number))
    if all(len(word) == 1 for word in said):
        return "".join([*said, *islice(words, number)])
    return " ".join(said)


CHANGES: dict[str, Change] = {
    "none": _keep,
    "no class, id, role": _without_names,
    "class and id hashed": _with_hashed_names,
    "main, article and the like are div": _without_elements,
    "class and id hashed, main is div": _without_hints,
    "p is div": _renamed("p", "div"),
    "br for p": _with_breaks,
    "each p in two div": _with_boxes,
    "h1 is div": _renamed("h1", "div"),
    "a frame named sidebar, footer": _in_frame,
    "150 links above": _with_menu,
    "60 words above": _with_words_above,
    "180 words below": _with_words_below,
    "15 teasers below": _with_teasers,
    "10 comments below": _with_comments,
}
