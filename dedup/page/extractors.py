"""Extractors by name: each finds the main text of a page.

An extractor of another package is a function from the decoded page to a ``MainText`` that has an
attribute ``version``. Its name is a dotted path, or an entry point of ``neardup.extractors``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from importlib import import_module

from dedup import native, plugins
from dedup.page.compiled import encode
from dedup.page.limits import RefusedError, check_tags
from dedup.page.paragraphs import MainText

EXTRACTORS = {"weighted_dom": 19, "readability": 9, "plain": 9}  # Name -> version.
_PLACES = {  # Name -> module and function.
    "weighted_dom": "compiled.read_page",
    "readability": "readability.extract",
    "plain": "compiled.read_visible",
}
_COMPILED = ("weighted_dom", "plain")  # These need compiled code.
DEFAULT_EXTRACTOR = "weighted_dom" if native.is_compiled else "readability"


def extract(html: str | bytes, extractor: str = DEFAULT_EXTRACTOR) -> MainText:
    """Find the main text of a page; a page beyond the limits is refused and has no text.

    Args:
        html: the page, decoded, or in valid UTF-8 (as ``read_body`` returns it).
        extractor: a name from EXTRACTORS, or the name of an extractor of another package.

    Raises:
        ValueError: the extractor is unknown, was not built, or cannot be imported.
    """
    try:
        check_extractor(extractor)
    except LookupError:
        names = ", ".join(extractor_names())
        raise ValueError(f"extractor must be one of {names}; got {extractor!r}") from None
    try:
        return _extractor(extractor)(html)
    except RefusedError as error:
        return MainText("", (), sure=False, refused=error.reason)


def check_extractor(name: str) -> None:
    """Check that an extractor can be used.

    Raises:
        LookupError: there is no extractor of this name.
        ValueError: it lacks its compiled code, cannot be imported, or has no version.
    """
    if name not in EXTRACTORS:
        extractor_version(name)
    elif name not in built_extractors():
        raise ValueError(
            f"extractor {name!r} is not there, since {native.NOT_BUILT}. {native.REMEDY}, "
            "or take 'readability'"
        )


def built_extractors() -> list[str]:
    """The extractors of this package that can be used here."""
    return [name for name in EXTRACTORS if native.is_compiled or not is_compiled(name)]


def extractor_names() -> list[str]:
    """The names of all extractors: of this package, and of other installed packages."""
    return [*EXTRACTORS, *plugins.installed(plugins.EXTRACTORS)]


def is_compiled(extractor: str) -> bool:
    """Whether an extractor is compiled code, which takes about a tenth of the time."""
    return extractor in _COMPILED


def extractor_version(name: str) -> str:
    """The version of an extractor, for a store's header; raises as ``check_extractor`` does."""
    if name in EXTRACTORS:
        return str(EXTRACTORS[name])
    found = plugins.load(plugins.EXTRACTORS, name)
    if not callable(found):
        raise ValueError(  # noqa: TRY004
            f"{name} is no function from a page to its main text ({plugins.MANUAL})"
        )
    return plugins.version_of(found, name)


@cache
def _extractor(name: str) -> Callable[[str | bytes], MainText]:
    if name not in EXTRACTORS:
        return partial(_extract_by, plugins.load(plugins.EXTRACTORS, name))
    module, _, function = _PLACES[name].rpartition(".")
    found: Callable[[str | bytes], MainText] = getattr(
        import_module(f"dedup.page.{module}"),  # Imported on first use: lxml is slow to import.
        function,
    )
    return found


def _extract_by(read: Callable[[str], MainText], html: str | bytes) -> MainText:
    """Find the main text of a page by an extractor of another package."""
    page = encode(html)
    check_tags(page)
    main = read(page.decode("utf-8", "replace"))
    if not isinstance(main, MainText):
        raise TypeError(f"the extractor {read!r} must return a MainText; got {type(main)}")
    return main
