"""An extractor: all <p> of a page are its main text."""

from __future__ import annotations

from parsel import Selector

from dedup.page import MainText, from_text


def read(page: str) -> MainText:
    """Find the main text of a page."""
    root = Selector(page)
    lines = (" ".join("".join(p.xpath(".//text()").getall()).split()) for p in root.xpath("//p"))
    return from_text("\n".join(lines), root.xpath("string(//title)").get(""))


read.version = "1"
