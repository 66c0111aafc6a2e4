"""The table of pages: which text stands on which site, at which path, how, with which label.

The table is made by hand. A cluster holds pages that repeat each other: a crawl with near-duplicate
detection keeps exactly one of them. Every other page has a cluster of its own and must be kept. So
must a wrapped page, more than a third of which is its own; one that comes first in its cluster is
the one that is kept of it, as all of the others stands in it.

On one host the pages of a cluster are all but equal. Across hosts they range from word-for-word
copies to rewritten ones, so a cluster has at most one reworked page on the mirror: two of them
could both be near the original and yet not near each other.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from crawler.demo.texts import Text, load_texts

Site = Literal["news", "mirror"]
Kind = Literal[
    "original",
    "exact-copy",
    "light-edit",
    "heavy-edit",
    "wrapped",
    "script-variant",
    "session-url",
    "print-version",
    "sister",
    "index",
    "soft-404",
    "empty",
    "about",
    "private",
]
Expectation = Literal["one-of-cluster", "keep", "skip", "never"]


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the demo.

    `text` names the text file it shows ("" for the empty page). `section` is the path of the index
    that lists it; a page without one is linked from the listed page of its cluster on its site,
    or from a text. `charset_in` says where the encoding is declared.
    """

    site: Site
    path: str
    kind: Kind
    cluster: str
    text: str
    section: str = ""
    charset: str = "utf-8"
    charset_in: Literal["header and meta", "header", "meta"] = "header and meta"

    @property
    def expect(self) -> Expectation:
        """What must become of the page in a crawl."""
        if self.kind == "private":
            return "never"
        if self.kind == "empty":
            return "skip"
        if self.kind == "wrapped":
            return "keep"
        return "one-of-cluster" if PAGES_OF_CLUSTER[self.cluster] > 1 else "keep"


CITY, LIFE, ZH, PICKS, HANT = "/city/", "/life/", "/zh/", "/picks/", "/hant/"

SITE_PAGES = (
    Page("news", "/", "index", "news-front", "news-front"),
    Page("news", CITY, "index", "news-city", "news-city"),
    Page("news", LIFE, "index", "news-life", "news-life"),
    Page("news", ZH, "index", "news-zh", "news-zh"),
    Page("news", "/about.html", "about", "news-about", "news-about"),
    Page("news", "/a/whale.html", "soft-404", "soft-404", "not-found"),
    Page("news", "/a/salt.html", "soft-404", "soft-404", "not-found"),
    Page("news", "/a/ropewalker.html", "soft-404", "soft-404", "not-found"),
    Page("news", "/a/poster.html", "empty", "empty", ""),
    Page("news", "/private/drafts.html", "private", "private", "private-drafts"),
    Page("mirror", "/", "index", "mirror-front", "mirror-front"),
    Page("mirror", PICKS, "index", "mirror-picks", "mirror-picks"),
    Page("mirror", ZH, "index", "mirror-zh", "mirror-zh"),
    Page("mirror", HANT, "index", "mirror-hant", "mirror-hant"),
    Page("mirror", "/imprint.html", "about", "mirror-about", "mirror-about"),
)

ENGLISH_PAGES = (
    Page("news", "/a/solar.html", "original", "solar", "solar", CITY),
    Page("news", "/a/solar.html?sid=8f3a", "session-url", "solar", "solar"),
    Page("news", "/a/solar.html?sid=77b1", "session-url", "solar", "solar"),
    Page("news", "/print/solar.html", "print-version", "solar", "solar"),
    Page("mirror", "/p/solar.html", "exact-copy", "solar", "solar", PICKS),
    Page("news", "/a/solar-costs.html", "sister", "solar-costs", "solar-costs", CITY),
    Page("mirror", "/p/solar-costs.html", "light-edit", "solar-costs", "solar-costs.light", PICKS),
    Page("news", "/a/ferry.html", "original", "ferry", "ferry", CITY),
    Page("news", "/a/ferry-corrected.html", "light-edit", "ferry", "ferry.corrected"),
    Page("mirror", "/p/ferry.html", "heavy-edit", "ferry", "ferry.heavy", PICKS),
    Page("mirror", "/p/ferry-diary.html", "sister", "ferry-diary", "ferry-diary", PICKS),
    Page("news", "/a/stew.html", "original", "stew", "stew", LIFE),
    Page("mirror", "/p/stew.html", "wrapped", "stew", "stew.wrapped", PICKS),
    Page("news", "/a/stew-oven.html", "sister", "stew-oven", "stew-oven", LIFE),
    Page("news", "/print/stew-oven.html", "print-version", "stew-oven", "stew-oven"),
    Page("news", "/a/final.html", "original", "final", "final", CITY),
    Page("mirror", "/p/coast-cup.html", "exact-copy", "final", "final", PICKS),
    Page("mirror", "/archive/2031/05/coast-cup.html", "exact-copy", "final", "final"),
    Page("mirror", "/p/final-visitors.html", "sister", "final-visitors", "final-visitors", PICKS),
    Page("news", "/a/lighthouse.html", "original", "lighthouse", "lighthouse", CITY),
    Page("news", "/a/lighthouse.html?sid=c04e", "session-url", "lighthouse", "lighthouse"),
    Page("mirror", "/p/lighthouse.html", "heavy-edit", "lighthouse", "lighthouse.heavy", PICKS),
    Page("news", "/a/queue.html", "original", "queue", "queue", LIFE),
    Page("mirror", "/p/queue.html", "light-edit", "queue", "queue.light", PICKS),
    Page("news", "/a/clock.html", "original", "clock", "clock", CITY),
    Page("mirror", "/p/clock.html", "wrapped", "clock", "clock.wrapped", PICKS),
    Page("news", "/a/varnholm.html", "original", "varnholm", "varnholm", LIFE),
    Page("news", "/travel/varnholm.html", "exact-copy", "varnholm", "varnholm"),
    Page("mirror", "/p/varnholm.html", "heavy-edit", "varnholm", "varnholm.heavy", PICKS),
    Page("news", "/a/varnholm-rain.html", "sister", "varnholm-rain", "varnholm-rain", LIFE),
    Page("mirror", "/p/varnholm-rain.html", "exact-copy", "varnholm-rain", "varnholm-rain", PICKS),
    Page("news", "/a/night-train.html", "original", "night-train", "night-train", LIFE),
    Page("news", "/print/night-train.html", "print-version", "night-train", "night-train"),
    Page("mirror", "/p/night-train.html", "light-edit", "night-train", "night-train.light", PICKS),
)

CHINESE_PAGES = (
    Page("news", "/zh/tea.html", "original", "tea", "tea", ZH),
    Page("news", "/print/zh/tea.html", "print-version", "tea", "tea"),
    Page("mirror", "/hant/tea.html", "script-variant", "tea", "tea.hant", HANT),
    Page("mirror", "/p/tea-fair.html", "sister", "tea-fair", "tea-fair", ZH),
    Page("news", "/zh/noodles.html", "original", "noodles", "noodles", ZH),
    Page("mirror", "/p/noodles.html", "exact-copy", "noodles", "noodles", ZH),
    Page("news", "/zh/noodles-street.html", "sister", "noodles-street", "noodles-street", ZH),
    Page(
        site="mirror",
        path="/p/noodles-street.html",
        kind="wrapped",
        cluster="noodles-street",
        text="noodles-street.wrapped",
        section=ZH,
    ),
    Page("news", "/zh/marathon.html", "original", "marathon", "marathon", ZH),
    Page("news", "/zh/marathon-corrected.html", "light-edit", "marathon", "marathon.corrected"),
    Page("mirror", "/p/marathon.html", "heavy-edit", "marathon", "marathon.heavy", ZH),
    Page("news", "/zh/marathon-plan.html", "sister", "marathon-plan", "marathon-plan", ZH),
    Page(
        "mirror", "/p/marathon-plan.html", "light-edit", "marathon-plan", "marathon-plan.light", ZH
    ),
    Page("news", "/zh/tide.html", "original", "tide", "tide", ZH),
    Page("news", "/zh/tide.html?sid=5d20", "session-url", "tide", "tide"),
    Page("mirror", "/p/tide.html", "light-edit", "tide", "tide.light", ZH),
    Page("news", "/zh/headset.html", "original", "headset", "headset", ZH),
    Page("mirror", "/p/headset.html", "exact-copy", "headset", "headset", ZH),
    Page("news", "/zh/bridge.html", "original", "bridge", "bridge", ZH),
    Page(
        site="mirror",
        path="/hant/bridge.html",
        kind="script-variant",
        cluster="bridge",
        text="bridge.hant",
        section=HANT,
        charset="big5",
        charset_in="header",
    ),
    Page("news", "/zh/birds.html", "original", "birds", "birds", ZH),
    Page("news", "/zh/birds.html?sid=19aa", "session-url", "birds", "birds"),
    Page("news", "/zh/birds.html?sid=e7f2", "session-url", "birds", "birds"),
    Page("mirror", "/p/birds.html", "heavy-edit", "birds", "birds.heavy", ZH),
    Page("news", "/zh/metro.html", "original", "metro", "metro", ZH),
    Page(
        site="news",
        path="/zh/archive/metro.html",
        kind="exact-copy",
        cluster="metro",
        text="metro",
        charset="gb18030",
        charset_in="meta",
    ),
    Page("mirror", "/p/metro.html", "wrapped", "metro", "metro.wrapped", ZH),
    Page("mirror", "/p/metro-noise.html", "sister", "metro-noise", "metro-noise", ZH),
    Page("news", "/zh/shadow.html", "original", "shadow", "shadow", ZH),
    Page("mirror", "/hant/shadow.html", "script-variant", "shadow", "shadow.hant", HANT),
    Page("news", "/zh/stars.html", "original", "stars", "stars", ZH),
    Page("news", "/print/zh/stars.html", "print-version", "stars", "stars"),
    Page("mirror", "/p/stars.html", "exact-copy", "stars", "stars", ZH),
)

PAGES: tuple[Page, ...] = SITE_PAGES + ENGLISH_PAGES + CHINESE_PAGES
PAGES_OF_CLUSTER = Counter(page.cluster for page in PAGES)


def text_of(page: Page) -> Text | None:
    """The text a page shows; None for the empty page."""
    return load_texts()[page.text] if page.text else None


def teaser_of(page: Page) -> str:
    """The sentence with which an index announces a page."""
    text = load_texts()[page.text]
    return text.reprint if page.site == "mirror" and page.kind == "exact-copy" else text.summary


def listed(site: Site, section: str) -> tuple[Page, ...]:
    """The pages that the index at path `section` announces, in the order of the table."""
    return tuple(page for page in PAGES if page.site == site and page.section == section)


def companions(page: Page) -> tuple[Page, ...]:
    """The unlisted pages of the same cluster and site: they are linked from the listed one."""
    if not page.section:
        return ()
    return tuple(
        other
        for other in PAGES
        if (other.site, other.cluster, other.section) == (page.site, page.cluster, "")
    )


def origin(page: Page) -> Page | None:
    """The news page that a mirror page repeats, if it repeats one."""
    if page.site == "news":
        return None
    pages = (other for other in PAGES if (other.site, other.cluster) == ("news", page.cluster))
    return next(pages, None)
