"""Rendering: from the catalogue to the bytes and headers that the server sends.

The two sites share the texts and nothing else: each has its own template, chrome and teasers.
Pages are rendered once, when the port and with it the addresses are known.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args
from urllib.parse import urljoin

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from crawler.demo.catalogue import PAGES, Page, Site, companions, listed, origin, teaser_of, text_of
from crawler.demo.chrome import CHROME, Chrome, Link
from crawler.demo.texts import HERE, LINK, Text

ADVERTS_A_PAGE = 2
RELATED_A_PAGE = 4
PRIVATE = "/private/"


@dataclass(frozen=True, slots=True)
class Resource:
    """The answer to one request: body and content type."""

    body: bytes
    content_type: str


Resources = Mapping[tuple[Site, str], Resource]


def _with_links(line: str) -> Markup:
    """Escape a line of text and turn `[label](target)` into an anchor."""
    parts = LINK.split(line)
    rendered = [escape(parts[0])]
    for label, target, rest in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        rendered += [Markup('<a href="{}">{}</a>').format(target, label), escape(rest)]
    return Markup("").join(rendered)


def environment() -> Environment:
    """What renders the templates of the demo sites."""
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    made.filters["links"] = _with_links
    return made


def _template_name(page: Page) -> str:
    if page.kind == "print-version":
        return "print.html"
    return "empty.html" if page.kind == "empty" else f"{page.site}.html"


def _title(page: Page) -> str:
    text = text_of(page)
    return text.title if text else ""


def _teasers(page: Page) -> tuple[Link, ...] | None:
    """What an index announces; None for a page that is not an index."""
    if page.kind != "index":
        return None
    return tuple(Link(p.path, _title(p), teaser_of(p)) for p in listed(page.site, page.path))


def _neighbours(page: Page) -> tuple[Page, ...]:
    """The next few articles of the same section, starting after the page itself."""
    home = next((p for p in PAGES if p.site == page.site and p.cluster == page.cluster), page)
    shelf = [p for p in PAGES if p.section and (p.site, p.section) == (home.site, home.section)]
    if home not in shelf:
        return ()
    start = shelf.index(home)
    return tuple((shelf[start + 1 :] + shelf[:start])[:RELATED_A_PAGE])


def _companion_links(page: Page, chrome: Chrome) -> tuple[Link, ...]:
    return tuple(Link(p.path, chrome.tools[p.kind]) for p in companions(page))


def _adverts(page: Page, chrome: Chrome) -> tuple[str, ...]:
    """Two of the site's adverts, another pair on the next page."""
    start = PAGES.index(page)
    count = len(chrome.adverts)
    return tuple(chrome.adverts[(start + step) % count] for step in range(ADVERTS_A_PAGE))


def _context(page: Page, text: Text, urls: Mapping[Site, str]) -> dict[str, object]:
    chrome = CHROME[page.site, text.lang]
    source = origin(page)
    return {
        "lang": text.lang,
        "meta_charset": page.charset if "meta" in page.charset_in else "",
        "chrome": chrome,
        "title": text.title,
        "author": text.author,
        "date": text.date,
        "blocks": text.blocks,
        "teasers": _teasers(page),
        "related": tuple(Link(p.path, _title(p)) for p in _neighbours(page)),
        "adverts": _adverts(page, chrome),
        "companions": _companion_links(page, chrome),
        "source": urljoin(urls["news"], source.path) if source else "",
    }


def render_page(page: Page, urls: Mapping[Site, str], templates: Environment) -> Resource:
    """Render one page in its own encoding, with the headers it is to be sent with."""
    text = text_of(page)
    context = _context(page, text, urls) if text else {}
    html = templates.get_template(_template_name(page)).render(context)
    declared = f"; charset={page.charset}" if "header" in page.charset_in else ""
    return Resource(html.encode(page.charset), f"text/html{declared}")


def render_robots(base: str) -> Resource:
    """The robots.txt of the site at `base`."""
    lines = ("User-agent: *", f"Disallow: {PRIVATE}", f"Sitemap: {urljoin(base, '/sitemap.xml')}")
    return Resource("\n".join((*lines, "")).encode(), "text/plain; charset=utf-8")


def render_sitemap(site: Site, base: str) -> Resource:
    """The sitemap of one site: the articles that its sections list."""
    places = [urljoin(base, page.path) for page in PAGES if page.site == site and page.section]
    entries = "".join(f"  <url><loc>{escape(place)}</loc></url>\n" for place in places)
    xml = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        f"{entries}</urlset>\n"
    )
    return Resource(xml.encode(), "application/xml; charset=utf-8")


def render_all(urls: Mapping[Site, str]) -> Resources:
    """Everything the demo serves, by site and path (with the query, if it has one)."""
    templates = environment()
    resources = {(p.site, p.path): render_page(p, urls, templates) for p in PAGES}
    for site in get_args(Site):
        resources[site, "/robots.txt"] = render_robots(urls[site])
        resources[site, "/sitemap.xml"] = render_sitemap(site, urls[site])
    return resources
