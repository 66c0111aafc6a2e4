"""A search that finds something new for any word, and three more words to search for."""

from hashlib import sha256

from crawler.demo.traps.page import Link, Page, Shown, Target
from crawler.demo.traps.writing import written

WORDS_A_PAGE = 3
FIRST = "harbour"
LENGTH = (50, 90)

_CONSONANTS = "bdfghklmnprstvwz"
_VOWELS = "aeio"


def search(target: Target) -> Shown:
    """/search?q=WORD; without a word, the form."""
    if target.segments:
        return None
    asked = target.value("q")
    if not asked:
        return Page("Search", links=(Link(f"/search?q={FIRST}", FIRST),))
    text = written(f"search {asked}", length=LENGTH)
    words = (_word(f"{asked} {number}") for number in range(WORDS_A_PAGE))
    links = tuple(Link(f"/search?q={word}", word) for word in words)
    return Page(f"Found: {asked}", f"search:{asked}", text.paragraphs, links=links)


def _word(name: str) -> str:
    """Four syllables, made of the name: there are 16 million such words."""
    digest = sha256(name.encode()).digest()[:4]
    return "".join(_CONSONANTS[byte % 16] + _VOWELS[byte // 16 % 4] for byte in digest)
