"""Which responses are HTML pages, and which are plain text."""

from __future__ import annotations

from typing import TypeGuard

from scrapy.http import HtmlResponse, Response, TextResponse
from scrapy.responsetypes import responsetypes

_LABELS = (b"Content-Type", b"Content-Encoding", b"Content-Disposition")


def is_html(response: Response) -> TypeGuard[TextResponse]:
    """Whether a response is an HTML page.

    Some middlewares give pages a class of their own, such as scrapy-splash. Then the label decides,
    or the body if there is no label.
    """
    if isinstance(response, HtmlResponse):
        return True
    if not isinstance(response, TextResponse):
        return False
    # Scrapy's function fails on a header that was set to None.
    labels = {name: value for name in _LABELS if (value := response.headers.get(name))}
    kind = responsetypes.from_args(labels, response.url, body=response.body)
    return issubclass(kind, HtmlResponse)


def is_html_or_text(response: Response) -> TypeGuard[TextResponse]:
    """Whether a response is an HTML page or plain text."""
    if is_html(response):
        return True
    label = (response.headers.get(b"Content-Type") or b"").split(b";")[0].strip().lower()
    kind = label.decode("latin-1") or responsetypes.mimetypes.guess_type(response.url)[0]
    return isinstance(response, TextResponse) and kind == "text/plain"
