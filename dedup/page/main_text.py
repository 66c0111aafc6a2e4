"""Main text by the weighted DOM tree.

Each node of the tree scores the weight of the text in it (see weighted_tree), each block fading
with every level it lies deeper, so that root-near nodes lose against the node that really holds
the article. Names (see names) that speak of comments, footers and so on make the text below them
fade; names that speak of an article, and standing in the part of the page that its <h1> heads,
make it count more. Following Arc90's Readability, where a paragraph scores for its parent in full
and for its grandparent by half; here over all levels.

The node with the best score is the trunk. It widens to a node around it that adds much text and
next to nothing else (the sections of a manual), or, where it holds little of the page's text, to
the node that does (a page of sections). Bare paragraphs beside it come along, and so do
further parts of the same signature (tag and first class of the node and its two ancestors) that no
<h1> separates from it. Of several articles beside each other only the page's own counts, or all
(see articles). Inside, parts with a low name and subtrees with more bad weight than good are pruned
(large ones with such a name only if they are comments; menus, footers and consent notices of the
site always, which weigh nothing anywhere); what is left is joined in document order,
without the title: templates set that inside the article or outside.

Where that leaves too little of what the page shows, nothing stands out as main text (index pages,
link lists, pages of few words): then all visible text is kept but that of the site's chrome (see
chrome), and ``sure`` is False. A wrong guess there would be the site's footer, equal on every page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from dedup.page.chrome import all_but_chrome, in_banner
from dedup.page.elements import Elements
from dedup.page.judgement import (
    BARE_TEXT,
    BESIDE_H1,
    CLEAR,
    CLEAR_OF_SHORT,
    ENOUGH,
    ENOUGH_BESIDE,
    ENOUGH_LOW,
    FADE,
    FADE_ITEM,
    FAINT,
    HIGH,
    LEAST,
    LEAST_TITLED,
    LINK_SHARE,
    LOW,
    MISNAMED_WITHIN,
    NAMELESS,
    NO_FADE,
    NO_TRUNK,
    NOTICE,
    OUTWEIGHED,
    PRUNE,
    SPREAD,
    SURE_SHARE,
    WIDEN_GAIN,
    WIDEN_LOSS,
    measure,
)
from dedup.page.names import CHROME_TAGS, is_article, is_high, is_low, make_of
from dedup.page.outline import Outline, count_short_outside
from dedup.page.paragraphs import Block, Kind, MainText, number_paragraphs
from dedup.page.reading import Node, Page, read
from dedup.page.vocabulary import ROOTS
from dedup.page.weighted_tree import WeightedTree, add_up


def read_page(page: bytes, *, plain: bool) -> tuple[MainText, int]:
    """As ``compiled.read_page``."""
    elements = Elements(page)
    outline = Outline(elements)
    if plain:
        blocks = read(elements).blocks
        guess = _Guess(blocks, sure=bool(blocks), size=0.0)
    else:
        found = _from_outline(elements, outline)
        guess = found or _main_text(read(elements), outline.title)
    paragraphs = number_paragraphs(guess.blocks)
    main = MainText(outline.title, paragraphs, guess.sure, outline.heading)
    return main, elements.longest_unscripted()


@dataclass(frozen=True, slots=True)
class _Guess:
    blocks: list[Block]
    sure: bool
    size: float  # letters of what was found, be it sure or not


def _from_outline(elements: Elements, outline: Outline) -> _Guess | None:
    """The main text, where the outline of the page shows enough of it; else None."""
    tree = WeightedTree(outline.page, outline.title)
    weights = tree.sum_up(tree.outside_low(LOW))
    if weights[0] < FAINT:
        return None
    trunk = _widen(tree, _best_node(tree))
    part = tree.nodes[_around(tree, trunk)]
    if weights[trunk] < CLEAR * weights[0] or part.tag in ROOTS or in_banner(tree, trunk):
        return None
    if weights[trunk] < NOTICE:
        short = count_short_outside(elements, part.element)
        if weights[trunk] < CLEAR_OF_SHORT * short:
            return None
    guess = _main_text(read(elements, part.element), outline.title)
    enough = guess.size >= (ENOUGH_LOW if tree.low[trunk] else ENOUGH)
    return guess if guess.sure and enough else None


def _around(tree: WeightedTree, trunk: int) -> int:
    """The smallest node that holds the trunk and all that comes along with it."""
    parts = _with_all_along(tree, trunk)
    first, last = min(parts), max(parts)
    node = trunk
    while not node <= first <= last < tree.ends[node]:
        node = tree.parents[node]
    return node


def _main_text(page: Page, title: str) -> _Guess:
    """The main text of a page or of a part of one; all but menus where nothing stands out."""
    if not page.blocks:
        return _Guess([], sure=False, size=0.0)
    tree = WeightedTree(page, title)
    trunk = _widen(tree, _best_node(tree))
    guess = _take(tree, trunk, title)
    around = _gather(tree, trunk) if guess.sure else trunk
    return guess if around == trunk else _take(tree, around, title)


def _take(tree: WeightedTree, trunk: int, title: str) -> _Guess:
    """The main text that a trunk stands for."""
    blocks = _prune(tree, _with_all_along(tree, trunk))
    blocks = _without_title(blocks, title)
    size = sum(measure(block.text) for block in blocks)
    sure = _is_sure(tree, trunk, blocks, size) and not in_banner(tree, trunk)
    return _Guess(blocks if sure else all_but_chrome(tree), sure, size)


def _best_node(tree: WeightedTree) -> int:
    """The trunk: no comments where something with a high name stands beside them."""
    weights = tree.outside_low(LOW)
    best = _best_of(tree, weights)
    if tree.comments[best]:
        both = zip(weights, tree.comments, strict=True)
        beside = _best_of(tree, [0.0 if comments else weight for weight, comments in both])
        if tree.good[beside] >= LEAST and is_high(tree.nodes[beside]):
            return beside
    return best


def _best_of(tree: WeightedTree, weights: list[float]) -> int:
    best, best_score = 0, 0.0
    for index, plain in enumerate(_scores(tree, weights)):
        score = plain * BESIDE_H1 if tree.beside_h1[index] else plain
        if score * HIGH > best_score and not _is_text(tree, index):
            if is_high(tree.nodes[index]):
                score *= HIGH
            if score > best_score:
                best, best_score = index, score
    return best


def _scores(tree: WeightedTree, weights: list[float]) -> list[float]:
    def keep(index: int) -> float:
        tag = tree.nodes[index].tag
        if tag in NO_FADE or (tree.ends[index] == index + 1 and _is_text(tree, index)):
            return 1.0
        return FADE_ITEM if tag == "li" else FADE

    return tree.sum_up(weights, keep)


def _is_text(tree: WeightedTree, index: int) -> bool:
    """Whether a node is itself a paragraph or the like, never the container of an article."""
    return tree.nodes[index].tag in NO_TRUNK or (
        tree.ends[index] == index + 1 and tree.lines[index] < 2
    )


def _widen(tree: WeightedTree, trunk: int) -> int:
    """Go up while that adds text and next to nothing else; a high name says that it is all."""
    if is_high(tree.nodes[trunk]):
        return trunk
    widest = trunk
    for node in tree.ancestors(trunk):
        if tree.beside_h1[trunk] and not tree.beside_h1[node]:
            break
        gain = tree.clean[node] - tree.clean[widest]
        total = tree.good[node] + tree.bad[node] - tree.good[widest] - tree.bad[widest]
        if gain >= WIDEN_GAIN * tree.clean[widest] and total - gain <= WIDEN_LOSS * gain:
            widest = node
    return widest


def _gather(tree: WeightedTree, trunk: int) -> int:
    """Go up where the text is spread over parts, as in a page of sections; not out of an article.

    Nor up to the whole page. List items that have parts of their own are teasers or comments, and
    what they hold is not counted.
    """
    if tree.clean[trunk] >= SPREAD * tree.clean[0]:
        return trunk

    def keep(index: int) -> float:
        return float(tree.nodes[index].tag != "li" or tree.ends[index] == index + 1)

    parts = tree.sum_up(tree.outside_low(0.0), keep)
    enough = SPREAD * parts[0]
    if not 0 < add_up(parts[node] for node in (trunk, *_same_make(tree, trunk))) < enough:
        return trunk
    for node in (trunk, *tree.ancestors(trunk)):
        whole = is_article(tree.nodes[node]) and (node == trunk or tree.h1s_inside[node])
        if tree.nodes[node].tag in ROOTS or (whole and parts[node] < enough):
            break
        if parts[node] >= enough:
            return node
    return trunk


def _with_all_along(tree: WeightedTree, trunk: int) -> list[int]:
    """The trunk and all that comes along with it."""
    return [trunk, *_bare_text_beside(tree, trunk), *_same_make(tree, trunk)]


def _bare_text_beside(tree: WeightedTree, trunk: int) -> Iterator[int]:
    parent = tree.parents[trunk]
    if parent >= 0:
        for node in tree.children(parent):
            if node != trunk and tree.nodes[node].tag in BARE_TEXT and _is_good(tree, node):
                yield node


def _same_make(tree: WeightedTree, trunk: int) -> Iterator[int]:
    """Further parts of the same article: with the trunk's signature, no <h1> between."""
    make = _make(tree, trunk)
    if make is None:
        return
    tag, css_class = make[0]
    node = max((h1 for h1 in tree.h1 if h1 <= trunk), default=0)
    end = min((h1 for h1 in tree.h1 if h1 > trunk), default=len(tree.nodes))
    while node < end:
        stop = tree.ends[node]
        if node == trunk:
            node = stop
        elif (
            tree.nodes[node].tag == tag
            and tree.nodes[node].hint.startswith(css_class)
            and _is_good(tree, node)
            and not node < trunk < stop
            and stop <= end
            and _make(tree, node) == make
        ):
            yield node
            node = stop
        else:
            node += 1


def _make(tree: WeightedTree, index: int) -> tuple[tuple[str, str], ...] | None:
    """Element and first class of a node and of two around it; None where they say nothing."""
    makes: list[tuple[str, str]] = []
    while index >= 0 and len(makes) < 3:
        makes.append(make_of(tree.nodes[index]))
        index = tree.parents[index]
    tag, css_class = makes[0]
    return tuple(makes) if css_class or tag not in NAMELESS else None


def _is_good(tree: WeightedTree, node: int) -> bool:
    return 0 < tree.good[node] >= PRUNE * tree.bad[node]


def _prune(tree: WeightedTree, roots: Sequence[int]) -> list[Block]:
    """The blocks in some nodes, without what is pruned there."""
    limit = MISNAMED_WITHIN * add_up(tree.good[root] for root in roots)
    beside = add_up(tree.clean[root] for root in roots) >= ENOUGH_BESIDE
    in_details = None
    kept = bytearray(len(tree.nodes))
    for root in roots:
        index = root
        while index < tree.ends[root]:
            node, good = tree.nodes[index], tree.good[index]
            size = good
            if node.tag == "details":
                if in_details is None:
                    in_details = _sum_details(tree, roots)
                size = in_details
            small = size < limit or (beside and tree.comments[index])
            none = tree.others[index] or tree.boilerplate[index]
            if none or (
                index != root
                and (good < PRUNE * tree.bad[index] or _is_none_of_it(node, small=small))
            ):
                index = tree.ends[index]
            else:
                kept[index] = True
                index += 1
    return [
        block
        for block, weight in zip(tree.page.blocks, tree.weights, strict=True)
        if kept[block.node] and (weight > 0 or _is_detail(block))
    ]


def _sum_details(tree: WeightedTree, roots: Sequence[int]) -> float:
    """The good weight of all <details> in some nodes: the answers of a page of questions."""
    return add_up(
        tree.good[node]
        for root in roots
        for node in range(root, tree.ends[root])
        if tree.nodes[node].tag == "details"
    )


def _is_none_of_it(node: Node, *, small: bool) -> bool:
    """Whether a part inside the article is, by its name, not part of it.

    A name may be wrong on a large part; and an article's own <header> may hold its lead.
    """
    if node.tag in CHROME_TAGS:
        return True
    return small and node.tag != "header" and is_low(node)


def _is_detail(block: Block) -> bool:
    """Whether a block too small to count alone is content all the same where it stands."""
    return block.link_chars <= LINK_SHARE * len(block.text)


def _without_title(blocks: list[Block], title: str) -> list[Block]:
    for place, block in enumerate(blocks[:3]):
        if block.kind is Kind.HEADING and (block.level == 1 or block.text in title):
            return blocks[:place] + blocks[place + 1 :]
    return blocks


def _is_sure(tree: WeightedTree, trunk: int, blocks: Sequence[Block], size: float) -> bool:
    """Whether what was found is enough, by itself or of what the <h1> or the title heads."""
    headed = tree.beside_h1[trunk]
    around = [trunk, *takewhile(lambda node: tree.beside_h1[node] == headed, tree.ancestors(trunk))]
    if any(tree.named_low[node] for node in around):
        return size >= ENOUGH_LOW
    if headed and size >= SURE_SHARE * tree.size(around[-1]):
        return size >= LEAST
    return size >= ENOUGH or _is_titled(tree, trunk, blocks)


def _is_titled(tree: WeightedTree, trunk: int, blocks: Sequence[Block]) -> bool:
    """Whether what was found is enough of the smallest part around it that says the title.

    Parts with a low name do not count: an index without text may have such a box below its title.
    Where the text is much of the page, that can as well be kept whole, and nothing is left to a
    guess.
    """
    size = sum(measure(block.text) for block in blocks if not tree.low[block.node])
    if size < LEAST_TITLED or OUTWEIGHED * size > tree.size(0):
        return False
    part = next((node for node in (trunk, *tree.ancestors(trunk)) if tree.titles[node]), 0)
    return tree.nodes[part].tag not in ROOTS and size >= SURE_SHARE * tree.size(part)
