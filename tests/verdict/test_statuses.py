"""A line that says that an event does not take place is a fact."""

from __future__ import annotations

import pytest

from dedup.verdict import Relation, compare_headings, compare_texts, relate
from tests.verdict.texts import article, kept

TITLE = "The concert in the great hall"


def relation(later: list[str], earlier: list[str], title: str = TITLE) -> Relation:
    texts = kept(later, title, title), kept(earlier, TITLE, TITLE)
    return relate(compare_texts(*texts).findings, 0.25, same_site=False)


@pytest.mark.parametrize(
    "line",
    [
        "Cancelled: the concert does not take place.",
        "POSTPONED TO AUTUMN",
        "Sold out.",
        "Das Konzert ist abgesagt.",
        "El concierto está cancelado.",
        "Концерт отменён.",
        "活动取消：因天气原因，本次活动已取消。",
        "活動取消通知",
        "原定周六的比赛推迟至下周",
        "本场演出门票已售罄",
        "公演は中止となりました。",
        "공연이 취소되었습니다.",
        "공연 연기 안내",
        "Notice of cancellation",
    ],
)
def test_a_line_at_the_top_tells_what_became_of_an_event(line: str) -> None:
    text = article(1, 9)
    assert relation([line, *text], text) is Relation.VARIANT
    assert relation(text, [line, *text]) is Relation.EDITED


def test_so_does_the_title() -> None:
    text, title = article(1, 9), f"Cancelled: {TITLE}"
    one, other = kept(text, title, title), kept(text, TITLE, TITLE)
    assert compare_headings(one, other).findings.facts
    assert not compare_headings(other, one).findings.facts
    assert relation([*text, "One more line of it."], text, title) is Relation.VARIANT


@pytest.mark.parametrize(
    ("later", "earlier"),
    [
        (["Cancelled or not, it is paid.", *article(1, 9)], [*article(1, 9), "It is cancelled."]),
        ([*article(1, 9), "The trip was cancelled."], article(1, 9)),
        (["It was cancelled, said they. " + "All of it is long. " * 9, *article(1, 9)], []),
        (["The cancellations went on.", *article(1, 9)], article(1, 9)),
    ],
    ids=["both", "below", "long", "other word"],
)
def test_other_lines_do_not(later: list[str], earlier: list[str]) -> None:
    assert relation(later, earlier or article(1, 9)) is not Relation.VARIANT


@pytest.mark.parametrize(
    "line",
    [
        "取消",
        "确定 取消",
        "发表评论 取消回复",
        "取消关注",
        "如何取消订阅本站的通知",
        "多地宣布取消收费",
        "如何在 Linux 中中止进程",
        "注解推迟求值",
        "확인 취소",
        "댓글 취소",
        "배우의 연기",
        "Free cancellation up to a day before",
        "Diese Seite wurde verschoben",
    ],
)
def test_neither_do_a_button_and_what_a_text_is_about(line: str) -> None:
    assert relation([line, *article(1, 9)], article(1, 9)) is not Relation.VARIANT


def test_the_other_page_may_say_so_in_other_words() -> None:
    text = article(1, 9)
    earlier = [*text, "由于下雨，主办方取消了这次活动。"]
    assert relation(["活动已取消", *text], earlier) is not Relation.VARIANT


def test_what_both_pages_say_below_hides_no_notice() -> None:
    text = [*article(1, 9), "Cancelled orders are refunded within a week."]
    assert relation(["Cancelled: there is no concert.", *text], text) is Relation.VARIANT
    lead = ["The concert is cancelled because of rain.", *text]
    assert relation(["Cancelled: there is no concert.", *lead], lead) is not Relation.VARIANT
    title = f"Cancelled: {TITLE}"
    assert compare_headings(kept(text, title), kept(text, TITLE)).findings.facts
    assert not compare_headings(kept(lead, title), kept(lead, TITLE)).findings.facts
