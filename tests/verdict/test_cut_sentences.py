"""Texts cut into sentences."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from dedup.verdict.sentences import LONGEST, measure, split
from tests.verdict.texts import WORDS


@pytest.mark.parametrize(
    "block", [" ".join(f"word{n}" for n in range(100)), "新馆开放 today " * 30], ids=["en", "zh"]
)
def test_the_letters_of_a_long_sentence_are_shared_by_its_lines(block: str) -> None:
    ours, _ = split([block, "A short one."], [""])
    assert len(ours.lines) > 2
    assert sum(line.letters for line in ours.lines) == pytest.approx(
        measure(block) + measure("A short one.")
    )


def test_an_ideograph_and_a_syllable_count_as_three_letters() -> None:
    letters = {"“ten”": 5, "dünn": 4, "三字": 6, "두 글자": 10, "三 ten": 7}
    assert {text: measure(text) for text in letters} == letters


class Counted(bytes):
    """Words that note how often their spaces are counted."""

    times = 0

    def count(self, *args: Any) -> int:
        Counted.times += 1
        return super().count(*args)


def test_the_words_of_a_long_sentence_are_counted_once() -> None:
    """A hostile text is one sentence. Counted for each line, it would hold a crawl up."""
    ours, _ = split([" ".join(Random(1).choices(WORDS, k=9_000))], [""])
    for line in ours.lines:
        line.words = Counted(line.words)
    assert sum(line.letters for line in ours.lines) > 0
    assert 200 < len(ours.lines) <= Counted.times < 5 * len(ours.lines)


@pytest.mark.parametrize("at", [0, 130, 260])
def test_a_text_without_ends_of_sentences_is_cut_at_the_same_words_behind_an_edit(at: int) -> None:
    words = Random(1).choices(WORDS, k=400)
    new, old = split([" ".join([*words[:at], "one", "more", *words[at:]])], [" ".join(words)])
    here, there = ({line.words for line in text.lines} for text in (new, old))
    assert all(line.size <= LONGEST for text in (new, old) for line in text.lines)
    assert len(old.lines) > 10
    assert len(there - here) <= 2
    assert len(here - there) <= 3


@pytest.mark.parametrize(
    "paragraph",
    [
        "पुल फिर खुल गया। सैकड़ों लोग आए। मेला रात तक चला।",
        "هل فتح الجسر؟ جاء مئات الناس؛ استمر المعرض حتى الليل.",
        "پل دوبارہ کھل گیا۔ سینکڑوں لوگ آئے۔ میلہ رات تک چلا۔",
        "Կամուրջը նորից բացվեց։ Հարյուրավոր մարդիկ եկան։ Տոնավաճառը տևեց մինչև գիշեր։",
        "ድልድዩ እንደገና ተከፈተ። በመቶዎች የሚቆጠሩ ሰዎች መጡ። ገበያው እስከ ሌሊት ቆየ።",
        "တံတား ပြန်ဖွင့်သည်။ လူ ရာပေါင်းများစွာ လာကြသည်။ ပွဲတော် ညအထိ ကြာသည်။",
        "ស្ពានបានបើកឡើងវិញ។ មនុស្សរាប់រយបានមក។ ពិព័រណ៍បានបន្តដល់យប់។",
        "橋がまた開いた。何百人もの人が来た。市は夜まで続いた。",
    ],
    ids=["Hindi", "Arabic", "Urdu", "Armenian", "Amharic", "Burmese", "Khmer", "Japanese"],
)
def test_sentences_end_in_every_script(paragraph: str) -> None:
    text, _ = split([paragraph], [""])
    assert len(text.lines) == 3


@pytest.mark.parametrize(
    "name", ["Dr. A. Smith", "Mrs. Smith", "Prof. Smith", "А. С. Пушкин", "St. Anne"]
)
def test_a_sentence_does_not_end_behind_a_title_or_an_initial(name: str) -> None:
    text, _ = split([f"The talk is given by {name} in the hall. All are welcome."], [""])
    assert len(text.lines) == 2


def test_a_name_with_a_title_is_the_value_of_a_label() -> None:
    text, _ = split(["Lecturer", "Dr. A. Smith"], [""])
    assert [line.label for line in text.lines] == ["", "Lecturer"]
