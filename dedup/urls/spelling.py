"""Finds URLs that differ from an earlier one by their spelling alone.

Most servers show one page for all of these: http and https, any letter case, with and without a
slash at the end, and a folder with and without the name of its index file. Others do not, or they
redirect. So such URLs have patterns of their own, and the learner counts how often they repeat.
"""

from __future__ import annotations

MOST_URLS = 1 << 16  # The latest URLs; as many of those before them are kept, too.
_INDEX = ("index.", "default.")  # Beginnings of the names of index files.


class Spellings:
    """The spellings of the latest URLs, as hashes."""

    def __init__(self, most: int = MOST_URLS) -> None:
        self._most = most
        self._latest: dict[int, int] = {}
        self._former: dict[int, int] = {}

    def note(self, url: str) -> bool:
        """Note a URL; returns whether an earlier one differs from it by its spelling alone."""
        key, digest = hash(_plain(url)), hash(url)
        first = self._latest.get(key) or self._former.get(key)
        if first is not None:
            return first != digest
        if len(self._latest) >= self._most:
            self._latest, self._former = {}, self._latest
        self._latest[key] = digest
        return False

    def forget(self, url: str) -> None:
        """Forget a URL that shows no page: another spelling may be the first one that does."""
        key = hash(_plain(url))
        for known in (self._latest, self._former):
            if known.get(key) == hash(url):
                del known[key]


def _plain(url: str) -> str:
    """What all spellings of a URL have in common."""
    spelled = url.lower().partition("#")[0].removeprefix("http://").removeprefix("https://")
    where, _, asked = spelled.partition("?")
    where = where.rstrip("/")
    folder, slash, name = where.rpartition("/")
    if slash and name.startswith(_INDEX):
        where = folder.rstrip("/")
    return f"{where}?{asked}"
