"""Main text by the weighted DOM tree (see main_text).

Where nothing stands out as main text and the page says more where scripts do not run, in a
<noscript>, and that has a main text, longer than notices are, then this is it.
"""

from __future__ import annotations

import re

from dedup.page.compiled import read_page
from dedup.page.judgement import ENOUGH_LOW, measure
from dedup.page.paragraphs import MainText
from dedup.page.written import encode

_NOSCRIPT = re.compile(rb"(</?)noscript", re.IGNORECASE)


def extract(html: str | bytes) -> MainText:
    """Find the main text of a page; it has no paragraphs where no text is shown."""
    page = encode(html)
    main, unscripted = read_page(page)
    if main.sure or unscripted < ENOUGH_LOW:
        return main
    other, _ = read_page(_NOSCRIPT.sub(rb"\1div", page))
    return other if other.sure and measure(other.text) >= ENOUGH_LOW else main
