"""The review page: a small web server on this machine over the records of drop logs.

browser -> guard -> listing (records) | differences (texts) | judgements (users' verdicts)

The page is plain HTML, CSS and JavaScript modules. Content of crawled pages is sent to it as JSON
and inserted as text. It needs the packages of the extra ``review``.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from socket import socket
from typing import Any

from flask import Flask, abort, jsonify, render_template, request
from flask.typing import ResponseReturnValue
from waitress.server import BaseWSGIServer, create_server
from werkzeug.exceptions import HTTPException

from dedup.review.characters import UNSEEN, language_of
from dedup.review.differences import Piece, Texts, compare_texts
from dedup.review.judgements import Judgements, Standing
from dedup.review.records import Drop
from dedup.review.server_guard import BODY, guard
from dedup.review.server_listing import JUDGED, ORDERS, Listing, parse_filter

THREADS = 8  # A browser opens six connections.
_SUMMARY = ("url", "of", "similarity", "relation", "new", "action")
_DETAILS = ("spider", "distance", "containment", "tokens", "of_tokens", "new_words")
_ON_ANY_PAGE = {"orders": ORDERS, "judged": JUDGED, "unseen": UNSEEN}

TextsOf = Callable[[Drop], Texts]
Restore = Callable[[Sequence[Drop]], tuple[list[Path], int]]


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
