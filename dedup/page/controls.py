"""Characters that are not allowed in an XML tree."""

from __future__ import annotations

import re

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def blank_controls(html: str) -> str:
    """Replace characters that XML forbids (controls, lone surrogates) by spaces."""
    return _NOT_XML.sub(" ", html)
