"""What pyproject.toml has no words for: the compiled module, which may be missing."""

from pathlib import Path

from setuptools import Extension, setup

SOURCES = Path("dedup", "native")

setup(
    ext_modules=[
        Extension(
            "dedup.native.core",
            sorted(map(str, SOURCES.glob("*.c"))),
            depends=sorted(map(str, SOURCES.glob("*.h"))),
            extra_compile_args=["-std=c11", "-O3", "-ffp-contract=off"],  # sums as Python has them
            py_limited_api=True,
            optional=True,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
