"""Page records as bytes, and the texts kept beside them."""

from __future__ import annotations

import struct
from itertools import accumulate

from dedup.page.kept_text import unpack_text
from dedup.store.interface import ITEM_BYTES, Record, RecordDamagedError, StoreDamagedError

FORMAT = 2

# Format, flags, seen, tokens, digest; then the lengths of request, URL, items and facts.
_HEAD = struct.Struct("<BBdI16sHIHB")
_HEADS = {1: struct.Struct("<BBdI16sHI"), FORMAT: _HEAD}  # Format 1 (version 0.1.0) had no items.
_EXPORTED = 1


def pack_record(record: Record) -> bytes:
    """Encode a record without its page number, which is in its key."""
    url = record.url.encode("utf-8", "replace")
    head = _HEAD.pack(
        FORMAT,
        _EXPORTED if record.exported else 0,
        record.seen,
        record.tokens,
        record.digest,
        len(record.request),
        len(url),
        len(record.items),
        len(record.facts),
    )
    return b"".join((head, record.request, url, record.items, record.facts, record.fingerprint))


def unpack_record(page_id: int, data: bytes) -> Record:
    """Decode a record.

    Raises:
        RecordDamagedError: the bytes are no record.
    """
    head = _HEADS.get(data[0] if data else FORMAT)
    if head is None:
        raise RecordDamagedError(f"page {page_id}: not a record of a format up to {FORMAT}")
    try:
        _, flags, seen, tokens, digest, *lengths = head.unpack_from(data)
    except struct.error:
        raise RecordDamagedError(f"page {page_id}: a record of {len(data)} bytes is cut") from None
    start, first, second, *ends = accumulate(lengths, initial=head.size)
    third, fourth = ends or (second, second)
    if flags > _EXPORTED or fourth > len(data) or (third - second) % ITEM_BYTES:
        raise RecordDamagedError(f"page {page_id}: not a record of a format up to {FORMAT}")
    try:
        address = data[first:second].decode()
    except UnicodeDecodeError:
        raise RecordDamagedError(f"page {page_id}: its URL is not UTF-8") from None
    return Record(
        url=address,
        request=data[start:first],
        seen=seen,
        exported=flags == _EXPORTED,
        tokens=tokens,
        digest=digest,
        fingerprint=data[fourth:],
        items=data[second:third],
        facts=data[third:fourth],
        page_id=page_id,
    )


def read_text(page_id: int, packed: bytes | None) -> str | None:
    """The main text of a page; None if none is kept.

    Raises:
        StoreDamagedError: the bytes are no packed text.
    """
    try:
        return None if packed is None else unpack_text(packed)
    except ValueError as error:
        raise StoreDamagedError(f"page {page_id}: {error}") from None


def numbered(record: Record, page_id: int) -> Record:
    """The record with its number in the store."""
    return Record(*record[:-1], page_id)
