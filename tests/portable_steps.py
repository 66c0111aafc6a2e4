"""The portable steps in place of the compiled ones."""

from __future__ import annotations

import pytest

from dedup import native
from dedup.native import portable


def use_portable(patch: pytest.MonkeyPatch) -> None:
    """Do all compiled steps in Python until the patch is undone."""
    for name in portable.__all__:
        if name != "read_dictionary":  # segmentation keeps the result, and compiled steps need it
            patch.setattr(native, name, getattr(portable, name))
