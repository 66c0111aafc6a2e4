"""From a page to its fingerprint."""

from dataclasses import replace

import pytest

from crawler.demo.texts import load_texts
from dedup.fingerprint import Fingerprinter
from dedup.page import EXTRACTORS
from dedup.page.kept_text import KeptText, unpack_text
from dedup.schemes import Combined, SimHash

TEA = load_texts()["tea"].plain
MAKE = Fingerprinter(Combined(), min_tokens=8)


def page(text: str) -> str:
    body = "".join(f"<p>{line}</p>" for line in text.splitlines())
    return f"<html><head><meta charset=gbk></head><body><article>{body}</article></body></html>"


def words(count: int) -> str:
    return " ".join(f"w{n}" for n in range(count))


def test_bytes_html_and_text_of_one_article_have_one_fingerprint() -> None:
    expected = MAKE.of_text(TEA)
    assert MAKE.of_html(page(TEA)) == expected
    assert MAKE.of_page(page(TEA).encode("gbk")) == expected
    assert MAKE.of_page(page(TEA).encode(), "text/html; charset=utf-8") == expected


def test_a_fingerprint_holds_length_digest_and_the_schemes_value() -> None:
    made = MAKE.of_text(words(20))
    assert (made.tokens, len(made.digest), made.short) == (20, 16, False)
    assert len(made.value) == 24 + 8 * 8 + 10 * 4 + 18  # 18 shingles, 8 of them keys


@pytest.mark.parametrize(
    ("tokens", "has_value", "short"),
    [(8, True, False), (7, False, False), (2, False, False), (1, False, True), (0, False, True)],
)
def test_short_texts_have_no_value_and_very_short_ones_no_verdict(
    tokens: int, has_value: bool, short: bool
) -> None:
    made = MAKE.of_text(words(tokens))
    assert (made.tokens, bool(made.value), made.short) == (tokens, has_value, short)


@pytest.mark.parametrize("min_tokens", [0, 1])
def test_a_page_without_text_has_no_value_however_little_is_asked_for(min_tokens: int) -> None:
    make = Fingerprinter(SimHash(), min_tokens=min_tokens)
    assert make.of_html("<p></p>").value == b""
    assert make.of_html("<p></p>").short
    assert make.of_html("<p>tea</p>").value


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_the_extractor_can_be_chosen(extractor: str) -> None:
    make = Fingerprinter(Combined(), extractor)
    assert make.of_html(page(TEA)).value
    assert make.of_page(b"\xff\0garbage <p").short


def test_the_segmenter_can_be_chosen() -> None:
    chars = Fingerprinter(Combined(), segmenter="chars").of_text(TEA)
    assert chars.tokens > MAKE.of_text(TEA).tokens


def test_a_fingerprint_can_be_made_anywhere_again() -> None:
    assert Fingerprinter(Combined(), min_tokens=8).of_text(TEA) == MAKE.of_text(TEA)


def test_the_main_text_is_kept_where_it_is_asked_for() -> None:
    keeps = Fingerprinter(Combined(), min_tokens=8, keep_text=True).of_html(page(TEA))
    assert KeptText.read(unpack_text(keeps.text)) == ("", "", TEA)
    assert replace(keeps, text=b"") == MAKE.of_html(page(TEA))


def test_title_and_h1_are_kept_before_the_text() -> None:
    html = f"<title>Tea of\nYunping</title><h1>Old  tea</h1>{page(TEA)}"
    kept = unpack_text(replace(MAKE, keep_text=True).of_html(html).text)
    assert KeptText.read(kept) == ("Tea of Yunping", "Old tea", TEA)


def test_no_text_is_kept_of_a_page_without_a_verdict() -> None:
    assert Fingerprinter(Combined(), keep_text=True).of_text("tea").text == b""
