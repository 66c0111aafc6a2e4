"""Passages: about a paragraph each."""

from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.page import Document, Kind, MainText, Paragraph, from_text, normalise, read_document
from dedup.schemes.literature.passages import LEAST, MOST, Piece, cut_passages, split_piece

LAW = settings(derandomize=True, deadline=None, max_examples=100)
LONG = "The long paragraph " + " ".join(f"{{0}}word{n}" for n in range(20))
MANY = " ".join(f"Sentence {n} of a text in one piece has a few words more." for n in range(120))


def document(*texts: str, headings: tuple[int, ...] = ()) -> Document:
    paragraphs = tuple(
        Paragraph(text, Kind.HEADING if n in headings else Kind.PARAGRAPH, 0, n)
        for n, text in enumerate(texts)
    )
    return read_document(MainText("", paragraphs, sure=True))


def texts(page: Document) -> list[str]:
    return [" ".join(piece.text for piece in passage.pieces) for passage in cut_passages(page)]


def test_a_paragraph_is_a_passage() -> None:
    one, other = LONG.format("a"), LONG.format("b")
    assert texts(document(one, other)) == [one, other]


def test_short_neighbours_are_joined_until_they_are_long_enough() -> None:
    items = [f"item {n} of the list" for n in range(8)]
    assert texts(document(*items)) == [" ".join(items[:4]), " ".join(items[4:])]


def test_short_ones_left_over_before_a_long_paragraph_are_dropped() -> None:
    long = LONG.format("")
    assert texts(document("Read more", long, "Share", "Print", long)) == [long, long]


def test_short_ones_are_not_joined_across_a_long_paragraph() -> None:
    short, long = "ten words of a short line that stands by itself", LONG.format("")
    assert texts(document(short, long, short)) == [long]


def test_a_passage_knows_its_place_and_heading() -> None:
    long = LONG.format("")
    page = document(long, "A heading", long, long, headings=(1,))
    passages = cut_passages(page)
    assert [passage.headed for passage in passages] == [False, True, False]
    assert [passage.start for passage in passages] == [0, 25, 48]
    assert [passage.size for passage in passages] == [23, 23, 23]


def test_a_very_long_paragraph_is_cut_after_sentences() -> None:
    passages = cut_passages(document(MANY))
    assert len(passages) > 10
    for passage in passages:
        assert LEAST <= passage.size <= MOST + 20
        assert passage.pieces[-1].text.endswith("more.")


def test_a_paragraph_is_cut_from_257_tokens_on() -> None:
    sentence = "This has eight words, one of them {n}. "  # 8 tokens
    texts = ["".join(sentence.format(n=n) for n in range(32)) + tail for tail in ("", "More.")]
    counts = [len(cut_passages(document(text))) for text in texts]
    assert counts[0] == 1
    assert counts[1] > 1


def test_cuts_are_where_they_are_in_stores_on_disk() -> None:
    sizes = [passage.size for passage in cut_passages(document(MANY))]
    assert sizes[:12] == [26, 52, 91, 26, 26, 39, 26, 39, 39, 78, 221, 26]


def test_a_sentence_more_moves_no_cut_far_from_it() -> None:
    cut = MANY.index("Sentence 60")
    changed = MANY[:cut] + "One more sentence stands in the middle now. " + MANY[cut:]
    before, after = texts(document(MANY)), texts(document(changed))
    assert len({*before} - {*after}) <= 2


def test_one_without_ends_of_sentences_is_left_whole() -> None:
    words = " ".join(f"word{n}" for n in range(3000))
    assert [passage.size for passage in cut_passages(document(words))] == [3000]


@LAW
@given(st.lists(st.text("ab 中文词。. ！ののの", min_size=1, max_size=60), min_size=1, max_size=9))
def test_sentences_have_their_own_tokens(paragraphs: list[str]) -> None:
    page = read_document(from_text("\n".join(paragraphs)))
    for paragraph, words in zip(page.paragraphs, page.words, strict=True):
        pieces = list(split_piece(Piece(paragraph.text, words)))
        assert tuple(chain.from_iterable(piece.tokens for piece in pieces)) == words
        assert "".join(piece.text for piece in pieces) == normalise(paragraph.text)


@pytest.mark.parametrize(
    "text",
    [
        "机器学习改变了搜索。搜索改变了我们！我们没有变。",
        "One, two. Two three! Three",
        "これはペンです。それは本です。",
    ],
)
def test_each_token_is_in_its_sentence(text: str) -> None:
    (words,) = read_document(from_text(text)).words
    for piece in split_piece(Piece(text, words)):
        assert piece.tokens
        assert all(token in piece.text for token in piece.tokens)


def test_a_token_is_not_found_in_the_middle_of_the_one_before() -> None:
    text = "i like a banana. a dog came. ab ba."
    (words,) = read_document(from_text(text)).words
    sentences = [piece.tokens for piece in split_piece(Piece(text, words))]
    assert sentences == [("i", "like", "a", "banana"), ("a", "dog", "came"), ("ab", "ba")]


def test_pairs_of_characters_are_dealt_out_to_their_sentences() -> None:
    text = "สวัสดีครับ. สบายดี."
    (words,) = read_document(from_text(text)).words
    sentences = [piece.tokens for piece in split_piece(Piece(text, words))]
    assert sum(sentences, ()) == words
    assert [tokens[0][0] for tokens in sentences] == ["ส", "ส"]
    assert sentences[1] == words[-len(sentences[1]) :]
    assert len(sentences[1]) == 5
