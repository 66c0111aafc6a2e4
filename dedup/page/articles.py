"""Which of several articles on a page is its own: the title tells.

Where the title speaks of one of the articles, that is the page's own, and the others are not its
text; where it speaks of none, or as much of another <h1>, the page is a list, and no one of them
stands for it. native/articles.c finds the articles.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from dedup.page.limits import MOST_TITLE

ENOUGH = 0.5  # share of an <h1> that stands in the title, and of the title that stands in it


class Articles(NamedTuple):
    """The nodes of articles beside each other.

    Attributes:
        others: those beside the page's own.
        listed: those of a list.
    """

    others: frozenset[int]
    listed: frozenset[int]


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
