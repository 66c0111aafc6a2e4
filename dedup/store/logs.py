"""Find the first damage in LevelDB's log files.

A log consists of blocks of 32 KiB. Each block contains fragments of batches, one after the other
(LevelDB, doc/log_format.md):

    checksum    4 bytes, CRC-32C of the type and the data, masked
    length      2 bytes, of the data
    type        1 byte: 1 a whole batch, 2 the first, 3 a middle, 4 the last fragment of one
    data

LevelDB's repair uses the data in a log without checking the checksums. So a log is cut before the
first damaged batch. LevelDB then treats its end like the end of a log after a power cut.
"""

from __future__ import annotations

import struct
from pathlib import Path

BLOCK = 32 * 1024
_HEAD = struct.Struct("<IHB")
_WHOLE, _FIRST, _MIDDLE, _LAST = 1, 2, 3, 4
_POLYNOMIAL = 0x82F63B78
_MASK_DELTA = 0xA282EAD8


def _crc_table() -> tuple[int, ...]:
    entries = []
    for number in range(256):
        entry = number
        for _ in range(8):
            entry = entry >> 1 ^ (_POLYNOMIAL if entry & 1 else 0)
        entries.append(entry)
    return tuple(entries)


_TABLE = _crc_table()


def find_logs(folder: Path) -> list[Path]:
    """The logs in the folder of a database, the oldest first.

    Their names are numbers, padded to six digits and longer from the millionth file on.
    """
    return sorted(folder.glob("*.log"), key=lambda log: (len(log.name), log.name))


def cut_at_damage(log: Path, keep_in: Path) -> bool:
    """Cut a log before its first damage; returns whether there was any.

    The original file goes into the folder ``keep_in``, which is made if it is missing. A new file
    takes its place, so that hard links to the original do not change.
    """
    data = log.read_bytes()
    sound = sound_length(data)
    if sound == len(data):
        return False
    keep_in.mkdir(exist_ok=True)
    log.replace(keep_in / f"{log.name}.damaged")
    log.write_bytes(data[:sound])
    return True


def sound_length(data: bytes) -> int:
    """How many bytes of a log contain complete, undamaged batches."""
    place = sound = 0
    inside = False  # Inside a batch of several fragments.
    while place < len(data):
        left = BLOCK - place % BLOCK
        if left < _HEAD.size:  # Padding of zeros.
            place = min(place + left, len(data))
            sound = sound if inside else place
            continue
        if place + _HEAD.size > len(data):
            break
        checksum, length, kind = _HEAD.unpack_from(data, place)
        end = place + _HEAD.size + length
        if end > len(data) or _HEAD.size + length > left or inside != (kind in (_MIDDLE, _LAST)):
            break
        if kind not in (_WHOLE, _FIRST, _MIDDLE, _LAST):
            break
        if checksum != _masked_crc(data[end - length - 1 : end]):
            break
        inside = kind in (_FIRST, _MIDDLE)
        place = end
        if not inside:
            sound = end
    return sound


def _masked_crc(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ _TABLE[(crc ^ byte) & 0xFF]
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + _MASK_DELTA) & 0xFFFFFFFF
