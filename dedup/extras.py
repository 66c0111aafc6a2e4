"""Optional packages: how one gets them."""


def how_to_install(extra: str) -> str:
    """The command that installs the packages of an extra; the project is on no index."""
    return f"pip install '.[{extra}]' in a checkout of scrapy-neardup"
