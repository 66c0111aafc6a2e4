"""Settings in seconds, read and checked before a crawl begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

MOST_SECONDS = 86_400.0


def read_seconds(
    settings: BaseSettings, name: str, default: float, above: float = 0.0, why: str = ""
) -> float:
    """A setting in seconds.

    Args:
        settings: the crawl's.
        name: of the setting.
        default: what it is where it is not set.
        above: what it must exceed.
        why: the reason for that, told in the error.

    Raises:
        ValueError: it is not, or no number.
    """
    value = settings.get(name, default)
    try:
        seconds = float(value)
    except (TypeError, ValueError):
        seconds = above
    if not above < seconds <= MOST_SECONDS:
        allowed = f"a number of seconds above {above:g}{why}, up to {MOST_SECONDS:g}"
        raise ValueError(f"{name} must be {allowed}; got {value!r}")
    return seconds
