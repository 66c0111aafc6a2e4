"""Edits: graded, seeded, never empty, whatever the text and its language."""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from random import Random
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.demo.texts import load_texts
from dedup.lab.simulator.edits import EDITS, RECIPES, apply_edit, apply_recipe
from dedup.lab.simulator.prose import Text, join_sentences, make_text, split_sentences
from dedup.page import from_text, read_document

LAW = settings(derandomize=True, deadline=None, max_examples=60)
TEXTS = [make_text(t.title, t.plain) for name, t in load_texts().items() if "." not in name]
CHINESE = [text for text in TEXTS if text.language == "zh"]
ENGLISH = [text for text in TEXTS if text.language == "en"]
SOME = [*CHINESE[:4], *ENGLISH[:4]]
STRENGTHS = (0.0, 0.25, 0.5, 0.75, 1.0)

STRENGTH = st.floats(0.0, 1.0)
SEED = st.integers(0, 1000)
LINES = st.lists(st.text(max_size=80), min_size=1, max_size=8)
ANY = st.builds(make_text, st.text(max_size=20), LINES).filter(lambda text: text.paragraphs)
EDIT = st.sampled_from([*EDITS])


def others(text: Text) -> list[Text]:
    same = CHINESE if text.language == "zh" else ENGLISH
    return [other for other in same if other.title != text.title]


def edit(name: str, text: Text, strength: float = 1.0, seed: int = 0) -> Text:
    return apply_edit(name, text, strength, Random(seed), others(text))


def shingles(text: Text) -> set[tuple[str, ...]]:
    tokens = read_document(from_text(f"{text.title}\n{text.body}")).tokens
    return {tokens[i : i + 3] for i in range(max(1, len(tokens) - 2))}


def similarity(one: Text, other: Text) -> float:
    a, b = shingles(one), shingles(other)
    return len(a & b) / len(a | b)


@LAW
@given(EDIT, ANY, SEED)
def test_strength_0_changes_nothing(name: str, text: Text, seed: int) -> None:
    assert edit(name, text, 0.0, seed) == text


@LAW
@given(EDIT, ANY, STRENGTH, SEED)
def test_one_seed_gives_one_result(name: str, text: Text, strength: float, seed: int) -> None:
    assert edit(name, text, strength, seed) == edit(name, text, strength, seed)


@LAW
@given(EDIT, ANY, STRENGTH, SEED)
def test_no_edit_empties_a_text_or_puts_in_a_character_no_page_can_hold(
    name: str, text: Text, strength: float, seed: int
) -> None:
    edited = edit(name, text, strength, seed)
    assert edited.paragraphs
    assert all(paragraph.strip() for paragraph in edited.paragraphs)
    assert {unicodedata.category(c) for c in edited.title + "".join(edited.paragraphs)}.isdisjoint(
        {"Cc", "Cs"}
    )


@pytest.mark.parametrize("name", EDITS)
def test_similarity_falls_or_stays_as_strength_grows(name: str) -> None:
    means = [
        fmean(similarity(text, edit(name, text, s, n)) for n, text in enumerate(SOME * 3))
        for s in STRENGTHS
    ]
    assert means[0] == 1.0
    for weaker, stronger in pairwise(means):
        assert stronger <= weaker + 0.01


@pytest.mark.parametrize("name", [name for name in EDITS if name != "script"])
def test_full_strength_changes_texts_of_both_languages(name: str) -> None:
    assert any(edit(name, text) != text for text in CHINESE)
    assert any(edit(name, text) != text for text in ENGLISH)


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_leaves_a_text_alone_that_offers_it_nothing(name: str) -> None:
    text = Text("Title", ("12",))
    edited = apply_edit(name, text, 1.0, Random(0))
    if name not in {"title", "numbers", "boilerplate"}:
        assert edited == text


def test_dropping_leaves_half_of_the_sentences_in_their_order() -> None:
    text = Text("", tuple(f"This is sentence {n}." for n in range(20)))
    kept = edit("drop", text).paragraphs
    assert len(kept) == 10
    assert list(kept) == [line for line in text.paragraphs if line in kept]


def test_added_sentences_are_those_of_other_texts() -> None:
    text = Text("", ("One here. Two here. Three here. Four here.",))
    added = apply_edit("add", text, 1.0, Random(0), [Text("", ("It rains. It pours.",))])
    assert len(split_sentences(added.paragraphs[0])) == 6
    assert set(added.paragraphs[0].replace(". ", ".|").split("|")) <= {
        *("One here.", "Two here.", "Three here.", "Four here."),
        *("It rains.", "It pours."),
    }


@pytest.mark.parametrize("name", ["swap", "reorder", "reflow"])
@pytest.mark.parametrize("text", [CHINESE[0], ENGLISH[0]], ids=["zh", "en"])
def test_sentences_that_only_move_are_all_still_there(name: str, text: Text) -> None:
    edited = edit(name, text)
    pieces = sorted(s.strip() for line in text.paragraphs for s in split_sentences(line))
    moved = "".join(edited.paragraphs)
    assert all(piece in moved for piece in pieces)
    assert sorted(moved.replace(" ", "")) == sorted(text.body.replace("\n", "").replace(" ", ""))


def test_an_excerpt_is_one_run_of_the_text() -> None:
    text = ENGLISH[0]
    excerpt = edit("excerpt", text, 0.6, 3)
    whole = " ".join(text.paragraphs)
    assert " ".join(excerpt.paragraphs) in whole
    assert len(excerpt.body) < 0.75 * len(text.body)


def test_a_digest_holds_the_whole_article_and_no_other_whole() -> None:
    text = CHINESE[0]
    digest = edit("wrapped", text)
    assert set(text.paragraphs) <= set(digest.paragraphs)
    assert len(digest.body) > 2 * len(text.body)
    for other in others(text):
        sentences = [s.strip() for line in other.paragraphs for s in split_sentences(line)]
        taken = sum(len(sentence) for sentence in sentences if sentence in digest.body)
        assert taken <= len(other.body) / 5


def test_boilerplate_leaves_the_article_whole_in_the_middle() -> None:
    text = CHINESE[0]
    around = edit("boilerplate", text).paragraphs
    assert [line for line in around if line in text.paragraphs] == list(text.paragraphs)
    assert around[0] not in text.paragraphs
    assert around[-1] not in text.paragraphs


def test_synonyms_change_whole_chinese_words_only() -> None:
    text = Text("", ("他认为这个方法非常重要，可是不重要的人不会明白。",))
    edited = edit("synonyms", text).paragraphs[0]
    assert not any(word in edited for word in ("认为", "方法", "非常", "可是", "明白"))
    assert edited.startswith("他")
    assert "这个" in edited


def test_synonyms_keep_capitals_and_articles() -> None:
    text = Text("", ("Many people bought a big car. It was an old one.",))
    for seed in range(20):
        edited = edit("synonyms", text, 1.0, seed).paragraphs[0]
        assert edited[0].isupper()
        assert " a large " in edited
        assert " an ancient " in edited


def test_numbers_change_a_little_and_dates_are_written_otherwise() -> None:
    text = Text("", ("On May 3, 2031 they sold 1,200 boats.", "2031年5月3日售出350艘。"))
    seen = {edit("numbers", text, 1.0, seed).body for seed in range(40)}
    assert any("3 May 2031" in body for body in seen)
    assert any("2031-05-03" in body for body in seen)
    assert any("350" not in body for body in seen)
    assert all("2031-05-03" in body or "5月3日" in body for body in seen)


@pytest.mark.parametrize(
    "version", ["release 2.6.32", "http://a.example/12345/", "RFC-2616", "4GB", "9" * 20]
)
def test_numbers_that_are_names_stay(version: str) -> None:
    assert edit("numbers", Text("", (version,))).paragraphs == (version,)


def test_script_turns_simplified_into_traditional_and_back() -> None:
    text = Text("软件", ("这个软件很简单。",))
    there = edit("script", text, 0.3)
    assert there.body == "這個軟件很簡單。"
    assert edit("script", there, 0.3) == text
    assert edit("script", text, 1.0).body == "這個軟體很簡單。"


def test_punctuation_goes_from_full_width_to_half_and_back() -> None:
    text = Text("", ("你好，世界！这是（真）的。",))
    half = edit("punctuation", text)
    assert half.body == "你好, 世界! 这是 (真)的."
    assert edit("punctuation", Text("", ("你好, 世界! 走吧.",))).body == "你好，世界！走吧。"


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_is_seeded_and_changes_the_text(name: str) -> None:
    text = CHINESE[0]
    one, again = (apply_recipe(name, text, Random(5), others(text)) for _ in range(2))
    assert one == again
    assert one != text


def test_recipes_grow_heavier() -> None:
    light, medium, heavy = (
        fmean(
            similarity(t, apply_recipe(name, t, Random(n), others(t)))
            for n in range(5)
            for t in SOME
        )
        for name in ("light", "medium", "heavy")
    )
    assert 1 > light > medium > heavy > 0.2


@LAW
@given(st.text(max_size=600))
def test_sentences_joined_are_the_paragraph(paragraph: str) -> None:
    assert "".join(split_sentences(paragraph)) == paragraph


@pytest.mark.parametrize(
    ("paragraph", "sentences"),
    [
        ("It rains. It pours!", ["It rains. ", "It pours!"]),
        ("Mr. Lee paid $3.50 in the U.S. market. He left.", 2),
        ("“走吧。”他说。她没走！", ["“走吧。”", "他说。", "她没走！"]),
        ("यह एक है। यह दो है।", 2),
        ("これは一つ。これは二つ。", 2),
        ("هل هذا واحد؟ نعم.", 2),
        ("กขค" * 200, 3),
        ("word " * 100, 3),
    ],
)
def test_sentences_end_where_their_script_ends_them(
    paragraph: str, sentences: list[str] | int
) -> None:
    found = split_sentences(paragraph)
    assert (found if isinstance(sentences, list) else len(found)) == sentences


def test_sentences_are_joined_with_a_space_where_the_script_has_one() -> None:
    assert join_sentences(["It pours.", "It rains. "]) == "It pours. It rains."
    assert join_sentences(["走吧。", "她没走！"]) == "走吧。她没走！"
