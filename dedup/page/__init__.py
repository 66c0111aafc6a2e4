"""HTML to main text, paragraphs and tokens: pure functions of one page.

bytes -> charset -> weighted_dom | readability | plain -> normalise -> segment

``weighted_dom`` and ``plain`` are compiled code (see dedup/native). Where that could not be built,
``readability`` reads the pages.
"""

from dedup.page.charset import decode_html, page_encoding, read_body
from dedup.page.document import (
    Document,
    Piece,
    cut,
    join_pieces,
    read_document,
    read_piece,
    versions,
)
from dedup.page.extractors import (
    DEFAULT_EXTRACTOR,
    EXTRACTORS,
    built_extractors,
    check_extractor,
    extract,
    extractor_names,
    is_compiled,
)
from dedup.page.normalisation import normalise
from dedup.page.paragraphs import NO_LINK, HeadingLink, Kind, MainText, Paragraph
from dedup.page.plain_text import from_text
from dedup.page.segmentation import SEGMENTERS, segment

__all__ = [
    "DEFAULT_EXTRACTOR",
    "EXTRACTORS",
    "NO_LINK",
    "SEGMENTERS",
    "Document",
    "HeadingLink",
    "Kind",
    "MainText",
    "Paragraph",
    "Piece",
    "built_extractors",
    "check_extractor",
    "cut",
    "decode_html",
    "extract",
    "extractor_names",
    "from_text",
    "is_compiled",
    "join_pieces",
    "normalise",
    "page_encoding",
    "read_body",
    "read_document",
    "read_piece",
    "segment",
    "versions",
]
