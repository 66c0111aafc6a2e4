"""The rarity of words: inverse document frequencies from a fixed model.

Counts from the running crawl are not used, so a fingerprint does not depend on the time of the
crawl. The model ``builtin`` joins two tables without common words: for Chinese the table of jieba
(``jieba/analyse/idf.txt`` of the installed package, natural logarithms over 1,088,899 documents),
for English the table in ``models/``. Any other model is a file made by ``scrapy neardup
build-idf``.

Weights are normalised: nidf = ln(N / df) / ln(N). It is 0 for a word in all N documents and 1 for a
word in one document (Chowdhury et al., TOIS 2002, also scale to 0..1). A word that is not in the
model weighs 1, like the rarest words.

    table file -> words, nidf -> sorted word hashes, weights (one array each) -> Idf.weights
"""

from __future__ import annotations

import gzip
import json
import math
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import distribution
from itertools import chain
from pathlib import Path

import numpy as np
import numpy.typing as npt
from xxhash import xxh3_64, xxh3_64_intdigest

from dedup.native.portable.hashes import Hashes
from dedup.schemes.hashing import token_hashes
from dedup.schemes.interface import UNREADABLE

BUILTIN = "builtin"
FORMAT = "neardup-idf/1"
UNKNOWN = 1.0  # The nidf of a word that is not in the model.
UNIT = 65536.0  # Weights are rounded to 1/UNIT, to be the same with each machine's logarithm.

_ENGLISH = Path(__file__).with_name("models") / "english.idf.gz"

Weights = npt.NDArray[np.float64]
Table = tuple[list[bytes], Weights]  # Words, as UTF-8, and their nidf; one entry per word.


@dataclass(frozen=True, slots=True)
class Idf:
    """A model, ready for look-ups."""

    version: str  # A digest of the content, equal for models with equal weights.
    _hashes: Hashes
    _weights: Weights

    def weights(self, words: Iterable[str]) -> Weights:
        """Look up normalised tokens: their nidf, 0 to 1, in the same order; shape (n,)."""
        wanted = token_hashes(words)
        places = np.minimum(np.searchsorted(self._hashes, wanted), len(self._hashes) - 1)
        return np.where(self._hashes[places] == wanted, self._weights[places], UNKNOWN)


@cache
def load_idf(name: str) -> Idf:
    """Load ``builtin``, or a file made by ``scrapy neardup build-idf``, once per process.

    Raises ValueError if the file does not exist or is not a model.
    """
    if name == BUILTIN:
        return _join(name, _read_jieba(), read_table(_ENGLISH))
    return _join("file", read_table(Path(name)))


def read_table(path: Path) -> Table:
    """Read a table file: a line of JSON about it, then one line per count, with all its words.

    Raises ValueError if the file cannot be read, or is not a table.
    """
    way_out = "`scrapy neardup build-idf` makes one"
    try:
        return _parse(gzip.decompress(path.read_bytes()))
    except FileNotFoundError:
        raise ValueError(f"there is no idf model {path}; {way_out}") from None
    except (OSError, EOFError, zlib.error, *UNREADABLE) as error:
        raise ValueError(f"{path} is no idf model of format {FORMAT}; {way_out}") from error


def _parse(content: bytes) -> Table:
    head, *lines = content.splitlines()
    about = json.loads(head)
    documents = int(about["documents"])
    rows = [line.split() for line in lines]
    counts = np.repeat([int(row[0]) for row in rows], [len(row) - 1 for row in rows])
    if about["format"] != FORMAT or documents < 2 or not 1 <= counts.min() <= counts.max():
        raise ValueError
    words = [word for row in rows for word in row[1:]]
    return words, np.log(documents / np.minimum(counts, documents)) / math.log(documents)


def _read_jieba() -> Table:
    """Read jieba's table: a word and its idf per line; the largest idf means one document."""
    path = Path(str(distribution("jieba").locate_file("jieba/analyse/idf.txt")))
    fields = path.read_bytes().split()
    idf = np.array(fields[1::2], dtype=np.bytes_).astype(np.float64)
    return fields[::2], idf / idf.max()


def _join(name: str, *tables: Table) -> Idf:
    words, nidf = zip(*tables, strict=True)
    hashes = np.fromiter(map(xxh3_64_intdigest, chain.from_iterable(words)), dtype=np.uint64)
    weights = np.round(np.concatenate(nidf) * UNIT) / UNIT
    order = np.argsort(hashes)
    hashes, weights = hashes[order], weights[order]
    digest = xxh3_64(hashes.astype("<u8").tobytes())
    digest.update(weights.astype("<f8").tobytes())
    return Idf(f"{name}/{digest.hexdigest()}", hashes, weights)
