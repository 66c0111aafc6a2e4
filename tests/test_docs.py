"""The manual is true: what it names exists, and what exists stands in it."""

from __future__ import annotations

import argparse
import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

from dedup.config import PREFIX, Config
from dedup.index.rules import MOST_CONFIRMED
from dedup.items.names import (
    CHANGING,
    COUNTERS,
    FACTS,
    MAYBE_COUNTERS,
    READERS,
    READERS_ZH,
)
from dedup.native.portable.matching import OLD
from dedup.schemes import SCHEMES
from dedup.scrapy.commands.actions import ACTIONS
from dedup.scrapy.commands.context import ActionGroup
from dedup.verdict import DROPPED, MOST_NEW, Relation
from dedup.verdict.relations import (
    ADDED,
    HELD,
    LEAST_PARAGRAPH_ELSEWHERE,
    MOST_CHANGED,
    MOST_NEW_UNSURE,
    MOST_UNLIKE,
)

ROOT = Path(__file__).parent.parent
HEADS = ("README.md", "CONTRIBUTING.md", "SECURITY.md")
PAGES = [*(ROOT / name for name in HEADS), *sorted((ROOT / "docs").glob("*.md"))]
SETTINGS = {PREFIX + item.name.upper(): item for item in fields(Config)}
RELIABILITY = (ROOT / "docs" / "reliability.md").read_text()
CRAWLER = "\n".join(path.read_text() for path in (ROOT / "crawler").rglob("*.py"))
SOURCES = "\n".join(path.read_text() for path in (ROOT / "dedup" / "scrapy").rglob("*.py"))


@pytest.mark.usefixtures("compiled")
def test_every_setting_has_its_section_with_its_default() -> None:
    text = (ROOT / "docs" / "settings.md").read_text()
    sections = dict(re.findall(r"^### (NEARDUP_\w+)\nDefault: (.+)", text, re.MULTILINE))
    assert sections.keys() == SETTINGS.keys()
    for name, beginning in sections.items():
        if name == "NEARDUP_WORKERS":  # depends on the machine
            continue
        documented = re.match(r"`([^`]+)`", beginning)
        assert documented is not None, name
        if name == "NEARDUP_DROP":  # a set; the page gives it in the usual order
            assert set(json.loads(documented[1])) == SETTINGS[name].default
            continue
        assert documented[1] == repr(SETTINGS[name].default).replace("'", '"'), name


def test_every_name_of_an_item_field_that_is_built_in_is_listed() -> None:
    text = (ROOT / "docs" / "settings.md").read_text()
    listed = set(re.findall(r"`([^`]+)`", text))
    words = READERS | {"share": "shares", "vote": "votes"}
    assert {*words, *READERS_ZH} - {"view", "阅读"} <= listed
    # The page has the forms of one word of each language.
    example = dict.fromkeys(words, "view") | dict.fromkeys(words.values(), "views")
    example |= dict.fromkeys(READERS_ZH, "阅读")
    longest_first = re.compile("|".join(sorted(example, key=len, reverse=True)))
    for name in (*CHANGING, *COUNTERS, *MAYBE_COUNTERS, *FACTS):
        form = longest_first.sub(lambda word: example[word[0]], name)
        assert {name, form} & listed, name


def test_every_relation_is_explained_with_its_default() -> None:
    text = (ROOT / "docs" / "verdicts.md").read_text()
    rows = dict(re.findall(r"^\| `(\w+)` \|.*\| (yes|no) \|$", text, re.MULTILINE))
    named = [relation for relation in Relation if relation is not Relation.NONE]
    assert rows == {name.value: "yes" if name in DROPPED else "no" for name in named}


@pytest.mark.parametrize(
    "phrase",
    [
        f"{100 * HELD:g} % of it, as it is",
        f"more than {ADDED} of `NEARDUP_MAX_NEW` ({100 * ADDED * MOST_NEW:g} % of the page)",
        f"one paragraph has to have at least {LEAST_PARAGRAPH_ELSEWHERE} new letters",
        f"more than {100 * MOST_UNLIKE:g} % of the page",
        f"more than {100 * MOST_CHANGED:g} % of the text is new or reworded",
        f"only {100 * MOST_NEW_UNSURE:g} % of the later one may be new",
        f"at least {100 * OLD:g} % of the weight of its words",
        f"At most {MOST_CONFIRMED} nominated pages",
    ],
)
def test_the_rules_of_a_verdict_are_told_with_the_numbers_of_the_code(phrase: str) -> None:
    text = (ROOT / "docs" / "verdicts.md").read_text()
    assert phrase in " ".join(text.split())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_names_a_setting_that_does_not_exist(page: Path) -> None:
    named = set(re.findall(r"NEARDUP_[A-Z_]+[A-Z]", page.read_text()))
    assert named <= SETTINGS.keys()


def test_every_setting_of_the_crawler_is_in_a_page_and_what_feeds_take_too() -> None:
    text = "\n".join(page.read_text() for page in PAGES)
    read = re.findall(r'["`]((?:PROGRESS|SUMMARY|SHARED)_[A-Z_]+)', CRAWLER)
    options = re.findall(r'"(neardup_field)"', SOURCES)
    assert len({*read}) >= 6
    assert options
    assert [name for name in {*read, *options} if f"`{name}`" not in text] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_names_an_action_that_does_not_exist(page: Path) -> None:
    named = set(re.findall(r"scrapy neardup ([a-z-]+)", page.read_text()))
    assert named <= {action.name for action in ACTIONS}


def test_every_action_is_in_the_reference() -> None:
    commands = (ROOT / "docs" / "reference.md").read_text().split("## Commands")[1]
    listed = re.findall(r"^\| `([a-z-]+)", commands.split("## The spider")[0], re.MULTILINE)
    assert sorted(listed) == sorted(action.name for action in ACTIONS)


def test_every_option_of_an_action_is_in_the_pages() -> None:
    text = "\n".join(page.read_text() for page in PAGES)
    named = set()
    for action in ACTIONS:
        for each in action.actions if isinstance(action, ActionGroup) else (action,):
            parser = argparse.ArgumentParser(add_help=False)
            if each.add_options is not None:
                each.add_options(parser)
            named |= set(re.findall(r"--[a-z][a-z-]*", parser.format_help()))
    assert {"--kept", "--like", "--all-patterns"} < named
    assert [name for name in sorted(named) if not re.search(rf"[` ]{name}\b", text)] == []


def test_every_scheme_has_its_section() -> None:
    text = (ROOT / "docs" / "schemes.md").read_text()
    assert sorted(re.findall(r"^### (\S+)$", text, re.MULTILINE)) == sorted(SCHEMES)


def test_every_stat_that_the_code_counts_is_in_the_reference() -> None:
    text = (ROOT / "docs" / "reference.md").read_text()
    counted = {f"neardup/{name}" for name in re.findall(r'count\(\s*"([a-z_/]+)"', SOURCES)}
    counted |= set(re.findall(r'"(neardup/[a-z_/]+)"', SOURCES))
    counted |= {
        f"neardup/skipped/{r}" for r in re.findall(r'FingerprintError\(\s*"(\w+)"', SOURCES)
    }
    missing = {stat for stat in counted if f"`{stat}`" not in text}
    assert counted
    assert not missing


def test_every_link_between_pages_leads_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_link_to_a_section_leads_to_a_heading() -> None:
    for page in PAGES:
        for target, section in re.findall(r"\]\(([^)#]*)#([^)]*)\)", page.read_text()):
            if not target.startswith("http") and not target.endswith(".py"):
                place = page.parent / target if target else page
                assert section in _sections(place), f"{page.name}: {target}#{section}"


def _sections(page: Path) -> set[str]:
    """The names of the headings of a page, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_test_that_a_page_names_exists(page: Path) -> None:
    for path, name in re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", page.read_text()):
        assert f"def {name}(" in (ROOT / path).read_text(), f"{path}::{name}"


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_every_file_that_a_guide_for_maintainers_names_exists(page: str) -> None:
    roots = [ROOT / below for below in ("", "dedup", "dedup/scrapy", "dedup/schemes/literature")]
    roots += [ROOT / below for below in ("dedup/store", "dedup/page", "tests/page")]
    named = re.findall(
        r"`([\w./-]+(?:/|\.(?:py|h|md|toml|yml)))(?:::\w+)?`", (ROOT / page).read_text()
    )
    assert len(named) > 10
    named = [name for name in named if not name.endswith("NAME.py")]
    assert [name for name in named if not any((root / name).exists() for root in roots)] == []


def test_every_constant_of_a_recipe_is_in_the_file_beside_it() -> None:
    steps = re.split(r"\n(?=\d\. |\||\n)", (ROOT / "CONTRIBUTING.md").read_text())
    found = 0
    for step in steps:
        sources = [ROOT / name for name in re.findall(r"`((?:dedup|tests)/[\w/]+\.[pch]y?)`", step)]
        for name in re.findall(r"`(_?[A-Z][A-Z_]{3,})`", step) if sources else ():
            found += 1
            assert any(name in path.read_text() for path in sources if path.exists()), name
    assert found > 8


def test_every_file_of_the_compiled_code_is_in_its_guide() -> None:
    text = (ROOT / "docs" / "native.md").read_text()
    files = [path.name for path in (ROOT / "dedup" / "native").glob("*.c")]
    assert files
    assert [name for name in sorted(files) if f"`{name}`" not in text] == []


def test_promises_name_tests() -> None:
    promises = re.findall(r"^\| (?!promise )([^|-][^|]*) \| (.+) \|$", RELIABILITY, re.MULTILINE)
    assert len(promises) > 40
    for promise, shown in promises:
        assert re.fullmatch(r"`tests/[^`]+::[^`]+`(, `tests/[^`]+::[^`]+`)*", shown), promise
