"""What a passage is known by."""

from pathlib import Path

import numpy as np
import pytest

from dedup.page import Document, from_text, read_document
from dedup.schemes.document_frequencies import write_table
from dedup.schemes.idf import load_idf
from dedup.schemes.literature.paragraph_match import (
    find_keywords,
    passage_simhashes,
    weigh_sentences,
)
from dedup.schemes.literature.passages import cut_passages

LONG = "Sentence {} has the very same length as each of the others."


def document(text: str, title: str = "") -> Document:
    return read_document(from_text(text, title))


def weights(text: str, keywords: frozenset[str] = frozenset()) -> list[float]:
    (passage,) = cut_passages(document(text))
    return [weight for _, weight in weigh_sentences(passage, keywords)]


def distance(one: Document, other: Document, model: str = "builtin") -> int:
    idf = load_idf(model)
    (a,), (b,) = (passage_simhashes(page, cut_passages(page)[:1], idf) for page in (one, other))
    return int(np.bitwise_count(a ^ b).sum())


def test_the_first_and_last_sentence_count_more() -> None:
    first, middle, last = weights(" ".join(LONG.format(mark) for mark in "abc"))
    assert (first, middle, last) == pytest.approx((0.6, 0.45, 0.6), abs=0.01)


def test_the_longer_a_sentence_the_more_it_counts() -> None:
    short, long = "Just twenty characters.", "Forty characters and some more are in here."
    one, other = weights(f"{short} {long} And so the last sentence is here to stay.")[:2]
    assert one == pytest.approx(0.3 * 23 / 44 + 0.3, abs=0.02)
    assert other == pytest.approx(0.3 + 0.15, abs=0.02)


def test_a_sentence_on_the_topic_counts_up_to_four_tenths_more() -> None:
    text = (
        "The ferry to the island leaves. Nothing of this is about it. And this one is the end now."
    )
    plain, topic = weights(text), weights(text, frozenset({"ferry", "island"}))
    assert topic[0] - plain[0] == pytest.approx(0.4)
    assert topic[1:] == plain[1:]


def test_sentences_under_20_characters_count_only_where_there_are_no_others() -> None:
    short = "One. Two of them. Three of them. Four of them. Five of them. Six of them"
    assert len(weights(short)) == 6
    assert len(weights(short + ". And this one is long enough to count.")) == 1


def test_keywords_are_the_titles_words_and_the_heaviest_of_the_page() -> None:
    text = "The submarine and the harbour. " * 3 + "The captain of the submarine and the sea."
    keywords = find_keywords(document(text, title="A Storm"), load_idf("builtin"))
    assert {"storm", "submarine", "harbour"} <= keywords
    assert len(find_keywords(document(text), load_idf("builtin"))) <= 10


def test_passages_of_words_of_every_document_are_told_apart(tmp_path: Path) -> None:
    one = "all also any both but can did each few for from get has had have her his how into its"
    other = "just like made many may more most must nor not now off once only our out over per she"
    counts = dict.fromkeys(f"{one} {other}".split(), 1000)
    write_table(tmp_path / "idf.gz", counts, 1000, "words of every document", "2026-01-01")
    assert distance(document(one), document(other), str(tmp_path / "idf.gz")) > 24


def test_passages_on_one_topic_are_not_near_each_other() -> None:
    one = "A savepoint marks a place in the transaction; name the savepoint, keep its name in mind."
    other = (
        "Without an open savepoint nothing is left to undo, so set a savepoint first of all this."
    )
    assert distance(document(one), document(other)) > 24


def test_an_edited_passage_is_near_the_first() -> None:
    text = (
        "The ferry leaves the northern quay twice a day in summer and once in winter. "
        "Passengers with bicycles board first, and the crossing takes about forty minutes."
    )
    edited = text.replace("about forty", "some fifty")
    assert distance(document(text), document(edited)) <= 24


def test_the_order_of_other_passages_does_not_matter() -> None:
    one = "The ferry leaves the northern quay twice a day in summer and once in the winter."
    other = "Bread is baked in the old oven from four in the morning until all of it is sold out."
    page, turned = document(f"{one}\n{other}"), document(f"{other}\n{one}")
    idf = load_idf("builtin")
    forth = passage_simhashes(page, cut_passages(page), idf)
    back = passage_simhashes(turned, cut_passages(turned), idf)
    assert (forth == back[::-1]).all()
