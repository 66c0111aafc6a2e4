"""The language of a text, by its words, its script and what its page declares."""

from __future__ import annotations

import pytest
from conftest import Crawler

from dedup.page.language import detect_language
from tests.crawler.sites import PARAGRAPH, Site, page

HANS = "港口的早晨很安静，留在岸上的渔民一边修补渔网，一边谈论天气和柴油的价格。"
HANT = "港口的早晨很安靜，留在岸上的漁民一邊修補漁網，一邊談論天氣和柴油的價格。"


@pytest.mark.parametrize(
    ("text", "declared", "language"),
    [
        (PARAGRAPH, None, "en"),
        (PARAGRAPH, "zh-TW", "en"),
        ("Am Morgen war der Hafen still, und die Fischer flickten ihre Netze.", None, "de"),
        ("港の朝は静かで、漁師たちは網を繕いながら天気の話をしていた。", None, "ja"),
        (HANS, None, "zh-Hans"),
        (HANT, None, "zh-Hant"),
        (HANS, "zh-TW", "zh-Hans"),  # declared, but not consistent with the script
        (HANT, "zh-CN", "zh-Hant"),
        ("中文小山水火木土日月人口手中文小山水火", "zh-Hant-HK", "zh-Hant"),
        ("中文小山水火木土日月人口手中文小山水火", "zh_cn", "zh-Hans"),
        ("中文小山水火木土日月人口手中文小山水火", "zh", "zh"),
        ("", "en", ""),
        ("ok", "en", ""),
        ("1234567890 " * 50, "en", ""),
        ("\ud800" * 100, None, ""),
    ],
)
def test_the_language_of_a_text(text: str, declared: str | None, language: str) -> None:
    assert detect_language(text, declared) == language


def test_the_declared_language_reaches_the_item(crawl_site: Crawler) -> None:
    text = "中文小山水火木土日月人口手中文小山水火。" * 3
    with Site({"/": page(text=text, title="中文", lang="zh-HK")}) as site:
        result = crawl_site(start=site.url())
    assert [item["language"] for item in result.exported] == ["zh-Hant"]
