"""Items of a page: what tells one from others, and what it brought along from another page."""

from dedup.items.carried import Carried
from dedup.items.identity import DIGEST_BYTES, Identity, Naming

__all__ = ["DIGEST_BYTES", "Carried", "Identity", "Naming"]
