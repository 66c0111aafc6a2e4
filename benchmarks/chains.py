"""Chains from HTML to fingerprint, side by side: this project's and those made of well-known parts.

Each chain is a function from decoded HTML to its fingerprint, made once, with whatever it loads on
first use already loaded. The peers are used as their manuals show, in the fastest way documented:
readability-lxml and jieba feed PyPI's ``simhash``; trafilatura (``fast=True``) feeds MinHash with
128 permutations, of datasketch (``update_batch``) and of rensa. MinHash takes the set of words, of
Chinese, which has no spaces, the set of characters, so that no segmentation is charged to it.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from dedup import Config, make_fingerprinter
from settings import classic

Fingerprint = Callable[[str], object]
Missing = Callable[[tuple[str, ...]], Collection[str]]  # those modules that are not installed

INSTALL = "pip install -r benchmarks/peers.txt"
PERMUTATIONS = 128
_SAMPLE = """<html><head><title>A page</title></head><body><article>
<p>Whatever a chain loads on first use, it loads for this page, before any time is taken.</p>
<p>无论首次使用时需要载入什么，都在计时开始之前，为这个页面载入完毕。</p>
</article></body></html>"""
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+")


@dataclass(frozen=True, slots=True)
class Chain:
    """A way from HTML to a fingerprint."""

    name: str
    needs: tuple[str, ...]  # Modules it imports that are no dependencies of this project.
    make: Callable[[], Fingerprint]


def missing(needs: tuple[str, ...]) -> list[str]:
    """The modules, of those needed, that are not installed."""
    return [name for name in needs if find_spec(name) is None]


def ready(chain: Chain) -> Fingerprint:
    """Make a chain and have it load all that it loads on first use."""
    function = chain.make()
    function(_SAMPLE)
    return function


def settings_config(settings: Mapping[str, Any]) -> Config:
    """The settings of this extension in a settings module."""
    return Config.from_settings({k: v for k, v in settings.items() if k.startswith("NEARDUP_")})


def _ours(config: Config) -> Callable[[], Fingerprint]:
    return lambda: make_fingerprinter(config).of_html


def _readability_jieba_simhash() -> Fingerprint:
    import jieba  # noqa: PLC0415
    import lxml.html  # noqa: PLC0415
    from readability import Document  # noqa: PLC0415
    from simhash import Simhash  # noqa: PLC0415

    jieba.setLogLevel(logging.WARNING)
    jieba.initialize()
    logging.getLogger("readability").setLevel(logging.CRITICAL)

    def fingerprint(html: str) -> object:
        text = lxml.html.fromstring(Document(html).summary()).text_content()
        return Simhash([word for word in jieba.cut(text) if word.strip()]).value

    return fingerprint


def _trafilatura_words() -> Callable[[str], set[str]]:
    import trafilatura  # noqa: PLC0415

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)

    def words(html: str) -> set[str]:
        text = trafilatura.extract(html, fast=True, include_comments=False) or ""
        return set(_WORD.findall(text))

    return words


def _trafilatura_datasketch() -> Fingerprint:
    from datasketch import MinHash  # noqa: PLC0415

    words = _trafilatura_words()

    def fingerprint(html: str) -> object:
        sketch = MinHash(num_perm=PERMUTATIONS)
        if found := [word.encode() for word in words(html)]:
            sketch.update_batch(found)
        return sketch

    return fingerprint


def _trafilatura_rensa() -> Fingerprint:
    from rensa import RMinHash  # noqa: PLC0415

    words = _trafilatura_words()

    def fingerprint(html: str) -> object:
        sketch = RMinHash(num_perm=PERMUTATIONS, seed=42)
        sketch.update(list(words(html)))
        return sketch.digest()

    return fingerprint


OURS = "settings.base (combined)"
READABILITY = "readability-lxml + jieba + simhash"
TRAFILATURA = "trafilatura fast + datasketch MinHash"


def chains() -> Iterator[Chain]:
    """All chains; the first is the product's default."""
    yield Chain(OURS, (), _ours(Config()))
    yield Chain("settings.base, scheme simhash", (), _ours(Config(scheme="simhash")))
    yield Chain("settings.classic", (), _ours(settings_config(vars(classic))))
    yield Chain(READABILITY, ("simhash",), _readability_jieba_simhash)
    yield Chain(TRAFILATURA, ("trafilatura", "datasketch"), _trafilatura_datasketch)
    yield Chain("trafilatura fast + rensa RMinHash", ("trafilatura", "rensa"), _trafilatura_rensa)
