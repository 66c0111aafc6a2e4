"""Anything at all goes through every extractor and scheme to a fingerprint, always the same."""

from __future__ import annotations

import asyncio
import time
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scrapy.http import HtmlResponse

from benchmarks.fuzz import mutate
from benchmarks.nasty_pages import BLOCK_TAGS, OTHER_TAGS
from crawler.demo.texts import load_texts
from dedup.fingerprint import Fingerprinter
from dedup.page import EXTRACTORS, SEGMENTERS
from dedup.schemes import PUBLISHED, make_scheme
from dedup.scrapy.fingerprints import Fingerprints
from dedup.scrapy.workers import Workers

pytestmark = pytest.mark.usefixtures("compiled")


QUICK = settings(max_examples=60, deadline=None, derandomize=True)
FEW = settings(QUICK, max_examples=15)

MOST_CPU = 2.0  # seconds an input may take
CONTENT_TYPES = (
    "text/html; charset=utf-8",
    "text/html; charset=gb2312",
    "text/html; charset=utf-16",
    "text/html; charset=no-such-thing",
    "text/html; charset=hex",
    "text/html",
    "",
)
SAMPLES = [text.plain for text in load_texts().values()]
TAGS = [*BLOCK_TAGS, *OTHER_TAGS, "script", "style", "title", "!--", "!DOCTYPE", "?xml", "br/"]
# Alphabets in which steps of the chain have corners: controls, surrogates, marks, Han, kana.
SIGNS = st.one_of(
    st.sampled_from(
        " \t\n\0\x0b\x1c\x85\u2028\u00a0\u200b\u202e\ufeff\ufffe\ufdfa\uff9e\u0301\u0315<>&;'\"="
    ),
    st.characters(max_codepoint=0x7F),
    st.characters(min_codepoint=0x300, max_codepoint=0x36F),
    st.characters(min_codepoint=0x3040, max_codepoint=0x30FF),
    st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF),
    st.characters(categories=("Cs",)),
    st.characters(),
)
TEXT = st.one_of(st.text(SIGNS, max_size=60), st.sampled_from(SAMPLES))
ATTRIBUTES = st.lists(
    st.builds("{}={}".format, st.sampled_from(["class", "style", "hidden", "id"]), st.text(SIGNS)),
    max_size=2,
)
OPENING = st.builds(
    lambda tag, attributes: f"<{tag} {' '.join(attributes)}>", st.sampled_from(TAGS), ATTRIBUTES
)
CLOSING = st.builds("</{}>".format, st.sampled_from(TAGS))
HTML = st.lists(st.one_of(TEXT, OPENING, CLOSING), max_size=30).map("".join)
BODIES = st.one_of(
    st.binary(max_size=300),
    HTML.map(lambda html: html.encode("utf-8", "surrogatepass")),
    HTML.map(lambda html: html.encode("gb18030", "replace")),
    HTML.map(lambda html: html.encode("utf-16", "replace")),
    st.builds(lambda seed: mutate(SAMPLES[0].encode(), seed), st.integers(0, 1 << 32)),
)


def break_promise(fingerprinter: Fingerprinter, body: bytes, content_type: str) -> str:
    """What goes wrong with a page, in a few words; empty where nothing does."""
    started = time.process_time()
    try:
        one = fingerprinter.of_page(body, content_type or None)
        taken = time.process_time() - started
        again = fingerprinter.of_page(body, content_type or None)
        if one.value:
            fingerprinter.scheme.words(one.value)
            fingerprinter.scheme.compare(one.value, again.value)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if one != again:
        return "another fingerprint the second time"
    return f"{taken:.1f} seconds of CPU" if taken > MOST_CPU else ""


@cache
def chain(extractor: str, scheme: str = "combined", segmenter: str = "jieba") -> Fingerprinter:
    made = Fingerprinter(make_scheme(scheme), extractor, segmenter, min_tokens=1, keep_text=True)
    made.warm_up()
    return made


@pytest.mark.parametrize("extractor", EXTRACTORS)
@QUICK
@given(BODIES, st.sampled_from(CONTENT_TYPES))
def test_every_extractor_reads_any_bytes(extractor: str, body: bytes, content_type: str) -> None:
    assert break_promise(chain(extractor), body, content_type) == ""


@pytest.mark.parametrize("scheme", PUBLISHED)
@FEW
@given(HTML)
def test_every_scheme_takes_any_page(scheme: str, html: str) -> None:
    body = html.encode("utf-8", "surrogatepass")
    assert break_promise(chain("plain", scheme), body, CONTENT_TYPES[0]) == ""


@pytest.mark.parametrize("scheme", PUBLISHED)
@FEW
@given(TEXT)
def test_every_scheme_takes_any_text(scheme: str, text: str) -> None:
    fingerprinter = chain("plain", scheme)
    one = fingerprinter.of_text(text)
    assert fingerprinter.of_text(text) == one
    if one.value:
        comparison = fingerprinter.scheme.compare(one.value, one.value)
        assert fingerprinter.scheme.accepts(comparison, same_host=False)


@pytest.mark.parametrize("segmenter", SEGMENTERS)
@QUICK
@given(TEXT)
def test_every_segmenter_takes_any_text(segmenter: str, text: str) -> None:
    fingerprint = chain("plain", segmenter=segmenter).of_text(text)
    assert fingerprint.tokens <= max(4 * len(text), 1)


@pytest.mark.parametrize("extractor", EXTRACTORS)
@QUICK
@given(HTML)
def test_a_page_read_here_is_as_one_read_in_a_worker(extractor: str, html: str) -> None:
    body = html.encode("utf-8", "replace")
    response = HtmlResponse("http://a.example/", body=body)
    response.headers["Content-Type"] = CONTENT_TYPES[0]
    fingerprinter = chain(extractor)
    here = Fingerprints(Workers(fingerprinter, 0, 10.0), 1 << 20)
    assert asyncio.run(here.of(response)) == fingerprinter.of_page(body, CONTENT_TYPES[0])
