"""Insert an article into another page's template, for the main-text evaluation.

The template of a page is its HTML around the smallest container that has most of the article's
shingles. An article is paragraphs and headings. The new page looks as if another site had published
the article: title, navigation, teasers, footer and scripts are those of the host page.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree
from lxml.html import HtmlElement, HTMLParser, document_fromstring, tostring

from dedup.lab.main_text.scores import cut_shingles, cut_tokens
from dedup.page import Kind, MainText
from dedup.page.attributes import blank_controls

PRESENT = 0.5  # Minimum share of an article's shingles in its page.
MOST = 0.8  # Minimum share of these in its container.
HEADING = 100  # Maximum characters of a heading.
CONTAINERS = frozenset("div article section main td dd center form".split())
SILENT = frozenset("head script style noscript template textarea select svg".split())
_SENTENCE_END = re.compile(r"""[.!?:;…。！？：；][\s"'”’»」』）)\]]*$""")
_PLACE = "\uf8ff\ue000\uf8ff"  # Private characters in place of the article.


@dataclass(frozen=True, slots=True)
class Part:
    """A paragraph of an article, or a heading."""

    text: str
    heading: bool = False


@dataclass(frozen=True, slots=True)
class Template:
    """The HTML of a page before and after its article."""

    before: str
    after: str

    def fill(self, article: tuple[Part, ...]) -> str:
        """The page with an article in it: <p> for paragraphs, <h2> for headings."""
        tags = (("h2" if part.heading else "p", html.escape(part.text)) for part in article)
        return self.before + "\n".join(f"<{tag}>{text}</{tag}>" for tag, text in tags) + self.after


def parts_of_text(text: str) -> tuple[Part, ...]:
    """Cut an article's text into paragraphs and headings.

    Empty lines separate paragraphs. A line without the end of a sentence continues in the next
    line: gold is often broken at every inline element. A short paragraph without such an end is a
    heading, unless it is the last.
    """
    paragraphs: list[str] = []
    open_ended = False
    for line in text.splitlines():
        if folded := " ".join(line.split()):
            if open_ended:
                paragraphs[-1] += f" {folded}"
            else:
                paragraphs.append(folded)
        open_ended = bool(folded) and not _SENTENCE_END.search(folded)
    *others, last = paragraphs or [""]
    parts = (
        Part(line, heading=len(line) <= HEADING and not _SENTENCE_END.search(line))
        for line in others
    )
    return (*parts, Part(last))


def parts_of_main_text(main: MainText) -> tuple[Part, ...]:
    """The paragraphs and headings of an extracted text."""
    return tuple(Part(one.text, one.kind is Kind.HEADING) for one in main.paragraphs)


def find_template(page: str, article: str) -> Template | None:
    """Cut the article, which is the main text of a page, out of its HTML.

    None if the page does not have half of the article, or no container below <body> has most.
    """
    root = _parse(page)
    container = None if root is None else _find_container(root, article)
    if root is None or container is None:
        return None
    del container[:]
    container.text = _PLACE
    before, _, after = tostring(root.getroottree(), encoding="unicode").partition(_PLACE)
    return None if _PLACE in after else Template(before, after)


def _parse(page: str) -> HtmlElement | None:
    parser = HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        root: HtmlElement = document_fromstring(blank_controls(page).encode(), parser=parser)
    except etree.ParserError:  # There is nothing to parse.
        return None
    return root


def _find_container(root: HtmlElement, article: str) -> HtmlElement | None:
    """The container of fewest tokens that has most of an article's shingles.

    One walk finds the run of tokens of each container; then the shingles in each run are counted.
    """
    wanted = set(cut_shingles(cut_tokens(article)))
    tokens: list[str] = []
    runs = [(container, start, len(tokens)) for container, start in _walk(root, tokens)]
    shingles = cut_shingles(tokens)
    if not wanted or len(wanted.intersection(shingles)) < PRESENT * len(wanted):
        return None
    places = [place for place, shingle in enumerate(shingles) if shingle in wanted]
    fitting = [
        (container, start, end)
        for container, start, end in runs
        if bisect_left(places, end) - bisect_left(places, start) >= MOST * len(places)
    ]
    # Inner containers close first: of equal runs the first is the innermost.
    return min(fitting, key=lambda run: run[2] - run[1], default=(None,))[0]


def _walk(root: HtmlElement, tokens: list[str]) -> Iterator[tuple[HtmlElement, int]]:
    """Append a page's visible tokens; yield each container as it closes, and its first token."""
    starts: list[int] = []
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        if event == "start" and element.tag in SILENT:
            walker.skip_subtree()
        elif event == "start":
            if element.tag in CONTAINERS:
                starts.append(len(tokens))
            tokens += cut_tokens(element.text or "")
        else:
            if element.tag in CONTAINERS:
                yield element, starts.pop()
            if element is not root:
                tokens += cut_tokens(element.tail or "")
