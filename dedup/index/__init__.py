"""Find the page that another page repeats: claims, pages in flight, and the rules over a store."""

from dedup.index.claims import Claim, Match, RemoteClaim, State, Verdict
from dedup.index.given import GivenItems, ItemClaim
from dedup.index.judge import SAME_ITEM, Judge, Kinship
from dedup.index.lists import listing_of
from dedup.index.plain_urls import Plain
from dedup.index.reservations import LocalReservations
from dedup.index.rules import Index
from dedup.index.shared import SharedIndex, Watch
from dedup.index.shared_reservations import SharedReservations
from dedup.index.words import have_equal_texts, index_spaces, words_reader

__all__ = [
    "SAME_ITEM",
    "Claim",
    "GivenItems",
    "Index",
    "ItemClaim",
    "Judge",
    "Kinship",
    "LocalReservations",
    "Match",
    "Plain",
    "RemoteClaim",
    "SharedIndex",
    "SharedReservations",
    "State",
    "Verdict",
    "Watch",
    "have_equal_texts",
    "index_spaces",
    "listing_of",
    "words_reader",
]
