"""Whole HTML pages around a text, as sites build them.

    Text -> make_page: the text its site puts around it -> TEMPLATES[name](page) -> HTML

Name, menu and small print are the same on all pages of a site; each page has its own teasers,
comments, dates and figures. Both come from seeds. The templates differ in structure: the place of
the article in the tree, the elements of its paragraphs, and the names and amount of the text around
it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nsmallest
from html import escape
from random import Random
from urllib.parse import quote

import xxhash

from dedup.lab.simulator.phrases import Phrases, phrases_of
from dedup.lab.simulator.prose import Language, Text, headline, split_sentences

LEAD = 60  # Characters of a text in a teaser.
LISTED = 8  # Texts that a site announces on all its pages.
REMARK = 0.4  # Share of comments that are stock phrases.
LONGEST_REMARK = 80  # Maximum characters of a sentence that is a comment.


@dataclass(frozen=True, slots=True)
class Link:
    """A linked headline, with the first words of its text."""

    title: str
    path: str
    lead: str


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment of a reader under an article."""

    name: str
    date: str
    words: str


@dataclass(frozen=True, slots=True)
class Site:
    """The parts that all pages of a site share."""

    language: Language
    name: str
    menu: tuple[Link, ...]
    small_print: tuple[str, ...]
    boxes: tuple[str, ...]
    buttons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MadePage:
    """An article on a site; ``teasers`` announce other texts, if there are any."""

    site: Site
    url: str
    text: Text
    author: str
    date: str
    views: int
    teasers: tuple[Link, ...]
    comments: tuple[Comment, ...]


@lru_cache(maxsize=256)
def make_site(host: str, language: Language) -> Site:
    """The site of a host; the same host always has the same site."""
    rng = Random(f"{host} {language}")  # noqa: S311  (one seed, one site)
    phrases = phrases_of(language)
    name = rng.choice(phrases.sites)
    menu = rng.sample(phrases.menu, rng.randint(10, min(20, len(phrases.menu))))
    return Site(
        language,
        name,
        tuple(Link(word, f"/{quote(word)}/", "") for word in menu),
        tuple(line.format(site=name, year=2026) for line in _some(phrases.small_print, rng, 6)),
        tuple(rng.sample(phrases.boxes, len(phrases.boxes))),
        _some(phrases.buttons, rng, 5),
    )


def make_page(text: Text, url: str, host: str, others: Sequence[Text], rng: Random) -> MadePage:
    """Put a text on the site of a host; the parts that only this page has come from ``rng``.

    The page announces some ``others`` in its lists; each has a paragraph.
    """
    language = text.language
    phrases = phrases_of(language)
    chosen = _listed(host, others) + rng.sample(others, min(len(others), rng.randint(6, 12)))
    return MadePage(
        make_site(host, language),
        url,
        text,
        rng.choice(phrases.people),
        _date(rng),
        rng.randint(20, 90_000),
        tuple(_teaser(other, rng) for other in chosen),
        tuple(_comment(phrases, others, rng) for _ in range(rng.randint(2, 7))),
    )


def _some(phrases: Sequence[str], rng: Random, least: int) -> tuple[str, ...]:
    return tuple(rng.sample(phrases, rng.randint(least, len(phrases))))


def _listed(host: str, others: Sequence[Text]) -> list[Text]:
    """The texts in a site's own lists: the same choice from the same texts."""

    def rank(text: Text) -> int:
        return xxhash.xxh3_64_intdigest(f"{host} {text.paragraphs[0][:40]}".encode())

    return nsmallest(LISTED, others, key=rank)


def _teaser(other: Text, rng: Random) -> Link:
    path = f"/{rng.randint(2012, 2026)}/{rng.randint(1000, 99999)}.html"
    return Link(headline(other), path, headline(Text("", other.paragraphs[:1]), LEAD))


def _comment(phrases: Phrases, others: Sequence[Text], rng: Random) -> Comment:
    """A stock phrase, or a sentence of another text."""
    words = " ".join(rng.sample(phrases.comments, rng.randint(1, 2)))
    if others and rng.random() > REMARK:
        sentence = rng.choice(split_sentences(rng.choice(rng.choice(others).paragraphs))).strip()
        words = sentence if len(sentence) <= LONGEST_REMARK else words
    name = rng.choice(phrases.people) if rng.random() < 0.4 else f"user{rng.randint(100, 99999)}"
    return Comment(name, _date(rng), words)


def _date(rng: Random) -> str:
    day, clock = rng.randint(1, 28), f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}"
    return f"{rng.randint(2012, 2026)}-{rng.randint(1, 12):02}-{day:02} {clock}"


def portal(page: MadePage) -> str:
    """A news portal: menus, link lists at the side, related articles, comments, a long footer."""
    site, text = page.site, page.text
    side = "".join(
        f'<div class="side-box"><h3>{escape(box)}</h3><ul class="news-list">{links}</ul></div>'
        for box, links in _boxes(page, 3)
    )
    related = "".join(
        f'<div class="related-item">{_link(link)}<p>{escape(link.lead)}</p></div>'
        for link in page.teasers[:4]
    )
    comments = "".join(
        f'<li class="comment"><span class="user">{escape(comment.name)}</span>'
        f"<span>{comment.date}</span><p>{escape(comment.words)}</p></li>"
        for comment in page.comments
    )
    body = f"""
<div id="header"><div class="logo"><a href="/">{escape(site.name)}</a></div>
<ul class="nav">{_items(site.menu)}</ul></div>
<div class="breadcrumb"><a href="/">{escape(site.menu[0].title)}</a> &gt;
{_link(site.menu[1])}</div>
<div class="wrap"><div class="main-left">
<h1 class="title">{escape(text.title)}</h1>
<div class="info"><span>{page.date}</span> <span>{escape(page.author)}</span>
<span>{escape(site.name)}</span> {_buttons(site)}</div>
<div class="article-content" id="content">{_tagged(text.paragraphs, "p")}</div>
<div class="share-bar">{_buttons(site)}</div>
<div class="related"><h2>{escape(site.boxes[4])}</h2>{related}</div>
<div class="comments" id="comments"><ol>{comments}</ol></div>
</div><div class="sidebar">{side}</div></div>
<div class="footer">{_footer(site)}</div>
<script>var _hmt = _hmt || []; document.write("&lt;img&gt;");</script>"""
    return _document(page, body)


def blog(page: MadePage) -> str:
    """A blog of div elements only, including the paragraphs, with names that mean nothing."""
    site, text = page.site, page.text
    widgets = "".join(
        f'<div class="w2"><div class="w2-t">{escape(box)}</div>'
        f'<div class="w2-c">{links}</div></div>'
        for box, links in _boxes(page, 4)
    )
    comments = "".join(
        f'<div class="c-row"><div class="c-av"></div><div class="c-tx"><div>{escape(comment.name)}'
        f"</div><div>{escape(comment.words)}</div><div>{comment.date}</div></div></div>"
        for comment in page.comments
    )
    menu = "".join(f'<div class="m1">{_link(link)}</div>' for link in site.menu[:8])
    body = f"""
<div class="pg"><div class="hd"><div class="hd-in"><div class="nm">{escape(site.name)}</div>
<div class="mn">{menu}</div></div></div>
<div class="bd"><div class="c1"><div class="c1-in"><div class="post"><div class="post-hd">
<div class="t"><a href="{escape(page.url)}">{escape(text.title)}</a></div>
<div class="d">{page.date} / {escape(page.author)} / {page.views}</div></div>
<div class="post-bd"><div class="tx"><div>{_tagged(text.paragraphs, "div")}</div></div></div>
<div class="post-ft"><div>{_buttons(site)}</div></div></div>
<div class="cm">{comments}</div></div></div>
<div class="c2"><div class="c2-in">{widgets}</div></div></div>
<div class="ft"><div>{_footer(site)}</div></div></div>"""
    return _document(page, body)


def forum(page: MadePage) -> str:
    """A forum thread: the text is its first post, with <br> between lines; replies follow."""
    site, text = page.site, page.text
    first = "<br />\n<br />\n".join(escape(line) for line in text.paragraphs)
    posts = [_post(page.author, page.date, 1, first, site.name)]
    posts += [
        _post(comment.name, comment.date, floor, escape(comment.words), site.name)
        for floor, comment in enumerate(page.comments, start=2)
    ]
    menu = " | ".join(map(_link, site.menu))
    body = f"""
<div id="hd"><h2><a href="/forum/">{escape(site.name)}</a></h2><div id="nv">{menu}</div></div>
<div id="pt"><a href="/forum/">{escape(site.name)}</a> &raquo;
<a href="/forum/7/">{escape(site.menu[2].title)}</a> &raquo; {escape(text.title)}</div>
<div id="ct"><table class="thread-head"><tr><td>{page.views}</td>
<td><h1 id="thread_subject">{escape(text.title)}</h1></td></tr></table>
<div id="postlist">{"".join(posts)}</div>
<form id="fastpost" action="/forum/post"><textarea name="message"></textarea>
<input type="submit" value="{escape(site.buttons[0])}" /></form></div>
<div id="hot"><h4>{escape(site.boxes[0])}</h4><ul>{_items(page.teasers[:8])}</ul></div>
<div id="ft">{_footer(site)}</div>"""
    return _document(page, body)


def _post(name: str, date: str, floor: int, html: str, site: str) -> str:
    return f"""<div id="post_{floor}"><table class="plhin"><tr><td class="pls">
<div class="authi"><a href="/user/{floor}">{escape(name)}</a></div><dl><dt>{floor * 37}</dt>
<dd>{escape(site)}</dd></dl></td><td class="plc"><div class="pi"><strong>{floor}#</strong>
<em>{date}</em></div><div class="pct"><table><tr><td class="t_f" id="postmessage_{floor}">
{html}</td></tr></table></div><div class="sign">{escape(name)} @ {escape(site)}</div></td></tr>
</table></div>"""


def tables(page: MadePage) -> str:
    """The layout of the nineties: tables in tables, font elements, indented by spaces."""
    site, text = page.site, page.text
    indent = "　　" if site.language == "zh" else "&nbsp;&nbsp;&nbsp;"
    lines = "<br>\n".join(
        f'<font size="3" face="serif">{indent}{escape(line)}</font><br>' for line in text.paragraphs
    )
    menu = "".join(
        f'<td bgcolor="#336699"><a href="{link.path}"><font color="white">{escape(link.title)}'
        "</font></a></td>"
        for link in site.menu[:10]
    )
    left = "".join(
        f'<tr><td><img src="/dot.gif" alt=""> {_link(link)}</td></tr>' for link in page.teasers[:12]
    )
    body = f"""
<center><table width="980" border="0" cellpadding="0"><tr><td><b>{escape(site.name)}</b></td>
<td align="right">{page.date[:10]}</td></tr></table>
<table width="980" border="0"><tr>{menu}</tr></table>
<table width="980" border="0" cellspacing="4"><tr><td width="200" valign="top">
<table width="100%"><tr><td bgcolor="#dddddd"><b>{escape(site.boxes[1])}</b></td></tr>{left}
</table></td><td valign="top"><table width="100%"><tr><td align="center">
<font size="5"><b>{escape(text.title)}</b></font></td></tr><tr><td align="center">
<font size="2" color="#666666">{page.date} {escape(site.name)} {escape(page.author)}</font></td>
</tr><tr><td><hr>{lines}</td></tr><tr><td align="right">{_buttons(site)}</td></tr></table></td></tr>
</table><table width="980"><tr><td align="center"><font size="2">{_footer(site)}</font></td></tr>
</table></center>"""
    return _document(page, body)


def semantic(page: MadePage) -> str:
    """A page of today: semantic elements, structured data, an aside within the text."""
    site, text = page.site, page.text
    data = {"@type": "NewsArticle", "headline": text.title, "author": page.author}
    middle = max(1, len(text.paragraphs) // 2)
    cards = "".join(
        f'<article class="card"><h3>{_link(link)}</h3><p>{escape(link.lead)}</p></article>'
        for link in page.teasers[4:10]
    )
    comments = "".join(
        f"<article><header>{escape(comment.name)} <time>{comment.date}</time></header>"
        f"<p>{escape(comment.words)}</p></article>"
        for comment in page.comments
    )
    more = "".join(map(_link, page.teasers[:2]))
    body = f"""
<a class="skip" href="#main">#</a>
<header><p>{escape(site.name)}</p><nav><ul>{_items(site.menu)}</ul></nav></header>
<main id="main"><article itemscope><header><h1>{escape(text.title)}</h1>
<p class="byline"><address>{escape(page.author)}</address> <time>{page.date}</time></p></header>
<figure><img src="/media/{page.views}.jpg" alt=""><figcaption>{escape(site.name)}</figcaption>
</figure><section>{_tagged(text.paragraphs[:middle], "p")}</section>
<aside class="more">{more}</aside>
<section>{_tagged(text.paragraphs[middle:], "p")}</section>
<footer>{_buttons(site)}</footer></article>
<section class="comments"><h2>{len(page.comments)}</h2>{comments}</section></main>
<aside class="cards"><h2>{escape(site.boxes[2])}</h2>{cards}</aside>
<footer><nav>{_footer(site)}</nav></footer>
<script type="application/ld+json">{json.dumps(data).replace("<", chr(92) + "u003c")}</script>"""
    return _document(page, body)


def print_version(page: MadePage) -> str:
    """The version for print: the text and its source."""
    site, text = page.site, page.text
    body = f"""
<h2>{escape(site.name)}</h2><hr>
<h1>{escape(text.title)}</h1><p><small>{escape(page.author)}, {page.date}</small></p>
{_tagged(text.paragraphs, "p")}
<hr><p><small>{escape(page.url)}</small></p><p><small>{escape(site.small_print[0])}</small></p>"""
    return _document(page, body)


TEMPLATES: Mapping[str, Callable[[MadePage], str]] = {
    "portal": portal,
    "blog": blog,
    "forum": forum,
    "tables": tables,
    "semantic": semantic,
    "print": print_version,
}


def _document(page: MadePage, body: str) -> str:
    return f"""<!DOCTYPE html>
<html lang="{page.site.language}"><head><meta charset="utf-8">
<title>{escape(page.text.title)} - {escape(page.site.name)}</title>
<meta name="author" content="{escape(page.author)}">
<style>body {{ font-size: 16px }} .nav li {{ float: left }}</style></head>
<body>{body}
</body></html>
"""


def _tagged(lines: Iterable[str], tag: str) -> str:
    return "\n".join(f"<{tag}>{escape(line)}</{tag}>" for line in lines)


def _link(link: Link) -> str:
    return f'<a href="{link.path}">{escape(link.title)}</a>'


def _items(links: Iterable[Link]) -> str:
    return "\n".join(f"<li>{_link(link)}</li>" for link in links)


def _boxes(page: MadePage, count: int) -> list[tuple[str, str]]:
    """Titles of boxes at the side, and the teasers in each."""
    share = max(1, len(page.teasers) // count)
    rows: list[Sequence[Link]] = [page.teasers[i * share : (i + 1) * share] for i in range(count)]
    return list(zip(page.site.boxes, map(_items, rows), strict=False))


def _buttons(site: Site) -> str:
    return " ".join(f'<a href="javascript:;">{escape(button)}</a>' for button in site.buttons)


def _footer(site: Site) -> str:
    return " | ".join(
        escape(line) if "©" in line else f'<a href="/about/">{escape(line)}</a>'
        for line in site.small_print
    )
