"""How much of a text is new, and what else differs: on texts of which that is known."""

from __future__ import annotations

from difflib import SequenceMatcher
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.verdict import MOST_NEW, Relation, changes, compare_texts, relate
from dedup.verdict.relations import (
    LEAST_EXCHANGED,
    LEAST_PARAGRAPH_ELSEWHERE,
)
from dedup.verdict.sentences import split
from tests.verdict.texts import WORDS, article, kept, sentences

LAW = settings(derandomize=True, deadline=None, max_examples=60)
LANGUAGES = ["en", "zh"]
URLS = ("http://a.com/7", "http://a.com/8")


def relation(later: str, earlier: str, *, same_site: bool = False) -> Relation:
    found = compare_texts(later, earlier, urls=URLS if same_site else None)
    return relate(found.findings, 0.25, same_site=same_site)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_has_nothing_new_over_itself(language: str) -> None:
    text = kept(article(1, language=language), "A title")
    found = compare_texts(text, text)
    assert found.findings[:3] == (0.0, 0.0, 0.0)
    assert (found.passages, found.new_words) == ((), 0)
    assert relation(text, text) is Relation.EQUAL


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("own", [2, 3, 8])
def test_new_is_the_share_of_what_stands_in_no_other_place(language: str, own: int) -> None:
    old, added = article(1, 8, language), article(2, own, language)
    found = compare_texts(kept([*old, *added]), kept(old))
    share = len("".join(added)) / len("".join([*old, *added]))
    assert found.findings.new == pytest.approx(share, abs=0.02)
    assert found.findings.gone == 0
    assert found.findings.held == 1
    assert found.findings.passage == pytest.approx(share, abs=0.02)
    assert "".join(found.passages).replace(" ", "") == "".join(added).replace(" ", "")
    back = compare_texts(kept(old), kept([*old, *added])).findings
    assert (back.new, back.gone) == (0, pytest.approx(share, abs=0.02))


def test_a_short_passage_may_be_a_notice_of_another_site_and_is_no_growth_there() -> None:
    old, notice = article(1, 2), sentences(5, 2)
    findings = compare_texts(kept([*old, *notice]), kept(old)).findings
    assert findings.new > 0.15
    assert findings.paragraph < LEAST_PARAGRAPH_ELSEWHERE < findings.letters
    assert relate(findings, MOST_NEW, same_site=True) is Relation.GROWN
    assert relate(findings, MOST_NEW, same_site=False) is Relation.EDITED


def test_a_paragraph_is_growth_on_another_site_and_as_much_in_comments_is_none() -> None:
    old, added = article(1, 2), sentences(2, 2)
    paragraph = compare_texts(kept([*old, " ".join(added)]), kept(old)).findings
    comments = compare_texts(kept([*old, *added]), kept(old)).findings
    assert paragraph.letters == pytest.approx(comments.letters, abs=2)
    assert comments.paragraph < LEAST_PARAGRAPH_ELSEWHERE <= paragraph.paragraph
    assert relate(paragraph, MOST_NEW, same_site=False) is Relation.GROWN
    assert relate(comments, MOST_NEW, same_site=False) is Relation.EDITED


def test_a_sentence_that_both_texts_have_ends_a_new_passage() -> None:
    old, added = sentences(1, 12), sentences(2, 4)
    new = [*old[:4], *added[:2], old[4], *added[2:], *old[5:]]
    findings = compare_texts(kept([" ".join(new)]), kept([" ".join(old)])).findings
    half = max(len(" ".join(part)) for part in (added[:2], added[2:]))
    assert findings.letters == pytest.approx(half, abs=4)
    assert findings.paragraph == findings.letters


def test_a_block_that_both_texts_have_ends_a_new_passage() -> None:
    old, added = article(1, 3), article(2, 2)
    new = [old[0], added[0], old[1], added[1], old[2]]
    findings = compare_texts(kept(new), kept(old)).findings
    assert findings.letters == pytest.approx(max(map(len, added)), abs=4)


def test_a_sentence_without_words_ends_no_new_passage() -> None:
    old, added = sentences(1, 12), sentences(2, 2)
    old[4:4] = ["So it is! :)!", "And so!"]
    new = [*old[:4], f"{added[0][:-1]}! :)! {added[1]}", *old[6:]]
    findings = compare_texts(kept([" ".join(new)]), kept([" ".join(old)])).findings
    assert findings.letters == pytest.approx(len(" ".join(added)), abs=6)


@pytest.mark.parametrize("again", [(6, 2), (2, 6)])
def test_a_sentence_again_is_not_new_wherever_the_other_text_has_it(again: tuple[int, int]) -> None:
    old = sentences(1, 12)
    later = [*old[:6], " ".join(old[place] for place in again), *old[8:]]
    found = compare_texts(kept(later), kept(old))
    assert (found.findings.new, found.passages) == (0, ())


def test_the_words_of_reworded_sentences_are_not_new() -> None:
    before = "The old bridge over the river was closed by the council in the spring of last year."
    added = "Nobody has told the ferry men about the new timetable yet."
    later = [*article(1, 4), before.replace("closed", "shut"), added]
    found = compare_texts(kept(later), kept([*article(1, 4), before]))
    assert found.findings.changed > 0
    assert (found.passages, found.new_words) == ((added,), len(added.split()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_quotation_from_a_paragraph_of_both_texts_is_not_new(language: str) -> None:
    """Its summary at the top, or a quotation set in a box."""
    text, lines = article(1, 8, language), sentences(1, 32, language)
    later = [*(lines[place] for place in (0, 9, 22)), *text[:5], lines[13], *text[5:]]
    found = compare_texts(kept(later), kept(text))
    assert (found.passages, found.new_words) == ((), 0)
    assert (found.findings.passage, found.findings.changed) == (0, 0)
    assert relation(kept(later), kept(text)) is Relation.EDITED
    back = compare_texts(kept(text), kept(later)).findings
    assert (back.new, back.gone, back.held) == (0, 0, 1)


@pytest.mark.parametrize(("letters", "is_new"), [(40, True), (50, False)])
def test_a_few_words_of_a_paragraph_are_no_quotation(letters: int, is_new: bool) -> None:
    words = sentences(1, 1)[0].removesuffix(".")[-letters:].strip()
    found = compare_texts(kept([words, *article(1)]), kept(article(1)))
    assert found.passages == ((words,) if is_new else ())


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_that_moved_are_not_new(language: str) -> None:
    text = article(1, language=language)
    assert compare_texts(kept(text[::-1]), kept(text)).findings.new == 0
    space = "" if language == "zh" else " "
    joined = [space.join(text)]
    assert compare_texts(kept(joined), kept(text)).findings.new == 0


def test_a_sentence_in_other_words_is_not_new_and_one_about_other_things_is() -> None:
    old = sentences(1, 20)
    words = old[7].split()
    words[1::2] = sentences(2, 1)[0].split()[1::2]  # every second word is another one
    reworded = [*old[:7], " ".join(words), *old[8:]]
    found = compare_texts(kept(reworded), kept(old)).findings
    assert found.new == 0
    assert 0.01 < found.changed < 0.05
    replaced = [*old[:7], sentences(3, 1)[0], *old[8:]]
    assert compare_texts(kept(replaced), kept(old)).findings.new == pytest.approx(0.05, abs=0.01)


def test_sentences_of_one_form_with_more_blanks_than_words_are_no_edit() -> None:
    def page(seed: int) -> str:
        filled = zip(sentences(1, 24), sentences(seed, 24), strict=True)
        return kept([" ".join([*form.split()[:5], *own.split()[5:]]) for form, own in filled])

    later, earlier = page(3), page(2)
    assert not compare_texts(later, earlier).passages
    assert relation(later, earlier) is Relation.OVERLAP


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice took Bob to court for damages.", "Bob took Alice to court for damages."),
        ("The fee is paid by the buyer.", "The fee is paid by the old buyer."),
    ],
)
def test_the_same_words_in_another_sentence_are_not_equal(one: str, other: str) -> None:
    pages = [kept([*article(1, 3), line]) for line in (one, other)]
    for later, earlier in (pages, pages[::-1]):
        assert 0 < compare_texts(later, earlier).findings.changed < 0.02
        assert relation(later, earlier) is Relation.EDITED


def test_another_passage_on_the_same_subject_is_new() -> None:
    """It shares the usual words of the subject with all sentences, and with none in particular."""

    chance = Random(1)

    def on_subject(count: int, own: list[str]) -> list[str]:
        lines = ([*chance.sample(WORDS[:8], 4), *chance.choices(own, k=7)] for _ in range(count))
        return [" ".join(chance.sample(line, len(line))) + "." for line in lines]

    old, other = on_subject(24, WORDS[8:400]), on_subject(8, WORDS[400:])
    for later in ([*old[:8], *other, *old[16:]], [*old[8:], *other], [*other, *old[:16]]):
        found = compare_texts(kept(later), kept(old)).findings
        assert found.new == pytest.approx(1 / 3, abs=0.05)
        assert relation(kept(later), kept(old)) is Relation.OVERLAP


def test_what_is_replaced_again_and_again_is_new() -> None:
    """One sentence that is gone stands for one in its place, and for no more."""
    old = sentences(1, 20)
    words = old[7].split()
    like = [" ".join([*words[:4], *sentences(seed, 1)[0].split()[4:]]) for seed in (5, 6, 7)]
    found = compare_texts(kept([*old[:7], *like, *old[8:]]), kept(old)).findings
    assert found.new > 0.08


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("When: May 5, 14:00", "When: Oct 11, 15:00"),
        ("时间：5月18日 10:00", "时间：6月22日 10:00"),
        (
            "The fair opens on 18 May at the town hall.",
            "The fair opens on 22 June at the town hall.",
        ),
        ("Colour: red", "Colour: blue"),
        ("Website: www.quay.example", "Website: www.nordlicht-boote.de/"),
        ("价格：12元", "价格：15元"),
        ("The ticket costs $12.50 at the door.", "The ticket costs $17.00 at the door."),
        ("中标供应商：甲木有限公司", "中标供应商：东山有限公司"),
        ("第十二期的内容在下面列出来了。", "第十三期的内容在下面列出来了。"),
        ("会议定于五月十八日在大礼堂举行。", "会议定于六月二日在大礼堂举行。"),
        ("The buyer is entitled to refuse them.", "The buyer is not entitled to refuse them."),
        ("The buyer is entitled to refuse them.", "The buyer isn't entitled to refuse them."),
        ("The buyer can refuse them all.", "The buyer cannot refuse them all."),
        ("The buyer can refuse them all.", "The buyer can\u2019t refuse them all."),
        ("The buyer will get them back.", "The buyer won't get them back."),
        ("The buyers pay for the way back.", "The buyers do not pay for the way back."),
        ("The buyers pay for the way back.", "The buyers don't pay for the way back."),
        ("Der Käufer darf sie behalten.", "Der Käufer darf sie nicht behalten."),
        ("买方有权拒收损坏的货物。", "买方无权拒收损坏的货物。"),
        ("该申请通过审查。", "该申请未通过审查。"),
    ],
)
@pytest.mark.parametrize("length", [2, 12])
def test_one_other_fact_makes_a_variant_of_a_text_of_any_length(
    one: str, other: str, length: int
) -> None:
    text = article(1, length)
    assert relation(kept([other, *text]), kept([one, *text])) is Relation.VARIANT
    assert relation(kept([other, *text]), kept([one, *text]), same_site=True) is Relation.VARIANT


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Last updated: 2024-05-18", "Last updated: 2025-06-19"),
        ("更新时间：2024年5月18日 10:30", "更新时间：2024年6月1日 11:00"),
        ("发布时间：二〇二四年五月十八日", "发布时间：二〇二六年十二月三十一日"),
        ("二〇二四年五月十八日", "二○二六年六月一日"),
        ("浏览：1200 评论：7", "浏览：1531 评论：9"),
        ("2024-05-18 10:30", "2024-06-18 12:45"),
        ("5 minutes ago", "3 hours ago"),
        ("Page 2 of 7", "Page 3 of 8"),
    ],
)
def test_a_stamp_is_no_fact(one: str, other: str) -> None:
    text = article(1)
    assert relation(kept([other, *text]), kept([one, *text])) is Relation.EDITED


@pytest.mark.parametrize("label", ["Source: ", "原文链接：", "Источник: ", "URL:", ""])
@pytest.mark.parametrize("beginning", ["https://", "HTTP://www.", "www."])
def test_the_address_of_a_copy_is_no_fact(label: str, beginning: str) -> None:
    text = article(1)
    one, other = (f"{label}{beginning}{page}" for page in ("a.example/5/tea", "press.example/p/78"))
    assert relation(kept([*text, other]), kept([*text, one])) is Relation.EDITED
    assert relation(kept([other, *text]), kept([one, *text])) is Relation.EDITED


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "By 18 May 2024 all offers must be handed in.",
            "By 25 May 2024 all offers must be handed in.",
        ),
        ("The doors open on Friday, May 18.", "The doors open on Monday, June 25."),
        ("Am 18. Mai 2024 ist Schluss.", "Am 25. Mai 2024 ist Schluss."),
        ("修改后的规定自2024年5月18日起施行。", "修改后的规定自2024年6月22日起施行。"),
        ("Deadline\n18 May 2024", "Deadline\n25 May 2024"),
        ("开始时间\n2024-05-18 10:30", "开始时间\n2024-05-25 11:30"),
    ],
)
def test_a_date_beside_words_or_a_label_is_a_fact(one: str, other: str) -> None:
    text = article(1)
    earlier, later = ([*text, *lines.split("\n")] for lines in (one, other))
    assert relation(kept(later), kept(earlier)) is Relation.VARIANT


@pytest.mark.parametrize(
    ("label", "one", "other"),
    [
        ("Updated", "18 May 2024", "25 May 2024"),
        ("发布时间", "2024-05-18", "2024-05-25"),
        ("Sarah Miller", "May 18, 2024", "May 25, 2024"),
        ("新闻中心", "2024-05-18 10:30", "2024-05-25 11:30"),
    ],
)
def test_the_date_of_a_page_is_no_fact_behind_a_short_block(
    label: str, one: str, other: str
) -> None:
    text = article(1)
    assert relation(kept([*text, label, other]), kept([*text, label, one])) is Relation.EDITED


@pytest.mark.parametrize(
    ("label", "one", "other"),
    [
        ("Shares", "500 000", "700 000"),
        ("Created", "1642", "1701"),
        ("Published", "1984", "1991"),
        ("Hits", "120", "98"),
        ("Page", "112", "98"),
    ],
)
def test_a_value_is_a_fact_whatever_its_label(label: str, one: str, other: str) -> None:
    text = article(1)
    assert relation(kept([*text, label, other]), kept([*text, label, one])) is Relation.VARIANT


def test_sentences_end_before_the_names_of_months_unless_a_day_stands_there() -> None:
    text = "It ended in spring. March brought rain. On 18. Mai we met. May the road be good."
    assert [sentence.text.strip() for sentence in split([text], [])[0].all] == [
        "It ended in spring.",
        "March brought rain.",
        "On 18. Mai we met.",
        "May the road be good.",
    ]


def test_values_in_a_table_are_facts_with_paragraphs_in_their_cells_or_without() -> None:
    names = [f"{line.split()[0]} {line.split()[1]}" for line in sentences(9, 8)]

    def table(add: int) -> list[str]:
        return [cell for row, name in enumerate(names) for cell in (name, str(row * 7 + add))]

    text = article(1)
    assert relation(kept([*text, *table(3)]), kept([*text, *table(4)])) is Relation.VARIANT


def test_one_cell_of_a_table_is_enough_and_so_are_cells_that_changed_places() -> None:
    text, names = article(1), [line.split()[0] for line in sentences(9, 8)]

    def page(values: list[str]) -> str:
        cells = [cell for pair in zip(names, values, strict=True) for cell in pair]
        return kept([*text, *cells])

    values = ["yes", "no", "no", "yes", "perhaps", "no", "yes", "no"]
    assert relation(page([*values[:4], "never", *values[5:]]), page(values)) is Relation.VARIANT
    assert relation(page(values[::-1]), page(values)) is Relation.VARIANT
    assert relation(page(values), page(values)) is Relation.EQUAL


def test_a_value_below_its_label_has_few_words() -> None:
    one, other = (
        kept([*article(1), "Entrance", f"{door} door of the old mill"]) for door in ("West", "East")
    )
    assert relation(one, other) is Relation.EDITED
    one, other = (kept([*article(1), "Entrance", f"{door} door"]) for door in ("West", "East"))
    assert relation(one, other) is Relation.VARIANT


def test_rows_of_a_table_are_known_by_their_labels_whatever_else_has_their_values() -> None:
    names = [f"Model {letter}" for letter in "ABCDEFGHIJKLMNO"]
    text = [f"In {1900 + number} {line}" for number, line in enumerate(article(4, 12))]

    def page(numbers: list[int], shares: list[int]) -> str:
        rows = zip(names, map(str, numbers), (f"0.{share}" for share in shares), strict=True)
        return kept([*text, *(cell for row in rows for cell in row)])

    numbers, shares = [7000 + 37 * n for n in range(15)], [100 + 13 * n for n in range(15)]
    others = [4000 + 41 * n for n in range(15)]
    others[4] = shares[12]  # found in a far row
    later, earlier = page(others, [s + 500 for s in shares]), page(numbers, shares)
    assert relation(later, earlier) is Relation.VARIANT


def test_values_that_changed_places_are_facts_whatever_else_did() -> None:
    text, teasers = article(4, 12), sentences(9, 2)

    def page(values: str, above: list[str]) -> str:
        rows = zip(["Depth", "Width", "Height", "Weight"], values.split(), strict=True)
        return kept([*text, *above, *(cell for row in rows for cell in row)])

    later, earlier = page("12 14 90 7", teasers[::-1]), page("14 12 7 90", teasers)
    assert relation(later, earlier) is Relation.VARIANT


def test_each_row_of_a_long_table_is_compared_with_its_own() -> None:
    def page(values: list[str]) -> str:
        rows = [(f"Room {name}", value) for name, value in zip(WORDS, values, strict=False)]
        return kept([*article(4, 24), *(cell for row in rows for cell in row)])

    assert relation(page(WORDS[100:150]), page(WORDS[200:250])) is Relation.VARIANT


def test_values_are_facts_behind_sentences_of_one_text_alone() -> None:
    def page(values: str, above: list[str]) -> str:
        rows = zip(["Depth", "Width", "Height", "Weight"], values.split(), strict=True)
        return kept([*article(4, 12), *above, *(cell for row in rows for cell in row)])

    one, other = page("12 14 90 7", []), page("13 15 91 8", sentences(9, 4))
    assert relation(one, other) is relation(other, one) is Relation.VARIANT


def test_values_are_facts_behind_many_sentences_in_another_spelling() -> None:
    lines = sentences(9, 12)
    one = kept([*article(4, 12), *lines, "Depth", "12"])
    other = kept([*article(4, 12), *map(str.upper, lines), "Depth", "13"])
    assert relation(one, other) is relation(other, one) is Relation.VARIANT


def test_the_spelling_of_few_values_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values of few different letters take long; very many of them are a table of other values."""
    compared: list[str] = []

    class Matcher(SequenceMatcher[str]):
        def __init__(self, isjunk: None, a: str, b: str, autojunk: bool) -> None:
            compared.append(a)
            super().__init__(isjunk, a, b, autojunk)

    monkeypatch.setattr(changes, "SequenceMatcher", Matcher)
    chance = Random(1)
    texts = [
        [
            f"{WORDS[n]} {WORDS[n + 1]}: a{''.join(chance.choices('aaaaab', k=70))}"
            for n in range(500)
        ]
        for _ in "ab"
    ]
    assert compare_texts(*map(kept, texts)).findings.facts
    assert len(compared) == changes.MOST_SPELLED


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ("Grade A", "Grade B", Relation.VARIANT),
        ("Part III", "Part IV", Relation.VARIANT),
        ("north wind", "south wind", Relation.VARIANT),
        ("first quarter", "third quarter", Relation.VARIANT),
        ("华东师范大学", "华南师范大学", Relation.VARIANT),
        ("grey wool", "gray wool", Relation.EDITED),
        ("个人关系管理的应用", "人际关系管理的应用", Relation.EDITED),
        ("red oak with an oiled top", "old oak with an oiled top", Relation.EDITED),
        ("three rooms", "3 rooms", Relation.EDITED),
        ("three rooms", "four rooms", Relation.VARIANT),
        ("臺灣大學出版", "台湾大学出版社", Relation.EDITED),
        ("Mon to Fri", "Monday to Friday", Relation.EDITED),
        ("no wind", "north wind", Relation.VARIANT),
        ("car mat", "carpet mat", Relation.VARIANT),
        ("red wine", "reddish wine", Relation.VARIANT),
        ("car", "carpet", Relation.VARIANT),
        ("active", "inactive", Relation.VARIANT),
        ("male", "female", Relation.VARIANT),
        ("oak", "oaks", Relation.EDITED),
    ],
)
def test_words_of_a_value_are_compared_one_by_one(one: str, other: str, found: Relation) -> None:
    text = article(1)
    texts = (kept([*text, f"Kept as: {value}"]) for value in (one, other))
    assert relation(*texts) is found


def test_a_cell_in_a_script_without_spaces_is_a_value() -> None:
    text = article(1)
    texts = (kept([*text, "เวลา", value]) for value in ("3 พฤษภาคม", "3 มิถุนายน"))
    assert relation(*texts) is Relation.VARIANT


def test_a_value_that_contains_the_other_is_the_same() -> None:
    one, other = (kept([*article(1), f"Made of: {value}"]) for value in ("oak", "oak and old ash"))
    assert relation(one, other) is relation(other, one) is Relation.EDITED
    another = kept([*article(1), "Made of: glass"])
    assert relation(one, another) is relation(another, one) is Relation.VARIANT


def test_a_text_in_another_order_has_no_other_facts_for_its_short_paragraphs() -> None:
    parts = [
        [f"Part {name}", *article(number, 2), f"End {name}"] for number, name in enumerate("abcd")
    ]
    there, here = (
        kept([line for part in order for line in part]) for order in (parts, parts[::-1])
    )
    assert relation(here, there) is Relation.EQUAL


def test_one_number_put_right_in_a_text_edited_all_over_is_no_variant() -> None:
    old = sentences(1, 30)
    old[4] = old[4].replace(".", " 12 times.")
    edited = [f"{line[:-1]} {line.split()[2]}." for line in old]
    edited[4] = edited[4].replace("12", "13")
    assert relation(kept(edited), kept(old)) is Relation.EDITED


@pytest.mark.parametrize(("count", "found"), [(4, Relation.VARIANT), (7, Relation.EDITED)])
def test_one_other_number_makes_a_variant_of_a_short_text_alone(
    count: int, found: Relation
) -> None:
    one, other = (
        kept([*sentences(1, count), f"The club has {members} members in all towns."])
        for members in (210, 310)
    )
    assert relation(one, other) is found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Date filed:\n3 May 2024\nEnds:\n4 June 2024",
            "Date filed:\n9 May 2024\nEnds:\n8 July 2024",
        ),
        ("Case no.: 4-112\nTax no.: 550", "Case no.: 4-937\nTax no.: 302"),
        ("It costs €12 a week.\nCome at 10:30.", "It costs €15 a week.\nCome at 11:00."),
        ("开庭时间：3月5日\n案号：112", "开庭时间：3月9日\n案号：937"),
    ],
)
def test_on_one_site_two_facts_in_digits_make_a_variant_of_a_text_edited_all_over(
    one: str, other: str
) -> None:
    old = sentences(1, 30)
    edited = [f"{line[:-1]} {line.split()[2]}." for line in old]
    earlier = kept([*old, *one.split("\n")])
    half = len(one.split("\n")) // 2
    for later, found in (
        (other.split("\n"), Relation.VARIANT),
        ([*other.split("\n")[:half], *one.split("\n")[half:]], Relation.EDITED),
    ):
        findings = compare_texts(kept([*edited, *later]), earlier, urls=URLS).findings
        assert relate(findings, MOST_NEW, same_site=True) is found
    assert relation(kept([*edited, *other.split("\n")]), earlier) is Relation.EDITED


def test_two_values_in_words_make_none_of_a_text_edited_all_over() -> None:
    old = sentences(1, 30)
    edited = [f"{line[:-1]} {line.split()[2]}." for line in old]
    later, earlier = (
        kept([*lines, f"Colour: {colour}", f"Shape: {shape}"])
        for lines, colour, shape in ((edited, "red", "oval"), (old, "blue", "square"))
    )
    findings = compare_texts(later, earlier, urls=URLS).findings
    assert relate(findings, MOST_NEW, same_site=True) is Relation.EDITED


@pytest.mark.parametrize(
    ("many", "found"), [(5, Relation.VARIANT), (4, Relation.EDITED), (1, Relation.EDITED)]
)
def test_many_other_dates_alone_make_a_variant_on_one_site(many: int, found: Relation) -> None:
    def table(month: int) -> str:
        rows = [(line, f"{at:02}/{month:02}/2023") for at, line in enumerate(sentences(1, 12), 1)]
        return kept([*(text for row in rows[:many] for text in row), *sentences(1, 30)])

    findings = compare_texts(table(4), table(7), urls=URLS).findings
    assert relate(findings, MOST_NEW, same_site=True) is found
    assert relation(table(4), table(7)) is Relation.EDITED


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ("{}/4/2023", "0{}/04/2023", Relation.EDITED),
        ("0{}/04/2023", "04/0{}/2023", Relation.EDITED),
        ("0{}.04.2023", "2023-4-{}", Relation.EDITED),
        ("2023年4月{}日", "2023年04月0{}日", Relation.EDITED),
        ("{} April 2023", "{}/4/2023", Relation.EDITED),
        ("Apr {}, 2023", "{} April 2023", Relation.EDITED),
        ("April {}th, 2023", "April {}, 2023", Relation.EDITED),
        ("2023-04-0{} 10:30", "2023-04-0{} 10:30:15", Relation.EDITED),
        ("2023-04-0{} 10:30 PM", "2023-04-0{} 22:30", Relation.EDITED),
        ("{} April 2023", "{} July 2023", Relation.VARIANT),
        ("Monday, {} April 2023", "Friday, {} June 2023", Relation.VARIANT),
        ("2023年4月{}日", "2023年7月{}日", Relation.VARIANT),
        ("April {}th, 2023", "April 1{}th, 2023", Relation.VARIANT),
    ],
)
def test_dates_that_stand_alone_in_another_notation_are_the_same(
    one: str, other: str, found: Relation
) -> None:
    def table(date: str) -> str:
        rows = [(line, date.format(at)) for at, line in enumerate(sentences(1, 6), 1)]
        return kept([*(text for row in rows for text in row), *sentences(1, 30)[6:]])

    for later, earlier in ((one, other), (other, one)):
        findings = compare_texts(table(later), table(earlier), urls=URLS).findings
        assert relate(findings, MOST_NEW, same_site=True) is found


def test_many_other_numbers_make_a_variant() -> None:
    def report(add: int) -> str:
        return kept([f"{line[:-1]} {at * 7 + add}." for at, line in enumerate(sentences(1, 12))])

    assert relation(report(2), report(3)) is Relation.VARIANT


def test_other_amounts_in_three_sentences_are_other_facts_if_little_else_changed() -> None:
    numbered = [f"{line[:-1]} {at + 20}." for at, line in enumerate(sentences(3, 40))]

    def recipe(*quantities: int) -> list[str]:
        names = zip(quantities, WORDS, strict=False)
        return [*numbered, *(f"{quantity} g of {name}" for quantity, name in names), *article(2)]

    one, other = recipe(100, 250, 75), recipe(150, 300, 90)
    assert relation(kept(one), kept(other)) is Relation.VARIANT
    edited = [f"{line} {line.split()[0]}" for line in one[:4]] + one[4:]
    assert relation(kept(edited), kept(other)) is Relation.EDITED


def test_three_other_amounts_in_one_sentence_are_other_facts() -> None:
    def weather(high: int, low: int, force: int) -> str:
        line = (
            f"Today it is cloudy, with a high of {high}, a low of {low} and wind of force {force}."
        )
        return kept([line, *article(1, 9)])

    assert relation(weather(18, 6, 4), weather(15, 2, 3)) is Relation.VARIANT
    assert relation(weather(18, 6, 3), weather(15, 2, 3)) is Relation.EDITED


def test_other_names_beside_three_other_numbers_fill_one_form_on_two_sites() -> None:
    def flat(name: str, rooms: str, price: str, area: str) -> str:
        line = f"{name}二手房挂牌：建筑面积{area}平方米，{rooms}，总价{price}万元，随时看房。"
        return kept([line, *article(1, 9, "zh")])

    one = flat("阳光花园", "三室两厅", "215", "98.6")
    assert relation(flat("滨江名邸", "两室一厅", "168.5", "76.2"), one) is Relation.VARIANT
    assert relation(flat("滨江名邸", "两室一厅", "215", "98.7"), one) is Relation.EDITED
    other_words = "出售滨江路上的名邸一套，共168.5万元，面积有76.2平方米。"
    assert relation(kept([other_words, *article(1, 9, "zh")]), one) is Relation.EDITED


def test_three_other_amounts_in_a_sentence_are_other_facts_although_it_is_reworded() -> None:
    cloudy = "Today is cloudy with rain from noon, a high of {} and west wind of force {} to {}."
    sunny = "Today is sunny all the day, with a high of {} and north wind of force {} to {}."

    def found(later: str, *edited: str) -> Relation:
        earlier = kept([cloudy.format(21, 4, 5), *article(1, 9)])
        return relation(kept([later, *(edited or article(1, 9))]), earlier)

    assert found(sunny.format(27, 2, 3)) is Relation.VARIANT
    assert found(sunny.format(27, 4, 5)) is Relation.EDITED
    assert found(sunny.format(21, 5, 4)) is Relation.EDITED
    edited = [line.replace("an", "un") for line in article(1, 9)]
    assert found(sunny.format(27, 2, 3), *edited) is Relation.EDITED


def test_on_one_site_two_other_amounts_are_if_nothing_else_changed() -> None:
    def flat(area: int, floor: int, last: str = "") -> str:
        line = f"This flat has {area} square metres and is on floor {floor} of the house."
        return kept([line, *article(1, 9), f"{sentences(5, 1)[0]} {last}"])

    def found(later: str, earlier: str) -> Relation:
        findings = compare_texts(later, earlier, urls=URLS).findings
        return relate(findings, MOST_NEW, same_site=True)

    assert found(flat(85, 3), flat(92, 5)) is Relation.VARIANT
    assert found(flat(85, 3), flat(92, 3)) is Relation.EDITED
    assert found(flat(85, 3, "It is new now, as all of them say."), flat(92, 5)) is Relation.EDITED
    assert relation(flat(85, 3), flat(92, 5)) is Relation.EDITED


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        (("Views", "Likes", "Comments"), Relation.EDITED),
        (("浏览", "点赞", "评论"), Relation.EDITED),
        (("Height", "Width", "Weight"), Relation.VARIANT),
    ],
)
def test_counts_in_cells_of_their_own_are_no_facts(
    labels: tuple[str, ...], found: Relation
) -> None:
    def page(*counts: int) -> str:
        cells = [cell for pair in zip(labels, map(str, counts), strict=True) for cell in pair]
        return kept([*article(1), *cells])

    assert relation(page(2871, 98, 17), page(1234, 45, 6)) is found


@pytest.mark.parametrize(
    ("line", "old"),
    [
        ("3 min read | 120 claps", "4 min read | 177 claps"),
        ("4.5 out of 5 stars (123 ratings)", "4.6 out of 5 stars (131 ratings)"),
        ("Share 12 Tweet 34 Pin 5", "Share 15 Tweet 38 Pin 6"),
        ("粉丝 1204 关注 12 文章 34", "粉丝 1377 关注 15 文章 38"),
        ("本文共1204字，阅读需3分钟", "本文共1210字，阅读需4分钟"),
        ("页面执行时间 0.034 秒，12 次查询", "页面执行时间 0.041 秒，14 次查询"),
    ],
)
def test_amounts_in_one_line_that_is_no_sentence_may_be_counts(line: str, old: str) -> None:
    later, earlier = ([*article(1, 9), counts] for counts in (line, old))
    texts = kept(later), kept(earlier)
    assert relation(*texts) is Relation.EDITED
    findings = compare_texts(*texts, urls=URLS).findings
    assert relate(findings, MOST_NEW, same_site=True) is Relation.EDITED


def test_sections_with_other_numbers_are_one_text() -> None:
    numbered = [f"{line[:-1]} {at + 20}." for at, line in enumerate(sentences(3, 40))]

    def manual(first: int) -> str:
        return kept([*(f"{n}.1 {word}" for n, word in enumerate(WORDS[:5], first)), *numbered])

    assert relation(manual(5), manual(4)) is Relation.EDITED
    findings = compare_texts(manual(5), manual(4), urls=URLS).findings
    assert relate(findings, MOST_NEW, same_site=True) is Relation.EDITED


def steps(first: int, minutes: int) -> str:
    """A numbered list of twelve steps; five of them take some minutes."""
    timed = (f"{line[:-1]} for {minutes + at} minutes." for at, line in enumerate(sentences(1, 5)))
    return kept(
        [f"{number}. {line}" for number, line in enumerate([*timed, *sentences(2, 7)], start=first)]
    )


def test_the_numbers_of_a_list_are_no_facts_and_hide_none() -> None:
    assert relation(steps(4, 20), steps(1, 20)) is Relation.EDITED
    assert relation(steps(1, 30), steps(1, 20)) is Relation.VARIANT


def test_the_number_of_an_item_may_stand_in_a_block_of_its_own() -> None:
    one, other = (
        kept([part for n, line in enumerate(sentences(1, 9), first) for part in (f"{n}.", line)])
        for first in (1, 41)
    )
    assert relation(one, other) is Relation.EDITED


def test_how_a_number_is_written_is_no_fact() -> None:
    text = article(1)
    one = ["The club has 2,100 members in all towns of it.", *text]
    other = ["The club has 2100 members in all towns of it.", *text]
    assert relation(kept(one), kept(other)) is Relation.EDITED


def test_a_very_long_text_is_not_compared_whole_and_says_so() -> None:
    text = kept(article(1, 40))
    assert compare_texts(text, text).whole
    many = kept([f"{word}." for word in "abc" * 1500])
    assert not compare_texts(many, text).whole


@LAW
@given(st.lists(st.text(max_size=40), max_size=12), st.lists(st.text(max_size=40), max_size=12))
def test_whatever_the_texts_are_shares_are_shares(one: list[str], other: list[str]) -> None:
    findings = compare_texts("\n".join(one), "\n".join(other)).findings
    assert all(0.0 <= share <= 1.0 for share in findings[:5])


TOP, BOTTOM = ["Home", "News of the day"], ["Share this page", *article(9, 6), "Contact"]
SHORT_NEWS = {
    "en": (" ".join(sentences(1, 3)), " ".join(sentences(2, 3))),
    "zh": (
        "港口的灯塔昨夜重新点亮，三百名渔民到码头庆祝。管理处说，维修用了两年时间。",
        "本市图书馆新馆下周开放，读者凭身份证可以免费办理借阅手续，儿童室周末延长服务。",
    ),
}


def framed(*own: str) -> str:
    """Some lines among those that stand on every page of a site."""
    return kept([*TOP, *own, *BOTTOM], "News")


@pytest.mark.parametrize("language", LANGUAGES)
def test_another_short_text_in_the_frame_of_a_site_makes_a_variant(language: str) -> None:
    one, other = map(framed, SHORT_NEWS[language])
    assert 0 < compare_texts(other, one).findings.new < MOST_NEW
    assert relation(other, one, same_site=True) is Relation.VARIANT
    assert relation(other, one) is Relation.EDITED  # another site puts its notice into a text


def test_a_paragraph_written_anew_among_others_is_an_edit() -> None:
    text = article(1, 8)
    anew = [*text[:3], article(2, 1)[0], *text[4:]]
    assert relation(kept(anew), kept(text), same_site=True) is Relation.EDITED


def test_a_sentence_written_anew_in_a_paragraph_below_a_heading_is_an_edit() -> None:
    """The paragraph stands between headings, as another text in a frame does."""
    lines, anew = sentences(1, 4), sentences(2, 1)
    frames = (framed(" ".join(part)) for part in (lines, [*lines[:2], *anew, lines[3]]))
    later, earlier = frames
    assert compare_texts(later, earlier).findings.letters > LEAST_EXCHANGED
    assert relation(later, earlier, same_site=True) is Relation.EDITED


def test_lines_put_in_or_taken_out_of_a_frame_are_edits() -> None:
    text, _ = SHORT_NEWS["en"]
    assert relation(framed(), framed(text), same_site=True) is Relation.EDITED
    assert relation(framed("Nothing today"), framed(text), same_site=True) is Relation.EDITED


def test_many_passages_exchanged_all_over_are_edits() -> None:
    """Captions, teasers: the text in a frame is most of what is new on its page."""

    def page(seed: int) -> str:
        lines = sentences(seed, 4)
        body = [
            part
            for paragraph, line in zip(article(9, 4), lines, strict=True)
            for part in (paragraph + " Read on", line, "More")
        ]
        return kept([*body, *article(8, 6)], "News")

    assert compare_texts(page(2), page(1), urls=URLS).findings.exchanged == 0


@pytest.mark.parametrize("codes", [("CVE-2024-41123", "CVE-2023-28755"), ("0f3a" * 8, "9b2c" * 8)])
def test_other_codes_make_a_variant_however_much_else_changed(codes: tuple[str, str]) -> None:
    """Each text is an advisory on another fault; five of its other lines were edited."""
    text = article(1, 12)
    edits = [line.replace(" ", " now ", 1) if at % 2 else line for at, line in enumerate(text)]
    one, other = (f"A fault was found: see {code} about it" for code in codes)
    assert relation(kept([*edits, one]), kept([*text, other])) is Relation.VARIANT
    shared = "It is listed next to RFC-2119 in the index of all faults"
    later, earlier = [*edits, one, f"{shared} now"], [*text, other, shared]
    assert relation(kept(later), kept(earlier)) is Relation.EDITED
