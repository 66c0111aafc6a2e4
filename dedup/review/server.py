"""The review page: a small web server on this machine over the records of drop logs.

browser -> guard -> listing (records) | differences (texts) | judgements (users' verdicts)

The page is plain HTML, CSS and JavaScript modules. Content of crawled pages is sent to it as JSON
and inserted as text. It needs the packages of the extra ``review``.

The records are in memory: sorted once, then filtered and shown page by page. A request for a page
names the record before or after it, not a row number. Judging changes the filtered rows, and with
row numbers a record could be missed between two pages.
"""

from __future__ import annotations

import logging
import random
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from socket import socket
from sys import intern
from typing import Any

from flask import Flask, abort, jsonify, render_template, request
from flask.typing import ResponseReturnValue
from waitress.server import BaseWSGIServer, create_server
from werkzeug.exceptions import HTTPException

from dedup.review.characters import UNSEEN, language_of
from dedup.review.differences import Piece, Texts, compare_texts
from dedup.review.judgements import VERDICTS, WRONG, Judgements
from dedup.review.precision import Standing
from dedup.review.records import Choice, Drop
from dedup.review.server_guard import BODY, guard
from dedup.scope import bare_host, host_of

PAGE = 50  # Records of a page.
SEED = 20070508  # The seed of the mixed order, which is the same at every start.
ORDERS = ("similarity", "time", "mixed")
# What is asked for -> the verdicts that fit.
JUDGED: Mapping[str, Collection[str | None]] = {
    "judged": VERDICTS,
    "unjudged": (None,),
    **{verdict: (verdict,) for verdict in VERDICTS},
}
HOSTS = 200  # Hosts in the menu, the most frequent first.

THREADS = 8  # A browser opens six connections.
_SUMMARY = ("url", "of", "similarity", "relation", "new", "action")
_DETAILS = ("spider", "distance", "containment", "tokens", "of_tokens", "new_words")
_ON_ANY_PAGE = {"orders": ORDERS, "judged": JUDGED, "unseen": UNSEEN}

TextsOf = Callable[[Drop], Texts]
Restore = Callable[[Sequence[Drop]], tuple[list[Path], int]]


@dataclass(frozen=True, slots=True)
class Filter(Choice):
    """The records to show; an empty value matches all. ``host`` is faster than ``hosts``."""

    host: str = ""  # The host of the dropped page or of the page it repeats.
    judged: str = ""  # One of ``JUDGED``.
    text: str = ""  # A part of either URL, in lower case; matches in any case.


@dataclass(frozen=True, slots=True)
class ListingPage:
    """One page of the records that match a filter, by number."""

    numbers: list[int]  # The records, in order.
    before: int  # Number of matching records before them.
    total: int  # Number of all matching records.


def parse_filter(words: Mapping[str, str]) -> Filter:
    """Make a filter from the parameters of a query. Raises ValueError if a value is not allowed."""
    host = words.get("host", "").strip()
    judged = words.get("judged", "")
    if judged and judged not in JUDGED:
        raise ValueError(f"judged must be one of {', '.join(JUDGED)}; got {judged!r}")
    return Filter(
        host=bare_host(host) if host else "",
        relation=words.get("relation", ""),
        action=words.get("action", ""),
        least=_share(words, "min", 0.0),
        most=_share(words, "max", 1.0),
        judged=judged,
        text=words.get("text", "").strip().lower(),
    )


class Listing:
    """The records, by number (their place in the logs), with their verdicts."""

    def __init__(self, drops: Sequence[Drop], verdicts: Mapping[int, str]) -> None:
        self.drops = drops
        self.verdicts = dict(verdicts)
        # Of each dropped page and of the page it repeats.
        self.hosts = [(intern(host_of(drop.url)), intern(host_of(drop.of))) for drop in drops]
        self.choices = {  # The most frequent first.
            "host": _frequent(host for pair in self.hosts for host in set(pair))[:HOSTS],
            "relation": _frequent(drop.relation.value for drop in drops),
            "action": _frequent(drop.action for drop in drops),
        }
        numbers = range(len(drops))
        self._orders = {
            "similarity": sorted(numbers, key=lambda number: drops[number].similarity),
            "time": sorted(numbers, key=lambda number: drops[number].time),
            "mixed": random.Random(SEED).sample(numbers, len(drops)),  # noqa: S311
        }
        self._places = {  # The place of each record in each order.
            name: sorted(numbers, key=order.__getitem__) for name, order in self._orders.items()
        }

    def judge(self, number: int, verdict: str | None) -> str | None:
        """Set the verdict on a record, or remove it with None; returns the previous verdict."""
        before = self.verdicts.pop(number, None)
        if verdict is not None:
            self.verdicts[number] = verdict
        return before

    def restorable(self) -> list[int]:
        """The dropped records judged wrong, in order; items of tagged pages are in the feed."""
        wrong = (number for number, verdict in list(self.verdicts.items()) if verdict == WRONG)
        return sorted(number for number in wrong if self.drops[number].action == "drop")

    def page(
        self, chosen: Filter, order: str, *, after: int | None, before: int | None
    ) -> ListingPage:
        """One page of the matching records: the first, or the page after or before a record.

        Raises:
            ValueError: there is no such order.
            IndexError: there is no such record.
        """
        if order not in ORDERS:
            raise ValueError(f"order must be one of {', '.join(ORDERS)}; got {order!r}")
        found = self._orders[order]
        if chosen != Filter():
            found = [number for number in found if self._fits(number, chosen)]
        places, start, size = self._places[order], 0, PAGE
        if after is not None:
            start = bisect_right(found, places[after], key=places.__getitem__)
        elif before is not None:
            end = bisect_left(found, places[before], key=places.__getitem__)
            start, size = max(0, end - size), min(size, end)
        return ListingPage(found[start : start + size], start, len(found))

    def _fits(self, number: int, chosen: Filter) -> bool:
        drop = self.drops[number]
        return (
            (not chosen.host or chosen.host in self.hosts[number])
            and chosen.takes(drop)
            and (not chosen.judged or self.verdicts.get(number) in JUDGED[chosen.judged])
            and (chosen.text in drop.url.lower() or chosen.text in drop.of.lower())
        )


def _share(words: Mapping[str, str], name: str, default: float) -> float:
    text = words.get(name, "").strip()
    try:
        number = float(text or default)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise ValueError(f"{name} must be a similarity from 0 to 1; got {text!r}")
    return number


def _frequent(values: Iterable[str]) -> list[str]:
    return [value for value, _ in Counter(values).most_common() if value]


@dataclass(frozen=True, slots=True)
class Review:
    """The data and the actions of a review."""

    drops: Sequence[Drop]
    judgements: Judgements  # Stores the verdicts.
    texts: TextsOf  # Returns the texts of a record; raises OSError or ValueError if it cannot.
    # Restores drops; returns the files and the number of items; may raise the same.
    restore: Restore
    notes: tuple[str, ...] = ()  # Messages about the logs for the user.


def make_app(review: Review, token: str, port: int) -> Flask:
    """The server of a review; accepts requests to ``port`` that contain ``token``."""
    app = Flask("dedup.review", template_folder="pages", static_folder="static")
    guard(app, token, port)
    found = ((number, review.judgements.of(drop)) for number, drop in enumerate(review.drops))
    listing = Listing(review.drops, {number: verdict for number, verdict in found if verdict})
    standing = Standing(review.drops)

    def now() -> dict[str, Any]:
        return standing.of(listing.verdicts) | {"restorable": len(listing.restorable())}

    @app.get("/")
    def page() -> bytes:
        made = render_template(
            "review.html", choices=listing.choices, notes=review.notes, **_ON_ANY_PAGE
        )
        return made.encode("utf-8", "replace")  # A damaged log may have lone surrogates.

    @app.get("/api/records")
    def records() -> ResponseReturnValue:
        wanted, order = parse_filter(request.args), request.args.get("order", ORDERS[0])
        shown = listing.page(wanted, order, after=_number("after"), before=_number("before"))
        rows = [_summary(listing, number) for number in shown.numbers]
        return jsonify(records=rows, before=shown.before, total=shown.total)

    @app.get("/api/records/<int:number>")
    def record(number: int) -> ResponseReturnValue:
        return jsonify(_details(listing, number, review.texts))

    @app.post("/api/records/<int:number>/judgement")
    def judge(number: int) -> ResponseReturnValue:
        drop, verdict = listing.drops[number], _posted("verdict")
        review.judgements.judge(drop, verdict)
        before = listing.judge(number, verdict)
        return jsonify(before=before, standing=now())

    @app.get("/api/standing")
    def stand() -> ResponseReturnValue:
        return jsonify(now())

    @app.post("/api/restore")
    def restore() -> ResponseReturnValue:
        wrong = listing.restorable()
        if not wrong or _posted("count") != len(wrong):
            abort(HTTPStatus.CONFLICT, f"{len(wrong)} drops are judged wrong by now")
        files, written = review.restore([listing.drops[number] for number in wrong])
        return jsonify(count=written, files=[str(file) for file in files])

    _tell_errors(app)
    return app


def make_server(app: Flask, listening: socket) -> BaseWSGIServer:
    """A server ready to ``run()``; an interrupt ends it."""
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # Short queues are normal.
    server: BaseWSGIServer = create_server(
        app,
        sockets=[listening],
        threads=THREADS,
        ident=None,
        clear_untrusted_proxy_headers=True,
        max_request_body_size=BODY,  # Checked before the body is written anywhere.
    )
    return server


def _number(name: str) -> int | None:
    text = request.args.get(name)
    if text is not None and not text.isdecimal():
        raise ValueError(f"{name} must be the number of a record; got {text!r}")
    return None if text is None else int(text)


def _posted(name: str) -> Any:
    body = request.get_json()
    if not isinstance(body, dict) or name not in body:
        raise ValueError(f"the body must be a JSON object with {name!r}")
    return body[name]


def _summary(listing: Listing, number: int) -> dict[str, Any]:
    drop = listing.drops[number]
    host, of_host = listing.hosts[number]
    return {name: getattr(drop, name) for name in _SUMMARY} | {
        "number": number,
        "host": host,
        "of_host": of_host,
        "verdict": listing.verdicts.get(number),
    }


def _details(listing: Listing, number: int, texts_of: TextsOf) -> dict[str, Any]:
    drop = listing.drops[number]
    details = _summary(listing, number) | {name: getattr(drop, name) for name in _DETAILS}
    details |= {"time": drop.time.isoformat(timespec="seconds"), "log": drop.log.name, "rows": []}
    try:
        texts = texts_of(drop)
    except (OSError, ValueError) as error:
        return details | {"problem": f"The texts cannot be read: {error}"}
    return details | {
        "problem": texts.problem,
        "rows": _rows_of(texts),
        "lang": language_of(texts.dropped),
        "of_lang": language_of(texts.original),
        "has_text": bool(texts.dropped),
        "of_has_text": bool(texts.original),
    }


def _rows_of(texts: Texts) -> list[list[list[list[str | int]]]]:
    """The rows of both texts as JSON: ``[[[text, same], ...], [[text, same], ...]]`` per row.

    If only one text is there, nothing is marked as different.
    """
    alone = not (texts.dropped and texts.original)

    def as_json(pieces: Sequence[Piece]) -> list[list[str | int]]:
        return [[piece.text, int(piece.same or alone)] for piece in pieces if piece.text]

    rows = compare_texts(texts.original, texts.dropped)
    return [[as_json(row.left), as_json(row.right)] for row in rows]


def _tell_errors(app: Flask) -> None:
    """Return every error as JSON with its message."""

    def tell(kind: type[Exception], status: HTTPStatus, message: str = "") -> None:
        app.register_error_handler(
            kind, lambda error: (jsonify(error=message or str(error)), status)
        )

    tell(ValueError, HTTPStatus.BAD_REQUEST)
    tell(IndexError, HTTPStatus.NOT_FOUND, "there is no such record")
    tell(OSError, HTTPStatus.INTERNAL_SERVER_ERROR)

    @app.errorhandler(HTTPException)
    def refused(error: HTTPException) -> ResponseReturnValue:
        return jsonify(error=error.description), error.code or HTTPStatus.INTERNAL_SERVER_ERROR
