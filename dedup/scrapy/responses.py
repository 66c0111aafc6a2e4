"""Which responses are HTML pages, which are plain text, and which were cut short."""

from __future__ import annotations

from typing import TypeGuard

from scrapy.http import HtmlResponse, Response, TextResponse
from scrapy.responsetypes import responsetypes

_LABELS = (b"Content-Type", b"Content-Encoding", b"Content-Disposition")
_END = b"</html"
_BEHIND_END = 1024  # Octets that may stand behind the end of a page: comments, blanks.


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


def is_cut_short(response: Response) -> bool:
    """Whether the end of a response was lost, as DOWNLOAD_FAIL_ON_DATALOSS = False allows.

    A server that promises too much sends whole pages all the same: those end as pages do.
    """
    return "dataloss" in response.flags and _END not in response.body[-_BEHIND_END:].lower()
