"""The action that shows drops in a browser to be judged: review."""

from __future__ import annotations

import argparse
import json
import secrets
import socket
import webbrowser
from collections.abc import Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from threading import Timer

from dedup.files import check_target, whole_file
from dedup.review.judgements import Judgements
from dedup.review.records import Damage, Drop, read_drops, read_entry
from dedup.review.server_texts import Texts, dropped_text
from dedup.scrapy.commands.context import Action, CommandError, Context, count, plain
from dedup.scrapy.commands.drops import _paths

NEEDED = ("flask", "waitress")
PORTS = 65535
TOKEN = 32  # octets
STEP = 1000  # records between two looks at the progress


def review(context: Context) -> int:
    """Serve the review page until it is interrupted."""
    options = context.options
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise CommandError(
            f"review needs {' and '.join(missing)}: pip install 'scrapy-neardup[review]'"
        )
    logs = _paths(context)
    drops = _read(context, logs)
    file = Path(options.judgements) if options.judgements else None
    if file:
        check_target(file, logs)
    judgements = Judgements(logs, file)
    _serve(context, drops, judgements, _notes(context, drops, judgements))
    return 0


def _serve(
    context: Context, drops: Sequence[Drop], judgements: Judgements, notes: tuple[str, ...]
) -> None:
    from dedup.review.server import Review, make_app, make_server  # noqa: PLC0415

    fields = context.config.text_fields
    about = Review(drops, judgements, partial(texts_of, fields=fields), restore, notes=notes)
    token = secrets.token_urlsafe(TOKEN)
    with _bind(context.options.port) as listening:
        port = listening.getsockname()[1]
        server = make_server(make_app(about, token, port), listening)
        address = f"http://127.0.0.1:{port}/?token={token}"
        print(f"{len(drops)} records to review at {address}\nCtrl-C ends it.", flush=True)
        if not context.options.no_browser:
            opener = Timer(0, webbrowser.open, [address])  # some browsers hold up who opens them
            opener.daemon = True
            opener.start()
        try:
            server.run()
        finally:
            server.close()


def _bind(port: int) -> socket.socket:
    from dedup.review.server import bind  # noqa: PLC0415

    try:
        return bind(port)
    except OSError as error:
        raise CommandError(f"cannot listen to port {port}: {error.strerror}") from None


def texts_of(drop: Drop, fields: Sequence[str]) -> Texts:
    """The texts of a record."""
    return Texts(dropped_text(drop, fields), "")


def restore(drops: Sequence[Drop]) -> Path:
    """Write the items of drops as JSON lines beside the log of the first one."""
    log = drops[0].log
    path = log.with_name(f"{log.name}.restored.jsonl")
    with whole_file(path) as out:
        for drop in drops:
            out.write(json.dumps(read_entry(drop)["item"], ensure_ascii=False) + "\n")
    return path


def _read(context: Context, logs: Sequence[Path]) -> list[Drop]:
    drops: list[Drop] = []
    for log in logs:
        with context.progress(log.name, log.stat().st_size) as progress:
            for record in read_drops([log]):
                if isinstance(record, Damage):
                    _report(context, record)
                    continue
                drops.append(record)
                if len(drops) % STEP == 0:
                    progress(record.offset)
    if not drops:
        raise CommandError("nothing to review: the drop logs have no record")
    return drops


def _report(context: Context, damage: Damage) -> None:
    where = f"{damage.log}, line {damage.line}"
    context.err.print(plain(f"{where}: {damage.problem}; left out"))


def _notes(context: Context, drops: Sequence[Drop], judgements: Judgements) -> tuple[str, ...]:
    """What is odd about the judgements, for the terminal and the page."""
    notes = [f"{line} is no judgement; left out" for line in judgements.damaged]
    if strangers := len(judgements) - sum(judgements.of(drop) is not None for drop in drops):
        notes.append(
            f"judgements that fit no record of these logs: {strangers}; the logs were changed"
            " since, or more logs were judged than these; left out"
        )
    for note in notes:
        context.err.print(plain(note))
    return tuple(notes)


def _port(text: str) -> int:
    port = count(text, least=0)
    if port > PORTS:
        raise argparse.ArgumentTypeError(f"must be a port from 0 to {PORTS}; got {text!r}")
    return port


def _options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("logs", nargs="*", metavar="LOG", help="drop logs (default: NEARDUP_LOG)")
    add("--port", type=_port, default=0, metavar="N", help="listen there (default: any free one)")
    add("--no-browser", action="store_true", help="print the address and open nothing")
    add("--judgements", metavar="FILE", help="keep them there (default: beside each log)")


ACTIONS = (Action("review", "judge drops in a browser, side by side", _options, review),)
