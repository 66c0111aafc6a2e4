"""HTML to main text, paragraphs and tokens: pure functions, each page on its own.

bytes -> charset -> markup -> nesting -> elements -> outline -> weighted_dom | readability | plain
      -> normalise -> segment
"""

from dedup.page.charset import decode_html, page_encoding, read_body
from dedup.page.document import (
    EXTRACTORS,
    Document,
    Piece,
    cut,
    extract,
    is_compiled,
    join_pieces,
    read_document,
    read_piece,
    versions,
)
from dedup.page.normalisation import normalise
from dedup.page.paragraphs import Kind, MainText, Paragraph
from dedup.page.plain import from_text
from dedup.page.segmentation import SEGMENTERS, segment

__all__ = [
    "EXTRACTORS",
    "SEGMENTERS",
    "Document",
    "Kind",
    "MainText",
    "Paragraph",
    "Piece",
    "cut",
    "decode_html",
    "extract",
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
