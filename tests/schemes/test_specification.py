"""Schemes by name and options, in one spelling."""

import pytest

from dedup.schemes import Combined, SimHash, make_scheme, specify
from dedup.schemes.literature.minhash import MinHash


def test_a_name_alone_is_the_scheme_with_its_defaults() -> None:
    assert make_scheme("simhash") == SimHash()
    assert make_scheme(" combined ") == Combined()


def test_options_follow_the_name() -> None:
    assert make_scheme("simhash:bits=128,distance=7") == SimHash(128, 7)
    assert make_scheme("simhash: bits = 128 , distance = 7,") == SimHash(128, 7)


def test_options_may_be_given_beside_the_specification() -> None:
    assert make_scheme("simhash:bits=128", distance=7) == SimHash(128, 7)
    assert make_scheme("simhash", distance=None) == SimHash()


@pytest.mark.parametrize(
    ("specification", "says"),
    [
        ("simhsah", "there is no scheme 'simhsah'; did you mean 'simhash'?"),
        ("zzz", "there is no scheme 'zzz'; there are combined, "),
        ("", "there is no scheme ''"),
        ("simhash:bit=64", "scheme simhash has no option 'bit'; did you mean 'bits'?"),
        ("simhash:zz=64", "scheme simhash has no option 'zz'; there are idf, bits, distance"),
        ("simhash:bits", "scheme simhash: an option is OPTION=VALUE; got 'bits'"),
        ("simhash:bits=64,bits=64", "scheme simhash: bits is given twice"),
        ("simhash:bits=65", "scheme simhash: bits must be one of 64, 128; got '65'"),
        ("simhash:distance=16", "distance must be a whole number from 0 to 15; got '16'"),
        ("simhash:distance=x", "distance must be a whole number from 0 to 15; got 'x'"),
        ("minhash:min_similarity=2", "min_similarity must be a number from 0.05 to 1; got '2'"),
        ("minhash:min_similarity=nan", "min_similarity must be a number from 0.05 to 1"),
        ("combined:min_similarity=0.2", "scheme combined has no option 'min_similarity'"),
        ("combined:keys=20,sketch=10", "keys must be at most sketch = 10; got 20"),
    ],
)
def test_a_bad_specification_is_refused_in_one_line(specification: str, says: str) -> None:
    with pytest.raises(ValueError, match="scheme") as error:
        make_scheme(specification)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_an_option_given_in_both_places_is_refused() -> None:
    with pytest.raises(ValueError, match="distance is given twice: 2, 3"):
        make_scheme("simhash:distance=2", distance=3)


def test_an_option_given_equally_in_both_places_is_fine() -> None:
    assert make_scheme("simhash:distance=3", distance=3) == SimHash()


def test_a_specification_names_only_what_is_not_the_default() -> None:
    assert specify(SimHash()) == "simhash"
    assert specify(SimHash(128, 7)) == "simhash:bits=128,distance=7"
    assert make_scheme(specify(SimHash(128, 7))) == SimHash(128, 7)


def test_options_are_of_their_type_however_they_were_given() -> None:
    assert make_scheme("simhash:bits=128").options()["bits"] == 128
    assert MinHash(min_similarity="0.5").min_similarity == 0.5  # type: ignore[arg-type]
