"""What a killed crawl left behind, looked at: exports, drop log, store, counts."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.random_kills_crawl import DROPS, EXPORTS, SETTINGS, STATS, STORE
from dedup import Config
from dedup.assembly import opened_store
from dedup.review.records import Damage, Drop, read_drops, read_entries
from dedup.store.folder import DATABASE, MARKER

LOST_PAGE, SELF_DROP, STORE_WRONG = "lost page", "self-drop", "store wrong"
LOG_UNREADABLE, COUNTS_OFF, CRAWL_FAILED = "log unreadable", "counts off", "crawl failed"
KINDS = (LOST_PAGE, SELF_DROP, STORE_WRONG, LOG_UNREADABLE, COUNTS_OFF, CRAWL_FAILED)
COPY = "copy"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that must never be: one of ``KINDS``, and a sentence."""

    kind: str
    sentence: str


def check_files(folder: Path) -> list[Problem]:
    """Look at what lies on disk, after a kill or an end."""
    return [*check_drops(folder), *check_store(folder)]


def check_drops(folder: Path) -> list[Problem]:
    """Whether each drop can be read, and repeats an exported page that is not itself.

    A crawl exports a page before anything is dropped in its favour, and both are on disk at once:
    so this holds at any moment, whenever the crawl is killed.
    """
    read = list(read_drops(folder / DROPS)) if (folder / DROPS).exists() else []
    damages = [entry for entry in read if isinstance(entry, Damage)]
    drops = read_entries(entry for entry in read if isinstance(entry, Drop))
    exported = {(item["url"], item["subject"]) for item in exports(folder)}
    problems = [Problem(LOG_UNREADABLE, str(damage)) for damage in damages]
    for entry in drops:
        url, subject = entry["url"], entry["item"]["subject"]
        of = entry.get("of_first", entry["of"])  # Under this URL the page was exported.
        # The items of a page that is fetched again repeat those of its first visit.
        if url == of and not entry.get("by_items"):
            problems.append(Problem(SELF_DROP, f"{url} was dropped for itself"))
        elif (of, subject) not in exported:
            sentence = f"{url} was dropped for {of}, which was never exported with its text"
            problems.append(Problem(LOST_PAGE, sentence))
    return problems


def check_store(folder: Path) -> list[Problem]:
    """Whether a copy of the store opens and is sound; the store stays as the kill left it."""
    if not (folder / STORE / MARKER).exists():  # killed before it was made
        return []
    copy = folder / COPY
    shutil.copytree(folder / STORE, copy / STORE)
    (copy / STORE / DATABASE / "LOCK").unlink(missing_ok=True)
    config = Config.from_settings(SETTINGS)
    try:
        with opened_store(config, copy, create=False, any_seed=True) as store:
            problems = store.verify().problems
    except Exception as error:  # whatever it is, it is a finding
        problems = [f"{type(error).__name__}: {error}"]
    shutil.rmtree(copy)
    return [Problem(STORE_WRONG, problem) for problem in problems]


def check_counts(folder: Path, exported: int, dropped: int) -> list[Problem]:
    """Whether the stats of a crawl that ended add up, and fit the items that it wrote."""
    stats = read_stats(folder)
    count = {name: stats.get(f"neardup/{name}", 0) for name in _NAMES}
    skipped = sum(n for name, n in stats.items() if name.startswith("neardup/skipped/"))
    refused = stats.get("item_dropped_reasons_count/DropItem", 0)
    sums = {
        "pages checked": (
            count["checked"],
            count["new"] + count["duplicates"] + count["revisits"] + skipped,
        ),
        "items": (
            count["items"],
            count["items/exported"] + count["items/dropped"] + count["items/errors"],
        ),
        "items exported": (count["items/exported"], exported),
        "items dropped": (count["items/dropped"], dropped + refused),
    }
    return [
        Problem(COUNTS_OFF, f"{name}: {one} counted, {other} found")
        for name, (one, other) in sums.items()
        if one != other
    ]


_NAMES = (
    *("checked", "new", "duplicates", "revisits"),
    *("items", "items/exported", "items/dropped", "items/errors"),
)


def check_coverage(folder: Path, subjects: Iterable[str]) -> list[Problem]:
    """Whether each subject that an undisturbed crawl exports was exported here."""
    missing = sorted(set(subjects) - subjects_of(folder))
    return [Problem(LOST_PAGE, f"no page on {subject} was exported") for subject in missing]


def exports(folder: Path) -> list[dict[str, Any]]:
    """The items exported so far, by all crawls in a folder."""
    path = folder / EXPORTS
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines]


def subjects_of(folder: Path) -> set[str]:
    """The subjects exported so far."""
    return {item["subject"] for item in exports(folder)}


def count_drops(folder: Path) -> int:
    """Items in the drop log so far."""
    path = folder / DROPS
    read = read_drops(path) if path.exists() else ()
    return sum(entry.items_dropped for entry in read if isinstance(entry, Drop))


def read_stats(folder: Path) -> dict[str, Any]:
    """The stats of the crawl in a folder that ended last."""
    stats: dict[str, Any] = json.loads((folder / STATS).read_text(encoding="utf-8"))
    return stats
