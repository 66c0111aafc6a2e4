"""A small idf model with round figures, for worked examples.

Of 1,000 documents: nidf is 0 for "the", 1/3 for "tea", "harbour" and "ferry", 2/3 for "quay" and
"heron", 1 for "skarne" and for every word not named here.
"""

from pathlib import Path

from dedup.schemes.document_frequencies import write_table

COUNTS = {
    "the": 1000,
    "ferry": 100,
    "harbour": 100,
    "tea": 100,
    "heron": 10,
    "quay": 10,
    "skarne": 1,
}


def write_small_model(folder: Path) -> str:
    """Write the model; returns its path, as the option ``idf`` takes it."""
    path = folder / "small.idf.gz"
    write_table(path, COUNTS, 1000, "worked examples", "2026-01-01")
    return str(path)
