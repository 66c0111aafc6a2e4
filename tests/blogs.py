"""Pages of a blog that show one article in full: its own page, and lists with nothing else."""

from tests.page.bodies import MENU, TEA, paragraphs

TITLE = "Tea on the hills"
POST = "/2024/05/tea-on-the-hills/"
SIDE = (
    '<div class="widget"><h3>Recent posts</h3><ul><li><a href="/2024/04/rain/">Rain again</a></li>'
    f'<li><a href="{POST}">{TITLE}</a></li></ul></div>'
)


def linked(target: str, level: str = "h2") -> str:
    """The heading of the article as a link."""
    link = f'<a href="{target}" rel="bookmark">{TITLE}</a>'
    return f'<{level} class="entry-title">{link}</{level}>'


def page(title: str, heading: str, above: str = "", head: str = "") -> str:
    """A page with the article below a heading."""
    post = (
        f'<article class="post hentry"><header>{heading}<div class="entry-meta">5 May 2024 by '
        f'<a href="/author/ann/">Ann</a></div></header>'
        f'<div class="entry-content">{paragraphs(TEA)}</div></article>'
    )
    return (
        f"<html><head><title>{title}</title>{head}</head><body>"
        f'<header class="site-header"><p class="site-title"><a href="/">The River Post</a></p>'
        f'<nav><ul>{MENU}</ul></nav></header><main id="main">{above}{post}</main>'
        f'<div id="secondary">{SIDE}</div><footer>The River Post</footer></body></html>'
    )


def own_page(heading: str = f'<h1 class="entry-title">{TITLE}</h1>', head: str = "") -> str:
    """The article's own page."""
    return page(f"{TITLE} – The River Post", heading, head=head)


def list_page(name: str, target: str = POST, head: str = "") -> str:
    """A list page with a name, on which the article stands alone."""
    above = f'<h1 class="page-title">{name}</h1>' if name else ""
    title = f"{name} Archives – The River Post" if name else "The River Post"
    return page(title, linked(target), above, head)
