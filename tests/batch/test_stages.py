"""Stages that are done are not done again; what they depend on makes them new."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_collections import crawled

from dedup.batch.job import BatchError, Job
from dedup.config import Config
from dedup.store import StoreError

pytest.importorskip("pyarrow", reason="in this repository: make spark")

from dedup.batch.run import Stages, prepare


def run(root: Path, *made_from: Any) -> list[str]:
    """Run stages ``0``, ``1`` ...; returns those that were done, not reused."""
    stages = Stages(root)
    done = []

    def make(folder: Path) -> dict[str, Any]:
        assert not [*folder.iterdir()]
        (folder / "rows").touch()
        done.append(folder.name)
        return {"name": folder.name}

    for number, content in enumerate(made_from):
        assert stages.run(str(number), content, make) == {"name": str(number)}
    return done


def test_stages_that_are_done_are_used_again(tmp_path: Path) -> None:
    assert run(tmp_path, "a", "b") == ["0", "1"]
    assert run(tmp_path, "a", "b") == []


def test_a_change_makes_its_stage_and_all_after_it_anew(tmp_path: Path) -> None:
    run(tmp_path, "a", "b", "c")
    assert run(tmp_path, "a", "x", "c") == ["1", "2"]


def test_a_stage_cut_short_is_begun_anew(tmp_path: Path) -> None:
    run(tmp_path, "a", "b")
    (tmp_path / "1" / "_DONE").unlink()
    assert run(tmp_path, "a", "b") == ["1"]


def test_a_stage_whose_results_are_gone_is_done_again(tmp_path: Path) -> None:
    result = tmp_path / "kept"

    def make(_: Path) -> dict[str, Any]:
        result.mkdir()
        return {}

    for _ in range(2):
        Stages(tmp_path / "work").run("results", None, make, [result])
    assert result.is_dir()
    result.rmdir()
    Stages(tmp_path / "work").run("results", None, make, [result])
    assert result.is_dir()


def job(folder: Path, *inputs: Path, against: str = "") -> Job:
    return Job(Config(), inputs, folder, against=against)


@pytest.mark.parametrize(
    ("against", "says"),
    [
        ("nofile", "No such file"),
        ("leveldb:nofolder", "no store"),
        ("mongo://me:secret@host", r"^mongo://\.\.\. is no store: "),
        ("redis://host:port", "NEARDUP_STORE"),
        ("memory:", r"a store in memory \(memory:\) keeps nothing"),
        (str(Path(__file__).parent), r"is a folder; the store in it is named leveldb:"),
        (__file__, "is no export of a store"),
    ],
)
def test_an_index_that_cannot_be_read_is_found_before_the_long_run(
    tmp_path: Path, against: str, says: str
) -> None:
    asked = Job(Config(), (), tmp_path / "out", against=against)
    with pytest.raises((BatchError, OSError, StoreError), match=says):
        prepare(asked, resume=False, fresh=False)
    assert not (tmp_path / "out").exists()


def test_a_batch_whose_spark_did_not_start_is_no_batch_yet(tmp_path: Path) -> None:
    prepare(job(tmp_path / "out"), resume=False, fresh=False)
    prepare(job(tmp_path / "out"), resume=False, fresh=False)


@pytest.mark.parametrize("written", ["work/fingerprints", "kept", "summary.json"])
def test_a_batch_is_not_overwritten_unasked(tmp_path: Path, written: str) -> None:
    prepare(job(tmp_path / "out"), resume=False, fresh=False)
    (tmp_path / "out" / written).touch()
    with pytest.raises(BatchError, match="--resume goes on with it, --fresh begins anew"):
        prepare(job(tmp_path / "out"), resume=False, fresh=False)


def test_resume_leaves_a_batch(tmp_path: Path) -> None:
    prepare(job(tmp_path / "out"), resume=False, fresh=False)
    (tmp_path / "out" / "work" / "rows").touch()
    prepare(job(tmp_path / "out"), resume=True, fresh=False)
    assert (tmp_path / "out" / "work" / "rows").exists()


def test_fresh_deletes_what_a_batch_wrote_and_nothing_else(tmp_path: Path) -> None:
    out = tmp_path / "out"
    prepare(job(out), resume=False, fresh=False)
    for path in ("work/rows", "kept/part", "clusters/part", "pairs/part", "notes/mine"):
        (out / path).parent.mkdir(exist_ok=True)
        (out / path).touch()
    (out / "summary.json").touch()
    prepare(job(out), resume=False, fresh=True)
    left = {str(path.relative_to(out)) for path in out.rglob("*") if path != out / "work"}
    assert left == {"neardup-batch.json", "notes", "notes/mine"}


def test_fresh_goes_through_links_to_the_folder_and_deletes_links_in_it(tmp_path: Path) -> None:
    prepare(job(tmp_path / "real"), resume=False, fresh=False)
    (tmp_path / "disk").mkdir()
    (tmp_path / "disk" / "precious").touch()
    (tmp_path / "real" / "kept").symlink_to(tmp_path / "disk")
    (tmp_path / "out").symlink_to(tmp_path / "real")
    prepare(job(tmp_path / "out"), resume=False, fresh=True)
    assert (tmp_path / "disk" / "precious").exists()
    assert not (tmp_path / "real" / "kept").exists()


@pytest.mark.parametrize("name", ["thesis", "work"])
def test_a_folder_of_other_things_is_left_alone(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(BatchError, match=r"holds no neardup-batch\.json, so no batch"):
        prepare(job(tmp_path), resume=False, fresh=True)
    assert (tmp_path / name).exists()


def test_an_input_that_is_missing_is_told_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(BatchError, match="there is no such file"):
        prepare(job(tmp_path / "out", tmp_path / "in.jsonl"), resume=False, fresh=False)
    assert not (tmp_path / "out").exists()


def test_inputs_in_the_output_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").touch()
    with pytest.raises(BatchError, match="is in the output folder"):
        prepare(job(tmp_path, tmp_path / "in.jsonl"), resume=False, fresh=True)


def test_an_index_in_the_output_folder_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "out"
    prepare(job(out), resume=False, fresh=False)
    crawled([], Config(), out)
    with pytest.raises(BatchError, match="out/store is in the output folder"):
        prepare(job(out, against=f"leveldb:{out / 'store'}"), resume=False, fresh=True)
    assert (out / "store").exists()


@pytest.mark.parametrize("resume", [False, True])
def test_an_output_folder_in_an_input_folder_is_refused(resume: bool, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").touch()
    with pytest.raises(BatchError, match=r"/clean is in .*, which is read; name one outside of it"):
        prepare(job(tmp_path / "clean", tmp_path), resume=resume, fresh=False)
    assert not (tmp_path / "clean").exists()
