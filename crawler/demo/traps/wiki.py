"""A wiki with the history of its pages: old revisions and the differences of any two.

Each edit took a remark out of the text, so a revision has the remarks of all edits to come.
"""

from itertools import combinations
from random import Random

from crawler.demo.traps.page import Link, Page, Shown, Target, number_of
from crawler.demo.traps.words import ENGLISH
from crawler.demo.traps.writing import written

TITLES = tuple(word.capitalize() for word in ENGLISH.words["N"][:75:3])
REMARKS = ("so it is said", "as far as we know", "which nobody doubts", "of all things")
REVISIONS = len(REMARKS) + 1
REAL = tuple(f"/wiki/{title}" for title in TITLES)


def wiki(target: Target) -> Shown:
    """/wiki/, and /wiki/TITLE as it is, with ?action=history, ?oldid=N or ?diff=N&oldid=M."""
    if not target.segments:
        rows = tuple(Link(f"/wiki/{title}", title) for title in TITLES)
        return Page("All pages", "list:wiki", rows=rows)
    if target.last not in TITLES:
        return None
    if target.value("action") == "history":
        return _history(target.last)
    old = number_of(target.value("oldid") or str(REVISIONS), REVISIONS)
    new = number_of(target.value("diff") or str(old), REVISIONS)
    return None if old is None or new is None else _revision(target.last, old, new)


def _revision(title: str, old: int, new: int) -> Page:
    """The text of revision `new`, below how it differs from `old`."""
    place = TITLES.index(title)
    others = (TITLES[(place + step) % len(TITLES)] for step in (1, 7))
    links = (f"/wiki/{title}?action=history", "History"), *((f"/wiki/{to}", to) for to in others)
    return Page(
        title,
        f"wiki:{title}",
        (*_difference(old, new), *_text(title, new)),
        links=tuple(Link(*link) for link in links),
    )


def _difference(old: int, new: int) -> tuple[str, ...]:
    sign = "-" if old < new else "+"
    return tuple(f"{sign} {remark}" for remark in REMARKS[min(old, new) - 1 : max(old, new) - 1])


def _text(title: str, revision: int) -> tuple[str, ...]:
    paragraphs = list(written(f"wiki {title}").paragraphs)
    for remark in REMARKS[revision - 1 :]:
        rng = Random(f"{title} {remark}")  # noqa: S311  (no secret)
        place = rng.randrange(len(paragraphs))
        words = paragraphs[place].split(" ")
        words.insert(rng.randrange(1, len(words)), remark)
        paragraphs[place] = " ".join(words)
    return tuple(paragraphs)


def _history(title: str) -> Page:
    path = f"/wiki/{title}"
    numbers = range(1, REVISIONS + 1)
    revisions = (Link(f"{path}?oldid={number}", f"Revision {number}") for number in numbers)
    differences = (
        Link(f"{path}?diff={new}&oldid={old}", f"{old} to {new}")
        for old, new in combinations(numbers, 2)
    )
    return Page(f"{title}: history", rows=(*revisions, *differences), links=(Link(path, title),))
