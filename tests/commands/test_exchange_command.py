"""``scrapy neardup export`` and ``import``, between real stores on disk and files."""

from __future__ import annotations

import errno
import gzip
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Neardup

from dedup.assembly import close_store, open_store
from dedup.config import Config
from dedup.exchange.entries import ExportedPage
from dedup.page.kept_text import pack_text
from dedup.scrapy.commands import exchange
from dedup.store import Record, StoreError
from dedup.store.keys import page_key
from dedup.urls import Tally
from tests.commands import ending
from tests.exchange.made_pages import page, prose
from tests.store.samples import database

A, B = "http://a.example/", "http://b.example/"

SIMHASH = ("-s", "NEARDUP_SCHEME=simhash", "-s", "NEARDUP_MIN_TOKENS=9")
OTHER = "scheme = combined and the settings say simhash"

Run = Callable[..., tuple[int, str, str]]
Made = tuple[list[Record], list[str | None]]
pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def run(neardup: Neardup) -> Run:
    """Run an action on the store ``store``, and have what it says as JSON."""

    def run(*arguments: str, store: str = "store") -> tuple[int, str, str]:
        return neardup(*arguments, "--json", "-s", f"NEARDUP_STORE=leveldb:{store}")

    return run


def make(
    name: str,
    *pages: ExportedPage,
    exempt: tuple[bytes, ...] = (),
    tallied: int = 0,
    scheme: str = "combined",
) -> None:
    """Make a store, or put more into it."""
    config = Config(store=f"leveldb:{name}", cache_mb=8, scheme=scheme)
    store = open_store(config, Path())
    for made in pages:
        store.put(made.record, pack_text([made.text]) if made.text else b"")
    store.exempt(exempt)
    store.tally({f"{number}.example": Tally(number) for number in range(tallied)})
    close_store(config, Path())


def contents(name: str) -> Made:
    """The records of a store, without their numbers, and its texts."""
    config = Config(store=f"leveldb:{name}", cache_mb=8)
    store = open_store(config, Path(), create=False)
    records = list(store.records())
    texts = [store.text(record.page_id) for record in records]
    close_store(config, Path())
    return [record._replace(page_id=0) for record in records], texts


def tallies(name: str) -> dict[str, Tally]:
    config = Config(store=f"leveldb:{name}", cache_mb=8)
    found = dict(open_store(config, Path(), create=False).tallies())
    close_store(config, Path())
    return found


def urls(name: str) -> list[str]:
    return [record.url for record in contents(name)[0]]


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(name).read_text().splitlines()]


def test_url_patterns_that_are_added_once_more_are_told_of(run: Run) -> None:
    make("store", page(A, "tea"), tallied=2)
    make("bare", tallied=2)
    assert run("export", "a.jsonl")[0] == run("export", "bare.jsonl", store="bare")[0] == 0

    errors = [run("import", "a.jsonl", "bare.jsonl", store="copy")[2] for _ in range(2)]

    assert errors[0] == ""
    assert errors[1].count("\n") == 1
    assert "a.jsonl" in errors[1]
    assert "2 URL patterns" in errors[1]
    assert tallies("copy")["1.example"] == Tally(4)


@pytest.mark.parametrize("file", ["out.jsonl", "out.jsonl.gz"])
def test_a_store_exported_and_imported_is_the_same(run: Run, file: str) -> None:
    make("store", page(A, "tea", text="Tea."), page(B, "solar"), exempt=(b"marked",), tallied=2)
    code, out, _ = run("export", file)
    assert code == 0
    assert json.loads(out) == {
        "output": file,
        "pages": 2,
        "exempt_requests": 1,
        "url_patterns": 2,
        "bytes": Path(file).stat().st_size,
    }
    code, out, _ = run("import", file, store="copy")
    assert code == 0
    assert json.loads(out)["added"] == 2
    assert contents("copy") == contents("store")
    assert run("export", "again.jsonl", store="copy")[0] == 0
    plain = Path(file).read_bytes()
    plain = gzip.decompress(plain) if file.endswith(".gz") else plain
    assert Path("again.jsonl").read_bytes() == plain
    assert run("verify", store="copy")[0] == 0


def test_a_dash_is_standard_output_and_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    make("store", page(A, "tea"))
    run("export", "out.jsonl")
    assert run("export", "-")[1] == Path("out.jsonl").read_text()
    with Path("out.jsonl").open() as file:
        monkeypatch.setattr(sys, "stdin", file)
        assert run("import", "-", store="copy")[0] == 0
    assert contents("copy") == contents("store")


def test_a_store_is_merged_into_another_which_stays_as_it_was(run: Run) -> None:
    make("store", page(A, "tea"), tallied=2)
    make("other", page(A, "tea", seen=2000.0), page(B, "solar"), exempt=(b"marked",), tallied=3)
    before = contents("other")
    code, out, _ = run("import", "leveldb:other")
    assert code == 0
    assert json.loads(out) == {
        "store": "leveldb:store",
        "pages_read": 2,
        "added": 1,
        "replaced": 1,
        "unchanged": 0,
        "exempt_requests": 1,
        "url_patterns": 3,
    }
    assert tallies("store") == {"0.example": Tally(), "1.example": Tally(2), "2.example": Tally(2)}
    assert contents("store") == before
    assert contents("other") == before


def test_a_source_may_have_its_index_laid_out_otherwise(run: Run) -> None:
    make("other", page(A, "tea"))
    assert (
        run("import", "leveldb:other", "-s", "NEARDUP_LAYOUT=10", "-s", "NEARDUP_SCOPE=host")[0]
        == 0
    )
    assert run("import", "leveldb:other", store="other2")[0] == 0
    assert urls("other2") == [A]


def test_duplicates_of_the_target_are_listed(run: Run) -> None:
    make("store", page(A + "1", "tea"), page(A + "2", "solar"))
    make("other", page(B + "1", "tea"), page(B + "2", "solar", edits=2), page(B + "3", "moss"))
    code, out, _ = run("import", "leveldb:other", "--duplicates", "list.jsonl")
    assert code == 0
    facts = json.loads(out)
    assert (facts["added"], facts["left_out"]) == (3, 0)
    relations = {name: facts[name] for name in ("equal", "edited", "contained")}
    assert (facts["duplicates"], relations) == (2, {"equal": 1, "edited": 1, "contained": 0})
    equal, near = lines("list.jsonl")
    assert equal == {
        "url": B + "1",
        "repeats": A + "1",
        "similarity": 1.0,
        "distance": 0,
        "relation": "equal",
        "new": 0.0,
    }
    assert (near["url"], near["repeats"]) == (B + "2", A + "2")
    assert (near["relation"], near["new"]) == ("edited", 0)
    assert 0.5 < near["similarity"] < 1


def test_duplicates_are_counted_by_hosts_for_people(neardup: Neardup) -> None:
    make("store", page(A, "tea"))
    make("other", page(B + "1", "tea"), page(B + "2", "tea"))
    store = ("-s", "NEARDUP_STORE=leveldb:store")
    out = neardup("import", "leveldb:other", "--duplicates", "list.jsonl", *store)[1]
    assert re.search("^ *duplicates +2 *$", out, re.MULTILINE)
    assert re.search("^ *2 +b.example repeats a.example *$", out, re.MULTILINE)


def test_the_list_is_the_same_when_the_import_is_run_again(run: Run) -> None:
    make("store", page(A, "tea"))
    make("other", page(B + "1", "tea"), page(B + "2", "solar"))
    run("import", "leveldb:other", "--duplicates", "first.jsonl")
    run("import", "leveldb:other", "--duplicates", "second.jsonl")
    assert lines("first.jsonl") == lines("second.jsonl") != []


def test_duplicates_may_be_left_out_and_stay_out(run: Run) -> None:
    make("store", page(A, "tea"))
    make("other", page(B, "tea"), page(B + "2", "solar"))
    for _ in range(2):
        code, out, _ = run("import", "leveldb:other", "--skip-duplicates")
        assert code == 0
        assert json.loads(out)["left_out"] == 1
        assert urls("store") == [A, B + "2"]


def test_a_page_of_the_target_that_was_seen_again_is_not_left_out(run: Run) -> None:
    make("store", page(A, "tea"), page(B, "moss"))
    make("other", page(B, "tea", seen=2000.0))
    assert json.loads(run("import", "leveldb:other", "--skip-duplicates")[1])["replaced"] == 1


def test_a_page_marked_in_the_source_is_no_duplicate(run: Run) -> None:
    make("store", page(A, "tea"))
    make("other", page(B, "tea"), exempt=(B.encode(),))
    run("import", "leveldb:other", "--skip-duplicates")
    assert urls("store") == [A, B]


def test_what_is_a_duplicate_is_told_by_the_settings(run: Run) -> None:
    make("store", page(A, "solar"))
    make("other", page(B, "solar", edits=2))
    equal = ("-s", "NEARDUP_DROP=equal")
    facts = json.loads(run("import", "leveldb:other", "--skip-duplicates", *equal)[1])
    assert (facts["added"], facts["duplicates"], facts["equal"]) == (1, 0, 0)
    assert "edited" not in facts


def test_pages_are_compared_by_their_texts_where_both_stores_keep_them(run: Run) -> None:
    """The fingerprints say that one is the other edited; the texts, that it costs another price."""
    kept = [f"\n\n{prose('solar')}\nPrice: ${price}" for price in (20, 95)]
    make("store", page(A, "solar", text=kept[0]))
    make("with", page("http://c.example/", "solar", edits=2, text=kept[1]))
    make("without", page(B, "solar", edits=2))
    for source, left_out in (("without", 1), ("with", 0)):
        out = run("import", f"leveldb:{source}", "--skip-duplicates")[1]
        assert json.loads(out)["left_out"] == left_out


def test_sources_are_taken_in_one_after_the_other(run: Run) -> None:
    for name, url in (("one", A), ("two", B)):
        make(name, page(url, "tea"))
    out = run("import", "leveldb:one", "leveldb:two", "--skip-duplicates")[1]
    assert json.loads(out)["left_out"] == 1
    assert urls("store") == [A]


def test_a_source_that_is_named_twice_is_taken_in_once(run: Run) -> None:
    make("store", page(A, "tea"), tallied=1)
    run("export", "a.jsonl")
    code, out, errors = run("import", "a.jsonl", "a.jsonl", store="copy")
    assert (code, errors) == (0, "")
    assert json.loads(out)["pages_read"] == 1
    assert tallies("copy") == tallies("store")


def test_the_target_may_be_named_on_the_line(run: Run) -> None:
    make("store", page(A, "tea"))
    assert run("import", "leveldb:store", "--into", "leveldb:copy")[0] == 0
    assert urls("copy") == [A]


def test_texts_are_kept_where_the_settings_keep_texts(run: Run) -> None:
    make("store", page(A, "tea", text="Tea."))
    run("export", "out.jsonl")
    run("import", "out.jsonl", "-s", "NEARDUP_KEEP_TEXT=False", store="copy")
    assert contents("copy") == (contents("store")[0], [None])


def test_an_export_of_no_store_leaves_an_older_file(neardup: Neardup) -> None:
    Path("out.jsonl").write_text("old")
    code, _, err = neardup("export", "out.jsonl", "-s", "NEARDUP_STORE=leveldb:missing")
    assert (code, Path("out.jsonl").read_text()) == (1, "old")
    assert "no store in" in err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["import", "cut.jsonl"], "cut.jsonl is cut short"),
        (["import", "good.jsonl", "cut.jsonl"], "nothing was imported"),
        (["import", "page.html"], "page.html is no export of a store"),
        (["import", "picture.png"], "picture.png is no export of a store"),
        (["import", "missing.jsonl"], "missing.jsonl: No such file"),
        (["import", "leveldb:missing"], "no store in"),
        (["import", "leveldb:."], "so it is no store; correct leveldb:.; nothing was imported"),
        (["import", "folder"], "the store in it is named leveldb:folder"),
        (["import", "leveldb:target"], "is the target itself"),
        (["import", "memory:"], "a store in memory (memory:) keeps nothing"),
        (["import", "good.jsonl", "--into", "memory:"], "a store in memory"),
        (["import", "good.jsonl", "--duplicates", "good.jsonl"], "is among what is read"),
        (["import", "good.jsonl", "--duplicates", "no/list"], "no such folder"),
        (["import", "good.jsonl", *SIMHASH], f"good.jsonl was made with {OTHER}"),
        (["import", "leveldb:store", *SIMHASH], f"leveldb:store was made with {OTHER}"),
        (["export", "no/out.jsonl"], "no such folder"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_changes_nothing(
    run: Run, folder: Path, arguments: list[str], says: str
) -> None:
    make("store", page(A, "tea"))
    run("export", "good.jsonl")
    whole = Path("good.jsonl").read_bytes()
    Path("cut.jsonl").write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
    Path("page.html").write_text("<html>\n")
    Path("picture.png").write_bytes(b"\x89PNG")
    Path("folder").mkdir()
    before = sorted(folder.iterdir())
    code, out, err = run(*arguments, store="target")
    assert (code, out) == (1, "")
    assert err.startswith("scrapy neardup: ")
    assert err.count("\n") == 1
    assert says in err
    assert sorted(folder.iterdir()) == before
    assert Path("good.jsonl").read_bytes() == whole


def test_a_record_that_cannot_be_read_is_told_with_the_store_and_the_way_out(
    run: Run, folder: Path
) -> None:
    make("store", page(A, "tea"))
    make("other", page(A, "tea", seen=2000.0))
    with database(folder / "store") as db:
        key, record = next(iter(db.iterator(prefix=b"p")))
        db.put(key, b"\x09" + record[1:])
    for arguments, where in [
        (("export", "out.jsonl"), str(folder / "store")),
        (("import", "leveldb:other"), "leveldb:store"),
        (("import", "leveldb:store", "--into", "leveldb:other"), "leveldb:store"),
    ]:
        code, _, err = run(*arguments)
        assert code == 1
        assert f"the store {where} is damaged (page 1: not a record of format 3)" in err
        assert "`scrapy neardup rebuild`" in err
    assert run("rebuild")[0] == run("export", "out.jsonl")[0] == 0


def test_a_target_of_another_kind_is_wrong_usage(run: Run) -> None:
    code, _, err = run("import", "good.jsonl", "--into", "floppy:a")
    assert code == 2
    assert "leveldb:FOLDER" in err


@pytest.mark.parametrize("group", [(), ("urls",)])
def test_a_file_of_the_store_is_not_replaced_by_its_export(run: Run, group: tuple[str]) -> None:
    make("store", page(A, "tea"))
    file = Path("store/leveldb/CURRENT")
    before = file.read_bytes()
    code, _, errors = run(*group, "export", str(file))
    assert (code, errors.count("\n")) == (1, 1)
    assert file.read_bytes() == before


def test_an_older_export_stays_where_a_new_one_fails(run: Run) -> None:
    make("store", page(A, "tea"))
    run("export", "out.jsonl")
    whole = Path("out.jsonl").read_bytes()
    with database(Path("store")) as db:
        db.put(page_key(2), b"no record")
    code, _, err = run("export", "out.jsonl")
    assert code == 1
    assert "page 2: not a record" in err
    assert Path("out.jsonl").read_bytes() == whole
    assert not list(Path().glob("*.part"))


def test_signs_that_steer_a_terminal_are_not_printed(neardup: Neardup) -> None:
    make("store", page(A, "tea"))
    make("other", page("http://b\x1b[31m.example/", "tea"))
    store = ("-s", "NEARDUP_STORE=leveldb:store")
    code, out, err = neardup("import", "leveldb:other", "--duplicates", "list.jsonl", *store)
    assert code == 0
    assert "\x1b" not in out + err + Path("list.jsonl").read_text()


@pytest.mark.parametrize(
    ("ended", "exit_code", "says"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (OSError(errno.ENOSPC, "No space left on device"), 1, "No space left on device"),
        (StoreError("the server is gone"), 1, "the server is gone"),
    ],
)
def test_what_ends_an_import_is_told_and_what_is_in_stays(
    run: Run, ended: BaseException, exit_code: int, says: str
) -> None:
    first, second = page(A, "tea"), page(B, says)
    make("one", first, scheme=ending.NAME)
    make("two", second, scheme=ending.NAME)
    # The words of a fingerprint are remembered, but not for a scheme with another option.
    scheme = ("-s", f"NEARDUP_SCHEME={ending.NAME}:common=30")
    command = ("import", "leveldb:one", "leveldb:two", *scheme)
    ending.Ending.ends[second.record.fingerprint] = ended
    try:
        code, out, err = run(*command)
    finally:
        ending.Ending.ends.clear()
    assert (code, out) == (exit_code, "")
    assert says in err
    assert "1 page is imported and stays; run it again for the rest" in err
    facts = json.loads(run(*command)[1])
    assert (facts["added"], facts["unchanged"]) == (1, 1)


def test_a_list_of_duplicates_that_finds_no_room_keeps_all_pages_out(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is short enough to wait in memory; else it is missing at the end of the import."""
    make("store", page(A, "tea"))
    make("other", page(B, "tea"))
    monkeypatch.setattr(exchange, "whole_file", lambda _: Path("/dev/full").open("w"))  # noqa: SIM115
    code, _, err = run("import", "leveldb:other", "--duplicates", "list.jsonl")
    assert code == 1
    assert "No space left on device" in err
    assert "0 pages are imported and stay" in err
    assert json.loads(run("stats")[1])["pages"] == 1
