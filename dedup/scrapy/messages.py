"""Log messages about pages without a verdict, and about a store that is in use."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

from scrapy.http import Response

from dedup.config import Config
from dedup.index import Match
from dedup.page.limits import REFUSALS
from dedup.store import Record


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason why a page gets no verdict, and what the user can do."""

    text: str  # A sentence about the page, with placeholders that ``why_skipped`` fills in.
    level: int = logging.WARNING  # Pages that a crawl is meant to skip cause no warning.


REASONS = {
    "asked": Reason("its request has meta neardup_skip", logging.INFO),
    "status": Reason(
        "its status {status} is not among NEARDUP_STATUSES = {statuses}; add it there to "
        "have such pages checked",
        logging.INFO,
    ),
    "not_html": Reason(
        "it is neither HTML nor plain text but {type!r}; NearDupPipeline alone compares items of "
        "feeds and the like by their own text",
        logging.INFO,
    ),
    "replaced": Reason(
        "a downloader middleware replaced its body after it was read; in DOWNLOADER_MIDDLEWARES "
        "give dedup.scrapy.FingerprintMiddleware a lower number than that one has"
    ),
    "cut_short": Reason(
        "its end was lost on the way, and DOWNLOAD_FAIL_ON_DATALOSS = False; set that to True to "
        "have such pages requested again"
    ),
    "too_large": Reason(
        "its body of {size} bytes is over NEARDUP_MAX_BODY = {config.max_body}; raise that to have "
        "such pages checked"
    ),
    "no_text": Reason(
        "no text was found in it; one whose text comes by JavaScript has to be rendered first",
        logging.INFO,
    ),
    "short_text": Reason(
        "its text has fewer words than a quarter of NEARDUP_MIN_TOKENS = {config.min_tokens}; "
        "lower that to have shorter ones checked",
        logging.INFO,
    ),
    **{
        reason: Reason(
            f"it has {what}, and no setting raises that; meta neardup_skip leaves it out"
        )
        for reason, what in REFUSALS.items()
    },
    "worker_timeout": Reason(
        "a worker needed longer for it than NEARDUP_WORKER_TIMEOUT = {config.worker_timeout:g} "
        "seconds; raise that, or lower NEARDUP_MAX_BODY = {config.max_body} to leave such pages out"
    ),
    "worker_died": Reason(
        "{error}, perhaps for lack of memory; lower NEARDUP_WORKERS = {config.workers} or "
        "NEARDUP_MAX_BODY = {config.max_body}"
    ),
    "error": Reason(
        "its fingerprint could not be made ({error}); meta neardup_skip leaves such pages out; "
        "please report it with the page's HTML"
    ),
    "store_down": Reason(
        "the server of NEARDUP_STORE did not answer, and NEARDUP_STORE_DOWN = {config.store_down!r}"
    ),
    "store_locked": Reason(
        "another process has the store, and NEARDUP_STORE_LOCKED = {config.store_locked!r}",
        logging.INFO,
    ),
    "store_error": Reason(
        "the store failed, as the error before this line says; see that its disk has room and can "
        "be written, and run `scrapy neardup verify` after the crawl"
    ),
}
ITEM_REASONS = {
    "no_text": Reason(
        "its fields {fields} (NEARDUP_TEXT_FIELDS) hold no text besides a title; name there those "
        "that do, or enable dedup.scrapy.Addon, which compares pages"
    )
}
# The reasons of a FingerprintError.
REFUSED = frozenset((*REFUSALS, "worker_timeout", "worker_died", "error"))
SKIPS_NOTHING = (
    "NEARDUP_SKIP_PREDICTED = True has no effect, and no request is skipped: %s. It takes "
    "dedup.scrapy.Addon, Scrapy's own SCHEDULER, and SCHEDULER_PRIORITY_QUEUE = "
    "'dedup.scrapy.PostponingQueue'; set these, or remove NEARDUP_SKIP_PREDICTED"
)


def why_skipped(
    reason: str,
    url: str,
    config: Config,
    response: Response | None = None,
    *,
    own: bool = False,
    error: Exception | None = None,
) -> tuple[int, str]:
    """The log level and the line for the first page that is skipped for a reason.

    An item without a URL has an empty one, and an item without a page has no response. ``own`` is
    true if each item is a page, made from its text fields. ``error`` is the error of a page that
    was refused.
    """
    told = (ITEM_REASONS.get(reason) if own else None) or REASONS[reason]
    header = response.headers.get(b"Content-Type") if response is not None else None
    why = told.text.format(
        config=config,
        error=error,
        statuses=config.shown("statuses"),
        fields=", ".join(config.text_fields),
        status=response.status if response is not None else "",
        size=len(response.body) if response is not None else 0,
        type=header.decode("latin-1") if header else type(response).__name__,
    )
    counted = f"others are counted under neardup/skipped/{reason}"
    what = f"{url} gets no verdict, and its items are" if url else "An item gets no verdict and is"
    return told.level, f"{what} exported: {why} ({counted})"


def new_words(match: Match, record: Record) -> int:
    """The number of words of a page that are not in the page it is related to."""
    text, estimate = match.kinship.text, round(match.kinship.new * record.tokens)
    if text is None:
        return estimate
    return text.new_words if text.whole else max(text.new_words, estimate)


def describe_loss(match: Match, record: Record) -> str:
    """The part of a page that is lost if it is dropped for a page that it is related to."""
    new, words = match.kinship.new, new_words(match, record)
    if new and not words and match.kinship.text is not None:
        return f"new: no sentence, but it is {new:.0%} longer"
    about = "" if match.kinship.text is not None else "about "
    return f"new: {about}{new:.0%} of it, {words} words" if new else "nothing new"


def locked(store: Path | str, policy: str) -> str:
    """The warning that another process uses the store, with what the crawl does then."""
    what = f"Another process uses the store in {store}. This crawl"
    if policy == "wait":
        return f"{what} begins when it is free (NEARDUP_STORE_LOCKED = 'wait')"
    return (
        f"{what} exports every item without a verdict and stores no page (NEARDUP_STORE_LOCKED = "
        "'pass'; 'wait' waits for the other process, 'stop' ends the crawl). docs/shared-store.md "
        "explains how crawls share one store"
    )
