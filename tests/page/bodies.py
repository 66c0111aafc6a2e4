"""For the tests of main text: texts, and pages made of them."""

from html import escape

from crawler.demo.texts import load_texts
from dedup.page import MainText, extract

SOLAR, TEA, FERRY = (load_texts()[name].plain for name in ("solar", "tea", "ferry"))
SHORT = "A cat that went missing five years ago was found again last week, far from its old home. "
MENU = "".join(f'<li><a href="/s/{i}">Section number {i}</a></li>' for i in range(12))


def paragraphs(text: str) -> str:
    """Each line of a text in a <p>."""
    return "".join(f"<p>{escape(line)}</p>" for line in text.splitlines())


def read(body: str, title: str = "") -> MainText:
    """The main text of a page."""
    return extract(f"<html><head><title>{title}</title></head><body>{body}</body></html>")
