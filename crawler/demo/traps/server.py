"""Serves the traps on loopback."""

from http import HTTPStatus

from jinja2 import Template

from crawler.demo.loopback import ADDRESS, NOT_FOUND, Answer, LoopbackServer
from crawler.demo.pages import environment
from crawler.demo.traps.page import Redirect
from crawler.demo.traps.site import SECTIONS, shown

HTML = "text/html; charset=utf-8"


class TrapServer(LoopbackServer):
    """Serves the traps in a thread for as long as the context lasts.

        with TrapServer() as server:
            crawl(server.url)

    Arguments: port, 0 for any free one. `requests` lists what was asked for. Raises OSError when
    the port is taken.
    """

    def __init__(self, port: int = 0) -> None:
        super().__init__(self._answer, port)
        self.url = f"http://{ADDRESS}:{self.port}/"
        self._template: Template = environment().get_template("traps.html")
        self._requests: list[str] = []

    @property
    def requests(self) -> tuple[str, ...]:
        """The paths asked for so far, with their queries, in the order of their arrival."""
        return tuple(self._requests)

    def _answer(self, host: str, path: str) -> Answer:  # noqa: ARG002
        """The page at the path, whatever the host."""
        self._requests.append(path)
        found = shown(self.url + path.lstrip("/"))
        if found is None:
            return NOT_FOUND
        if isinstance(found, Redirect):
            return Answer(b"", HTML, HTTPStatus.FOUND, found.to)
        return Answer(self._template.render(page=found, sections=SECTIONS).encode(), HTML)
