"""What extras hold: what the project declares is what commands look for."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from dedup.extras import PACKAGES, missing

DECLARED = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]


@pytest.mark.parametrize("extra", PACKAGES)
def test_the_packages_of_an_extra_are_those_that_it_declares(extra: str) -> None:
    declared = DECLARED["optional-dependencies"][extra]
    assert sorted(PACKAGES[extra]) == [re.split("[<>=]", one)[0] for one in declared]


def test_what_is_missing_is_named_with_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PACKAGES, "report", ("json", "not_there", "nor_this"))
    assert missing("report").startswith("not_there and nor_this: pip install '.[report]'")
    monkeypatch.setitem(PACKAGES, "report", ("json",))
    assert missing("report") == ""
