"""Made pages that come and go: what a long crawl meets, step by step.

A step is a visit to one page, with what the index has to say of it:

    new           a page of its own text; of four, one is stored as of an earlier crawl, long ago
    again         a page visited before, its text the same
    changed       a page visited before, some words of its text others
    copy          a page on a host of its own, with a few words of a page's text changed: a
                  near-duplicate, or new where that page was seen too long ago

Where as many pages live as may, a page drawn by lot is removed before another comes: that is the
churn. All follows from a seed. What is remembered of a page are three numbers in arrays of fixed
size, so that memory that grows is not that of the churn.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dedup.index import Verdict

NEW, AGAIN, CHANGED, COPY = "new", "again", "changed", "copy"
SHARES = {NEW: 45, AGAIN: 25, CHANGED: 12, COPY: 18}  # of a hundred steps
OLD = 0.25  # of the new pages: of an earlier crawl
HOSTS = 50
WORDS = 100
EDITED = 0.03  # of the words of a text that has changed or was copied
VOCABULARY = 20_000
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it reads now."""

    number: int  # Which page it is, from 1.
    source: int  # The page whose text it began as: its own number, or that of a page copied.
    edit: int = 0  # Seed of the words that differ from that; 0 for none.

    @property
    def url(self) -> str:
        host = f"site-{self.number % HOSTS}" if self.source == self.number else f"c{self.number}"
        return f"http://{host}.example/{self.number}.html"

    @property
    def request(self) -> bytes:
        return self.number.to_bytes(20, "big")


@dataclass(frozen=True, slots=True)
class Visit:
    """One step."""

    kind: str  # One of SHARES.
    page: Page
    verdict: Verdict  # The right one.
    slot: int  # Where the page lives, or will when it is stored.
    removed: Page | None = None  # The page to remove first, if there is no room.
    old: bool = False  # Whether it is stored as a page of long ago.


class Churn:
    """The pages that live, and what happens next."""

    def __init__(self, most: int, seed: int) -> None:
        """Begin with none; at most ``most`` pages live at a time."""
        self._chance = random.Random(seed)
        self._seed = seed
        self._pages = np.zeros((most, 3), np.int64)  # number, source, edit
        self._old = np.zeros(most, bool)
        self._copied = np.zeros(most, bool)  # old ones, whose text another page has by now
        self._living = np.arange(most)  # slots in use come first, then those free
        self._place = np.arange(most)  # of a slot in there
        self.count = 0
        self._last = 0
        self._words = _vocabulary(seed)

    def text(self, page: Page) -> str:
        """What a page says."""
        words = random.Random(f"{self._seed} {page.source}").choices(self._words, k=WORDS)
        if page.edit:
            chance = random.Random(f"{self._seed} edit {page.edit}")
            for place in chance.sample(range(WORDS), int(EDITED * WORDS)):
                words[place] = chance.choice(self._words)
        return " ".join(words)

    def visit(self) -> Visit:
        """The next step; the caller does as it says and then calls ``stored``."""
        kind = self._chance.choices(tuple(SHARES), tuple(SHARES.values()))[0] if self.count else NEW
        self._last += 1
        if kind == NEW:
            old = self._chance.random() < OLD
            return self._arrival(kind, Page(self._last, self._last), old=old)
        slot = int(self._living[self._chance.randrange(self.count)])
        known = self._at(slot)
        if kind == AGAIN or (self._old[slot] and self._copied[slot]):
            return Visit(AGAIN, known, Verdict.REVISIT, slot)
        if kind == CHANGED:
            page = Page(known.number, known.source, self._last)
            return Visit(kind, page, Verdict.REVISIT, slot)
        copy = Page(self._last, known.source, self._last)
        if not self._old[slot]:
            return Visit(kind, copy, Verdict.DUPLICATE, slot)
        self._copied[slot] = True  # whether it or its copy leaves first is for the lot to say
        return self._arrival(kind, copy)

    def stored(self, visit: Visit) -> None:
        """Note that the page of a visit is in the store as it reads now."""
        page, slot = visit.page, visit.slot
        self._pages[slot] = page.number, page.source, page.edit
        self._old[slot] = visit.old
        if visit.verdict is Verdict.NEW:
            self._copied[slot] = False
            self._swap(slot, self.count)
            self.count += 1

    def forget_old(self) -> int:
        """Forget the pages of long ago, as ``prune`` does; returns how many."""
        gone = [slot for slot in self._living[: self.count].tolist() if self._old[slot]]
        for slot in gone:
            self._free(slot)
        return len(gone)

    def pages(self) -> Iterator[Page]:
        """All that live."""
        yield from map(self._at, self._living[: self.count].tolist())

    def _arrival(self, kind: str, page: Page, *, old: bool = False) -> Visit:
        """The visit to a page that will live; another makes room for it where there is none."""
        removed = None
        if self.count == len(self._living):
            leaving = int(self._living[self._chance.randrange(self.count)])
            removed = self._at(leaving)
            self._free(leaving)
        slot = int(self._living[self.count])
        return Visit(kind, page, Verdict.NEW, slot, removed, old)

    def _at(self, slot: int) -> Page:
        return Page(*self._pages[slot].tolist())

    def _free(self, slot: int) -> None:
        self.count -= 1
        self._old[slot] = False
        self._swap(slot, self.count)

    def _swap(self, slot: int, place: int) -> None:
        """Move a slot to a place among the others; that one's goes to where it was."""
        was, other = int(self._place[slot]), int(self._living[place])
        self._living[place], self._living[was] = slot, other
        self._place[slot], self._place[other] = place, was


def _vocabulary(seed: int) -> list[str]:
    chance = random.Random(f"words {seed}")
    return ["".join(chance.choices(LETTERS, k=chance.randint(3, 9))) for _ in range(VOCABULARY)]
