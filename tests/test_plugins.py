"""Names of stores, schemes and extractors that lead nowhere, and what is said of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dedup import Config
from dedup.store import registry

MODULE = """
from dataclasses import dataclass
from dedup.schemes import SimHash, Scheme, Space

def read(page): ...
def read_wrongly(page): return page
read_wrongly.version = 1
words = ["tea"]
words_of = "tea"

class NoVersion(SimHash): ...
class Half(Scheme):
    name, version = "half", "1"
    def fingerprint(self, document): ...
class NoName(Scheme):
    version = "1"
    spaces = (Space("x", 64),)
    fingerprint = words = compare = accepts = None
"""
ENTRIES = """
[neardup.stores]
nowhere = not_there:Kind
odd = json:dumps
[neardup.schemes]
lost = outside_doors:Lost
[neardup.extractors]
plainer = outside_doors:read
"""
MANUAL = "docs/extending.md"


@pytest.fixture(autouse=True)
def doors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that is installed, with modules and entry points that are wrong."""
    (tmp_path / "outside_doors.py").write_text(MODULE)
    (tmp_path / "outside_broken.py").write_text("import json\n1 / 0\n")
    folder = tmp_path / "outside_doors-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: outside-doors\nVersion: 1\n")
    (folder / "entry_points.txt").write_text(ENTRIES)
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.parametrize(
    ("setting", "value", "told"),
    [
        ("SCHEME", "not_there.Mine", "not_there.Mine cannot be imported: No module named"),
        ("SCHEME", "not_there.Mine:size=3", "not_there.Mine cannot be imported: No module named"),
        ("SCHEME", "outside_doors.Mine", "module 'outside_doors' has no attribute 'Mine'"),
        ("SCHEME", "outside_broken.Mine", "ZeroDivisionError: division by zero; correct the path"),
        ("SCHEME", "..Mine", "this is no dotted path; correct the path"),
        ("SCHEME", "outside_doors.read", "outside_doors.read is no scheme: it must be a class"),
        ("SCHEME", "outside_doors.Half", "outside_doors.Half is no scheme: it must be a class"),
        ("SCHEME", "outside_doors.NoName", "outside_doors.NoName has no name"),
        ("SCHEME", "outside_doors.NoVersion", "outside_doors.NoVersion has no version: give it"),
        ("SCHEME", "lost", "outside_doors:Lost cannot be imported: module 'outside_doors' has no"),
        ("SCHEME", "last", "there is no scheme 'last'; did you mean 'lost'?"),
        ("EXTRACTOR", "not_there.read", "not_there.read cannot be imported: No module named"),
        ("EXTRACTOR", "outside_doors.words", "outside_doors.words is no function from a page"),
        ("EXTRACTOR", "outside_doors.read", "outside_doors.read has no version: give it an attr"),
        ("EXTRACTOR", "plainer", "plainer has no version: give it an attribute such as version"),
        ("EXTRACTOR", "plane", "must be one of weighted_dom, readability, plain, plainer; got"),
        ("STORE", "nowhere:x", "kind 'nowhere' of another package: not_there:Kind cannot be imp"),
        ("STORE", "odd:x", "names the kind 'odd', whose entry point is no class derived from"),
        ("STORE", "mongo:x", "(docs/shared-store.md has more), nowhere:, odd:; got 'mongo:x'"),
    ],
)
def test_a_bad_name_is_one_line_with_the_setting_what_is_wrong_and_the_way_out(
    setting: str, value: str, told: str
) -> None:
    with pytest.raises(ValueError, match=f"^NEARDUP_{setting}") as error:
        Config.from_settings({f"NEARDUP_{setting}": value})
    message = str(error.value)
    assert told in message
    assert value.partition(":")[0] in message
    assert "\n" not in message
    assert MANUAL in message or "must be" in message or "did you mean" in message


def test_a_store_whose_library_is_broken_is_of_no_other_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(registry, "_kinds", {})
    monkeypatch.setitem(registry._BUILT_IN, "leveldb", "outside_broken.Kind")
    with pytest.raises(ValueError, match=r"^names the kind 'leveldb': outside_broken"):
        registry.kind_of("leveldb:store")


def test_an_extractor_that_returns_no_main_text_is_named() -> None:
    from dedup.page import extract

    with pytest.raises(TypeError, match="must return a MainText; got <class 'str'>"):
        extract("<p>tea", "outside_doors.read_wrongly")


def test_a_broken_scheme_of_another_package_hides_no_other(neardup: Any) -> None:
    code, out, error = neardup("schemes")
    assert code == 0
    assert " combined " in out
    assert "outside_doors:Lost cannot be imported" in error


def test_without_pytest_the_contracts_say_in_one_line_how_to_get_it() -> None:
    program = (
        "import sys; sys.modules['pytest'] = None\n"
        "import dedup.testing.texts\n"
        "from dedup.testing import StoreContract"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert run.stderr.splitlines()[-1] == (
        "ImportError: dedup.testing needs pytest: pip install '.[testing]' in a checkout of "
        "scrapy-neardup, or 'WHEEL[testing]' with the path of its wheel"
    )
