"""A made site in editions: from one to the next, the titles and some words of pages change."""

from __future__ import annotations

from scrapy import Request
from scrapy.http import Response

from benchmarks.spiders.flood import Handler

CHANGING = 4  # of so many new pages one reads otherwise in each edition
END = b"</article>"


class EditionHandler(Handler):
    """Answers with the pages of the edition that SOAK_EDITION names."""

    async def download_request(self, request: Request) -> Response:
        response = await super().download_request(request)
        edition = self.crawler.settings.getint("SOAK_EDITION")
        number = int(request.url.rpartition("/")[2].removesuffix(".html"))
        if number % CHANGING or edition < 2:
            return response
        added = f"<p>Correction {number}, of edition {edition} of this page.</p>".encode()
        return response.replace(body=response.body.replace(END, added + END))
