"""Fixtures for tests that crawl or run ``scrapy neardup``; Chromium, and servers: Redis, Spark."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest
from browsing import open_browser
from crawling import SETTINGS, Crawl, Pages, Reactor, Web
from hypothesis import HealthCheck, settings
from outages import Outage
from scrapy.cmdline import execute
from scrapy.settings import Settings

from crawler.spiders.site import SiteSpider
from dedup import native
from dedup.batch.job import BatchError, check_machine
from dedup.urls import predictions
from tests.portable_steps import use_portable
from tests.redis_servers import Cluster, Server, Servers, running_cluster, running_server

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from selenium.webdriver import Chrome

# The same examples each time, and no verdict on how quick the machine is.
settings.register_profile(
    "tests", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tests")

# Of servers that tests break: what they acknowledge is in their logs.
LOGGED = ("--appendonly", "yes", "--appendfsync", "always")

# For small tables: Spark spends its time on making them quick.
QUICK_START = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}
SMALL_TABLES = QUICK_START | {
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.adaptive.enabled": "false",
}

QUEUES = frozenset(
    ("test_frontier.py", "test_jobdir.py", "test_left_requests.py", "test_skipping.py")
)


class Crawler(Protocol):
    def __call__(self, spider: Any = Pages, /, **words: Any) -> Crawl: ...


class Neardup(Protocol):
    """One call of the command: its exit code, what it printed, its errors."""

    def __call__(self, *arguments: str) -> tuple[int, str, str]: ...


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests of schemes run twice: by compiled steps, and by Python alone."""
    if metafunc.definition.path.parent.name in {"schemes"}:
        metafunc.parametrize("steps", ["compiled", "python"], indirect=True)


@pytest.fixture
def compiled() -> None:
    """Skip a test of compiled code where there is none."""
    if not native.is_compiled:
        assert "NEARDUP_REQUIRE_SERVERS" not in os.environ, native.MISSING
        pytest.skip(native.MISSING)


@pytest.fixture(autouse=True)
def close_databases(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Close the databases that a test of queues leaves open, as one does that stands for a kill.

    Since Python 3.13 a database that is not closed makes a warning, in whatever test comes next.
    """
    opened: list[sqlite3.Connection] = []
    if request.path.name in QUEUES:
        connect = sqlite3.connect

        def note(*arguments: Any, **options: Any) -> sqlite3.Connection:
            opened.append(connect(*arguments, **options))
            return opened[-1]

        monkeypatch.setattr(sqlite3, "connect", note)
    yield
    for database in opened:
        with suppress(sqlite3.ProgrammingError):  # Of a crawl in another thread, which closes it.
            database.close()


@pytest.fixture(autouse=True)
def steps(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a test run by these steps, where it is to run by both."""
    by = getattr(request, "param", "")
    if by == "python":
        use_portable(monkeypatch)
    elif by == "compiled":
        request.getfixturevalue("compiled")


@pytest.fixture(scope="session")
def reactor() -> Iterator[Reactor]:
    running = Reactor()
    yield running
    running.stop()


@pytest.fixture
def web() -> Iterator[Web]:
    with Web() as running:
        yield running


@pytest.fixture(scope="session")
def running_chromium() -> Iterator[Chrome]:
    with open_browser() as running:
        running.set_window_size(1280, 900)
        yield running


@pytest.fixture
def chromium(running_chromium: Chrome) -> Chrome:
    """Chromium without what the test before set in it."""
    for command in ("clearDeviceMetricsOverride", "setEmulatedMedia"):
        running_chromium.execute_cdp_cmd(f"Emulation.{command}", {})
    return running_chromium


@pytest.fixture(scope="module")
def servers() -> Iterator[Servers]:
    """Redis servers, started when they are asked for."""
    with ExitStack() as stack:
        yield Servers(stack)


@pytest.fixture
def server() -> Iterator[Server]:
    """A Redis server for tests that break it."""
    with running_server(*LOGGED) as running:
        yield running


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """A cluster for tests that break it."""
    with running_cluster(*LOGGED) as running:
        yield running


@pytest.fixture
def outage(server: Server) -> Outage:
    return Outage(server)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder a test's crawls are started in: relative paths lead into it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def late_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of URLs that may be skipped, the last of each lot is downloaded, not any of them."""
    monkeypatch.setattr(predictions, "randbelow", lambda number: number - 1)


@pytest.fixture
def crawl(reactor: Reactor, folder: Path, caplog: pytest.LogCaptureFixture) -> Crawler:
    """Run a crawl to its end: words in capitals are settings, others arguments of the spider."""
    caplog.set_level(logging.INFO)
    caplog.set_level(logging.DEBUG, "dedup")

    def run(spider: Any = Pages, /, **words: Any) -> Crawl:
        settings = Settings(
            SETTINGS | {name: words.pop(name) for name in [*words] if name.isupper()}
        )
        done = reactor.crawl(spider, settings, words)
        done.check_sums()
        return done

    return run


@pytest.fixture
def crawl_site(crawl: Crawler) -> Crawler:
    """Run the site spider to its end, without the extension and with words as of `crawl`."""

    def run(spider: Any = SiteSpider, /, **words: Any) -> Crawl:
        return crawl(spider, **({"ADDONS": {}, "ROBOTSTXT_OBEY": True} | words))

    return run


@pytest.fixture(autouse=True)
def no_project(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scrapy's commands name the project they ran in to all that runs after them."""
    for name in ("SCRAPY_PROJECT", "SCRAPY_SETTINGS_MODULE"):
        monkeypatch.setenv(name, "")  # so that it is taken away again after the test
        monkeypatch.delenv(name)


@pytest.fixture
def neardup(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Neardup:
    """Run ``scrapy neardup`` in this process, on a wide terminal and outside of a project."""
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            execute(["scrapy", "neardup", *arguments])
        printed = capsys.readouterr()
        code = ended.value.code
        return (code if isinstance(code, int) else 0), printed.out, printed.err

    return run


@pytest.fixture(scope="session")
def packages() -> None:
    """The packages of the extra ``spark``, and Java."""
    try:
        check_machine()
    except BatchError as error:
        if os.environ.get("NEARDUP_REQUIRE_SERVERS"):
            raise
        pytest.skip(f"{error}; in this repository: make spark")


@pytest.fixture
def quick_start(packages: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have Spark in other processes spend no time on making small tables quick."""
    lines = (f"{name} {value}" for name, value in QUICK_START.items())
    (tmp_path / "spark-defaults.conf").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))


@pytest.fixture(scope="session")
def spark(packages: None) -> Iterator[SparkSession]:
    """One small local session for all tests."""
    from dedup.batch.session import open_session

    with open_session("local[2]", SMALL_TABLES) as session:
        yield session
