"""The textbook chain: readability-lxml, jieba, 64-bit SimHash within 3 bits."""

from settings.base import *  # noqa: F403

NEARDUP_EXTRACTOR = "readability"
NEARDUP_SEGMENTER = "jieba"
NEARDUP_SCHEME = "simhash"
NEARDUP_DISTANCE = 3
