"""A store, a scheme and an extractor of another package, installed as its users install it."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from conftest import Crawler, Neardup
from crawling import Web, article, text

from dedup.testing import ExtractorContract, SchemeContract, StoreContract
from tests.lab.evaluation.made_corpora import write_drafts, write_lines

EXAMPLE = Path(__file__).parents[1] / "examples" / "outside"
STORE, SCHEME = "sqlite:pages.db", "neardup_outside.scheme.WordSample"
EXTRACTOR = "neardup_outside.extractor.read"
SETTINGS = [f"NEARDUP_STORE={STORE}", f"NEARDUP_SCHEME={SCHEME}", f"NEARDUP_EXTRACTOR={EXTRACTOR}"]
OPTIONS = [word for setting in SETTINGS for word in ("-s", setting)]
BATCH = """
import sys
sys.path.insert(0, sys.argv.pop(1))
from scrapy.cmdline import execute
execute(["scrapy", "neardup", *sys.argv[1:]])
"""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder where pip has installed the package."""
    folder = tmp_path_factory.mktemp("outside")
    source = shutil.copytree(EXAMPLE, folder / "source")  # a build writes into it
    options = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--no-cache-dir"]
    command = [sys.executable, "-m", "pip", "install", *options, "--target", folder / "site"]
    done = subprocess.run([*command, source], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "site"


@pytest.fixture(autouse=True)
def installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(site)


class TestStore(StoreContract):
    @pytest.fixture
    def address(self, tmp_path: Path) -> str:
        return f"sqlite:{tmp_path / 'folder' / 'pages.db'}"


class TestScheme(SchemeContract):
    @pytest.fixture(params=[SCHEME, f"{SCHEME}:size=32,shared=0.5", "word-sample"])
    def specification(self, request: pytest.FixtureRequest) -> str:
        return request.param


class TestExtractor(ExtractorContract):
    @pytest.fixture(params=[EXTRACTOR, "paragraphs"])
    def extractor(self, request: pytest.FixtureRequest) -> str:
        return request.param


def test_a_database_of_another_program_stays_as_it_is(neardup: Neardup, folder: Path) -> None:
    with closing(sqlite3.connect("pages.db")) as db:
        db.execute("CREATE TABLE diary (day)")
    before = (folder / "pages.db").read_bytes()
    code, _, error = neardup("reset", "--yes", *OPTIONS)
    assert code == 1
    assert "is no store: it belongs to another program; name another file" in error
    assert (folder / "pages.db").read_bytes() == before


@pytest.mark.parametrize("workers", [0, 1])
def test_a_whole_crawl_uses_all_three_and_commands_look_at_the_store(
    workers: int, web: Web, crawl: Crawler, neardup: Neardup, folder: Path
) -> None:
    pages = {"/tides": article("tides"), "/bread": article("bread")}
    web.pages = {**pages, "/again": article("tides", edits=3)}
    words = {
        "urls": [*web.urls("/tides", "/bread"), web.url("/again", "localhost")],
        "CONCURRENT_REQUESTS": 1,
        "NEARDUP_STORE": STORE,
        "NEARDUP_SCHEME": f"{SCHEME}:shared=0.5",
        "NEARDUP_EXTRACTOR": EXTRACTOR,
        "NEARDUP_WORKERS": workers,
    }

    first = crawl(**words, NEARDUP_LOG="first.jsonl")
    second = crawl(**words, NEARDUP_LOG="second.jsonl")

    assert first.urls == second.urls == sorted(web.urls("/tides", "/bread"))
    assert [record["of"] for record in first.log] == web.urls("/tides")
    assert (second["new"], second["revisits"], second["duplicates"]) == (0, 2, 1)
    code, out, _ = neardup("stats", "--json", *OPTIONS)
    facts = json.loads(out)
    assert (code, facts["pages"], facts["store"]) == (0, 2, str(folder / "pages.db"))
    assert facts["made_with_scheme"] == "word-sample/1"
    assert facts["made_with_extractor"] == f"{EXTRACTOR}/1"
    assert facts["bytes_on_disk"] > 0
    assert neardup("verify", *OPTIONS)[0] == 0
    assert neardup("repair", *OPTIONS)[0] == 1
    assert neardup("reset", "--yes", *OPTIONS)[0] == 0
    assert not (folder / "pages.db").exists()


def test_each_spider_has_a_file_of_its_own(
    web: Web, crawl: Crawler, neardup: Neardup, folder: Path
) -> None:
    web.pages = {"/tides": article("tides")}
    store = "sqlite:stores/%(name)s.db"
    assert crawl(urls=web.urls("/tides"), NEARDUP_STORE=store)["new"] == 1
    code, out, _ = neardup("stats", "--json", "-s", f"NEARDUP_STORE={store}")
    assert (code, json.loads(out)["store"]) == (0, str(folder / "stores" / "pages.db"))


def test_a_store_of_another_version_is_refused_and_goes_into_an_export(
    web: Web, crawl: Crawler, neardup: Neardup, folder: Path
) -> None:
    web.pages = {"/tides": article("tides")}
    crawl(urls=web.urls("/tides"), NEARDUP_STORE=STORE, NEARDUP_EXTRACTOR=EXTRACTOR)
    code, _, error = neardup("stats", "-s", f"NEARDUP_STORE={STORE}")
    assert code == 1
    assert f"extractor = {EXTRACTOR}/1 and the settings say " in error
    own = ["-s", f"NEARDUP_STORE={STORE}", "-s", f"NEARDUP_EXTRACTOR={EXTRACTOR}"]
    assert neardup("export", "pages.jsonl", *own)[0] == 0
    code, out, _ = neardup("import", "pages.jsonl", "--into", "sqlite:other.db", "--json", *own)
    assert (code, json.loads(out)["store"]) == (0, "sqlite:other.db")


def test_schemes_of_other_packages_are_listed_and_explained(neardup: Neardup) -> None:
    assert " word-sample " in neardup("schemes")[1]
    for name in ("word-sample", SCHEME):
        code, out, _ = neardup("schemes", name)
        assert code == 0
        assert "least share of words" in out
    _, out, _ = neardup("schemes", "--json")
    assert SCHEME in [scheme["scheme"] for scheme in json.loads(out)]


def test_an_evaluation_compares_such_schemes(neardup: Neardup, folder: Path) -> None:
    corpus = write_drafts(folder / "corpus", 4)
    schemes = ["--scheme", f"{SCHEME}:size=32", "--scheme", "word-sample", "--scheme", "simhash"]
    code, out, error = neardup("evaluate", str(corpus), *schemes, "--json")
    assert (code, error) == (0, "")
    named = [scheme["scheme"] for scheme in json.loads(out)["schemes"]]
    assert named == [f"{SCHEME}:size=32", SCHEME, "simhash"]


@pytest.mark.usefixtures("quick_start")
def test_a_batch_on_spark_uses_such_a_scheme(site: Path, folder: Path) -> None:
    texts = (text("tides"), text("bread"), text("tides", edits=3))
    corpus = write_lines(folder / "corpus.jsonl", ({"text": one} for one in texts))
    words = ["batch", str(corpus), "--output", "out", "--master", "local[1]", "--json"]
    command = [sys.executable, "-c", BATCH, str(site), *words, *OPTIONS[2:]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout)
    assert (counts["clusters"], counts["dropped"]) == (1, 1)


def test_an_extractor_that_fails_costs_its_page_the_verdict_and_no_more(
    web: Web, crawl: Crawler, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "outside_failing.py").write_text(
        "from neardup_outside.extractor import read as reader\n"
        "def read(page):\n"
        "    assert 'bad news' not in page\n"
        "    return reader(page)\n"
        "read.version = 1\n"
    )
    monkeypatch.syspath_prepend(folder)
    web.pages = {"/tides": article("tides"), "/bad": article("bread", more="bad news")}
    urls = web.urls("/tides", "/bad")
    done = crawl(urls=urls, NEARDUP_EXTRACTOR="outside_failing.read")
    assert done.urls == sorted(urls)
    assert (done["new"], sum(done.skipped.values())) == (1, 1)
