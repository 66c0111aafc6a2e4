"""The longest sentences of a page, word for word."""

from pathlib import Path

import pytest
from xxhash import xxh3_64_intdigest

from crawler.demo.texts import load_texts
from dedup.schemes.interface import Comparison
from dedup.schemes.literature.sentences import Sentences
from tests.schemes.finding import found
from tests.schemes.reading import document

TEXTS = load_texts()


def keys(scheme: Sentences, text: str) -> set[int]:
    return {word.value for word in scheme.words(scheme.fingerprint(document(text)))}


def signature(bare: str) -> int:
    return xxh3_64_intdigest(bare.encode())


def test_the_longest_sentences_are_signed_without_punctuation_and_space() -> None:
    text = "Short one here. The longest of all the sentences, by far! A sentence in between?"
    expected = {signature("thelongestofallthesentencesbyfar"), signature("asentenceinbetween")}
    assert keys(Sentences(sentences=2), text) == expected


def test_script_width_case_and_punctuation_do_not_matter() -> None:
    one = "機器學習技術，已經改變了搜尋引擎。ABC 公司說：這只是開始而已。"
    other = "机器学习技术 已经改变了搜索引擎！ＡＢＣ公司说，这只是“开始”而已！"
    scheme = Sentences(characters=5)
    assert keys(scheme, one) == keys(scheme, other)


def test_a_paragraph_without_an_end_of_a_sentence_is_one() -> None:
    text = "บรรทัดแรกของข้อความนี้ยาวพอ\nบรรทัดที่สองของข้อความนี้ก็ยาว"
    assert len(keys(Sentences(), text)) == 2


def test_short_sentences_do_not_count_beside_long_ones() -> None:
    text = "Home. Next. Log in. This one is long enough to count."
    assert keys(Sentences(), text) == {signature("thisoneislongenoughtocount")}


def test_a_page_of_short_sentences_only_is_one_sentence() -> None:
    assert keys(Sentences(), "Home. Next. Log in.") == {signature("homenextlogin")}


def test_of_equally_long_sentences_the_same_are_kept_in_any_order() -> None:
    sentences = [f"Sentence number {n} is of equal length." for n in range(10, 40)]
    forth, back = " ".join(sentences), " ".join(reversed(sentences))
    assert keys(Sentences(), forth) == keys(Sentences(), back)
    assert len(keys(Sentences(), forth)) == 8


@pytest.mark.parametrize(("shared", "accepted"), [(1, False), (2, True), (8, True)])
def test_two_of_eight_must_be_shared(shared: int, accepted: bool) -> None:
    one, other = (
        " ".join(
            f"{'Both' if n < shared else side} pages have this sentence number {n}."
            for n in range(8)
        )
        for side in ("Left", "Right")
    )
    scheme = Sentences()
    comparison = scheme.compare(*(scheme.fingerprint(document(text)) for text in (one, other)))
    assert comparison.similarity == shared / 8
    assert scheme.accepts(comparison, same_host=False) == accepted


def test_of_pages_with_few_sentences_the_same_part_must_be_shared() -> None:
    scheme = Sentences(sentences=8, shared=4)
    assert scheme.accepts(Comparison(0.5), same_host=True)
    assert not scheme.accepts(Comparison(0.49), same_host=True)


@pytest.mark.parametrize("kind", ["memory", "leveldb"])
def test_a_page_is_found_by_an_edited_one(kind: str, tmp_path: Path) -> None:
    stored = {name: document(TEXTS[name].plain) for name in ("ferry", "tea", "stew")}
    edited = document("Another title\n" + TEXTS["ferry.corrected"].plain)
    assert found(Sentences(), kind, tmp_path, stored, edited) == {"ferry"}


@pytest.mark.parametrize(("kept", "shared"), [(49, 1), (49, 3), (11, 7), (64, 63)])
def test_the_part_that_must_be_shared_is_not_missed_by_rounding(kept: int, shared: int) -> None:
    scheme = Sentences(sentences=kept, shared=shared)
    assert scheme.accepts(Comparison(shared / kept), same_host=False)


def test_texts_of_signs_alone_are_apart() -> None:
    one, other = keys(Sentences(), "_ " * 50), keys(Sentences(), "__ " * 50)
    assert one
    assert one != other
