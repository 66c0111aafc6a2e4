"""Page records as bytes, and the texts kept beside them."""

from __future__ import annotations

import struct

from dedup.page.kept import unpack_text
from dedup.store.interface import Record, RecordDamagedError, StoreDamagedError

FORMAT = 1

_HEAD = struct.Struct("<BBdI16sHI")  # format, flags, seen, tokens, digest, lengths: request, URL
_EXPORTED = 1


def pack_record(record: Record) -> bytes:
    """Encode a record; its page number is its key and not in it."""
    url = record.url.encode("utf-8", "replace")
    head = _HEAD.pack(
        FORMAT,
        _EXPORTED if record.exported else 0,
        record.seen,
        record.tokens,
        record.digest,
        len(record.request),
        len(url),
    )
    return head + record.request + url + record.fingerprint


def unpack_record(page_id: int, data: bytes) -> Record:
    """Decode a record.

    Raises:
        RecordDamagedError: these bytes are no record.
    """
    try:
        version, flags, seen, tokens, digest, request, url = _HEAD.unpack_from(data)
    except struct.error:
        raise RecordDamagedError(f"page {page_id}: a record of {len(data)} bytes is cut") from None
    first, second = _HEAD.size + request, _HEAD.size + request + url
    if version != FORMAT or flags > _EXPORTED or second > len(data):
        raise RecordDamagedError(f"page {page_id}: not a record of format {FORMAT}")
    try:
        address = data[first:second].decode()
    except UnicodeDecodeError:
        raise RecordDamagedError(f"page {page_id}: its URL is not UTF-8") from None
    return Record(
        url=address,
        request=data[_HEAD.size : first],
        seen=seen,
        exported=flags == _EXPORTED,
        tokens=tokens,
        digest=digest,
        fingerprint=data[second:],
        page_id=page_id,
    )


def read_text(page_id: int, packed: bytes | None) -> str | None:
    """The main text of a page as it is kept; None where none is.

    Raises:
        StoreDamagedError: these bytes are no text.
    """
    try:
        return None if packed is None else unpack_text(packed)
    except ValueError as error:
        raise StoreDamagedError(f"page {page_id}: {error}") from None


def numbered(record: Record, page_id: int) -> Record:
    """The record with its number in the store."""
    return Record(*record[:-1], page_id)
