"""The action that shows the main text of a page: text."""

from __future__ import annotations

import argparse

from dedup.scrapy.commands.context import CommandError, Context, UsageError, extractor
from dedup.scrapy.commands.fetching import WEB, check_page, fetch, read_file
from dedup.scrapy.commands.printing import plain
from dedup.text import PageText, read_text


def text(context: Context) -> None:
    """Show the main text of a page."""
    target = context.options.target
    if not target:
        raise UsageError("name a page by its URL, or a file")
    content_type = None
    if target.lower().startswith(WEB):
        body, content_type, _ = fetch(context.config, target)
    else:
        body = read_file(target)
    name = context.options.extractor or context.config.extractor
    page = read_text(check_page(body, target), content_type, name)
    if page.refused:
        raise CommandError(f"{target} is not read: it has {page.refused}")
    if context.json:
        context.print_json(_as_json(target, page))
    else:
        paragraphs = [paragraph.text for paragraph in page.paragraphs]
        above = [page.title] if page.title and page.title not in paragraphs[:1] else []
        for line in (*above, *paragraphs):
            context.out.print(plain(line), soft_wrap=True)
        if not paragraphs:
            context.warn(f"{target}: it shows no text")
        elif not page.sure:
            context.warn(
                f"{target}: no part clearly stands out as its main text; this is what probably "
                "is it, or else all that the page shows"
            )


def _as_json(target: str, page: PageText) -> dict[str, object]:
    return {
        "page": target,
        "title": page.title,
        "heading": page.heading,
        "language": page.language,
        "sure": page.sure,
        "paragraphs": [
            {"text": one.text, "kind": one.kind.value, "section": one.section}
            for one in page.paragraphs
        ],
    }


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="URL|FILE", help="a page; - for a page on standard input")
    parser.add_argument(
        "--extractor", type=extractor, metavar="NAME", help="the extractor (NEARDUP_EXTRACTOR)"
    )
