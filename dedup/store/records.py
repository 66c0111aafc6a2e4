"""Page records as bytes, and the texts kept beside them."""

from __future__ import annotations

import struct
from itertools import accumulate, pairwise

from dedup.digests import ITEM_BYTES
from dedup.page.kept_text import unpack_text
from dedup.store.interface import (
    MOST_FACTS,
    Listing,
    Record,
    RecordDamagedError,
    StoreDamagedError,
)

FORMAT = 3

# Format, flags, seen, tokens, digest; then the lengths of request, URL, items, facts with samples,
# and plain URL.
_HEAD = struct.Struct("<BBdI16sHIHBI")
_EXPORTED, _CANONICAL = 1, 2  # Flags.
_LISTING = 4  # Times the number of the ``Listing``.
_LISTINGS = tuple(Listing)
_NO_FACT = bytes(ITEM_BYTES)  # Fills the facts up if samples follow.
_FACT_BYTES = MOST_FACTS * ITEM_BYTES


def pack_record(record: Record) -> bytes:
    """Encode a record without its page number, which is in its key."""
    url = record.url.encode("utf-8", "replace")
    plain = record.plain_url.encode("utf-8", "replace")
    facts = record.facts
    if record.samples:
        facts = facts.ljust(_FACT_BYTES, b"\0") + record.samples
    head = _HEAD.pack(
        FORMAT,
        _EXPORTED * record.exported
        | _CANONICAL * record.canonical
        | _LISTING * _LISTINGS.index(record.listing),
        record.seen,
        record.tokens,
        record.digest,
        len(record.request),
        len(url),
        len(record.items),
        len(facts),
        len(plain),
    )
    parts = (record.request, url, record.items, facts, plain, record.fingerprint)
    return head + b"".join(parts)


def unpack_record(page_id: int, data: bytes) -> Record:
    """Decode a record. Raises RecordDamagedError if the bytes are no record."""
    if data and data[0] != FORMAT:
        raise RecordDamagedError(f"page {page_id}: not a record of format {FORMAT}")
    try:
        _, flags, seen, tokens, digest, *lengths = _HEAD.unpack_from(data)
    except struct.error:
        raise RecordDamagedError(f"page {page_id}: a record of {len(data)} bytes is cut") from None
    start, *ends = accumulate(lengths, initial=_HEAD.size)
    request, url, items, facts, plain = (data[begin:end] for begin, end in pairwise((start, *ends)))
    if flags >= _LISTING * len(_LISTINGS) or ends[-1] > len(data) or len(items) % ITEM_BYTES:
        raise RecordDamagedError(f"page {page_id}: not a record of format {FORMAT}")
    samples = facts[_FACT_BYTES:]
    if samples:
        facts = facts[:_FACT_BYTES]
        while facts.endswith(_NO_FACT):
            facts = facts.removesuffix(_NO_FACT)
    try:
        address, plain_address = url.decode(), plain.decode()
    except UnicodeDecodeError:
        raise RecordDamagedError(f"page {page_id}: its URL is not UTF-8") from None
    return Record(
        url=address,
        request=request,
        seen=seen,
        exported=bool(flags & _EXPORTED),
        tokens=tokens,
        digest=digest,
        fingerprint=data[ends[-1] :],
        items=items,
        facts=facts,
        plain_url=plain_address,
        canonical=bool(flags & _CANONICAL),
        listing=_LISTINGS[flags // _LISTING],
        samples=samples,
        page_id=page_id,
    )


def read_text(page_id: int, packed: bytes | None) -> str | None:
    """The main text of a page; None if none is kept.

    Raises StoreDamagedError if the bytes are no packed text.
    """
    try:
        return None if packed is None else unpack_text(packed)
    except ValueError as error:
        raise StoreDamagedError(f"page {page_id}: {error}") from None
