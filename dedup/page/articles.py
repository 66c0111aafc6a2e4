"""Several articles on one page, each below an <h1> of its own.

Some sites put the next articles below the one that was asked for, and lists of posts show each
post whole. The title tells the two apart. Where it speaks of one of the articles, that is the
page's own, and the others are not its text; where it speaks of none, or as much of another <h1>,
the page is a list, and no one of them stands for it.

    <h1>s in a row -> the parts beside each other that they stand in, of one make and named as
    articles -> how much of the title each <h1> says
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from dedup.page.limits import MOST_TITLE
from dedup.page.names import is_high, make_of
from dedup.page.paragraphs import Block

if TYPE_CHECKING:
    from dedup.page.reading import Node

MOST = 64  # <h1>s of a page that are looked at
DEEPEST = 100  # levels that one lies below the part that holds the next, too
ENOUGH = 0.5  # share of an <h1> that stands in the title, and of the title that stands in it


class Articles(NamedTuple):
    """The nodes of articles beside each other.

    Attributes:
        others: those beside the page's own.
        listed: those of a list.
    """

    others: frozenset[int]
    listed: frozenset[int]


def find_articles(
    nodes: Sequence[Node], parents: Sequence[int], ends: Sequence[int], h1s: list[Block], title: str
) -> Articles:
    """Find the articles of a page.

    Args:
        nodes: of the page, in preorder.
        parents: the node around each.
        ends: where the subtree of each ends.
        h1s: of the page.
        title: of the page.
    """
    parts = _find_parts(nodes, parents, ends, h1s[:MOST])
    if not parts:
        return Articles(frozenset(), frozenset())
    inside = [range(part, ends[part]) for part in parts]
    heads = [h1.text for h1 in h1s[:MOST] if not any(h1.node in part for part in inside)]
    return choose([(part, parents[part], h1.text) for part, h1 in parts.items()], heads, title)


def choose(parts: Sequence[tuple[int, int, str]], heads: Sequence[str], title: str) -> Articles:
    """Tell the page's own articles from others.

    Args:
        parts: of each article its node, the node around it, and its <h1>.
        heads: the <h1>s of the page that stand in none.
        title: of the page.
    """
    in_title = _pairs(title)
    most = max((_share(h1, in_title) for h1 in heads), default=0.0)
    lists: dict[int, list[tuple[int, float]]] = {}
    for part, around, h1 in parts:
        lists.setdefault(around, []).append((part, _share(h1, in_title)))
    others: set[int] = set()
    listed: set[int] = set()
    for beside in lists.values():
        own, share = max(beside, key=itemgetter(1))
        if share > most:
            others.update(part for part, _ in beside if part != own)
        else:
            listed.update(part for part, _ in beside)
    return Articles(frozenset(others), frozenset(listed))


def _find_parts(
    nodes: Sequence[Node], parents: Sequence[int], ends: Sequence[int], h1s: Iterable[Block]
) -> dict[int, Block]:
    """The parts that look like articles beside each other, with the <h1> of each."""
    found: dict[int, Block] = {}
    before: list[int] = []  # how many <article>s begin before each node
    for one, other in pairwise(h1s):
        first, second = _beside(parents, one.node, other.node)
        if first in (one.node, second) or second == other.node:
            continue
        if make_of(nodes[first]) != make_of(nodes[second]):
            continue
        before = before or list(accumulate((n.tag == "article" for n in nodes), initial=0))
        if is_high(nodes[first]) or before[ends[first]] > before[first]:
            found.setdefault(first, one)
            found.setdefault(second, other)
    return found


def _beside(parents: Sequence[int], one: int, other: int) -> tuple[int, int]:
    """The nodes directly below the innermost that holds two, in which they stand.

    Both are ``one`` where it lies too deep.
    """
    below: dict[int, int] = {}
    node = one
    while node >= 0 and len(below) < DEEPEST:
        below[parents[node]] = node
        node = parents[node]
    node = other
    for _ in range(DEEPEST):
        if node <= 0:
            break
        if parents[node] in below:
            return below[parents[node]], node
        node = parents[node]
    return one, one


def _share(h1: str, in_title: set[str]) -> float:
    """How much of a title an <h1> says; 0 where it heads something else."""
    in_h1 = _pairs(h1)
    both = len(in_h1 & in_title)
    if not both or both < ENOUGH * max(len(in_h1), len(in_title)):
        return 0.0
    return both / len(in_title)


def _pairs(text: str) -> set[str]:
    """The pairs of letters in a text."""
    return {text[at : at + 2] for at in range(min(len(text), MOST_TITLE) - 1)}
