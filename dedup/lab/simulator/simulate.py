"""A labelled corpus made of clean texts, each with edited copies, like reposts on the web.

    articles -> simulate(articles, plan) -> documents, one by one

Each article becomes an original and its copies, which form one cluster; documents of different
clusters are different articles. All originals are on one host, in one template. Copies are on other
hosts, in other templates, with many articles per host. So the corpus also has pages that must not
be joined: different articles of one host in one template. Text that a copy takes from elsewhere
comes in small pieces from a limited number of articles near by.

Everything random in a document follows from the seed and the article's id.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, islice
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import xxhash

from dedup.lab.evaluation.corpus import open_corpus
from dedup.lab.simulator.edits import apply_edit, apply_recipe
from dedup.lab.simulator.prose import Language, Text, make_text
from dedup.lab.simulator.templates import TEMPLATES, make_page
from dedup.page import extract

ORIGIN = "origin.example"
COPY_HOSTS = 20
POOL = 256  # Articles of a language for pieces and teasers.


@dataclass(frozen=True, slots=True)
class Article:
    """A clean text with an id that is unique in its corpus."""

    id: str
    text: Text


@dataclass(frozen=True, slots=True)
class Step:
    """One way to make a copy: an edit at a strength, or a recipe without one."""

    name: str
    strength: float | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """How a corpus is made."""

    steps: tuple[Step, ...]  # Ways to make copies, which take turns; at least one.
    copies: int = 1
    html: bool = False  # Whether to make whole pages; else plain texts.
    same_host: bool = False  # Whether copies are on the originals' host, in other templates.
    template: str = "portal"  # Template of the originals.
    seed: int = 0  # One seed, one corpus.


@dataclass(frozen=True, slots=True)
class SimulatedPage:
    """One document of the corpus; documents with equal ``cluster`` are near-duplicates.

    ``edit`` is the edit or recipe, empty for an original; ``strength`` is None for a recipe.
    """

    id: str
    url: str
    cluster: str
    title: str
    content: str
    html: bool
    edit: str
    strength: float | None

    def fields(self) -> dict[str, Any]:
        """The document as an object of JSON."""
        names = {"content": "html" if self.html else "text"}
        return {names.get(n, n): of for n, of in asdict(self).items() if n != "html"}


def read_articles(path: Path) -> Iterator[Article]:
    """Read clean texts: JSON lines, or a folder of .txt and .html pages (see ``corpus``).

    Of HTML the main text is taken; pages without a sure one and empty texts are left out.

    Raises CorpusError if a file or line cannot be read.
    """
    for page in open_corpus([path]):
        title, body = page.title, page.decoded
        if page.html:
            main = extract(body)
            title, body = title or main.title, main.text if main.sure else ""
        text = make_text(title, body)
        if text.paragraphs:
            yield Article(page.key, text)


def simulate(articles: Iterable[Article], plan: Plan) -> Iterator[SimulatedPage]:
    """Make the documents of a corpus: after each original its copies.

    Articles are read as a stream; no text is empty. An article with the same text as an earlier one
    is left out: it would be a copy without a label.
    """
    stream = _different(articles)
    ahead = list(islice(stream, POOL))
    pool = _Pool(plan.seed)
    for article in ahead:
        pool.add(article.text)
    for number, article in enumerate(chain(ahead, stream)):
        if number >= len(ahead):
            pool.add(article.text)
        others = pool.others(article.text)
        yield _original(article, others, plan)
        for copy in range(plan.copies):
            yield _copy(article, number, copy, others, plan)


def _different(articles: Iterable[Article]) -> Iterator[Article]:
    seen: set[int] = set()  # Hashes of texts.
    for article in articles:
        digest = xxhash.xxh3_64_intdigest(article.text.body.encode())
        if digest not in seen:
            seen.add(digest)
            yield article


class _Pool:
    """A changing sample of the articles seen, by language."""

    def __init__(self, seed: int) -> None:
        self._rng = Random(f"{seed} pool")  # noqa: S311  (one seed, one corpus)
        self._texts: dict[Language, list[Text]] = {"zh": [], "en": []}

    def add(self, text: Text) -> None:
        texts = self._texts[text.language]
        if len(texts) < POOL:
            texts.append(text)
        else:
            texts[self._rng.randrange(POOL)] = text

    def others(self, text: Text) -> list[Text]:
        return [other for other in self._texts[text.language] if other != text]


def _original(article: Article, others: Sequence[Text], plan: Plan) -> SimulatedPage:
    rng = Random(f"{plan.seed} {article.id}")  # noqa: S311
    name, text, url = article.id, article.text, f"http://{ORIGIN}/{quote(article.id)}"
    content = _content(text, url, ORIGIN, plan.template, others, rng, plan)
    return SimulatedPage(name, url, name, text.title, content, plan.html, "", 0.0)


def _copy(
    article: Article, number: int, copy: int, others: Sequence[Text], plan: Plan
) -> SimulatedPage:
    step = plan.steps[(number * plan.copies + copy) % len(plan.steps)]
    rng = Random(f"{plan.seed} {article.id} {copy}")  # noqa: S311
    if step.strength is None:
        text = apply_recipe(step.name, article.text, rng, others)
    else:
        text = apply_edit(step.name, article.text, step.strength, rng, others)
    place = (number + copy) % COPY_HOSTS
    templates = [name for name in TEMPLATES if name != plan.template]
    host = ORIGIN if plan.same_host else f"copy-{place + 1}.example"
    url = f"http://{host}/{quote(article.id)}/{copy + 1}"
    template = templates[place % len(templates)]
    return SimulatedPage(
        f"{article.id}~{copy + 1}",
        url,
        article.id,
        text.title,
        _content(text, url, host, template, others, rng, plan),
        plan.html,
        step.name,
        step.strength,
    )


def _content(
    text: Text, url: str, host: str, template: str, others: Sequence[Text], rng: Random, plan: Plan
) -> str:
    if not plan.html:
        return text.body
    return TEMPLATES[template](make_page(text, url, host, others, rng))
