"""An import that is killed outright leaves whole pages, and run again completes them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from dedup.assembly import opened_store
from dedup.config import Config
from dedup.exchange.entries import ExportedPage
from dedup.exchange.files import ExportFile, StoreSource, write_export
from dedup.exchange.merging import put_pages
from dedup.exchange.opening import FingerprintCheck
from dedup.page.kept_text import pack_text
from dedup.store import Store
from tests.exchange.made_pages import SCHEME, memory, page

ROOT = Path(__file__).resolve().parents[2]
PAGES = 30
BATCH = 4


def config(folder: Path) -> Config:
    return Config(store=f"leveldb:{folder / 'store'}", cache_mb=8)


def import_file(folder: Path, kill_at: int) -> None:
    """Import the export in a folder; this process kills itself before a page is read."""
    opened = opened_store(config(folder), folder)
    with opened as store, (folder / "export.jsonl").open("rb") as file:
        pages = ExportFile(file, "export").pages()
        put_pages(store, killing(pages, kill_at), Counter(), texts=True, batch_pages=BATCH)


def killing(pages: Iterator[ExportedPage], kill_at: int) -> Iterator[ExportedPage]:
    yield from islice(pages, kill_at)
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture(scope="module")
def source() -> Store:
    store = memory()
    for number in range(PAGES):
        text = pack_text([f"Page {number}."]) if number % 3 else b""
        store.put(page(f"http://a.example/{number}", number).record, text)
    return store


@pytest.mark.parametrize("kill_at", [1, BATCH + 1, PAGES])
def test_a_killed_import_run_again_ends_as_one_in_one_go(
    tmp_path: Path, source: Store, kill_at: int
) -> None:
    with (tmp_path / "export.jsonl").open("wb") as out:
        write_export(out, StoreSource(source, "memory:"), {})
    program = (
        "import sys; from pathlib import Path; "
        "from tests.exchange.test_killed_import import import_file; "
        f"import_file(Path(sys.argv[1]), {kill_at})"
    )
    killed = subprocess.run([sys.executable, "-c", program, str(tmp_path)], cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL

    with opened_store(config(tmp_path), tmp_path, create=False) as store:
        put = len(store)
        assert put == kill_at // BATCH * BATCH
        assert store.verify().problems == []
        with (tmp_path / "export.jsonl").open("rb") as file:
            export = ExportFile(file, "export")
            export.check(FingerprintCheck(SCHEME), lambda done: None)
            merged: Counter[str] = Counter()
            put_pages(store, export.pages(), merged, texts=True)
        assert merged == Counter(added=PAGES - put, unchanged=put)
        put_all = StoreSource(store, "memory:").pages()
        assert list(put_all) == list(StoreSource(source, "memory:").pages())
        assert store.verify().problems == []
