"""Texts cut into sentences."""

from __future__ import annotations

from random import Random

import pytest

from dedup.verdict.sentences import LONGEST, Sentences, measure, split
from tests.verdict.texts import WORDS


@pytest.mark.parametrize(
    "block", [" ".join(f"word{n}" for n in range(100)), "新馆开放 today " * 30], ids=["en", "zh"]
)
def test_the_letters_of_a_long_sentence_are_shared_by_its_lines(block: str) -> None:
    ours, _ = split([block, "A short one."], [""])
    assert len(ours.lines) > 2
    assert sum(map(ours.letters, range(len(ours.lines)))) == pytest.approx(
        measure(block) + measure("A short one.")
    )


def test_the_words_of_a_long_sentence_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hostile text is one sentence. Counted for each line, it would hold a crawl up."""
    counted: list[int] = []

    def count_words(text: Sentences, place: int) -> int:
        counted.append(place)
        return count(text, place)

    count = Sentences.count_words
    monkeypatch.setattr(Sentences, "count_words", count_words)
    ours, _ = split([" ".join(Random(1).choices(WORDS, k=9_000))], [""])
    list(map(ours.letters, range(len(ours.lines))))
    assert 200 < len(ours.lines) < len(counted) < 5 * len(ours.lines)


@pytest.mark.parametrize("at", [0, 130, 260])
def test_a_text_without_ends_of_sentences_is_cut_at_the_same_words_behind_an_edit(at: int) -> None:
    words = Random(1).choices(WORDS, k=400)
    new, old = split([" ".join([*words[:at], "one", "more", *words[at:]])], [" ".join(words)])
    assert all(text.count_words(place) <= LONGEST for text in (new, old) for place in range(10))
    assert len(old.lines) > 10
    assert len(set(old.lines) - set(new.lines)) <= 2
    assert len(set(new.lines) - set(old.lines)) <= 3


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
