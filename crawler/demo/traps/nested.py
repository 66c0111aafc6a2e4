"""Documents with relative links that lack a `../`, on a server that ignores what they append."""

from crawler.demo.traps.page import Link, Page, Shown, Target
from crawler.demo.traps.writing import written

NAMES = ("backups", "errors", "install", "limits", "moving", "words")
REAL = tuple(f"/docs/{name}/" for name in NAMES)


def document(target: Target) -> Shown:
    """/docs/, and /docs/NAME/ whatever follows it."""
    if not target.segments:
        rows = tuple(Link(f"/docs/{name}/", name) for name in NAMES)
        return Page("Documents", "list:docs", rows=rows)
    name = target.segments[0]
    if name not in NAMES:
        return None
    text = written(f"document {name}", length=(150, 300))
    place = NAMES.index(name)
    others = (NAMES[(place + step) % len(NAMES)] for step in (1, 2))
    links = tuple(Link(f"{other}/", other) for other in others)
    return Page(text.title, f"docs:{name}", text.paragraphs, links=links)
