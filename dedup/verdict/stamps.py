"""Stamps: lines that say when a page was made, by whom, or how often it was read.

    words of a line -> without its marks, and their dates -> what is left

A line is a stamp if it has a mark, and nothing is left but a few words beside a count or an age.
A sentence that begins like a stamp is none: "updated rules apply from 18 may", "by 18 may all
offers must be handed in".
"""

from __future__ import annotations

import re

from dedup.verdict import dates

LONGEST = 400  # Bytes that are searched.
MOST_WORDS = 15
MOST_LEFT = 2  # Words that may be left beside a count or an age: a name, the title of a link.

_HAS_DIGIT = re.compile(r"\d")
_COUNTED = (
    "(?:浏览|阅读|点击|评论|点赞|赞|踩|收藏|分享|访问|参与|人气|下载|回复|views?|viewed|hits?|reads?|"
    "comments?|shares?|likes?|replies|downloads?)"
)
_AMOUNT = r"\d[\d ]*[km万]?"
_COUNT = (
    rf"(?:{_COUNTED}(?: ?(?:次数|量|数))? {_AMOUNT}(?: ?次| times)?|"
    rf"{_AMOUNT} ?(?:次 ?|条 ?|人 ?)?{_COUNTED}(?! ?(?:次数|量|数|\d))|\d+ ?min(?:ute)?s? read)\b"
)
# A word that is no part of the name of an author or of a source.
_NO_NAME = (
    "(?:is|are|was|were|will|would|shall|must|be|has|have|had|can|could|should|on|at|"
    rf"是|将|应|须|请|为|于|自|至|起|在|已)\b|{dates.WORD}"
)
_NAMES = rf"(?: (?!{_NO_NAME})[^\W\d]\w*){{1,6}}"
_WHEN = rf"(?: (?!{_COUNT})(?:{dates.WORD}|(?:on|at|of)\b))+"
_MADE = (
    "(?:(?:this|the) (?:page|article|post|entry|document) (?:was|has been) )?"
    "(?:last |first |最后 ?)?"
    "(?:updated?|modified|revised|edited|posted|published|created|printed|retrieved|asked|answered|"
    "(?:更新|发布|发表|修改|编辑|创建)(?: ?(?:时间|日期|于))?)"
    rf"\b(?: (?:on|at|date|time)\b)*(?: (?:by|in|from)\b{_NAMES})*(?:{_WHEN})?"
)
_BY = (
    "(?:来源|编辑|作者|责任 ?编辑|责编|校对|译者|记者|转载|source|author|editor|(?:written )?by)"
    rf"\b{_NAMES}"
)
_RIGHTS = rf"(?:copyright|版权 ?所有)\b(?:(?: (?:c|by)\b)*(?: (?:19|20)\d\d\b){{1,2}}.*|{_NAMES})"
_AGE = (
    r"(?:刚刚|\d+ ?(?:秒|分钟|小时|天|周|个 ?月|年) ?前|"
    r"(?:\d+|an?) ?(?:second|minute|min|hour|hr|day|week|month|year)s? ago)\b"
    rf"(?: at{_WHEN})?"
)
_PAGE = r"(?:page \d+(?: of \d+)?|第 ?\d+ ?页(?: 共 ?\d+ ?页)?|上 ?一页|下 ?一页)\b"
_MARK = re.compile(rf"(?<!\w)(?:{_MADE}|{_BY}|{_RIGHTS}|{_AGE}|{_COUNT}|{_PAGE})")
_PASSING = re.compile(rf"(?<!\w)(?:{_AGE}|{_COUNT}|{_PAGE})")
_DATE = re.compile(rf"(?<!\w)(?:(?:on|at) )?{dates.WORD}(?: (?:{dates.WORD}|(?:on|at|of)\b))*")


def is_stamp(line: bytes) -> bool:
    """Whether a short sentence is a stamp, or a date alone.

    Args:
        line: its words as UTF-8, normalised, with one space between.
    """
    if line.count(b" ") >= MOST_WORDS:
        return False
    text = line[:LONGEST].decode("utf-8", "replace")
    if dates.is_date(text):
        return True
    left, marks = _MARK.subn("", text)
    if not marks:
        return False
    left = _DATE.sub(lambda found: "" if dates.is_told(found[0]) else found[0], left)
    if _HAS_DIGIT.search(left):
        return False
    return len(left.split()) <= (MOST_LEFT if _PASSING.search(text) else 0)


def is_passing(line: bytes) -> bool:
    """Whether a stamp changes with every visit: it has an age, or a count.

    Args:
        line: as for ``is_stamp``.
    """
    return is_stamp(line) and _PASSING.search(line.decode("utf-8", "replace")) is not None
