"""Rebuild the index of a LevelDB store from its records.

The records are the source of truth. So this works if the index is damaged, and if its settings have
changed. Unreadable records are put aside, so they cause no further errors.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from dedup.chunks import chunks
from dedup.store.interface import Progress, StoreDamagedError
from dedup.store.keys import PAGES, page_of
from dedup.store.postings import Postings
from dedup.store.records import unpack_record
from dedup.store.sizes import USUAL, Sizes

logger = logging.getLogger(__name__)


def index_records(
    db: Any,
    postings: Postings,
    put_aside: Callable[[Any, int, bytes], None],
    progress: Progress | None = None,
    sizes: Sizes = USUAL,
) -> tuple[int, int]:
    """Index every record in an empty generation.

    Args:
        db: the plyvel database.
        postings: the generation.
        put_aside: called with a batch, a page number and the unreadable bytes.
        progress: called now and then with the number of pages indexed.
        sizes: sizes of its batches.

    Returns:
        The number of pages indexed, and the last page number.
    """
    count, last_id = 0, 0
    for chunk in chunks(db.iterator(prefix=PAGES, fill_cache=False), sizes.records):
        batch = db.write_batch(transaction=True)
        for key, data in chunk:
            last_id = page_of(key)
            try:
                postings.add(unpack_record(last_id, data))
                count += 1
            except StoreDamagedError as error:
                logger.warning("Put aside: %s", error)
                put_aside(batch, last_id, data)
        batch.write()
        if postings.sweeps.full:
            postings.sweeps.write_all()
        if progress is not None:
            progress(count)
    postings.sweeps.write_all()
    return count, last_id
