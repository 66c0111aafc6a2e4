"""What became of an event or an offer: cancelled, postponed, sold out.

A short block at the top of a page, or a word of its title, changes what all the rest means. It
counts if the other page says nothing of the kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

MOST_BLOCKS = 5  # Of a text, from its top, that may say so.
LONGEST = 120  # Letters of such a block.

_WORDS = (
    r"cancell?ed|cancellation|postponed|rescheduled|sold out|called off|retracted|discontinued|"
    r"abgesagt|verschoben|ausverkauft|annulée?s?|reportée?s?|"
    r"cancelad[oa]s?|aplazad[oa]s?|agotad[oa]s?|adiad[oa]s?|esgotad[oa]s?|annullat[oa]|rinviat[oa]|"
    r"afgelast|uitgesteld|uitverkocht|отмен[её]н[ао]?|перенес[её]н[ао]?|"
    r"取消|延期|改期|推迟|推遲|停办|停辦|售罄|售完|停售|下架|中止|売り切れ|販売終了|취소|연기|품절|매진"
)
_STATUS = re.compile(rf"(?<![^\W_\u2e80-\uffff])(?:{_WORDS})(?![a-zа-я])")


def tell_status(lines: Iterable[str], other: str) -> bool:
    """Whether some lines of a page say so, and the other page does not."""
    return any(_STATUS.search(line.lower()) for line in lines) and not _STATUS.search(other.lower())
