"""Chinese, Japanese, or not known."""

from __future__ import annotations

import pytest

from dedup.review.characters import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("水涨时，渔民把船拉上岸。", "zh"),
        ("水涨到 1234567890 1234567890 1234567890", "zh"),  # digits are no letters
        ("水が上がると、漁師は舟を岸に上げる。", "ja"),
        ("これはそのままでよいとおもいます", "ja"),
        ("这家日本面馆名叫の屋，味道很好，价格也不贵，值得再去。", "zh"),
        ("The water rises; 水 is its sign.", ""),
        ("물이 차오르면", ""),
        ("", ""),
    ],
)
def test_the_language_is_told_for_fonts(text: str, language: str) -> None:
    assert language_of(text) == language
