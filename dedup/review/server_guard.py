"""Who may ask the review server, and what a browser may do with its answers.

Any page that a browser shows, and any other user of the machine, can send requests to a port of
127.0.0.1. So each one needs the token of this run, which the printed address carries once and a
cookie from then on; it has to name this server as its host, which a foreign name that was made to
lead here (DNS rebinding) does not; and one that changes something has to come from our own page.

The cookie goes with links from other sites (``Lax``): the address may have been printed into a web
page, as terminals in browsers are. They change nothing, and no other site can read their answers.
"""

from __future__ import annotations

from secrets import compare_digest

from flask import Flask, Response, abort, redirect, request
from werkzeug.wrappers import Response as AnyResponse

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
BODY = 1024  # octets of a request, at the most
TOKEN = "token"  # noqa: S105  (its name in the address)


def guard(app: Flask, token: str, port: int) -> None:
    """Let only requests through that hold the token and name this server.

    Args:
        app: the server.
        token: the secret of this run.
        port: what it listens to; part of the cookie's name, as cookies know no ports.
    """
    hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
    cookie = f"neardup-review-{port}"
    app.config["MAX_CONTENT_LENGTH"] = BODY

    @app.before_request
    def check() -> AnyResponse | None:
        host = request.headers.get("Host", "")
        if host not in hosts:
            abort(403, f"this server answers only as {' or '.join(sorted(hosts))}")
        if request.method != "GET" and request.headers.get("Origin") != f"http://{host}":
            abort(403, "only this server's own page may ask for changes")
        given = request.args.get(TOKEN)
        if request.path == "/" and given is not None and _same(given, token):
            answer = redirect("/", 303)
            answer.set_cookie(cookie, token, httponly=True, samesite="Lax")
            return answer
        if not _same(request.cookies.get(cookie, ""), token):
            abort(403, "open the address that `scrapy neardup review` printed")
        return None

    @app.after_request
    def harden(answer: Response) -> Response:
        answer.headers.update(HEADERS)
        return answer


def _same(given: str, token: str) -> bool:
    return compare_digest(given.encode(), token.encode())
