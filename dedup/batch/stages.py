"""The stages of a long run, which are done only once, and their folder.

    DIR/neardup-batch.json                   marks the folder as a batch
    DIR/work/STAGE/                          the files of a stage
    DIR/{kept,clusters,pairs,summary.json}   the results

A stage writes a folder, and then a mark with a digest of its inputs. If the mark matches this run,
the stage is done. Files of an interrupted stage are deleted, and the stage runs again.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dedup.batch.fingerprints import check_known, place_of
from dedup.batch.job import BatchError, Job
from dedup.batch.sources import list_files
from dedup.files import whole_file

DONE = "_DONE"
MARKER = "neardup-batch.json"
MARK = '{"what": "a batch; summary.json beside this file says what came of it"}\n'
WORK = "work"  # The folder of the stages.
SUMMARY = "summary.json"
RESULTS = ("kept", "clusters", "pairs")
WRITTEN = (WORK, *RESULTS, SUMMARY)


@dataclass(slots=True)
class Stages:
    """The stages of one output folder, in order; each depends on all before it."""

    root: Path
    seconds: dict[str, float] = field(default_factory=dict)
    reused: list[str] = field(default_factory=list)
    _digest: str = ""

    def run(
        self,
        name: str,
        made_from: Any,
        make: Callable[[Path], dict[str, Any] | None],
        beside: Iterable[Path] = (),
    ) -> dict[str, Any]:
        """Do a stage unless it is done.

        Args:
            name: the name of its folder.
            made_from: its inputs other than the earlier stages, as JSON.
            make: writes into the given folder; the facts that it returns are stored in the mark.
            beside: files that it writes elsewhere; if one is missing, the stage is done again.

        Returns:
            The facts that ``make`` returned, in this run or in the earlier one.
        """
        content = json.dumps([self._digest, name, made_from], sort_keys=True, default=str)
        self._digest = hashlib.sha256(content.encode()).hexdigest()
        folder = self.root / name
        mark = folder / DONE
        try:
            known = json.loads(mark.read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            known = {}
        if known.get("digest") == self._digest and all(path.exists() for path in beside):
            self.reused.append(name)
            self.seconds[name] = known["seconds"]
            return dict(known["facts"])
        if folder.exists():
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
        started = time.perf_counter()
        facts = make(folder) or {}
        self.seconds[name] = round(time.perf_counter() - started, 2)
        done = {"digest": self._digest, "seconds": self.seconds[name], "facts": facts}
        with whole_file(mark) as out:
            json.dump(done, out)
        return facts


def prepare(job: Job, *, resume: bool, fresh: bool) -> None:
    """Prepare the output folder, before the long run.

    Raises:
        BatchError: an input is missing; the folder cannot be used, overlaps with an input, or
            contains results and neither ``resume`` nor ``fresh`` is set; or the earlier index does
            not fit the settings.
        StoreError: the earlier index cannot be opened.
        OSError: the earlier index is a file and cannot be read.
    """
    list_files(job.inputs)
    check_known(job)
    folder = job.output
    _check_place(job)
    if (folder / MARKER).is_file():
        if _is_begun(folder) and not resume and not fresh:
            raise BatchError(
                f"{folder} holds a batch: --resume goes on with it, --fresh begins anew"
            )
        if fresh:
            _delete_written(folder)
    elif folder.is_dir() and any(folder.iterdir()):
        raise BatchError(f"{folder} holds no {MARKER}, so no batch; name an empty folder")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARKER).write_text(MARK, encoding="utf-8")
    (folder / WORK).mkdir(exist_ok=True)


def _is_begun(folder: Path) -> bool:
    """Whether a batch has written anything; it has not if Spark did not start."""
    written = (*(folder / WORK).glob("*"), *(folder / name for name in (*RESULTS, SUMMARY)))
    return any(path.exists() for path in written)


def _check_place(job: Job) -> None:
    """Check that inputs and output do not overlap."""
    folder = job.output
    if folder.exists() and not folder.is_dir():
        raise BatchError(f"{folder} is a file; the output must be a folder")
    place = place_of(job)
    for path in (*job.inputs, *((place,) if place else ())):
        if path.resolve().is_relative_to(folder.resolve()):
            raise BatchError(f"{path} is in the output folder {folder}; name another one")
        if folder.resolve().is_relative_to(path.resolve()):
            raise BatchError(
                f"the output folder {folder} is in {path}, which is read; name one outside of it"
            )


def _delete_written(folder: Path) -> None:
    """Delete the files of a batch; for a link, only the link."""
    for path in (folder / name for name in WRITTEN):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
