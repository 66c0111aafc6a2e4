"""Texts and items that have the XXH3 of a victim's, without its words.

A digest decides alone where texts are short, and where items are judged. XXH3 sums its parts up, so
anyone finds letters for four places of an own text, such that its hash is that of another one: it
takes a minute (a generalised birthday problem; Wagner, CRYPTO 2002).
"""

from __future__ import annotations

from pathlib import Path

from xxhash import xxh3_64_digest, xxh3_128_digest

from dedup import Config, Verdict, make_fingerprinter, make_index, open_store
from dedup.items import Naming
from dedup.page.document import TEXT_DIGEST

VICTIM = (
    "the harbour opens its gates to visitors on the first day of may the ferry leaves from the "
    "northern pier"
)
BAIT = (
    "lamps candles blankets lanterns hammocks kettles matches paraffin cushions qfqthllas "
    "raincodfztailskins anctcqfimooring caniesrbarometers compasses telescopes spyglasses "
    "binoculars notebooks postcards souvenirs chocolate marmalade gingerbread peppermint liquorice "
    "rhubarb lemonade elderflower blackcurrant gooseberrberry"
)
ITEM = {"title": "The harbour opens its gates to visitors", "url": "https://victim.example/news/1"}
BAIT_ITEM = {
    "text": "we sell lamps, ropes agxcodndles for bewgjband barns, and if you ask udozwa more you "
    "gzstwh at a good price, post free ...."
}


def test_a_short_page_is_not_dropped_for_a_text_with_its_xxh3() -> None:
    bait, victim = (xxh3_128_digest(text.encode())[:TEXT_DIGEST] for text in (BAIT, VICTIM))
    assert bait == victim
    config = Config(store="memory:")
    fingerprinter = make_fingerprinter(config)
    index = make_index(config, open_store(config, Path(), any_seed=True))
    page = fingerprinter.of_text(BAIT)
    assert not page.value  # Too short for a fingerprint.
    index.commit(index.check("http://evil.example/", b"1" * 20, page))
    claim = index.check("http://a.example/", b"2" * 20, fingerprinter.of_text(VICTIM))
    assert claim.verdict is Verdict.NEW


def test_an_item_has_not_the_identity_of_another_with_its_xxh3() -> None:
    told = f"title\x1d{ITEM['title'].lower()}\x1e\x1d{ITEM['url']}"
    assert xxh3_64_digest(f"text\x1d{BAIT_ITEM['text']}".encode()) == xxh3_64_digest(told.encode())
    bait = Naming().identify(BAIT_ITEM, "https://evil.example/")
    victim = Naming().identify(ITEM, "https://victim.example/")
    assert bait is not None
    assert victim is not None
    assert bait.digest != victim.digest
