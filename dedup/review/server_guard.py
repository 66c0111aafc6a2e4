"""Access control of the review server, and limits for browsers on its responses.

Any page in a browser, and any other user of the machine, can send requests to a port of 127.0.0.1.
So there are three checks:

- A request needs the token of this run. The printed address contains it; later a cookie does.
- Its Host header must be this server. With DNS rebinding it is a foreign name.
- A request that changes something must come from our own page.

The cookie is also sent with links from other sites (``Lax``), because the address may be printed in
a terminal on a web page. Links change nothing, and other sites cannot read the responses.
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
BODY = 1024  # Maximum bytes of a request.
TOKEN = "token"  # noqa: S105  (the name of the parameter in the address)


def guard(app: Flask, token: str, port: int) -> None:
    """Accept only requests that contain the token of this run and have this server as host.

    The port is a part of the cookie's name, because cookies ignore ports.
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
