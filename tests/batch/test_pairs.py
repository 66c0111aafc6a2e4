"""Two pages compared as a batch compares them: both ways, by their fingerprints."""

from __future__ import annotations

from typing import Any

import pytest
from crawling import text

from dedup.assembly import make_fingerprinter
from dedup.config import Config
from dedup.verdict import Relation

pytest.importorskip("pyarrow", reason="in this repository: make spark")

from dedup.batch.pairs import PAIRS, PairJudge, judge_rows, record_of

CONFIG = Config()
SHORT, LONG = text("tides"), f"{text('tides')}\n{text('rain')}"


def row(rep: int, words: str, title: str = "Tides") -> dict[str, Any]:
    """A group of equal pages, of a host of its own."""
    made = make_fingerprinter(CONFIG).of_text(words, title)
    told = {"tokens": made.tokens, "digest": made.digest, "fingerprint": made.value}
    return {"rep": rep, "url": f"http://h{rep}.example/", **told}


def test_a_page_that_holds_another_grew_and_the_other_is_contained_in_it() -> None:
    judge = PairJudge(CONFIG)
    pair = judge.judge(record_of(row(1, SHORT)), record_of(row(2, LONG)))
    assert pair is not None
    assert (pair.forth.relation, pair.back.relation) == (Relation.GROWN, Relation.CONTAINED)
    assert (judge.drops(pair.forth), judge.drops(pair.back)) == (False, True)
    assert pair.forth.new == pytest.approx(0.5, abs=0.1)
    assert pair.back.new < 0.1


def test_an_edited_copy_on_one_site_is_a_variant_only_if_the_text_is_brief() -> None:
    relations = []
    for whole in (LONG, " ".join(LONG.split()[:60])):
        words = whole.split()
        tenth = len(words) // 10
        edited = [*words[:20], *text("snow").split()[:tenth], *words[20 + tenth :]]
        one, other = row(1, whole), row(2, " ".join(edited))
        other["url"] = one["url"] + "2"
        pair = PairJudge(CONFIG).judge(record_of(one), record_of(other))
        assert pair is not None
        relations.append(pair.forth.relation)
    assert relations == [Relation.EDITED, Relation.VARIANT]


def test_pages_that_have_nothing_in_common_are_no_pair() -> None:
    judge = PairJudge(CONFIG)
    assert judge.judge(record_of(row(1, SHORT)), record_of(row(2, text("rain")))) is None


@pytest.mark.parametrize(
    ("drop", "accepted"), [("contained", (False, True)), ("grown", (True, False))]
)
def test_the_relations_that_are_dropped_are_accepted(
    drop: str, accepted: tuple[bool, bool]
) -> None:
    (made,) = judged(Config(drop=frozenset((Relation(drop),))), row(1, SHORT), row(2, LONG))
    assert (made["accepted"], made["back_accepted"]) == accepted


def test_a_row_has_the_relation_and_what_is_new_both_ways() -> None:
    (made,) = judged(CONFIG, row(1, SHORT), row(2, LONG))
    assert (made["one"], made["other"]) == (1, 2)
    assert (made["relation"], made["back_relation"]) == ("grown", "contained")
    assert made["new"] > made["back_new"] == pytest.approx(0, abs=0.1)


def test_a_row_of_pages_that_are_no_pair_is_accepted_neither_way() -> None:
    (made,) = judged(CONFIG, row(1, SHORT), row(2, text("rain")))
    assert (made["accepted"], made["back_accepted"], made["always"]) == (False, False, False)
    assert (made["relation"], made["back_relation"]) == (None, None)


def judged(config: Config, one: dict[str, Any], other: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of pairs that are made of rows of two groups."""
    from dedup.batch.session import in_batches

    both = {f"a_{name}": value for name, value in one.items()}
    both |= {f"b_{name}": value for name, value in other.items()}
    made = judge_rows(config, iter([both | {"light": False}]))
    return [row for batch in in_batches(made, PAIRS) for row in batch.to_pylist()]
