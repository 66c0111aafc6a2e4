"""Made drop logs and reviews of them, for the tests of the review page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from socket import create_server
from threading import Thread
from typing import Any

import made_logs

from dedup.review.differences import Texts
from dedup.review.judgements import Judgements
from dedup.review.records import Drop, read_drops
from dedup.review.server import Review, make_app, make_server

START = datetime(2026, 11, 20, 8, tzinfo=UTC)
TOKEN = "a-token-of-this-run"


def entry(number: int, **changes: Any) -> dict[str, Any]:
    """A record of a drop log: the higher its number, the more alike and the later."""
    made = {
        "time": (START + timedelta(minutes=number)).isoformat(timespec="milliseconds"),
        "url": f"http://copies.example/page/{number}",
        "of": f"http://origin.example/page/{number}",
        "of_page_id": number + 1,
        "similarity": round(0.2 + 0.7 * (number % 1000) / 1000, 4),
        "item": {"title": f"Page {number}", "text": f"A text.\nIts number is {number}."},
    }
    return made_logs.entry(number, **made | changes)


def read_log(*paths: Path) -> list[Drop]:
    """The whole records of drop logs."""
    return [record for path in paths for record in read_drops(path) if isinstance(record, Drop)]


@dataclass
class Restored:
    """Puts drops back into a list, and tells of a file."""

    file: Path
    drops: list[Drop] = field(default_factory=list)

    def __call__(self, drops: Sequence[Drop]) -> tuple[list[Path], int]:
        self.drops = list(drops)
        self.file.write_text("".join(f"{drop.url}\n" for drop in drops))
        return [self.file], len(drops)


def texts_of(drop: Drop) -> Texts:
    """Two texts that differ in one word."""
    number = drop.of_page_id - 1
    return Texts(
        dropped="A text.\nIts number is none.", original=f"A text.\nIts number is {number}."
    )


def make_review(log: Path, **changes: Any) -> Review:
    """A review of one log; changes are fields of ``Review``."""
    words: dict[str, Any] = {
        "drops": read_log(log),
        "judgements": Judgements([log]),
        "texts": texts_of,
        "restore": Restored(log.with_name("restored.txt")),
    }
    return Review(**words | changes)


@contextmanager
def serving(review: Review) -> Iterator[str]:
    """The server of a review, running; gives its address without the token."""
    with create_server(("127.0.0.1", 0)) as listening:
        host, port = listening.getsockname()
        server = make_server(make_app(review, TOKEN, port), listening)
        running = Thread(target=server.run)
        running.start()
        try:
            yield f"http://{host}:{port}/"
        finally:
            server.trigger.pull_trigger(lambda: server.asyncore.close_all(server._map))
            running.join()
            server.task_dispatcher.shutdown()
