"""One loopback server for both sites, told apart by the Host header.

`127.0.0.1:PORT` is the magazine, `localhost:PORT` the blog that mirrors it.
"""

from crawler.demo.catalogue import Site
from crawler.demo.loopback import ADDRESS, NOT_FOUND, Answer, LoopbackServer
from crawler.demo.pages import render_all

MIRROR_NAME = "localhost"


class DemoServer(LoopbackServer):
    """Serves the demo sites in a thread for as long as the context lasts.

        with DemoServer() as server:
            crawl(server.news_url, server.mirror_url)

    Arguments: port, 0 for any free one. `requests` lists what was asked for, as (site, path).
    Raises OSError when the port is taken.
    """

    def __init__(self, port: int = 0) -> None:
        super().__init__(self._answer, port)
        self.news_url = f"http://{ADDRESS}:{self.port}/"
        self.mirror_url = f"http://{MIRROR_NAME}:{self.port}/"
        self.urls: dict[Site, str] = {"news": self.news_url, "mirror": self.mirror_url}
        self._resources = render_all(self.urls)
        self._requests: list[tuple[Site, str]] = []

    @property
    def requests(self) -> tuple[tuple[Site, str], ...]:
        """The requests so far, in the order of their arrival."""
        return tuple(self._requests)

    def _answer(self, host: str, path: str) -> Answer:
        """The page at the path; a query that no page knows is ignored."""
        site: Site = "mirror" if host == MIRROR_NAME else "news"
        self._requests.append((site, path))
        bare = path.partition("?")[0]
        found = self._resources.get((site, path)) or self._resources.get((site, bare))
        return Answer(found.body, found.content_type) if found else NOT_FOUND
