"""Finds URLs that differ from an earlier one by their spelling alone.

Most servers show one page for all of these: http and https, any letter case, with and without a
slash at the end, and a folder with and without the name of its index file. Others do not, or they
redirect. So such URLs have patterns of their own, and the learner counts how often they repeat.
"""

from __future__ import annotations

from dedup.urls.firsts import MOST_KEYS, Firsts

_INDEX = ("index.", "default.")  # Beginnings of the names of index files.


class Spellings:
    """The spellings of the latest URLs, as hashes."""

    def __init__(self, most: int = MOST_KEYS) -> None:
        self._firsts = Firsts(most)

    def note(self, url: str) -> bool:
        """Note a URL; returns whether an earlier one differs from it by its spelling alone."""
        return self._firsts.note(hash(_plain(url)), hash(url))

    def forget(self, url: str) -> None:
        """Forget a URL that shows no page: another spelling may be the first one that does."""
        self._firsts.forget(hash(_plain(url)), hash(url))


def _plain(url: str) -> str:
    """What all spellings of a URL have in common."""
    spelled = url.lower().partition("#")[0].removeprefix("http://").removeprefix("https://")
    where, _, asked = spelled.partition("?")
    where = where.rstrip("/")
    folder, slash, name = where.rpartition("/")
    if slash and name.startswith(_INDEX):
        where = folder.rstrip("/")
    return f"{where}?{asked}"
