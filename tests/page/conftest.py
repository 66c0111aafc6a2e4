"""Each test of pages runs twice: by the compiled steps, and by their counterparts in Python."""

from __future__ import annotations

import pytest

from dedup import native


@pytest.fixture(autouse=True, params=["compiled", "python"])
def steps(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "python":
        monkeypatch.setattr(native, "core", None)
    elif native.core is None:
        pytest.skip(
            "the compiled steps were not built: this takes a C compiler and Python's headers"
        )
    return str(request.param)
