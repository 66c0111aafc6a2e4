"""A page whose body has the hash of a victim's body, made by someone who knows the code.

A body that equals a recent one is not read again. What tells whether it does must not be computable
for a stranger: his page would be read in the place of the victim's.
"""

from __future__ import annotations

import pytest
import xxhash
from colliding import BLOCK, STRIPE, collide
from conftest import Crawler
from crawling import OneAfterAnother, Reply, Web, article

HTML, PLAIN = "text/html; charset=utf-8", "text/plain; charset=utf-8"


def make_bait(body: bytes, victim: bytes, before: bytes) -> bytes:
    """A page of the victim's length that has its hash, with some octets hashed before both."""
    start = body + b"<!--"
    size = len(before) + len(victim)
    free = (size - 1) // BLOCK * BLOCK + STRIPE
    forged = (before + start).ljust(size - 3, b" ") + b"-->"
    forged = collide(forged, free, before + victim)
    assert xxhash.xxh3_128_digest(forged) == xxhash.xxh3_128_digest(before + victim)
    return forged.removeprefix(before)


@pytest.mark.parametrize(
    ("kind", "content_type"), [(b"page", HTML), (b"utf-8", PLAIN)], ids=["page", "plain text"]
)
def test_a_body_with_the_hash_of_the_victims_is_not_read_in_its_place(
    crawl: Crawler, web: Web, kind: bytes, content_type: str
) -> None:
    before = b"%b %b\n" % (kind, content_type.encode())
    victim = article("victim", words=900).encode()
    victim += b" " * (BLOCK - (len(before) + len(victim)) % BLOCK + BLOCK // 2)
    bait = make_bait(article("bait", words=300).encode(), victim, before)
    web.pages = {"/bait": Reply(bait, content_type), "/victim": Reply(victim, content_type)}
    urls = [web.url("/bait", host="localhost"), web.url("/victim")]
    done = crawl(OneAfterAnother, urls=urls, NEARDUP_INLINE_BODY=500_000)
    assert done.urls == sorted(urls)
