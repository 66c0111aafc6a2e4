"""Main text by the weighted DOM tree.

Each block of text gets a weight: its size (ideographs count more than letters), scaled by the kind
of its element and its share of text outside links, less a constant that makes scraps (dates,
buttons, captions) count for nothing; a block that is mostly link weighs against. A part of the
page that its author calls navigation, footer, comments and so on (by element, class or id) counts
for nothing, unless most of the page's weight is in it and the name must be wrong.

From the root the walk goes down as long as one child holds most of the good weight, so that
root-near nodes lose against the node that really holds the article; bare paragraphs beside the
way and siblings of the same make (same element and class: the sections of a manual, the posts of a
thread) come along. Inside, subtrees with more bad weight than good are pruned; what is left is
joined in document order.

Where that leaves too little of what the page shows, nothing stands out as main text (index pages,
link lists, pages of few words): then the whole visible text is kept and ``sure`` is False. A
wrong guess there would be the site's footer, equal on every page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dedup.page.paragraphs import Block, Kind, MainText, number_paragraphs
from dedup.page.tree import Node, Page, cut_page, parse_html

VERSION = 1

KIND_WEIGHT = {
    Kind.HEADING: 1.0,
    Kind.PARAGRAPH: 1.2,
    Kind.LIST_ITEM: 0.8,
    Kind.QUOTE: 1.0,
    Kind.CODE: 1.0,
    Kind.CELL: 0.7,
    Kind.TEXT: 0.9,
}
DETAILS = frozenset((Kind.LIST_ITEM, Kind.CELL, Kind.CODE))
IDEOGRAPH = 3.0  # letters that one ideograph or syllable stands for
SCRAP = 15.0  # weight below which a block is a scrap, in letters
HEADING_LIMIT = 10.0  # a heading counts with its section, not by its own length
LINK_SHARE = 0.6  # a block with more of its text in links is navigation
LINK_WEIGHT = 0.5
DESCENT = 0.7  # share of the good weight one child must hold for the walk to go down to it
PRUNE = 0.5  # bad weight forgiven per good weight
MISNAMED = 0.3  # a "low" part with this share of all good weight is not low
SURE_SHARE = 0.25  # share of the visible text from which on a guess of LEAST letters is trusted;
LEAST = 150.0
ENOUGH = 400.0  # below that share it takes this many letters,
ENOUGH_LOW = 1000.0  # or this many where only their size speaks against a low name

_IDEOGRAPHS = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_BARE_TEXT = frozenset(("p", "blockquote", "pre"))
_LOW_TAGS = frozenset(("nav", "footer", "aside", "header", "form", "details", "address"))
_LOW_HINT = re.compile(
    r"comment|footer|\bfoot\b|side-?bar|\bside\b|\bnav|menu|share|social|related|recommend|promo"
    r"|\bads?\b|advert|sponsor|banner|breadcrumb|copyright|newsletter|subscribe|paginat|pager"
    r"|widget|toolbar|cookie-?(?:ba|consent|info|law|no|po)|gdpr|popup|modal|login|disclaimer|byline|\bmeta\b|\btags?\b|masthead"
)


def extract(html: str) -> MainText:
    """Find the main text of a page.

    Args:
        html: the page, decoded.

    Returns:
        Its main text; with no paragraphs where the page shows no text at all.
    """
    root = parse_html(html)
    return extract_page(cut_page(root)) if root is not None else MainText("", (), sure=False)


def extract_page(page: Page) -> MainText:
    """Find the main text of a page that is already cut into blocks."""
    guess = _main_text(page)
    return MainText(
        page.title, number_paragraphs(guess.blocks if guess.sure else page.blocks), guess.sure
    )


@dataclass(frozen=True, slots=True)
class _Guess:
    blocks: list[Block]
    sure: bool


def _main_text(page: Page) -> _Guess:
    weights = _Weights(page)
    named = [_named_low(node) for node in page.nodes]
    low = _low_nodes(page, named, weights.sum(_good))
    weights.silence(low)
    good, bad = weights.sum(_good), weights.sum(_bad)
    children = _children(page)
    kept = set()
    stack = _descend(page, children, good)
    while stack:
        node = stack.pop()
        kept.add(node)
        stack.extend(child for child in children[node] if good[child] >= PRUNE * bad[child])
    blocks = [
        block
        for block, weight in zip(page.blocks, weights.of_blocks, strict=True)
        if block.node in kept and (weight > 0 or _is_detail(block))
    ]
    return _Guess(blocks, _is_sure(page, blocks, named))


def _is_detail(block: Block) -> bool:
    """Whether a block too small to count alone is content all the same where it stands."""
    return block.kind in DETAILS and block.link_chars <= LINK_SHARE * len(block.text)


def _is_sure(page: Page, blocks: Sequence[Block], named: Sequence[bool]) -> bool:
    size = sum(map(_size, blocks))
    within = _inherit(page, named)
    by_name = sum(_size(block) for block in blocks if within[block.node])
    if by_name > size / 2:
        return size >= ENOUGH_LOW
    if size < SURE_SHARE * sum(map(_size, page.blocks)):
        return size >= ENOUGH
    return size >= LEAST


class _Weights:
    """The weights of a page's blocks, and their sums over the subtrees of its nodes."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.of_blocks = [_weigh(block) for block in page.blocks]

    def sum(self, part: Callable[[float], float]) -> list[float]:
        sums = [0.0] * len(self.page.nodes)
        for block, weight in zip(self.page.blocks, self.of_blocks, strict=True):
            sums[block.node] += part(weight)
        for index in range(len(sums) - 1, 0, -1):  # preorder: children come after their parent
            sums[self.page.nodes[index].parent] += sums[index]
        return sums

    def silence(self, low: Sequence[bool]) -> None:
        for index, block in enumerate(self.page.blocks):
            if low[block.node]:
                self.of_blocks[index] = min(0.0, self.of_blocks[index])


def _weigh(block: Block) -> float:
    size = _size(block)
    links = block.link_chars / len(block.text)
    if links > LINK_SHARE:
        return -LINK_WEIGHT * size * links
    if block.kind is Kind.HEADING:
        return min(size, HEADING_LIMIT)
    return max(0.0, size * (1 - links) * KIND_WEIGHT[block.kind] - SCRAP)


def _size(block: Block) -> float:
    """Letters of a block, ideographs counted for the letters they stand for."""
    if block.text.isascii():
        return len(block.text)
    return len(block.text) + (IDEOGRAPH - 1) * len(_IDEOGRAPHS.findall(block.text))


def _good(weight: float) -> float:
    return max(weight, 0.0)


def _bad(weight: float) -> float:
    return max(-weight, 0.0)


def _named_low(node: Node) -> bool:
    """Whether its author calls this node anything but main text."""
    return node.tag in _LOW_TAGS or (
        node.tag not in ("html", "body") and _LOW_HINT.search(node.hint) is not None
    )


def _low_nodes(page: Page, named: Sequence[bool], good: Sequence[float]) -> list[bool]:
    """Which nodes lie in a part that is named low and light enough to be so."""
    limit = MISNAMED * good[0] if good else 0.0
    return _inherit(page, [n and weight < limit for n, weight in zip(named, good, strict=True)])


def _inherit(page: Page, marked: Sequence[bool]) -> list[bool]:
    """Which nodes are marked or have a marked ancestor."""
    inherited: list[bool] = []
    for node, mark in zip(page.nodes, marked, strict=True):
        inherited.append(mark or (node.parent >= 0 and inherited[node.parent]))
    return inherited


def _children(page: Page) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in page.nodes]
    for index, node in enumerate(page.nodes[1:], start=1):
        children[node.parent].append(index)
    return children


def _descend(page: Page, children: Sequence[Sequence[int]], good: Sequence[float]) -> list[int]:
    """Go from the root down to the last node that holds most of the good weight alone.

    Returns that node, and those beside its way that belong to it.
    """
    node = 0
    alike: list[int] = []
    while children[node]:
        best = max(children[node], key=good.__getitem__)
        if good[best] <= 0 or good[best] < DESCENT * good[node]:
            break
        alike += [
            child
            for child in children[node]
            if child != best and good[child] > 0 and _belong(page.nodes[best], page.nodes[child])
        ]
        node = best
    return [node, *alike]


def _belong(chosen: Node, sibling: Node) -> bool:
    """Whether a sibling goes with the chosen node: bare text, or a part of the same make."""
    if sibling.tag in _BARE_TEXT:
        return True
    make = _make(chosen)
    return make is not None and _make(sibling) == make


def _make(node: Node) -> tuple[str, str] | None:
    """Element and first class; None for a <div> without a class, which says nothing."""
    css_class = node.hint.split(" ", 1)[0]
    return (node.tag, css_class) if css_class or node.tag != "div" else None
