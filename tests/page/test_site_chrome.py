"""The header of a site is told from those of its articles."""

import pytest

from tests.page.bodies import FERRY, MENU, SHORT, SOLAR, TEA, paragraphs, read

pytestmark = pytest.mark.usefixtures("compiled")


ABOUT = "The River Post has told the valley its news since the year of the great flood, every day. "


def test_what_the_header_of_the_site_says_is_no_text_of_a_page_that_has_little() -> None:
    header = f"<header><p>{ABOUT * 4}</p></header>"
    main = read(f"{header}<ul>{MENU}</ul><div><p>Tea room, second floor</p></div>")
    assert not main.sure
    assert "Tea room" in main.text
    assert "River Post" not in main.text


@pytest.mark.parametrize("element", ["main", "article", "section"])
def test_the_header_of_a_part_is_none_of_the_site(element: str) -> None:
    page = f"<{element}><header><p>{SHORT}</p></header><p>Tea room</p></{element}>"
    assert SHORT.strip() in read(page).text


@pytest.mark.parametrize("said", ["<h1>Ferries</h1>", "<p>Ferries run again</p>"])
def test_a_header_that_says_the_title_is_none_of_the_site(said: str) -> None:
    page = f"<header>{said}<p>{SHORT}</p></header><p>Tea room</p>"
    assert SHORT.strip() in read(page, "Ferries run again").text


def test_a_page_that_is_all_header_is_kept() -> None:
    assert SHORT.strip() in read(f"<header><p>{SHORT}</p></header>").text


def test_the_header_of_the_site_is_no_main_text_however_much_it_says() -> None:
    header = f"<header><div><div class=content>{paragraphs(ABOUT + SOLAR)}</div></div></header>"
    main = read(f"{header}<ul>{MENU}</ul><div><p>Tea room, second floor</p></div>")
    assert not main.sure
    assert SOLAR.splitlines()[0] not in main.text


NOTICES = [
    "div id=onetrust-sdk",
    "div class=cookie-notice",
    "section class='site-cookiebanner'",
    "div class=eu-consent",
    "div role=contentinfo",
    "div role=dialog",
    "div class='pum-content entry-content' role=' AlertDialog '",
    "div class='reveal-modal large'",
    "footer",
]


@pytest.mark.parametrize("frame", NOTICES)
def test_a_notice_or_footer_is_no_main_text_however_long_it_is(frame: str) -> None:
    end = frame.split(maxsplit=1)[0]
    notice = f"<{frame}><div>{paragraphs(ABOUT * 9 + SOLAR)}</div></{end}>"
    links = "".join(f"<li><a href=/{n}>Ferry number {n}, and all its trips</a>" for n in range(40))
    main = read(f"<div><h2>Boats</h2><ul>{links}</ul></div>{notice}")
    assert not main.sure
    assert "Ferry number 7" in main.text
    assert "River Post" not in main.text


@pytest.mark.parametrize("frame", NOTICES)
def test_a_notice_or_footer_made_as_the_article_does_not_come_along(frame: str) -> None:
    def part(text: str) -> str:
        return f"<div class=a><div class=b><div class=c>{paragraphs(text)}</div></div></div>"

    end = frame.split(maxsplit=1)[0]
    main = read(f"<div>{part(FERRY)}</div><{frame}>{part(ABOUT * 9)}</{end}>")
    assert main.sure
    assert "River Post" not in main.text


@pytest.mark.parametrize("frame", ["div class=tag-cookies", "div class=christmas-cookies"])
def test_cookies_are_also_baked(frame: str) -> None:
    assert read(f"<{frame}>{paragraphs(FERRY)}</div>").text == FERRY.strip()


@pytest.mark.parametrize("element", ["article", "main"])
def test_the_footer_of_an_article_may_be_all_of_it(element: str) -> None:
    footer = f"<footer><div>{paragraphs(FERRY + SOLAR)}</div></footer>"
    page = f"<p>{SHORT}</p><{element}><ul>{MENU}</ul>{footer}</{element}>"
    assert FERRY.splitlines()[0] in read(page).text


FRAMES = ["div class=sticky-footer", "div class=copyright", "footer"]


def list_links(number: int) -> str:
    links = (f"<li><a href=/{n}>Ferry number {n}, and all its trips</a>" for n in range(number))
    return f"<ul>{''.join(links)}</ul>"


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize(
    ("name", "links"),
    [("<h1>The River Post</h1>", 20), ("<h1>About us</h1>", 3), ("<p>The River Post</p>", 3)],
)
def test_a_footer_with_a_heading_or_the_title_is_no_layout(
    frame: str, name: str, links: int
) -> None:
    footer = f"<{frame}>{name}<p>{ABOUT * 2}</p></{frame.split(maxsplit=1)[0]}>"
    text = read(f"<div>{list_links(links)}<p>3 May 2024</p></div>{footer}", "The River Post").text
    assert "Ferry number 1" in text
    assert "has told" not in text


@pytest.mark.parametrize("frame", FRAMES)
def test_a_footer_with_more_links_than_the_page_is_no_layout(frame: str) -> None:
    footer = f"<{frame}><p>{ABOUT}</p><ul>{MENU * 9}</ul></{frame.split(maxsplit=1)[0]}>"
    text = read(f"<div>{list_links(40)}</div>{footer}", "Ferries").text
    assert "Ferry number 1" in text
    assert "has told" not in text


@pytest.mark.parametrize("skip", ["Skip to the ferries", ""])
def test_the_footer_element_is_none_of_all_the_page(skip: str) -> None:
    footer = f"<footer><p>{ABOUT}</p><ul>{MENU * 9}</ul></footer>"
    assert read(f"<div><a href=/>{skip}</a></div>{footer}").text == skip


def test_a_breadcrumb_trail_with_the_title_is_no_layout() -> None:
    trail = f"<div class=breadcrumb><h1>Tea room opens</h1><p>{ABOUT}</p><ul>{MENU * 3}</ul></div>"
    text = read(f"{trail}<p>{SHORT * 2}</p>", "Tea room opens").text
    assert SHORT.strip() in text
    assert "River Post" not in text


@pytest.mark.parametrize("window", ["role=dialog", "role=alertdialog", "class=reveal-modal"])
def test_a_window_that_opens_at_a_click_is_no_text_of_a_short_page(window: str) -> None:
    main = read(f"<div><h1>Boats</h1><p>{SHORT}</p></div><div {window}>{paragraphs(SOLAR)}</div>")
    assert main.text.endswith(SHORT.strip())
    assert SOLAR.splitlines()[0] not in main.text


@pytest.mark.parametrize("window", ["role=dialog", "class=reveal-modal"])
def test_an_article_in_a_window_is_the_text_of_its_page(window: str) -> None:
    article = f"<div {window}><h1>Ferries run again</h1>{paragraphs(FERRY)}</div>"
    assert FERRY.splitlines()[0] in read(f"<ul>{MENU}</ul>{article}", "Ferries run again").text


def test_an_article_is_one_though_it_opens_as_a_window() -> None:
    article = f"<article role=dialog><h1>Ferries run again</h1><p>{SHORT * 6}</p></article>"
    main = read(f"{article}<div>{paragraphs(SOLAR)}</div>", "Ferries run again")
    assert main.text == (SHORT * 6).strip()


@pytest.mark.parametrize("name", ["class=dialog", "id=dialog", "role=document", "role=dialogue"])
def test_a_dialogue_of_two_people_is_text(name: str) -> None:
    main = read(f"<div><h1>Boats</h1><p>{SHORT}</p></div><div {name}>{paragraphs(SOLAR)}</div>")
    assert SOLAR.splitlines()[0] in main.text


def _listed(behind: str, name: str = "ul") -> str:
    """A page with a long text in an item of a list, and what stands behind the list."""
    item = f"<li><a href=/p/1>Section 1</a><div>{paragraphs(SOLAR)}</div></li>"
    return f"<h1>Sections</h1><{name}>{item}{MENU}</{name}>{behind}"


@pytest.mark.parametrize("name", ["ul", "ol"])
def test_an_item_of_a_list_above_the_heading_is_no_main_text(name: str) -> None:
    main = read(_listed(f"<div><h1>Ferries</h1><p>{SHORT}</p></div>", name), "Ferries")
    assert not main.sure
    assert SHORT.strip() in main.text


def test_a_list_within_the_item_of_a_list_is_above_no_heading_of_that() -> None:
    item = _listed(f"<div><h1>Ferries</h1><p>{SHORT}</p></div>")
    assert read(f"<ul><li>{item}</li></ul>", "Sections").sure


@pytest.mark.parametrize("behind", ["", f"<div><h2>Ferries</h2><p>{SHORT}</p></div>"])
def test_an_item_of_a_list_may_be_the_main_text(behind: str) -> None:
    assert read(_listed(behind), "Ferries").sure


@pytest.mark.parametrize("name", ["aside", "footer"])
def test_the_heading_of_a_box_below_a_list_is_not_that_of_the_page(name: str) -> None:
    assert read(_listed(f"<{name}><h1>Ferries</h1><p>{SHORT}</p></{name}>"), "Sections").sure


def test_a_list_between_the_headings_of_sections_may_be_the_main_text() -> None:
    assert read(_listed(f"<h1>Ferries</h1><p>{SHORT}</p>"), "Sections").sure


def test_a_list_with_a_heading_may_be_the_main_text() -> None:
    item = f"<li><h1>Solar</h1><div>{paragraphs(SOLAR)}</div></li>"
    main = read(f"<ul>{item}</ul><div><h1>Archives</h1><ul>{MENU}</ul></div>", "Solar")
    assert main.sure
    assert main.text == SOLAR.strip()


def test_articles_in_one_list_may_be_the_main_text() -> None:
    items = "".join(
        f"<li><h1>{name}</h1>{paragraphs(text)}</li>"
        for name, text in {"Solar": SOLAR, "Tea": TEA, "Ferry": FERRY}.items()
    )
    assert read(f"<ul>{items}</ul>", "News").sure


def _post(name: str, text: str) -> str:
    return (
        f'<div class="post category-{name}"><h2><a href=/p>{name}</a></h2>{paragraphs(text)}</div>'
    )


def test_the_label_of_a_post_does_not_make_it_the_reviews_of_buyers() -> None:
    remarks = "".join(
        f'<li class="comment"><div class="comment-body">{paragraphs(text)}</div></li>'
        for text in (TEA, FERRY)
    )
    post = f"<div>{_post('reviews', SOLAR)}<ol>{remarks}</ol></div>"
    main = read(f"<div><h1>Solar</h1></div>{post}<ul>{MENU}</ul>", "Solar - Blog")
    assert SOLAR.splitlines()[0] in main.text
    assert TEA.splitlines()[0] not in main.text


def test_no_post_of_a_list_is_left_out_for_its_label() -> None:
    texts = {"solar": SOLAR, "reviews": TEA, "boats": FERRY}
    posts = "".join(_post(name, text) for name, text in texts.items())
    main = read(f'<div>{MENU}</div><div id="content">{posts}</div><ul>{MENU}</ul>', "Blog")
    assert TEA.splitlines()[0] in main.text


FORM = (
    "<form class=comment-form><p>Your address will not be published, and no field is required "
    "but those with a star, of which there are three.</p></form>"
)


def test_a_form_for_a_comment_is_no_text() -> None:
    for body in (f"<p>{SHORT}</p>{FORM}", f"<div>{paragraphs(FERRY)}{FORM}</div>"):
        text = read(f"<ul>{MENU}</ul><div>{body}</div>").text
        assert SHORT.strip() in text or FERRY.splitlines()[1] in text
        assert "published" not in text


@pytest.mark.parametrize("around", ["<div>{}</div>", "<main>{}</main>", "<div class=post>{}</div>"])
def test_a_form_that_says_more_than_a_short_text_is_none_either(around: str) -> None:
    form = f"<form class=comment-form>{paragraphs(SHORT.replace('cat', 'star') * 3)}</form>"
    body = around.format(f"<h1>A cat is found</h1><p>{SHORT}</p>{form}")
    text = read(f"<ul>{MENU}</ul>{body}", "A cat is found").text
    assert SHORT.strip() in text
    assert "A star" not in text


@pytest.mark.parametrize("name", ["id=commentform", "class=page-comments", "class=has-comments"])
@pytest.mark.parametrize("heading", ["<h1>Ferries</h1>", "<h2>Ferries</h2>", ""])
def test_a_form_around_the_page_or_its_text_is_none_for_a_comment(name: str, heading: str) -> None:
    text = f"<div>{heading}{paragraphs(FERRY)}</div>"
    for body in (
        f"<form {name}><ul>{MENU}</ul>{text}</form>",
        f"<ul>{MENU}</ul><form {name}>{text}</form>",
    ):
        assert FERRY.splitlines()[1] in read(body, "Ferries").text


def test_a_short_text_with_the_heading_is_none_for_a_comment() -> None:
    body = f"<form id=comments><h1>A cat is found</h1><p>{SHORT}</p></form>"
    assert SHORT.strip() in read(f"<ul>{MENU}</ul>{body}", "A cat is found").text


def test_another_form_may_hold_the_text() -> None:
    body = (
        f"<form id=aspnetForm><ul>{MENU}</ul><h1>Ferries</h1><div>{paragraphs(FERRY)}</div></form>"
    )
    assert FERRY.splitlines()[1] in read(body, "Ferries").text
