"""Judgements: on disk at once, the last one holds, and none lands on another page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_logs import write_log
from reviewing import entry, read_log

from dedup.review.judgements import Judgements, beside


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write_log(tmp_path / "site.jsonl", map(entry, range(3)))


def test_a_judgement_is_in_the_file_beside_the_log_at_once(log: Path) -> None:
    drop = read_log(log)[1]
    Judgements([log]).judge(drop, "wrong")
    [line] = (log.parent / "site.jsonl.judgements.jsonl").read_text().splitlines()
    stored = json.loads(line)
    assert (stored["log"], stored["offset"]) == ("site.jsonl", drop.offset)
    assert (stored["url"], stored["of"]) == (drop.url, drop.of)
    assert stored["verdict"] == "wrong"


def test_the_last_judgement_of_a_record_holds_after_a_restart(log: Path) -> None:
    first, second, third = read_log(log)
    judgements = Judgements([log])
    judgements.judge(first, "wrong")
    judgements.judge(first, "right")
    judgements.judge(second, "unsure")
    judgements.judge(second, None)
    for kept in (judgements, Judgements([log])):
        assert [kept.of(drop) for drop in (first, second, third)] == ["right", None, None]
        assert len(kept) == 1


def test_each_log_has_a_file_of_its_own(log: Path, tmp_path: Path) -> None:
    other = write_log(tmp_path / "other.jsonl", [entry(7)])
    judgements = Judgements([log, other])
    for drop in (read_log(log)[0], *read_log(other)):
        judgements.judge(drop, "right")
    assert len(beside(log).read_text().splitlines()) == 1
    assert len(beside(other).read_text().splitlines()) == 1
    assert len(Judgements([log, other])) == 2


def test_one_file_can_hold_the_judgements_of_several_logs(log: Path, tmp_path: Path) -> None:
    other = write_log(tmp_path / "other.jsonl", [entry(7)])
    file = tmp_path / "mine.jsonl"
    judgements = Judgements([log, other], file)
    for drop in read_log(log, other):
        judgements.judge(drop, "right")
    assert not beside(log).exists()
    assert len(Judgements([log, other], file)) == 4


def write_namesake(log: Path) -> Path:
    """The same log in another folder."""
    folder = log.parent / "other"
    folder.mkdir()
    return write_log(folder / log.name, map(entry, range(3)))


def test_judgements_of_logs_of_one_name_stay_apart(log: Path) -> None:
    other = write_namesake(log)
    one, another = read_log(log, other)[::3]
    judgements = Judgements([log, other])
    judgements.judge(one, "wrong")
    judgements.judge(another, "right")
    for kept in (judgements, Judgements([log, other])):
        assert (kept.of(one), kept.of(another)) == ("wrong", "right")
        assert len(kept) == 2


def test_one_file_of_judgements_for_two_logs_of_one_name_is_refused(
    log: Path, tmp_path: Path
) -> None:
    other = write_namesake(log)
    with pytest.raises(ValueError, match=r"site\.jsonl.*of one name") as error:
        Judgements([log, other], tmp_path / "mine.jsonl")
    assert str(log) in str(error.value)
    assert str(other) in str(error.value)


def test_a_judgement_of_another_log_fits_no_record_of_this_one(log: Path, tmp_path: Path) -> None:
    other = write_log(tmp_path / "other.jsonl", map(entry, range(3)))
    Judgements([log, other], beside(log)).judge(read_log(other)[0], "wrong")
    judgements = Judgements([log])
    assert [judgements.of(drop) for drop in read_log(log)] == [None] * 3
    assert judgements.strangers(read_log(log)) == 1


def test_a_log_that_is_named_twice_has_no_strangers(log: Path) -> None:
    drops = read_log(log, log)
    judgements = Judgements([log, log])
    judgements.judge(drops[0], "wrong")
    assert judgements.strangers(drops) == 0


def test_a_judgement_of_a_log_that_was_changed_fits_no_record(log: Path) -> None:
    Judgements([log]).judge(read_log(log)[0], "wrong")
    write_log(log, map(entry, range(5, 8)))
    judgements = Judgements([log])
    assert len(judgements) == 1
    assert [judgements.of(drop) for drop in read_log(log)] == [None] * 3


def test_a_line_cut_short_is_told_and_spoils_no_other(log: Path) -> None:
    first, second, _ = read_log(log)
    Judgements([log]).judge(first, "right")
    with beside(log).open("a") as out:
        out.write('{"log": "site.js')
    judgements = Judgements([log])
    assert judgements.damaged == [f"{beside(log)}, line 2"]
    judgements.judge(second, "wrong")
    again = Judgements([log])
    assert (again.of(first), again.of(second)) == ("right", "wrong")


@pytest.mark.parametrize(
    "line", ["[]", "null", "3", '{"verdict": "right"}', '{"log": []}', "[" * 100_000]
)
def test_what_is_no_judgement_is_told_by_line(log: Path, line: str) -> None:
    beside(log).write_text(line + "\n")
    judgements = Judgements([log])
    assert judgements.damaged == [f"{beside(log)}, line 1"]
    assert len(judgements) == 0


def test_a_file_of_something_else_is_refused_and_left_as_it_is(log: Path, tmp_path: Path) -> None:
    feed = tmp_path / "feed.jsonl"
    feed.write_text('{"url": "http://a.example/"}\n')
    with pytest.raises(ValueError, match=r"feed\.jsonl holds no judgement: name a file of them"):
        Judgements([log], feed)
    feed.write_text("")
    Judgements([log], feed).judge(read_log(log)[0], "right")
    assert len(Judgements([log], feed)) == 1


def test_an_unknown_verdict_is_refused_and_not_stored(log: Path) -> None:
    with pytest.raises(ValueError, match="one of right, wrong, unsure, or null; got 'maybe'"):
        Judgements([log]).judge(read_log(log)[0], "maybe")
    assert not beside(log).exists()
