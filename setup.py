"""What pyproject.toml has no words for: the compiled module, which may be missing."""

import sysconfig
from pathlib import Path

from setuptools import Extension, setup

SOURCES = Path("dedup", "native")
EXACT = ["-ffp-contract=off"]  # sums as Python has them
LIMITED = not sysconfig.get_config_var("Py_GIL_DISABLED")  # one build for all versions of Python

setup(
    ext_modules=[
        Extension(
            "dedup.native.core",
            sorted(map(str, SOURCES.glob("*.c"))),
            depends=sorted(map(str, SOURCES.glob("*.h"))),
            extra_compile_args=["-std=c11", "-O3", "-fvisibility=hidden", *EXACT],
            libraries=["m"],
            py_limited_api=LIMITED,
            optional=True,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if LIMITED else {},
)
