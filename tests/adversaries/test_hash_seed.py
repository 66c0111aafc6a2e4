"""With a seed, hashes cannot be chosen by who does not know it; without, nothing changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import Neardup

from crawler.demo.texts import load_texts
from dedup import Config, make_fingerprinter
from dedup.assembly import close_store, make_header, open_store
from dedup.review.report import list_settings
from dedup.schemes import make_scheme
from dedup.store import StoreMismatchError

SEEDED = ("combined", "simhash", "shingles", "minhash", "projection")
BY_RARITY = ("simhash:weights=idf", "simhash:bits=128", "simhash:shingle=2")
FERRY = load_texts()["ferry"].plain
SECRET = "9182736450"
SEED_GIVEN = [
    {"hash_seed": int(SECRET)},
    {"scheme": f"combined:seed={SECRET},keys=32"},
    {"scheme": f"combined: keys=32, seed = {SECRET}"},
]


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


@pytest.mark.parametrize("value", ["-15", "1234567890123x", str(2**64)])
def test_a_bad_seed_is_an_error_that_hides_it(value: str) -> None:
    with pytest.raises(ValueError, match=r"NEARDUP_HASH_SEED must be .*; got set") as told:
        Config.from_settings({"NEARDUP_HASH_SEED": value})
    assert value not in str(told.value)
    with pytest.raises(ValueError, match=r"seed must be .*; got set") as told:
        Config.from_settings({"NEARDUP_SCHEME": f"simhash:seed={value}"})
    assert value not in str(told.value)


def test_a_scheme_without_seeded_hashes_says_so() -> None:
    with pytest.raises(ValueError, match=r"NEARDUP_HASH_SEED = set.*scheme exact has no option"):
        Config(scheme="exact", hash_seed=7)
    assert make_scheme("simhash:seed=7").options()["seed"] == 7


# Who reads a terminal, a log or a report does not learn the seed


def check_hidden(told: str) -> None:
    assert SECRET not in told
    assert "set" in told


@pytest.mark.parametrize("options", SEED_GIVEN)
def test_stats_tell_no_more_than_that_there_is_a_seed(
    options: dict[str, Any], tmp_path: Path, neardup: Neardup
) -> None:
    config = Config(store=f"leveldb:{tmp_path / 'store'}", **options)
    open_store(config, tmp_path)
    close_store(config, tmp_path)
    given = [f"NEARDUP_{name.upper()}={getattr(config, name)}" for name in (*options, "store")]
    for form in ((), ("--json",)):
        code, out, err = neardup("stats", *form, *(word for one in given for word in ("-s", one)))
        assert (code, err) == (0, "")
        check_hidden(out)


@pytest.mark.parametrize(
    ("other", "said"), [({}, "none"), ({"hash_seed": 7}, "another"), ({"hash_seed": 12}, "another")]
)
def test_a_store_of_another_seed_is_told_without_either(
    other: dict[str, Any], said: str, tmp_path: Path
) -> None:
    store = f"leveldb:{tmp_path / 'store'}"
    seeded = Config(store=store, hash_seed=int(SECRET))
    open_store(seeded, tmp_path)
    close_store(seeded, tmp_path)
    with pytest.raises(StoreMismatchError) as error:
        open_store(Config(store=store, **other), tmp_path)
    assert f"made with seed = set and the settings say {said};" in str(error.value)


@pytest.mark.parametrize("options", SEED_GIVEN)
def test_a_report_lists_settings_without_the_seed(options: dict[str, Any]) -> None:
    settings = list_settings(Config(**options))
    check_hidden("\n".join(setting.value for setting in settings if not setting.default))
    assert all(SECRET not in setting.value for setting in settings)


@pytest.mark.parametrize("options", SEED_GIVEN)
def test_a_bad_scheme_is_told_without_the_seed(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="distance must be") as error:
        Config(**options, distance=99)
    check_hidden(str(error.value))


def test_a_seed_given_twice_is_told_without_either() -> None:
    with pytest.raises(ValueError, match="seed is given twice") as error:
        Config(scheme=f"combined:seed={SECRET}", hash_seed=77)
    check_hidden(str(error.value))
    assert "77" not in str(error.value)


def test_an_evaluation_names_its_scheme_without_the_seed(tmp_path: Path, neardup: Neardup) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.txt").write_text(FERRY)
    given = ("-s", f"NEARDUP_HASH_SEED={SECRET}")
    code, out, err = neardup("evaluate", str(tmp_path), "--json", *given)
    assert (code, SECRET in out + err) == (0, False)
    assert '"combined:seed=set"' in out
