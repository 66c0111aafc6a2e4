"""Giving disk space back: what was replaced or removed leaves the files of a LevelDB.

LevelDB drops the old values of a key when it merges a file with the level below. Compacting a range
leaves the deepest level as it is, and a buffer written out where nothing lies below goes straight
to level 2 with all the values it ever held. So the buffer is written out first, and then a file
that spans all keys is added above, which draws all others into a merge.
"""

from __future__ import annotations

from typing import Any

LOWEST, HIGHEST = b"\x00", b"\xff"  # around every key of a store


def compact(db: Any) -> None:
    """Rewrite a database without what is no longer in it.

    Takes about as long as writing all of it anew, and as much disk again while it lasts.

    Args:
        db: the plyvel database.
    """
    db.compact_range(start=LOWEST, stop=LOWEST)  # holds no key: the buffer is written, no more
    for edge in (LOWEST, HIGHEST):
        db.put(edge, b"")
        db.delete(edge)
    db.compact_range(start=LOWEST, stop=HIGHEST)  # plyvel takes no bounds for an empty range
