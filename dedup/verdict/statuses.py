"""What became of an event or an offer: cancelled, postponed, sold out.

A short block at the top of a page, or a word of its title, changes what all the rest means. It
counts if the other page says nothing of the kind, at its top or in its own sentences: conditions of
sale say of any order that it may be cancelled.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

MOST_BLOCKS = 5  # Of a text, from its top, that may say so.
LONGEST = 120  # Letters of such a block.

# Words that are on buttons, too: 取消关注. They are a notice only beside some other words.
_CANCEL, _PUT_OFF = "取消|中止", "推迟|推遲"
_EVENTS = "活动|活動|演出|演唱会|演唱會|音乐会|音樂會|公演|比赛|比賽|航班|会议|會議|讲座|講座"
_WORDS = (
    r"cancell?ed|notice of cancellation|cancellation notice|postponed|rescheduled|sold out|"
    r"called off|retracted|discontinued|"
    r"abgesagt|(?<!seite )(?<!seite wurde )verschoben|ausverkauft|annulée?s?|reportée?s?|"
    r"cancelad[oa]s?|aplazad[oa]s?|agotad[oa]s?|adiad[oa]s?|esgotad[oa]s?|annullat[oa]|rinviat[oa]|"
    r"afgelast|uitgesteld|uitverkocht|отмен[её]н[ао]?|перенес[её]н[ао]?|"
    rf"(?:已|被|{_EVENTS})(?:{_CANCEL}|{_PUT_OFF})|(?:{_CANCEL})(?=[：:！!）)】]|举办|举行|通知|公告|と|に)|"
    rf"(?:{_PUT_OFF})(?:至|到|举办|举行|舉辦|舉行|通知|公告)|"
    r"延期|改期|停办|停辦|售罄|售完|停售|下架|売り切れ|販売終了|"
    r"(?:공연|행사|경기|일정) ?(?:취소|연기)|취소(?:[되됐됨된]|안내|공지)|"
    r"연기(?:[되됐됨된]|안내|공지)|품절|매진"
)
_BEFORE, _BEHIND = r"(?<![^\W_\u2e80-\uffff])", "(?![a-zа-я])"
_STATUS = re.compile(rf"{_BEFORE}(?:{_WORDS}){_BEHIND}")
_LIKE_IT = re.compile(rf"{_BEFORE}(?:{_WORDS}){_BEHIND}|{_CANCEL}|{_PUT_OFF}|취소|연기")


def tell_status(lines: Iterable[str], others: Iterable[str]) -> bool:
    """Whether some lines of a page say so, and some lines of the other page say nothing like it."""
    return any(_STATUS.search(line.lower()) for line in lines) and not any(
        _LIKE_IT.search(line.lower()) for line in others
    )
