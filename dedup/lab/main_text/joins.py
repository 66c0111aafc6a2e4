"""The purpose of an extractor: to find the same article again, and to keep others apart.

*Same article in two templates*: an article is inserted into the pages of two other sites. After
extraction the two must be near-duplicates of two hosts. *Two articles in one template*: two
different articles are inserted into one page, as two pages of one site. It is wrong to join them.

    gold pages -> prepare: donors -> make_pairs: page pairs -> judge -> sum_up
                         -> shorten -> judge_brief: the cut article in its own page

The article of a page without gold is the main text by readability, for every judged extractor.

Most gold articles are long. Extractors miss news of two sentences, since the text around them is
longer. So articles are also cut down to their first tokens.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from dedup.fingerprint import Fingerprinter, PageFingerprint
from dedup.index import Judge
from dedup.lab.main_text.gold import GoldPage
from dedup.lab.main_text.readings import WRONG, find, read
from dedup.lab.main_text.scores import (
    cut_shingles,
    cut_tokens,
    f1_of_means,
    group_by,
    score_shingles,
    share,
)
from dedup.lab.main_text.transplant import (
    Part,
    Template,
    find_template,
    parts_of_main_text,
    parts_of_text,
)
from dedup.page import extract, read_document
from dedup.page.kept_text import unpack_text
from dedup.schemes import Scheme
from dedup.schemes.simhash import simhash
from dedup.scope import host_of
from dedup.store import Record

REFERENCE = "readability"  # Finds the article of pages without gold.
APART = 0.1  # Two articles with a smaller Jaccard of shingles are certainly different.
SHORT = 200  # An article of fewer tokens is short.
NEAR = 3  # Bits of SimHash.
FORUM = "forum"  # The kind whose pages of all languages are one group.
TRIES = 20  # Maximum draws for each wanted pair.

LENGTHS = (40, 60, 80, 120)  # Tokens: Han characters or words.


@dataclass(frozen=True, slots=True)
class Donor:
    """A page taken apart: its article and its template; its language, or "forum" for a forum."""

    site: str
    language: str
    article: tuple[Part, ...]
    shingles: frozenset[tuple[str, ...]]
    template: Template


@dataclass(frozen=True, slots=True)
class Pair:
    """Two pages made by transplanting."""

    language: str
    same: bool  # Whether both have the same article.
    short: bool  # Whether one of the articles is short.
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdicts on a pair by one extractor."""

    extractor: str
    pair: Pair
    one_host: bool  # Near-duplicates if they are pages of one host.
    two_hosts: bool  # Near-duplicates if they are pages of two hosts.
    near: bool  # SimHashes of their words within 3 bits.


@dataclass(frozen=True, slots=True)
class Joins:
    """Shares of joined pairs for one language and extractor; None of no pairs."""

    language: str
    extractor: str
    same: int  # Pairs of pages with the same article.
    found: float | None  # Share of these joined, as pages of two hosts.
    found_short: float | None  # The same for articles under 200 tokens.
    found_near: float | None  # Share of these within 3 bits.
    different: int  # Pairs of pages with different articles in one template.
    # Share of these joined, as pages of one host or two.
    wrong_one_host: float | None
    wrong_two_hosts: float | None


def prepare(page: GoldPage, fingerprinter: Fingerprinter) -> Donor | None:
    """Take a page apart; None if its article has no fingerprint, or is not found in the page."""
    if page.text is not None:
        article = parts_of_text(page.text)
    else:
        main = extract(page.html, REFERENCE)
        if not main.sure:
            return None
        article = parts_of_main_text(main)
    text = "\n".join(part.text for part in article)
    template = find_template(page.html, text)
    if template is None or not fingerprinter.of_text(text).value:
        return None
    shingles = frozenset(cut_shingles(cut_tokens(text)))
    language = FORUM if page.kind == FORUM else page.language
    return Donor(host_of(page.url) or page.id, language, article, shingles, template)


def make_pairs(donors: Sequence[Donor], count: int, seed: int) -> Iterator[Pair]:
    """At most ``count`` pairs of each kind and language, in order of language.

    The same seed chooses the same pairs.
    """
    for language in sorted({donor.language for donor in donors}):
        chosen = [donor for donor in donors if donor.language == language]
        rng = random.Random(seed)  # noqa: S311
        for source, one, other in _draw(chosen, count, rng, _of_three_sites):
            pages = (host.template.fill(source.article) for host in (one, other))
            yield Pair(language, True, len(source.shingles) < SHORT, *pages)
        for host, one, other in _draw(chosen, count, rng, _of_two_articles):
            pages = (host.template.fill(source.article) for source in (one, other))
            short = min(len(one.shingles), len(other.shingles)) < SHORT
            yield Pair(language, False, short, *pages)


def _draw(
    donors: Sequence[Donor],
    count: int,
    rng: random.Random,
    fits: Callable[[Donor, Donor, Donor], bool],
) -> Iterator[tuple[Donor, Donor, Donor]]:
    """Draw distinct fitting triples: one page, and two others in any order."""
    drawn: set[tuple[int, int, int]] = set()
    for _ in range(count * TRIES if len(donors) >= 3 else 0):
        if len(drawn) == count:
            return
        first, *two = rng.sample(range(len(donors)), 3)
        places = (first, min(two), max(two))
        source, one, other = (donors[place] for place in places)
        if places not in drawn and fits(source, one, other):
            drawn.add(places)
            yield source, one, other


def _of_three_sites(source: Donor, one: Donor, other: Donor) -> bool:
    return len({source.site, one.site, other.site}) == 3


def _of_two_articles(_: Donor, one: Donor, other: Donor) -> bool:
    common = len(one.shingles & other.shingles)
    return common < APART * (len(one.shingles) + len(other.shingles) - common)


def judge(pair: Pair, fingerprinter: Fingerprinter) -> Judged:
    """Extract and fingerprint both pages of a pair, and compare them as an index does."""
    one, one_bits = _look(pair.one, fingerprinter)
    other, other_bits = _look(pair.other, fingerprinter)
    readable = not (one.short or other.short)
    joined = partial(joins, fingerprinter.scheme, one, other)
    return Judged(
        extractor=fingerprinter.extractor,
        pair=pair,
        one_host=joined("one.example"),
        two_hosts=joined("other.example"),
        near=readable and (one_bits ^ other_bits).bit_count() <= NEAR,
    )


def joins(scheme: Scheme, one: PageFingerprint, other: PageFingerprint, host: str) -> bool:
    """Whether two pages are near-duplicates for an index, of ``one.example`` and of ``host``."""
    if one.short or other.short:
        return False
    first, second = _record("https://one.example/1", one), _record(f"https://{host}/2", other)
    texts = unpack_text(other.text), unpack_text(one.text)
    judge = Judge(scheme)
    comparison = judge.compare(second, first)
    return (
        comparison is not None
        and judge.is_nominated(second, first, comparison)
        and judge.confirm(second, first, comparison, texts).relation in judge.rules.dropped
    )


def _record(url: str, page: PageFingerprint) -> Record:
    return Record(url, url.encode(), 0.0, True, page.tokens, page.digest, page.value)


def _look(html: str, fingerprinter: Fingerprinter) -> tuple[PageFingerprint, int]:
    main = find(html, fingerprinter.extractor)
    document = read_document(main, fingerprinter.segmenter)
    return fingerprinter.of_document(document), simhash(document.tokens)


def sum_up(judged: Iterable[Judged]) -> list[Joins]:
    """The shares of joined pairs, by language and extractor."""
    rows = []
    for names, cases in group_by(judged, lambda case: (case.pair.language, case.extractor)).items():
        same = [case for case in cases if case.pair.same]
        different = [case for case in cases if not case.pair.same]
        rows.append(
            Joins(
                *names,
                same=len(same),
                found=share(case.two_hosts for case in same),
                found_short=share(case.two_hosts for case in same if case.pair.short),
                found_near=share(case.near for case in same),
                different=len(different),
                wrong_one_host=share(case.one_host for case in different),
                wrong_two_hosts=share(case.two_hosts for case in different),
            )
        )
    return rows


@dataclass(frozen=True, slots=True)
class Brief:
    """How an extractor reads pages of one language whose articles are cut to ``length`` tokens."""

    language: str
    length: int
    extractor: str
    pages: int
    f1: float  # F1 by shingles, as ``f1_of_means``.
    sure: float  # Share of pages with a sure main text.
    wrong: float | None  # Share of sure pages with an F1 under a half.


def shorten(donor: Donor, length: int) -> Donor | None:
    """A page whose article is one paragraph of its first tokens; None if it has fewer."""
    text = " ".join(part.text for part in donor.article if not part.heading)
    end = _end_of(text, length)
    if end is None:
        return None
    text = text[:end]
    shingles = frozenset(cut_shingles(cut_tokens(text)))
    return replace(donor, article=(Part(text),), shingles=shingles)


def _end_of(text: str, length: int) -> int | None:
    """The end of the first tokens of a text, with the sign after them."""
    at = 0
    for done, token in enumerate(cut_tokens(text), start=1):
        at = text.index(token, at) + len(token)
        if done == length:
            return at + (at < len(text) and not text[at].isspace())
    return None


def judge_brief(donors: Sequence[Donor], length: int, extractor: str) -> list[Brief]:
    """Judge an extractor on cut articles in their own templates; one row per language."""
    cut = [short for donor in donors if (short := shorten(donor, length)) is not None]
    rows = []
    for language, members in sorted(group_by(cut, lambda donor: donor.language).items()):
        scores, trusted = [], []
        for donor in members:
            main = read(donor.template.fill(donor.article), extractor)
            score = score_shingles(cut_tokens(donor.article[0].text), cut_tokens(main.text))
            scores.append(score)
            trusted += [score.f1 < WRONG] if main.sure else []
        f1, sure = f1_of_means(scores).f1, len(trusted) / len(members)
        rows.append(Brief(language, length, extractor, len(members), f1, sure, share(trusted)))
    return rows
