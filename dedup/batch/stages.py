"""Stages of a long run that need not be done twice.

A stage writes a folder and then a mark that says what it was made from. A stage whose mark is that
of this run is done; what a stage was cut short in is deleted and made anew.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dedup.batch.job import BatchError, Job
from dedup.batch.known import check_known
from dedup.batch.sources import list_files
from dedup.files import whole_file

MARK = "_DONE"
WORK = "work"  # the folder of the stages


@dataclass(slots=True)
class Stages:
    """The stages of one output folder, in order; each depends on all before it."""

    root: Path
    seconds: dict[str, float] = field(default_factory=dict)
    reused: list[str] = field(default_factory=list)
    _digest: str = ""

    def run(
        self, name: str, made_from: Any, make: Callable[[Path], dict[str, Any]]
    ) -> dict[str, Any]:
        """Do a stage unless it is done.

        Args:
            name: of its folder.
            made_from: what it depends on beside the stages before it, as JSON.
            make: writes into the folder it is given; what it returns is kept with the mark.

        Returns:
            What ``make`` returned, now or then.
        """
        content = json.dumps([self._digest, name, made_from], sort_keys=True, default=str)
        self._digest = hashlib.sha256(content.encode()).hexdigest()
        folder = self.root / name
        mark = folder / MARK
        try:
            known = json.loads(mark.read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            known = {}
        if known.get("digest") == self._digest:
            self.reused.append(name)
            self.seconds[name] = known["seconds"]
            return dict(known["facts"])
        if folder.exists():
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
        started = time.perf_counter()
        facts = make(folder)
        self.seconds[name] = round(time.perf_counter() - started, 2)
        done = {"digest": self._digest, "seconds": self.seconds[name], "facts": facts}
        with whole_file(mark) as out:
            json.dump(done, out)
        return facts


def prepare(job: Job, *, resume: bool, fresh: bool) -> None:
    """Make the output folder ready, before the long run.

    Raises:
        BatchError: an input is missing; the folder is none for results, it holds some and nothing
            says what to do with them, or it holds inputs; the index to compare with is unlike this
            one.
        StoreError: that index cannot be opened.
        OSError: it is a file, and cannot be read.
    """
    list_files(job.inputs)
    check_known(job.config, job.against)
    folder = job.output
    if folder.exists() and not folder.is_dir():
        raise BatchError(f"{folder} is a file; the output must be a folder")
    for path in job.inputs:
        if path.resolve().is_relative_to(folder.resolve()):
            raise BatchError(f"{path} is in the output folder {folder}; name another one")
    if folder.is_dir() and any(folder.iterdir()):
        if not (folder / WORK).is_dir():
            raise BatchError(f"{folder} holds other things than a batch; name an empty folder")
        if not resume and not fresh:
            raise BatchError(
                f"{folder} holds a batch: --resume goes on with it, --fresh begins anew"
            )
        if fresh:
            shutil.rmtree(folder)
    (folder / WORK).mkdir(parents=True, exist_ok=True)
