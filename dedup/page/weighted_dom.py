"""Main text by the weighted DOM tree.

Each node of the tree scores the weight of the text in it (see weighted_tree), each block fading
with every level it lies deeper, so that root-near nodes lose against the node that really holds
the article. Names (see names) that speak of comments, footers and so on make the text below them
fade; names that speak of an article, and standing in the part of the page that its <h1> heads,
make it count more. Following Arc90's Readability, where a paragraph scores for its parent in full
and for its grandparent by half; here over all levels.

The node with the best score is the trunk. It widens to a node around it that adds much text and
next to nothing else (the sections of a manual), or, where it holds little of the page's text, to
the node that does (a page of sections). Bare paragraphs beside it come along, and so do
further parts of the same signature (tag and first class of the node and its two ancestors) that no
<h1> separates from it. Of several articles beside each other only the page's own counts, or all
(see articles). Inside, parts with a low name and subtrees with more bad weight than good are pruned
(large ones with such a name only if they are comments; menus, footers and consent notices of the
site always, which weigh nothing anywhere); what is left is joined in document order,
without the title: templates set that inside the article or outside.

Where that leaves too little of what the page shows, nothing stands out as main text (index pages,
link lists, pages of few words): then all visible text is kept but that of the site's chrome (see
chrome), and ``sure`` is False. A wrong guess there would be the site's footer, equal on every page.
If such a page says more where scripts do not run, in a <noscript>, and that has a main text, longer
than notices are, then this is it.
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
