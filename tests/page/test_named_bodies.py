"""Parts that are named the text of one article."""

import pytest

from dedup.page import extract
from tests.page.bodies import MENU, SOLAR, TEA, paragraphs, read

pytestmark = pytest.mark.usefixtures("compiled")

NOTE = (
    "Herons nest in the reeds behind the old quay until late in June. "
    "Please keep your dogs away from them."
)
TITLE = "Herons at the quay"
REMARKS = "".join(
    f"<div class=r{n}><div>Reader {n}</div><div><p>{text}</p></div></div>"
    for n, text in enumerate(
        [
            "My dog has never seen a heron, and I hope that it stays so for both.",
            "I saw eleven of them last night from the ferry, and one young bird.",
            "Who put up the new fence, and who is going to pay for all of it?",
            "Late June is when the first boats of the summer come back to the quay.",
        ]
    )
)


def page(name: str, text: str = NOTE, below: str = REMARKS) -> str:
    body = f"<div class='{name}'><p>{text}</p></div>"
    return f"<ul>{MENU}</ul><div><h2>{TITLE}</h2>{body}</div><div>{below}</div>"


@pytest.mark.parametrize(
    "name",
    [
        "entry-content",
        "post_body",
        "article__text",
        "td-post-content",
        "newsbody",
        "story-text clear",
    ],
)
def test_a_short_text_counts_in_the_only_part_with_such_a_name(name: str) -> None:
    main = read(page(name), "Quay news")
    assert main.sure
    assert main.text == NOTE


@pytest.mark.parametrize(
    "name", ["box", "content", "entry", "entry-content-asset", "post-content_x", "repost-content"]
)
def test_other_names_do_not_tell_a_short_text(name: str) -> None:
    assert read(page(name), "Quay news").text != NOTE


def test_of_several_such_parts_none_counts() -> None:
    other = "<div class=entry-content><p>Boats leave at nine from the old quay.</p></div>"
    assert not read(page("entry-content", below=REMARKS + other), "Quay news").sure


def test_such_a_part_with_links_alone_does_not_count() -> None:
    other = "<div class=entry-content><ul><li><a href=/boats>All the boats</a></li></ul></div>"
    assert read(page("entry-content", below=REMARKS + other), "Quay news").text == NOTE


@pytest.mark.parametrize("element", ["article", "main", "section"])
def test_such_a_part_may_be_any_element(element: str) -> None:
    body, inner = page("entry-content"), f"<p>{NOTE}</p></div>"
    body = body.replace("<div class='entry", f"<{element} class='entry")
    body = body.replace(inner, inner.replace("div", element))
    main = read(body, "Quay news")
    assert main.sure
    assert main.text == NOTE


@pytest.mark.parametrize("name", ["post-content", "news-body"])
def test_the_name_of_a_whole_page_is_that_of_no_part(name: str) -> None:
    head = "<html><head><title>Quay news</title></head>"
    assert not extract(f"{head}<body class={name}>{page('box')}</body></html>").sure
    assert extract(f"{head}<body class={name}>{page('entry-content')}</body></html>").text == NOTE


def test_such_a_part_in_a_sidebar_does_not_count() -> None:
    other = "<div class=sidebar><div class=post-body><p>Boats leave at nine.</p></div></div>"
    assert read(page("entry-content", below=REMARKS + other), "Quay news").text == NOTE


def test_such_a_part_may_hold_another_one() -> None:
    body = page("entry-content").replace("<p>Herons", "<div class=entry-body><p>Herons")
    assert read(body, "Quay news").text == NOTE


def test_a_few_words_are_no_text() -> None:
    assert not read(page("entry-content", "Herons at the old quay."), "Quay news").sure


def test_a_text_goes_on_behind_its_beginning() -> None:
    begins, more = f"<div class=entry-body>{paragraphs(SOLAR)}</div>", paragraphs(TEA)
    body = f"<div class=entry-content>{begins}<div class=entry-more>{more}</div></div>"
    text = read(f"<ul>{MENU}</ul><div><h2>{TITLE}</h2>{body}</div>", TITLE).text
    assert SOLAR.splitlines()[1] in text
    assert TEA.splitlines()[1] in text


def test_a_text_does_not_go_on_outside_such_a_part() -> None:
    begins, more = f"<div class=entry-body>{paragraphs(SOLAR)}</div>", paragraphs(TEA)
    body = f"<div class=left>{begins}<div class=more><div>{more}</div></div></div>"
    text = read(f"<ul>{MENU}</ul><div><h2>{TITLE}</h2>{body}</div>", TITLE).text
    assert TEA.splitlines()[1] not in text
