"""Who writes a comment with a heading of its own cannot have it read in the place of the page."""

from __future__ import annotations

import pytest
from crawling import text

from dedup.page import extract

TITLE = "The harbour opens its gates to visitors"
LINES = 5


def paragraphs(name: str) -> str:
    return "".join(f"<p>{text(f'{name} {line}', words=60)}</p>" for line in range(LINES))


@pytest.mark.parametrize("part", ["div", "article", 'div class="post-reply"'])
@pytest.mark.parametrize("times", [1, 2])
def test_a_comment_with_an_h1_is_not_read_in_the_place_of_the_page(part: str, times: int) -> None:
    end = part.split(maxsplit=1)[0]
    own = f"<div><h1>{TITLE}</h1>{paragraphs('own')}</div>"
    comment = f"<{part}><h1>My reply to all</h1>{paragraphs('evil') * times}</{end}>"
    page = f"<title>{TITLE}</title><body>{own}<div>{comment}</div></body>"
    assert text("own 0", words=60) in extract(page, "weighted_dom").text
