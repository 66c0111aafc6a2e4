"""``scrapy neardup schemes``: every scheme with its options."""

from __future__ import annotations

import json

import pytest
from conftest import Neardup

from dedup.schemes import SCHEMES, Combined
from dedup.schemes.options import rules


def test_every_scheme_is_listed_with_its_options(neardup: Neardup) -> None:
    code, out, _ = neardup("schemes")
    assert code == 0
    for name in SCHEMES:
        assert f" {name} " in out
    assert "bits=64, distance=3" in out


def test_elsewhere_than_on_a_terminal_no_name_is_broken(neardup: Neardup) -> None:
    _, out, _ = neardup("schemes")
    assert "min_similarity=0.6, min_similarity_same_host=0.9" in out
    assert "``" not in out


def test_what_a_scheme_is_reads_as_paragraphs(neardup: Neardup) -> None:
    _, out, _ = neardup("schemes", "shingles")
    assert "    min_similarity: heintze, bharat: least resemblance at which pages are" in out
    weakness = out[out.index("Known weakness") : out.index("Super-shingles are not verified")]
    assert all(len(line) > 60 for line in weakness.rstrip().split("\n")[:-1])


def test_one_scheme_is_explained(neardup: Neardup) -> None:
    code, out, _ = neardup("schemes", "minhash")
    assert code == 0
    assert "least resemblance at which pages of different hosts are duplicates" in out
    assert "a number from 0.05 to 1" in out


def test_as_json_an_option_says_what_it_may_be_and_what_it_acts_on(neardup: Neardup) -> None:
    _, out, _ = neardup("schemes", "combined", "--json")
    described = json.loads(out)
    assert described["options"]["distance"] == {
        "default": Combined().distance,
        "allowed": "a whole number from 0 to 7",
        "acts_on": "verdicts",
    }
    assert described["options"]["shingle"]["acts_on"] == "fingerprints"
    _, out, _ = neardup("schemes", "--json")
    assert [scheme["scheme"] for scheme in json.loads(out)] == list(SCHEMES)


@pytest.mark.parametrize("arguments", [(), ("combined",)])
def test_names_are_whole_on_a_narrow_terminal(
    neardup: Neardup, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    for name, value in (("TTY_COMPATIBLE", "1"), ("TERM", "dumb"), ("COLUMNS", "80")):
        monkeypatch.setenv(name, value)
    _, out, _ = neardup("schemes", *arguments)
    for name in rules(Combined) if arguments else SCHEMES:
        assert f" {name} " in out
    assert "\N{HORIZONTAL ELLIPSIS}" not in out
    assert max(map(len, out.splitlines())) <= 80
