"""The tree of a page's block elements, each with the weight of the text in it.

A block of text weighs its size (ideographs count more than letters), scaled by the kind of its
element and its share of text outside links, less a constant that makes scraps (dates, buttons,
captions) count for nothing; a block that is mostly link weighs against.

Nodes stand in preorder: a node's subtree is a range, and going backwards children are summed up
before their parent. So everything here is a pass over lists, linear in the size of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property

from dedup.page.articles import find_articles
from dedup.page.judgement import (
    ALL,
    HEADING_LIMIT,
    KIND_WEIGHT,
    LEAST_WITH_H1,
    LINK_SHARE,
    LINK_WEIGHT,
    MAIN,
    SCRAP,
    TITLE_LEAST,
    measure,
)
from dedup.page.names import CHROME_TAGS, is_chrome, is_comments, is_low, is_notice
from dedup.page.paragraphs import Block, Kind
from dedup.page.reading import Page
from dedup.page.vocabulary import ROOTS


class WeightedTree:
    """The nodes of a page with their weights; a node is its index in ``nodes``.

    Attributes:
        sizes, weights: of each block of the page, parallel to ``page.blocks``.
        lines: number of blocks directly in each node.
        own: good weight directly in each node.
        good, bad: good and bad weight in each node's subtree, both positive.
        clean: good weight there outside parts with a low name.
        ends: where each node's subtree ends: it is the nodes from itself to before there.
        named_low: whether each node with good weight has a low name that is not a layout's.
        low: whether each node stands in a part with such a name,
        comments: and whether that is the name of comments.
        boilerplate: and whether that is a menu or footer of the site, or a notice, which weigh
            nothing.
        others: whether each node stands in an article beside the page's own, which weighs nothing.
        h1: the nodes of the page's <h1> that head a part of it, none of a list of articles.
        beside_h1: whether each node stands in the smallest part that an <h1> can stand for, or in
            a list of articles that have one each.
    """

    def __init__(self, page: Page, title: str) -> None:
        self.page = page
        self.nodes = nodes = page.nodes
        self.parents = [node.parent for node in nodes]
        self.ends = self._find_ends()
        h1s = [block for block in page.blocks if block.level == 1 and _heads(block, title)]
        articles = find_articles(nodes, self.parents, self.ends, h1s, title)
        self.others = self._hand_down(self._mark(articles.others))
        self.sizes = [measure(block.text) for block in page.blocks]
        self.weights = [
            0.0 if self.others[block.node] else weigh(block, size)
            for block, size in zip(page.blocks, self.sizes, strict=True)
        ]
        self.lines = [0] * len(nodes)
        self.own = [0.0] * len(nodes)
        own_bad = [0.0] * len(nodes)
        for block, weight in zip(page.blocks, self.weights, strict=True):
            self.lines[block.node] += 1
            if weight > 0:
                self.own[block.node] += weight
            else:
                own_bad[block.node] -= weight
        self.good = self.sum_up(self.own)
        self.bad = self.sum_up(own_bad)
        self._title = title
        self.named_low = [
            good > 0 and is_low(node) and not self._is_layout(place)
            for place, (node, good) in enumerate(zip(nodes, self.good, strict=True))
        ]
        self.low = self._hand_down(self.named_low.copy())
        self.comments = self._hand_down(
            [low and is_comments(node) for node, low in zip(nodes, self.named_low, strict=True)]
        )
        self.boilerplate = self._hand_down(self._find_boilerplate())
        self.clean = self.sum_up(self.outside_low(0.0))
        listed = self._hand_down(self._mark(articles.listed))
        self.h1 = [block.node for block in h1s if not listed[block.node]]
        lists = {self.parents[article] for article in articles.listed}
        self.beside_h1 = self._hand_down(self._parts_with_h1(lists))

    def outside_low(self, share: float) -> list[float]:
        """Good weight directly in each node, of parts with a low name only a share."""
        return [
            (0.0 if boilerplate else share * weight) if low else weight
            for weight, low, boilerplate in zip(self.own, self.low, self.boilerplate, strict=True)
        ]

    def sum_up(
        self, weights: list[float], keep: Callable[[int], float] | None = None
    ) -> list[float]:
        """Sums over subtrees; ``keep`` gives the share of its sum that a node hands up."""
        sums, parents = weights.copy(), self.parents
        for node in range(len(sums) - 1, 0, -1):
            if total := sums[node]:
                sums[parents[node]] += total if keep is None else keep(node) * total
        return sums

    def ancestors(self, node: int) -> Iterator[int]:
        """The nodes around a node, from its parent to the root."""
        while (node := self.parents[node]) >= 0:
            yield node

    def children(self, node: int) -> Iterator[int]:
        """The block elements directly in a node."""
        child = node + 1
        while child < self.ends[node]:
            yield child
            child = self.ends[child]

    def size(self, node: int) -> float:
        """Letters of all text in a node's subtree."""
        return sum(
            letters
            for block, letters in zip(self.page.blocks, self.sizes, strict=True)
            if node <= block.node < self.ends[node]
        )

    @cached_property
    def titles(self) -> list[float]:
        """How many blocks in each node's subtree say the page's title, or most of it."""
        marks = [0.0] * len(self.nodes)
        for block, size in zip(self.page.blocks, self.sizes, strict=True):
            if size >= TITLE_LEAST and _says(block, self._title):
                marks[block.node] += 1.0
        return self.sum_up(marks)

    @cached_property
    def h1s_inside(self) -> list[float]:
        """How many <h1> are in each node's subtree, whatever they head."""
        return self.sum_up([float(node.tag == "h1") for node in self.nodes])

    def _is_layout(self, node: int) -> bool:
        """Whether a part with a low name holds what that cannot mean: the main text as well.

        That is most of the text below the title, or a <form> around all of the page (ASP.NET).
        """
        if 2 * self.good[node] < self.good[0] or is_chrome(self.nodes[node]):
            return False
        if self.titles[node]:
            return True
        in_root = self.nodes[self.parents[node]].tag in ROOTS
        size, whole = (self.good[place] + self.bad[place] for place in (node, 0))
        return self.nodes[node].tag == "form" and in_root and size >= ALL * whole

    def _find_boilerplate(self) -> list[bool]:
        inside = self._hand_down([node.tag in MAIN for node in self.nodes])
        return [
            low and (is_notice(node) or (node.tag in CHROME_TAGS and not within))
            for node, low, within in zip(self.nodes, self.named_low, inside, strict=True)
        ]

    def _find_ends(self) -> list[int]:
        ends = list(range(1, len(self.nodes) + 1))
        for node in range(len(ends) - 1, 0, -1):
            parent = self.parents[node]
            ends[parent] = max(ends[parent], ends[node])
        return ends

    def _mark(self, these: Collection[int]) -> list[bool]:
        marks = [False] * len(self.nodes)
        for node in these:
            marks[node] = True
        return marks

    def _parts_with_h1(self, lists: Collection[int]) -> list[bool]:
        marks, climbed = self._mark(()), self._mark(())
        for h1 in self.h1:
            node = h1
            while self.good[node] < LEAST_WITH_H1 and node > 0 and not climbed[node]:
                climbed[node] = True
                node = self.parents[node]
            marks[node] = self.nodes[node].tag not in ROOTS and not climbed[node]
        for node in lists:
            marks[node] = self.nodes[node].tag not in ROOTS
        return marks

    def _hand_down(self, marks: list[bool]) -> list[bool]:
        """Mark what lies below marked nodes too."""
        if any(marks):
            for node, parent in enumerate(self.parents):
                if node and marks[parent]:
                    marks[node] = True
        return marks


def _heads(h1: Block, title: str) -> bool:
    """Whether an <h1> heads a part of its page: no logo, and not the site's name behind a title."""
    is_name = len(h1.text) < len(title) and title.endswith(h1.text)
    return not is_name and h1.link_chars <= LINK_SHARE * len(h1.text)


def _says(block: Block, title: str) -> bool:
    """Whether a block says at least half of a title, and is no link to elsewhere."""
    text = block.text
    return (
        2 * len(text) >= len(title) and text in title and block.link_chars <= LINK_SHARE * len(text)
    )


def weigh(block: Block, size: float) -> float:
    """The weight of a block of a size, in letters; negative where it is mostly link."""
    links = block.link_chars / len(block.text) if block.link_chars else 0.0
    if links > LINK_SHARE:
        return -LINK_WEIGHT * links * size
    if block.kind is Kind.HEADING:
        return min(size, HEADING_LIMIT)
    return max(0.0, size * (1 - links) * KIND_WEIGHT[block.kind] - SCRAP)


def add_up(weights: Iterable[float]) -> float:
    """The sum, one by one: what ``sum`` makes of floats depends on the version of Python."""
    total = 0.0
    for weight in weights:
        total += weight
    return total
