"""Choose the page's own article among several, by the page's title.

If the title matches the <h1> of one article, that article is the page's own, and the others are
not part of its text. If the title matches no article, or matches an <h1> outside the articles as
well, the page is a list without a main article. native/articles.c finds the articles.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from dedup.page.limits import MOST_TITLE

ENOUGH = 0.5  # Share that an <h1> and the title must have in common, of the longer of the two.


def choose(
    parts: Sequence[tuple[int, int, str]], heads: Sequence[str], title: str
) -> tuple[frozenset[int], frozenset[int]]:
    """Separate the page's own articles from others.

    Args:
        parts: one tuple for each article: its node, its parent node, and its <h1>.
        heads: the <h1>s of the page outside all articles.
        title: the title of the page.

    Returns:
        The nodes of the articles beside the page's own, and those of the articles of a list.
    """
    in_title = _pairs(title)
    most = max([_share(h1, in_title) for h1 in heads], default=0.0)
    lists: dict[int, list[tuple[int, float]]] = {}
    for part, around, h1 in parts:
        lists.setdefault(around, []).append((part, _share(h1, in_title)))
    others: set[int] = set()
    listed: set[int] = set()
    for beside in lists.values():
        own, share = max(beside, key=itemgetter(1))
        if share > most:
            others.update([part for part, _ in beside if part != own])
        else:
            listed.update([part for part, _ in beside])
    return frozenset(others), frozenset(listed)


def _share(h1: str, in_title: set[str]) -> float:
    """The share of a title that an <h1> repeats; 0 if they have too little in common."""
    in_h1 = _pairs(h1)
    both = len(in_h1 & in_title)
    if not both or both < ENOUGH * max(len(in_h1), len(in_title)):
        return 0.0
    return both / len(in_title)


def _pairs(text: str) -> set[str]:
    """The pairs of letters in a text."""
    return {text[at : at + 2] for at in range(min(len(text), MOST_TITLE) - 1)}
