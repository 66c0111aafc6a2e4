"""Pages that declare themselves a discussion: their comments are text."""

import pytest

from dedup.page import extract
from tests.page.bodies import FERRY, MENU, SHORT, SOLAR, TEA, paragraphs, read

pytestmark = pytest.mark.usefixtures("compiled")

DECLARED = [
    '<script type="application/ld+json">{"@type": "DiscussionForumPosting"}</script>',
    '<script type="application/ld+json">{"@type":"QAPage"}</script>',
    '<div itemscope itemtype="https://schema.org/QAPage"></div>',
    '<p>"QAPage</p>' * 3
    + '<div itemscope itemtype="http://schema.org/DiscussionForumPosting"></div>',
]
UNDECLARED = [
    "",
    "<p>We mark it as a DiscussionForumPosting or a &quot;QAPage&quot;.</p>",
    '<p>Ours is a "QAPage", see schema.org/QAPage.</p>',
    "<script></script><p>DiscussionForumPosting</p>",
    '<a href="https://schema.org/QAPage" title="a QAPage">types</a>',
    '<div itemtype="https://schema.org/Article"></div>',
]
REPLIES = [TEA, FERRY]


def thread(declared: str) -> str:
    replies = "".join(
        f'<li class="comment"><div class="ms"><div class="md">{paragraphs(reply)}</div></div></li>'
        for reply in REPLIES
    )
    post = f'<article class="card"><div class="md">{paragraphs(SOLAR)}</div></article>'
    return (
        f"<ul>{MENU}</ul><main><h1>Solar roofs</h1>{post}<ul class='comments'>{replies}</ul></main>"
        f"<div class='bottom'><p>{SHORT}</p></div>{declared}"
    )


@pytest.mark.parametrize("declared", DECLARED)
def test_the_replies_of_a_declared_discussion_are_text(declared: str) -> None:
    main = read(thread(declared))
    assert main.sure
    assert [text.splitlines()[0] in main.text for text in (SOLAR, *REPLIES)] == [True] * 3
    assert SHORT.strip() not in main.text


@pytest.mark.parametrize("declared", UNDECLARED)
def test_comments_are_no_text_whatever_the_words_of_a_page(declared: str) -> None:
    main = read(thread(declared))
    assert SOLAR.splitlines()[0] in main.text
    assert REPLIES[0].splitlines()[0] not in main.text


@pytest.mark.parametrize(("declared", "all_answers"), [(DECLARED[1], True), (DECLARED[0], False)])
def test_an_h1_in_an_answer_separates_no_answers(declared: str, all_answers: bool) -> None:
    texts = [SOLAR, f"{TEA}", FERRY]
    posts = [
        f'<div class="cell"><div class="prose">{"<h1>In short</h1>" * (n == 1)}{paragraphs(text)}'
        f"</div><ul>{MENU}</ul></div>"
        for n, text in enumerate(texts)
    ]
    main = read(f"<h1>Solar roofs</h1><div id=all>{''.join(posts)}</div>{declared}")
    assert all(text.splitlines()[0] in main.text for text in texts) is all_answers


def test_a_word_behind_the_last_tag_declares_nothing() -> None:
    page = f"<html><body>{thread('')} as in schema.org/QAPage"
    assert REPLIES[0].splitlines()[0] not in extract(page).text


def test_very_many_words_of_readers_hide_the_declaration() -> None:
    """The search for it is bounded."""
    words = "<p>DiscussionForumPosting</p>" * 1000
    assert REPLIES[0].splitlines()[0] not in read(words + thread(DECLARED[0])).text
