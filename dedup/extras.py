"""Optional packages: which are missing, and how they are installed."""

from importlib.util import find_spec

PACKAGES = {
    "report": ("jinja2", "matplotlib"),
    "review": ("flask", "waitress"),
    "spark": ("pandas", "pyarrow", "pyspark", "warcio"),  # Arrow in Spark needs pandas.
    "testing": ("hypothesis", "pytest"),
}


def missing(extra: str) -> str:
    """The packages of an extra that are missing, and how to install them; empty for none."""
    names = [name for name in PACKAGES[extra] if find_spec(name) is None]
    return f"{' and '.join(names)}: {how_to_install(extra)}" if names else ""


def how_to_install(extra: str) -> str:
    """The command that installs the packages of an extra; this package is on no index."""
    return (
        f"pip install '.[{extra}]' in a checkout of scrapy-neardup, "
        f"or 'WHEEL[{extra}]' with the path of its wheel"
    )
