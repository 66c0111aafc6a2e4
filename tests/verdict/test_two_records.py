"""Two records beside one set text differ in a passage or two, and there in many words."""

from __future__ import annotations

import pytest

from dedup.verdict import Relation, compare_texts, relate
from tests.verdict.texts import article, kept, sentences

MATCHES = {
    "en": (
        "Rovers beat Albion 3-1 at home, with John Harker first to score in minute 12.",
        "After the break Alan Kerr scored twice before a crowd of 9100.",
        "Rovers manager Joan Firth said that she was pleased with the display.",
    ),
    "zh": (
        "申花主场三比一战胜国安，王建国在第十二分钟首开纪录。",
        "下半场张伟明梅开二度，全场观众九千人。",
        "申花教练李淑珍赛后表示对球队的表现满意。",
    ),
}
OTHERS = {
    "en": (
        "Villa lost to Orient 0-2 at home, with Peter Ashdown first to score in minute 40.",
        "After the break Ruth Selby scored again before a crowd of 4300.",
        "Villa manager David Lindley said that he was not pleased with the display.",
    ),
    "zh": (
        "鲁能主场零比二不敌泰达，陈志强在第四十分钟首开纪录。",
        "下半场周文斌再下一城，全场观众四千人。",
        "鲁能教练赵国庆赛后表示对裁判的判罚不满。",
    ),
}
WHOLE, OTHER = MATCHES["en"], OTHERS["en"]
TEXT = article(1, 4)


def relation(later: list[str], earlier: list[str], *, same_site: bool = True) -> Relation:
    urls = ("", "") if same_site else None
    found = compare_texts(kept(later, "News"), kept(earlier, "News"), urls=urls).findings
    return relate(found, 0.25, same_site=same_site)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("place", [0, 1, 4])
def test_another_record_beside_the_same_text_makes_a_variant(language: str, place: int) -> None:
    text = article(1, 4, language)
    one, other = ([*text[:place], *lines[language], *text[place:]] for lines in (MATCHES, OTHERS))
    assert relation(one, other) is relation(other, one) is Relation.VARIANT
    elsewhere = relation(one, other, same_site=False)
    assert elsewhere is relation(other, one, same_site=False)
    assert (elsewhere is Relation.VARIANT) is (place < len(text))


def test_a_record_may_be_one_paragraph() -> None:
    one, other = ([*TEXT, " ".join(lines)] for lines in (WHOLE, OTHER))
    assert relation(one, other) is Relation.VARIANT


@pytest.mark.parametrize("same_site", [True, False])
def test_a_record_is_at_least_two_sentences(*, same_site: bool) -> None:
    for count, expected in ((1, Relation.EDITED), (2, Relation.VARIANT)):
        one, other = ([*lines[:count], *TEXT] for lines in (WHOLE, OTHER))
        assert relation(one, other, same_site=same_site) is expected


def test_a_record_may_stand_in_two_passages() -> None:
    one, other = ([*lines[:2], *TEXT, *lines[1:]] for lines in (WHOLE, OTHER))
    assert relation(one, other) is Relation.VARIANT
    one, other = ([*lines[:2], *TEXT, lines[2]] for lines in (WHOLE, OTHER))
    assert relation(one, other) is Relation.EDITED
    one, other = (
        [*lines[:2], TEXT[0], *lines[1:], *TEXT[1:], *lines[:2]] for lines in (WHOLE, OTHER)
    )
    assert relation(one, other) is Relation.EDITED


@pytest.mark.parametrize("same_site", [True, False])
def test_a_light_edit_in_one_of_two_passages_shows_an_editor(*, same_site: bool) -> None:
    long = sentences(7, 1)[0]
    light = long.replace(long.split()[4], "cezoka")
    one, other = [*WHOLE, long, *TEXT], [*OTHER, light, *TEXT]
    assert relation(one, other, same_site=same_site) is Relation.VARIANT
    one, other = [*one, *WHOLE[:2], TEXT[0]], [*other, *OTHER[:2], TEXT[0]]
    assert relation(one, other, same_site=same_site) is Relation.EDITED
    one, other = ([line for line in text if line not in (long, light)] for text in (one, other))
    assert relation(one, other, same_site=same_site) is Relation.VARIANT


NOTICE = ("First published elsewhere, with permission.", "All views are the author's, not ours.")
ANOTHER = ("Shown here with kind permission.", "The views are the author's alone, not ours.")


def test_each_site_may_have_a_short_notice() -> None:
    one, other = [*NOTICE, *TEXT], [*ANOTHER, *TEXT]
    assert relation(one, other) is Relation.VARIANT
    assert relation(one, other, same_site=False) is Relation.EDITED


def test_each_site_may_have_a_notice_at_the_end() -> None:
    one, other = [*TEXT, *WHOLE], [*TEXT, *OTHER]
    assert relation(one, other, same_site=False) is Relation.EDITED
    one, other = [*one, TEXT[0]], [*other, TEXT[0]]
    assert relation(one, other, same_site=False) is Relation.VARIANT


def test_a_passage_with_a_few_other_words_is_an_edit() -> None:
    earlier = [" ".join(sentences(7, 4))]
    later = [earlier[0].replace(" ", " cezoka ", 3)]
    assert relation([*later, *TEXT], [*earlier, *TEXT], same_site=False) is Relation.EDITED


def test_sentences_here_and_there_are_edits() -> None:
    one, other = (
        [lines[0], TEXT[0], lines[1], TEXT[1], lines[2], *TEXT[2:]] for lines in (WHOLE, OTHER)
    )
    assert relation(one, other) is Relation.EDITED
    both = sentences(3, 6)
    one, other = (
        [" ".join([lines[0], *both[:3], lines[1], *both[3:], lines[2]]), *TEXT]
        for lines in (WHOLE, OTHER)
    )
    assert relation(one, other) is Relation.EDITED


def test_a_passage_of_one_text_alone_is_no_record() -> None:
    one = [*WHOLE, *TEXT]
    other = [OTHER[0], TEXT[0], OTHER[1], TEXT[1], OTHER[2], *TEXT[2:]]
    assert relation(one, other) is relation(other, one) is Relation.EDITED


def test_a_sentence_of_both_within_a_passage_parts_it() -> None:
    between = sentences(5, 1)[0]
    one, other = ([lines[0], between, *lines[1:], *TEXT] for lines in (WHOLE, OTHER))
    assert relation(one, other) is Relation.EDITED


def test_headings_may_be_the_same_within_a_record() -> None:
    one, other = ([lines[0], "Full time", *lines[1:], *TEXT] for lines in (WHOLE, OTHER))
    assert relation(one, other) is Relation.VARIANT


def test_words_that_are_added_are_edits() -> None:
    longer = [line.removesuffix(".") + ", as we wrote on Sunday." for line in WHOLE]
    assert relation([*longer, *TEXT], [*WHOLE, *TEXT]) is Relation.EDITED


def test_the_same_words_in_another_order_are_edits() -> None:
    turned = [" ".join(reversed(line.rstrip(".").split())) + "." for line in WHOLE]
    assert relation([*turned, *TEXT], [*WHOLE, *TEXT]) is Relation.EDITED


def test_other_sentences_are_a_passage_written_anew() -> None:
    assert relation([*sentences(5, 3), *TEXT], [*WHOLE, *TEXT]) is Relation.EDITED


def test_a_whole_text_in_other_words_is_an_edit() -> None:
    assert relation([*WHOLE, TEXT[0][:60]], [*OTHER, TEXT[0][:60]]) is Relation.EDITED


def test_a_record_is_more_than_a_fiftieth_of_the_text() -> None:
    long = article(1, 48)
    assert relation([*WHOLE, *long], [*OTHER, *long]) is Relation.EDITED


def test_a_stamp_belongs_to_no_record() -> None:
    one, other = (
        [f"Updated: 2024-05-0{day} 10:30", *TEXT, *lines] for day, lines in ((1, WHOLE), (2, OTHER))
    )
    assert relation(one, other) is Relation.VARIANT
