"""With a seed, hashes cannot be chosen by who does not know it; without, nothing changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from crawler.demo.texts import load_texts
from dedup import Config, make_fingerprinter
from dedup.assembly import close_store, make_header, open_store
from dedup.schemes import make_scheme
from dedup.store import StoreMismatchError

SEEDED = ("combined", "simhash", "shingles", "minhash", "projection")
BY_RARITY = ("simhash:weights=idf", "simhash:bits=128", "simhash:shingle=2")
FERRY = load_texts()["ferry"].plain


@pytest.mark.parametrize("scheme", [*SEEDED, *BY_RARITY])
def test_a_seed_changes_every_fingerprint(scheme: str) -> None:
    values = {
        make_fingerprinter(Config(scheme=scheme, hash_seed=seed)).of_text(FERRY).value
        for seed in (None, 0, 1, 2**64 - 1)
    }
    assert len(values) == 3


@pytest.mark.parametrize("scheme", SEEDED)
def test_pages_are_as_alike_under_any_seed(scheme: str) -> None:
    seeded = make_fingerprinter(Config(scheme=scheme, hash_seed=7))
    one, other = (seeded.of_text(text).value for text in (FERRY, f"{FERRY} The end."))
    comparison = seeded.scheme.compare(one, other)
    assert seeded.scheme.accepts(comparison, same_host=False)


def test_a_store_says_its_seed_and_opens_with_no_other(tmp_path: Path) -> None:
    store = f"leveldb:{tmp_path / 'store'}"
    seeded, plain = Config(store=store, hash_seed=7), Config(store=store)
    open_store(seeded, tmp_path)
    close_store(seeded, tmp_path)
    with pytest.raises(StoreMismatchError, match="seed"):
        open_store(plain, tmp_path)
    open_store(seeded, tmp_path)
    close_store(seeded, tmp_path)


def test_no_seed_goes_unsaid_so_that_older_stores_still_open() -> None:
    assert "seed" not in make_header(Config()).fingerprint
    assert make_header(Config(hash_seed=0)) == make_header(Config())
    assert make_header(Config(hash_seed=7)).fingerprint["seed"] == "7"


@pytest.mark.parametrize("value", ["-1", "tea", str(2**64)])
def test_a_bad_seed_is_named(value: str) -> None:
    with pytest.raises(ValueError, match=rf"NEARDUP_HASH_SEED must be .*; got '{value}'"):
        Config.from_settings({"NEARDUP_HASH_SEED": value})


def test_a_scheme_without_seeded_hashes_says_so() -> None:
    with pytest.raises(ValueError, match=r"NEARDUP_HASH_SEED = 7.*scheme exact has no option"):
        Config(scheme="exact", hash_seed=7)
    assert make_scheme("simhash:seed=7").options()["seed"] == 7
