"""List the benchmarks of verdicts and of hashes, or run these: ``python -m benchmarks [DATA_DIR]``.

The others are run by name; benchmarks/README.md has them all.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

from rich.console import Console

NAMES = (
    "install_guide",
    "edited_reposts",
    "one_version_sites",
    "clang_docs",
    "simulated_reposts",
    "two_scripts",
    "sketch_contents",
    "lookalikes",
    "string_hashes",
)


def main(argv: Sequence[str] | None = None) -> int:
    """List, or run one after the other; returns 1 where any bar was missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("data", nargs="?", metavar="DATA_DIR", help="run them on this folder")
    data = parser.parse_args(argv).data
    modules = {name: importlib.import_module(f"benchmarks.{name}") for name in NAMES}
    if data is None:
        console = Console()
        for name, module in modules.items():
            summary = (module.__doc__ or "").partition("\n")[0]
            console.print(f"python -m benchmarks.{name} DATA_DIR", markup=False)
            console.print(f"    {summary}", markup=False, soft_wrap=True)
        return 0
    codes: list[int] = [module.main([data]) for module in modules.values()]
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
