"""Texts as schemes are given them."""

from dedup.page import Document, from_text, read_document


def document(*texts: str) -> Document:
    """What is read in a text, or in words and texts with a blank between them."""
    return read_document(from_text(" ".join(texts)))
