"""Where sentences end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedup.page import normalise
from dedup.schemes.literature.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three? Four", ["one.", " two!", " three?", " four"]),
        ("第一句。第二句！第三句？完", ["第一句。", "第二句!", "第三句?", "完"]),
        ("他说：“走吧。”他走了。", ["他说:“走吧。”", "他走了。"]),
        ('He said "go." He went.', ['he said "go."', " he went."]),
        ("第一句．第二句．", ["第一句.", "第二句."]),
        ("半角｡文字", ["半角。", "文字"]),
        ("Pi is 3.14 at example.com. Yes", ["pi is 3.14 at example.com.", " yes"]),
        ("Wait... what?! No", ["wait...", " what?!", " no"]),
        ("یہ ایک ہے۔ دوسرا", [normalise("یہ ایک ہے۔"), " دوسرا"]),
        ("هل هذا؟ نعم", ["هل هذا؟", " نعم"]),
        ("यह एक है। दूसरा॥", ["यह एक है।", " दूसरा॥"]),
        ("Սա մեկ է։ Երկու", ["սա մեկ է։", " երկու"]),
        ("မြန်မာ။ စာ", ["မြန်မာ။", " စာ"]),
        ("ភាសា។ ខ្មែរ", ["ភាសា។", " ខ្មែរ"]),
        ("አንድ። ሁለት", ["አንድ።", " ሁለት"]),
        ("ประโยคไทยไม่มีจุด", [normalise("ประโยคไทยไม่มีจุด")]),
        ("no end", ["no end"]),
        ("", []),
    ],
)
def test_sentences_end_in_the_main_scripts(text: str, sentences: list[str]) -> None:
    assert split_sentences(normalise(text)) == sentences


@given(st.text("ab中。.!?”) 3\u0964"))
def test_the_parts_are_the_text(text: str) -> None:
    parts = split_sentences(text)
    assert "".join(parts) == text
    assert all(parts)
