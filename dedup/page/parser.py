"""What libxml2 makes of a page, for extractors that use it."""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_END = re.compile(r"</html\s*>", re.IGNORECASE)
_NO_END = "</x>"  # in its place: an end tag that libxml2 reads as markup and ignores

Tree = Any  # the root element of a page, as lxml makes it


def blank_controls(html: str) -> str:
    """Make spaces of the characters that no XML tree may hold (controls, lone surrogates)."""
    return _NOT_XML.sub(" ", html)


def open_ended(html: str) -> str:
    """The page with every </html> defused: libxml2 drops what follows one."""
    return _END.sub(_NO_END, html)


def parse(html: str) -> Tree:
    """Parse a page, decoded; None where it is nothing but a comment."""
    try:
        body = html.encode()
    except UnicodeEncodeError:  # lone surrogates
        body = blank_controls(html).encode()
    body = body.replace(b"\0", b"").strip()
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, recover=True, collect_ids=False)
    return etree.fromstring(body or b"<html/>", parser=parser)
