"""Pages without a sure main text are compared whole, even if one text in them is likely it.

That text may be a notice of the site, or of many sites, or an article that a front page shows.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from indexing import NEW, SCHEME, check, commit, open_store

from dedup.fingerprint import Fingerprinter
from dedup.index import Index
from dedup.page import extract

pytestmark = pytest.mark.usefixtures("compiled")

NOTICE = (
    "All that you find here is sold by small makers, prices include taxes, and we send it for "
    "nothing if you order for more than fifty euros."
)
NEWS = "昨天下午，市图书馆新馆正式对外开放，首日接待读者三千余人，馆长说周末延长开放时间。"
NOUNS = "lamp chair river garden kettle bridge island pepper window candle harbour carpet".split()


def portal(seed: int, text: str, title: str) -> str:
    """A page of links of its own around a text."""
    draw = random.Random(seed)
    links = "".join(
        f'<div><a href="/{draw.randrange(9**9)}">{" ".join(draw.choices(NOUNS, k=5))}</a></div>'
        for _ in range(25)
    )
    return (
        f"<title>{title}</title><div>18 May</div><div><p>{text}</p></div>{links}<div>Contact</div>"
    )


@pytest.mark.parametrize("keep_text", [True, False])
@pytest.mark.parametrize(
    ("first", "other"),
    [
        (("a.com/lamps", NOTICE, "Our shop"), ("a.com/chairs", NOTICE, "Our shop")),
        (("a.com/", NOTICE, "Lamps and lights"), ("b.com/", NOTICE, "Garden chairs")),
        (("a.cn/news/1", NEWS, "城市新闻"), ("a.cn/", NEWS, "城市新闻")),
    ],
    ids=["lists of one site", "two sites", "front page"],
)
def test_one_text_on_two_pages_of_other_links_is_no_repetition(
    tmp_path: Path, first: tuple[str, str, str], other: tuple[str, str, str], keep_text: bool
) -> None:
    index = Index(open_store("memory", tmp_path), SCHEME)
    make = Fingerprinter(SCHEME, keep_text=keep_text)
    pages = [(url, portal(at, *rest)) for at, (url, *rest) in enumerate((first, other))]
    assert all(extract(html).likely for _, html in pages)
    commit(index, pages[0][0], make.of_html(pages[0][1]))
    assert check(index, pages[1][0], make.of_html(pages[1][1])).verdict is NEW
