"""Items of a page: their identity, and their facts that the page may not show."""

from dedup.items.entries import digest_url, names_page
from dedup.items.facts import Facts, carried_by, digest_facts
from dedup.items.identity import Identity, Naming
from dedup.items.names import CHANGING, FACTS
from dedup.items.samples import Sample, changed_fields, pack_samples
from dedup.items.values import UnreadableError, only_value, reading

__all__ = [
    "CHANGING",
    "FACTS",
    "Facts",
    "Identity",
    "Naming",
    "Sample",
    "UnreadableError",
    "carried_by",
    "changed_fields",
    "digest_facts",
    "digest_url",
    "names_page",
    "only_value",
    "pack_samples",
    "reading",
]
