"""``scrapy neardup``: what each action prints, and how it ends, over a real store on disk."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from conftest import Neardup
from made_logs import entry, write_log
from scrapy import Request
from scrapy.cmdline import execute
from scrapy.utils.request import fingerprint

from dedup import Config, make_fingerprinter, make_index, open_store
from dedup.assembly import close_store
from dedup.scrapy.commands.logs import MOST_DAMAGED
from dedup.scrapy.droplog import DropLog
from dedup.scrapy.values import encode_item
from dedup.store import keys

ARTICLES = Path(__file__).parent.parent.parent / "crawler" / "demo" / "articles"
URL = "http://a.example/solar"

Run = Callable[..., tuple[int, str, str]]


def article(name: str) -> str:
    return (ARTICLES / f"{name}.txt").read_text(encoding="utf-8").split("\n\n", 1)[1]


def page(name: str) -> str:
    return f"<html><body><article><p>{article(name)}</p></article></body></html>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A store with two articles in it."""
    config = Config(store="leveldb:store")
    index = make_index(config, open_store(config, tmp_path))
    fingerprinter = make_fingerprinter(config)
    for url, name in ((URL, "solar"), ("http://a.example/tea", "tea")):
        claim = index.check(url, fingerprint(Request(url)), fingerprinter.of_html(page(name)))
        index.commit(claim)
    close_store(config, tmp_path)
    return tmp_path / "store"


@pytest.fixture
def run(folder: Path, neardup: Neardup) -> Run:
    return lambda *arguments: neardup(*arguments, "-s", f"NEARDUP_STORE=leveldb:{folder}")


def test_stats_say_what_the_store_is_and_holds(run: Run, folder: Path) -> None:
    code, out, _ = run("stats", "--json")
    facts = json.loads(out)
    assert code == 0
    assert facts["store"] == str(folder)
    assert facts["pages"] == 2
    assert facts["made_with_scheme"] == "combined"
    assert facts["bytes_on_disk"] > 0
    assert facts["index_format"].isdigit()
    assert not [name for name in facts if name.startswith("index_index")]


def test_stats_say_for_how_many_pages_the_index_is_laid_out_and_not_what_is_set(run: Run) -> None:
    larger = ("-s", "NEARDUP_EXPECTED_PAGES=50000000")
    assert json.loads(run("stats", "--json", *larger)[1])["index_expected_pages"] == "1000000"
    assert run("rebuild", *larger)[0] == 0
    assert json.loads(run("stats", "--json")[1])["index_expected_pages"] == "50000000"


def test_stats_have_a_table_for_people(run: Run) -> None:
    code, out, _ = run("stats")
    assert code == 0
    assert "pages" in out
    assert "combined" in out


def test_where_no_terminal_is_a_long_folder_stands_on_one_line(
    folder: Path, neardup: Neardup
) -> None:
    long = folder.rename(folder.with_name("a-long-name-" * 10))
    assert str(long) in neardup("stats", "-s", f"NEARDUP_STORE=leveldb:{long}")[1]


def test_query_finds_what_a_stored_url_and_a_file_repeat(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "copy.html"
    file.write_text(page("solar"), encoding="utf-8")
    code, out, _ = run("query", str(file), "--url", "http://b.example/x", "--json")
    [match] = json.loads(out)["related"]
    assert code == 0
    assert match["url"] == URL
    assert (match["relation"], match["new"], match["similarity"]) == ("equal", 0, 1.0)
    code, out, _ = run("query", URL, "--json")
    assert json.loads(out)["from"] == "the store"
    assert json.loads(out)["related"] == []


def test_query_tells_how_a_page_relates_to_the_stored_ones(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "both.txt"
    file.write_text(f"{article('solar')}\n\n{article('tea')}", encoding="utf-8")
    related = json.loads(run("query", str(file), "--json")[1])["related"]
    assert {match["url"]: match["relation"] for match in related} == {
        URL: "grown",
        "http://a.example/tea": "grown",
    }
    assert all(0.3 < match["new"] < 0.7 for match in related)
    out = run("query", str(file))[1]
    assert re.search(rf" grown +\d\d% .*{URL} ", out)


def test_times_are_utc_and_say_so(
    run: Run, neardup: Neardup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (file := tmp_path / "again.html").write_text(page("solar"))
    log = write_log(tmp_path / "a.jsonl", [entry(time="2026-01-02T03:04:05+00:00")])
    (found,) = json.loads(run("query", str(file), "--json")[1])["related"]
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("TZ", "Asia/Shanghai")
        time.tzset()
        outs = run("query", str(file))[1], neardup("list", str(log))[1]
    time.tzset()

    assert all("(UTC)" in out for out in outs)
    assert f"{datetime.fromtimestamp(found['seen'], UTC):%Y-%m-%d %H:%M}" in outs[0]
    assert "01-02 03:04" in outs[1]


def test_query_says_so_where_a_page_has_to_do_with_none(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "other.txt"
    file.write_text(article("varnholm"), encoding="utf-8")
    code, out, _ = run("query", str(file))
    assert code == 0
    assert "related to none of the 2 stored pages" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["query", "/no/such/file"], "/no/such/file cannot be read"),
        (["query", "http://127.0.0.1:9/"], "cannot be fetched"),
        (["list", "/no/such/log"], "no drop log /no/such/log"),
        (["stats", "-s", "NEARDUP_SCHEME=simhash"], "was made with"),
        (["reset"], "--yes"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_exit_code_1(
    run: Run, arguments: list[str], says: str
) -> None:
    code, out, err = run(*arguments)
    assert code == 1
    assert err.startswith("scrapy neardup: ")
    assert err.count("\n") == 1
    assert says in err
    assert "Traceback" not in out + err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["stats", "-s", "NEARDUP_DISTANCE=99"],
            "NEARDUP_DISTANCE = 99: scheme combined: distance must be",
        ),
        (["stats", "-s", "NEARDUP_DISTNACE=3"], "did you mean NEARDUP_DISTANCE?"),
        (["stats", "surplus"], "surplus"),
        (["dance"], "dance"),
        (["list", "--limit", "x"], "must be a whole number from 0; got 'x'"),
        ([], "ACTION"),
    ],
)
def test_wrong_usage_is_exit_code_2(run: Run, arguments: list[str], says: str) -> None:
    code, _, err = run(*arguments)
    assert code == 2
    assert says in err


def test_a_short_text_gets_no_verdict_and_the_reason(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "short.txt"
    file.write_text("three short words", encoding="utf-8")
    code, _, err = run("query", str(file))
    assert code == 1
    assert "3 words of text, fewer than a quarter of NEARDUP_MIN_TOKENS = 40" in err


def test_verify_finds_a_sound_store_sound_and_a_damaged_one_not(run: Run, folder: Path) -> None:
    assert run("verify")[:2] == (
        0,
        "2 pages, 18 keys, 8 table entries: sound\n",
    )
    config = Config(store=f"leveldb:{folder}")
    store = open_store(config, folder)
    store._db.delete(keys.page_key(1))  # type: ignore[attr-defined]
    close_store(config, folder)
    code, out, _ = run("verify", "--json")
    assert code == 1
    assert json.loads(out)["errors"] > 0
    assert run("rebuild")[0] == 0
    assert run("verify")[0] == 0


def test_verify_names_the_one_way_out_of_what_it_found(run: Run, folder: Path) -> None:
    config = Config(store=f"leveldb:{folder}")
    store = open_store(config, folder)
    record = store.get(1)
    assert record is not None
    store.put_many(record._replace(url=f"{URL}/{n}", request=b"%d" % n) for n in range(100, 200))
    store._db.delete(keys.page_key(1))  # type: ignore[attr-defined]
    store.compact()
    close_store(config, folder)
    assert "`scrapy neardup rebuild` makes the index anew" in run("verify")[1]
    for table in (folder / "leveldb").glob("*.ldb"):
        table.write_bytes(table.read_bytes().replace(b"solar/150", b"solar/151"))
    code, out, err = run("verify")
    assert code == 1
    assert "scrapy neardup repair" in err
    assert "scrapy neardup repair" in out
    assert "rebuild" not in out + err


def test_rebuild_lays_the_index_out_anew(run: Run) -> None:
    code, _, err = run("verify", "-s", "NEARDUP_LAYOUT=10")
    assert code == 1
    assert "`scrapy neardup rebuild` with the new ones" in err
    assert run("rebuild", "-s", "NEARDUP_LAYOUT=10")[0] == 0
    assert run("verify", "-s", "NEARDUP_LAYOUT=10")[0] == 0
    assert run("verify")[0] == 1


def test_repair_mends_a_lost_manifest(run: Run, folder: Path) -> None:
    (folder / "leveldb" / "CURRENT").unlink()
    code, _, err = run("stats")
    assert code == 1
    assert "scrapy neardup repair" in err
    assert run("repair")[0] == 0
    assert json.loads(run("stats", "--json")[1])["pages"] == 2


def test_reset_deletes_the_store(run: Run, folder: Path) -> None:
    assert run("reset", "--yes")[0] == 0
    assert not folder.exists()
    assert run("stats")[0] == 1
    assert run("reset", "--yes") == (
        1,
        "",
        f"scrapy neardup: no store in {folder}; nothing was deleted; correct NEARDUP_STORE\n",
    )


@pytest.mark.parametrize("action", ["stats", "repair", "create", "reset"])
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("strange", "is not empty and holds no neardup-store.json, so it is no store"),
        ("strange/file", "is no folder, so it is no store"),
    ],
)
def test_every_action_refuses_what_is_no_store_in_the_same_words(
    neardup: Neardup, tmp_path: Path, action: str, name: str, says: str
) -> None:
    (tmp_path / "strange").mkdir()
    (tmp_path / "strange" / "file").touch()
    place = tmp_path / name
    words = ["--yes"] if action == "reset" else []
    code, out, err = neardup(action, *words, "-s", f"NEARDUP_STORE=leveldb:{place}")
    assert (code, out) == (1, "")
    assert err == f"scrapy neardup: {place} {says}; name another folder in NEARDUP_STORE\n"


@pytest.mark.parametrize("name", ["none", "empty"])
def test_a_repair_of_no_store_says_the_way_out(neardup: Neardup, tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    place = ("-s", f"NEARDUP_STORE=leveldb:{tmp_path / name}")
    code, out, err = neardup("repair", *place)
    assert (code, out, err) == neardup("stats", *place)
    assert f"no store in {tmp_path / name}; " in err


def test_a_question_that_is_not_answered_deletes_nothing(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    controller, terminal = os.openpty()
    os.write(controller, b"\x04")  # Ctrl-D
    with os.fdopen(terminal) as typed:
        monkeypatch.setattr(sys, "stdin", typed)
        code, out, err = run("reset")
    os.close(controller)
    assert (code, err) == (1, "")
    assert out.endswith("nothing deleted\n")
    assert folder.exists()


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_reader_that_has_seen_enough_is_no_error(folder: Path, form: tuple[str, ...]) -> None:
    read, write = os.pipe()
    os.close(read)
    store = f"NEARDUP_STORE=leveldb:{folder}"
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", "neardup", "stats", "-s", store, *form],
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_locked_store_is_named(run: Run, folder: Path) -> None:
    holder = (
        "import sys; from dedup.store.folder import plyvel; db = plyvel.DB(sys.argv[1]); "
        "print('open', flush=True); sys.stdin.read(); db.close()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holder, str(folder / "leveldb")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"open\n"
        answers = [run("stats"), run("urls", "list"), run("urls", "forget", "--all-patterns")]
        process.communicate()
    assert {code for code, _, _ in answers} == {1}
    (err,) = {err for _, _, err in answers}  # They all say the same.
    assert str(folder) in err
    assert "in use by another process" in err


@pytest.fixture
def log(folder: Path, tmp_path: Path) -> Path:
    """A drop log with two records, of two hosts."""
    config = Config(store=f"leveldb:{folder}")
    index = make_index(config, open_store(config, folder))
    fingerprinter = make_fingerprinter(config)
    drops = DropLog(tmp_path / "drops.jsonl", "site")
    for url, name in (("http://b.example/1", "solar"), ("http://c.example/[red]2", "tea")):
        claim = index.check(url, url.encode(), fingerprinter.of_html(page(name)))
        assert claim.match is not None
        item = encode_item({"url": url, "title": "[bold]\x1b[31m"})
        drops.write("drop", [item], claim.record, claim.match)
    drops.close()
    close_store(config, folder)
    return drops.path


def test_list_shows_each_drop_and_the_page_it_repeats(run: Run, log: Path) -> None:
    code, out, _ = run("list", str(log))
    assert code == 0
    assert "http://b.example/1" in out
    assert "http://c.example/[red]2" in out
    assert "\x1b" not in out
    assert out.endswith("2 near-duplicates (2 equal) of 2 pages, 0 new words\n")


def test_list_tells_how_many_items_of_a_page_went(run: Run, log: Path) -> None:
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    lines[0] |= {"items_dropped": 3, "items_given": 20}
    log.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    out = run("list", str(log))[1]
    assert "3 of 20" in out
    assert out.endswith(", 4 items\n")


def test_list_and_diff_show_two_digits_of_a_similarity_and_no_distance_where_there_is_none(
    run: Run, log: Path
) -> None:
    line = json.loads(log.read_text().splitlines()[0])
    log.write_text(json.dumps(line | {"similarity": 0.8672, "distance": None}) + "\n")
    assert re.search(r" 0\.87 ", run("list", str(log))[1])
    code, out, _ = run("diff", line["url"], str(log))
    assert code == 0
    assert re.search(r"alike +similarity 0\.87 *\n", out)


def test_list_finds_the_logs_by_the_setting(run: Run, log: Path) -> None:
    pattern = log.with_name("%(name)s.jsonl")
    assert "2 near-duplicates" in run("list", "-s", f"NEARDUP_LOG={pattern}")[1]


def test_the_files_that_a_review_puts_beside_a_log_are_no_logs(run: Run, log: Path) -> None:
    for ending in (".judgements.jsonl", ".restored.jsonl"):
        log.with_name(log.name + ending).write_text("{}\n")
    code, out, err = run("list", "-s", f"NEARDUP_LOG={log.with_name('%(name)s.jsonl')}")
    assert (code, err) == (0, "")
    assert out.endswith("2 near-duplicates (2 equal) of 2 pages, 0 new words\n")


def test_where_no_log_is_the_place_is_told_with_its_folder(
    neardup: Neardup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = neardup("list")
    assert code == 1
    assert f"no drop log at {tmp_path}/.scrapy/neardup/default/drops-*-*.jsonl: " in err
    assert "nothing was dropped or tagged" in err
    err = neardup("list", "--kept")[2]
    assert (
        f"no log of kept pages at {tmp_path}/.scrapy/neardup/default/kept-drops-*-*.jsonl: " in err
    )
    assert "no page was kept although it is related to another" in err


def test_list_filters_by_host_and_limits_rows(run: Run, log: Path) -> None:
    [line] = run("list", str(log), "--host", "c.example", "--json")[1].splitlines()
    assert json.loads(line)["url"] == "http://c.example/[red]2"
    assert run("list", str(log), "--limit", "1")[1].endswith(
        "2 near-duplicates (2 equal) of 2 pages, 0 new words, 1 not shown (--limit 0)\n"
    )


def test_list_names_a_damaged_line_and_goes_on(run: Run, log: Path) -> None:
    whole = log.read_text().splitlines()
    log.write_text(whole[0] + "\n" + whole[1][:40] + "\n")
    code, out, err = run("list", str(log))
    assert code == 0
    assert "1 near-duplicate" in out
    assert "line 2" in err


def test_a_file_of_damaged_lines_is_refused_but_not_read_to_its_end_for_that(
    run: Run, tmp_path: Path
) -> None:
    few, many = tmp_path / "few.jsonl", tmp_path / "many.jsonl"
    few.write_text("{}\n" * 2)
    many.write_text("{}\n" * (MOST_DAMAGED + 2))
    assert run("list", str(few))[0] == 1
    code, _, err = run("list", str(many))
    assert code == 0
    assert err.count("left out") == MOST_DAMAGED + 2


def test_where_no_terminal_is_list_gives_each_drop_a_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"http://b.example/{'long/' * 100}"
    log = write_log(tmp_path / "log.jsonl", [entry(url=url)])
    monkeypatch.setenv("COLUMNS", "80")
    assert any(url in line for line in run("list", str(log))[1].splitlines())


def test_a_store_of_another_scheme_is_told_by_that_alone(run: Run) -> None:
    _, _, err = run("stats", "-s", "NEARDUP_SCHEME=simhash")
    assert "was made with scheme = combined and the settings say simhash; set these back" in err


def test_an_interrupted_action_ends_in_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", interrupted)
    assert run("reset") == (130, "", "scrapy neardup: interrupted\n")


def test_a_store_in_memory_is_nothing_to_look_at(run: Run) -> None:
    with pytest.raises(SystemExit) as ended:
        execute(["scrapy", "neardup", "stats", "-s", "NEARDUP_STORE=memory:"])
    assert ended.value.code == 1


def test_a_reset_setting_deletes_nothing_here(run: Run) -> None:
    assert run("stats", "-s", "NEARDUP_RESET=True")[0] == 0
    assert json.loads(run("stats", "--json")[1])["pages"] == 2
