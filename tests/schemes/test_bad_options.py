"""What an option of a scheme may be, alone and beside the others, and what is said of any other."""

from __future__ import annotations

from typing import Any

import pytest

from dedup.schemes import SCHEMES, find_scheme, make_scheme
from dedup.schemes.options import SEED, rules

NAMES = sorted(SCHEMES)
WITH_IDF = [name for name in NAMES if "idf" in rules(find_scheme(name))]


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("exact", {"hash": "sha1"}, "hash must be one of sha256, md5; got 'sha1'"),
        ("segments", {"segments": 1}, "segments must be a whole number from 2 to 64; got 1"),
        ("segments", {"segments": 5, "shared": 6}, "shared must be at most segments = 5; got 6"),
        ("sentences", {"sentences": 0}, "sentences must be a whole number from 1 to 64; got 0"),
        ("sentences", {"shared": 9}, "shared must be at most sentences = 8; got 9"),
        (
            "tianwang-abstract",
            {"octets": 8},
            "octets must be a whole number from 16 to 65536; got 8",
        ),
        (
            "tianwang-ordered",
            {"keywords": 0},
            "keywords must be a whole number from 1 to 1000; got 0",
        ),
        (
            "tianwang-sorted-weighted",
            {"difference": 0},
            "difference must be a number from 0.0001 to 1; got 0",
        ),
        ("feature-string", {"stop": 1}, "stop must be a number from 0 to 0.99; got 1"),
        ("idf-features", {"kept": 1.1}, "kept must be a number from 0.05 to 1; got 1.1"),
        ("i-match", {"lexicons": 65}, "lexicons must be a whole number from 0 to 64; got 65"),
        ("i-match", {"low": 0.4, "high": 0.3}, "low must be at most high = 0.3; got 0.4"),
        ("text-profile", {"quantum": 0}, "quantum must be a number from 0.0001 to 1; got 0"),
        (
            "simhash",
            {"shingle": 2, "weights": "idf"},
            "weights must be log, count or set with shingle = 2; got 'idf'",
        ),
        ("projection", {"distance": -1}, "distance must be a whole number from 0 to 127; got -1"),
        ("projection", {"distance": 48}, "distance must be at most 47 of 384 bits; got 48"),
        ("projection", {"vectors": "x"}, "vectors must be one of signs, gaussian; got 'x'"),
        (
            "projection",
            {"bits": 100},
            "bits must be one of 384, 64, 128, 192, 256, 512, 768, 1024; got 100",
        ),
        ("minhash", {"bands": 0}, "bands must be a whole number from 1 to 256; got 0"),
        ("minhash", {"rows": 40}, "rows must be at most 32 with 32 bands; got 40"),
        ("minhash", {"bits": 3}, "bits must be one of 8, 1, 2, 4, 16, 32; got 3"),
        (
            "shingles",
            {"sampling": "x"},
            "sampling must be one of heintze, bharat, broder, fetterly; got 'x'",
        ),
        ("shingles", {"modulus": 0}, "modulus must be a whole number from 1 to 1000; got 0"),
        ("shingles", {"minima": 80}, "minima must be a multiple of supers = 6; got 80"),
        ("shingles", {"agree": 7}, "agree must be at most supers = 6; got 7"),
        ("paragraphs", {"radius": 16}, "radius must be a whole number from 0 to 15; got 16"),
        ("paragraphs", {"distance": 49}, "distance must be a whole number from 0 to 48; got 49"),
        (
            "paragraphs",
            {"min_containment": 2},
            "min_containment must be a number from 0.05 to 1; got 2",
        ),
    ],
)
def test_a_bad_option_is_an_error_that_names_scheme_option_value_and_range(
    name: str, options: dict[str, Any], says: str
) -> None:
    with pytest.raises(ValueError, match="scheme") as error:
        find_scheme(name)(**options)
    assert str(error.value) == f"scheme {name}: {says}"


@pytest.mark.parametrize("name", WITH_IDF)
def test_a_model_that_is_not_there_is_an_error_of_the_option(name: str) -> None:
    message = rf"scheme {name}: idf must be builtin or .*'none\.gz'"
    with pytest.raises(ValueError, match=message):
        find_scheme(name)(idf="none.gz")  # type: ignore[call-arg]


@pytest.mark.parametrize("name", NAMES)
def test_each_option_refuses_what_is_out_of_its_range(name: str) -> None:
    for option in rules(find_scheme(name)):
        with pytest.raises(ValueError, match=f"scheme {name}: {option} must be ") as error:
            make_scheme(f"{name}:{option}=-1e9")
        shown = "set (a hidden value)" if option == SEED else "'-1e9'"
        assert f"got {shown}" in str(error.value)
