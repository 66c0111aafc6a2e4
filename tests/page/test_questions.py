"""Buttons that begin a heading: the questions above folded answers."""

import pytest

from dedup import fingerprint_page
from dedup.page import EXTRACTORS, Kind, extract
from tests.page.bodies import FERRY, MENU, SHORT, SOLAR, TEA, paragraphs
from tests.page.shown import blocks

pytestmark = pytest.mark.usefixtures("compiled")

ANSWERS = TEA.splitlines()
TEXTS = [SHORT.strip(), SOLAR, TEA, FERRY]  # A question and three answers.
QUESTIONS = [f"How do I brew the tea of harvest {n}?" for n in "abcdefghijklmnop"][: len(ANSWERS)]


def fold(questions: list[str], heading: str = "h2") -> str:
    """A page of questions, each a button above its answer."""
    parts = "".join(
        f'<div class="item"><{heading}><button type="button" aria-expanded="false">'
        f"<span>{question}</span></button></{heading}>"
        f'<div class="panel"><p>{answer}</p></div></div>'
        for question, answer in zip(questions, ANSWERS, strict=True)
    )
    return (
        f"<title>Questions</title><body><ul>{MENU}</ul><main><h1>Questions</h1>{parts}</main>"
        f"<button>Accept all</button></body>"
    )


@pytest.mark.parametrize("extractor", EXTRACTORS)
@pytest.mark.parametrize("heading", ["h2", "h3", "h6", "dt"])
def test_a_button_that_begins_a_heading_is_its_text(extractor: str, heading: str) -> None:
    main = extract(fold(QUESTIONS, heading), extractor)
    lines = [paragraph.text for paragraph in main.paragraphs]
    assert set(QUESTIONS) <= set(lines)
    assert "Accept all" not in lines
    if heading != "dt":
        kinds = {one.kind for one in main.paragraphs if one.text in QUESTIONS}
        assert kinds == {Kind.HEADING}


@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_answers_below_other_questions_are_another_text(extractor: str) -> None:
    others = [question.replace("tea", "coffee") for question in QUESTIONS]
    assert extract(fold(QUESTIONS), extractor).text != extract(fold(others), extractor).text


def test_pages_of_other_questions_have_other_fingerprints() -> None:
    others = [question.replace("tea", "coffee") for question in QUESTIONS]
    one, other = (fingerprint_page(fold(questions)) for questions in (QUESTIONS, others))
    assert one.value != other.value


@pytest.mark.parametrize("extractor", EXTRACTORS)
@pytest.mark.parametrize(
    "html",
    [
        "<h2>Teas <button>Copy link</button></h2>",
        "<h2><i>Teas</i> <button>Copy link</button></h2>",
        "<h2>Teas</h2><button>Copy link</button>",
        "<h2>Teas<button>Copy</button> <button>Copy link</button></h2>",
        "<h2>Teas<div><button>Copy link</button></div></h2>",
        "<h2><button hidden>Copy link</button>Teas</h2>",
        "<h2><button>Teas</button><button>Copy link</button></h2>",
        "<details><summary>Teas <button>Copy link</button></summary></details>",
        "<p><button>Copy link</button>Teas</p>",
        "<h2>Teas<ul><li><button>Copy link</button></ul>",
    ],
)
def test_all_other_buttons_are_unseen(extractor: str, html: str) -> None:
    main = extract(
        f"<body>{html}<p>{TEA}</p>", "plain" if extractor == "weighted_dom" else extractor
    )
    assert "Teas" in main.text
    assert "Copy" not in main.text


def test_a_button_in_a_summary_is_read() -> None:
    assert [block.text for block in blocks("<summary><button>Teas</button></summary>")] == ["Teas"]


def test_the_picture_in_a_button_is_unseen() -> None:
    html = "<h2><svg><title>Arrow</title></svg><button><b>Teas</b><svg><title>x</svg></button></h2>"
    assert [block.text for block in blocks(html)] == ["Teas"]


def test_a_button_in_an_h1_opens_a_menu() -> None:
    html = "<h1><button>Open menu</button></h1><h1>Teas</h1><p>Green"
    assert extract(html).heading == "Teas"


@pytest.mark.parametrize("head", ["<h3>{}</h3>", "<div class=head><h5><i>{}</i></h5></div>"])
def test_headings_between_equal_parts_of_an_article_are_kept(head: str) -> None:
    """The name of a part may make it the main text by itself, without the heading above it."""
    parts = "".join(
        f'<div class="item">{head.format(question)}<div class="fold"><div class="item-body"><p>'
        f"{answer}</p></div></div></div>"
        for question, answer in zip(QUESTIONS, ANSWERS, strict=True)
    )
    html = f"<title>Questions</title><body><ul>{MENU}</ul><main><h1>Questions</h1>{parts}</main>"
    main = extract(html)
    assert main.sure
    assert [one.text for one in main.paragraphs][:3] == [QUESTIONS[0], ANSWERS[0], QUESTIONS[1]]


def test_links_above_equal_parts_are_no_headings_of_them() -> None:
    parts = "".join(
        f'<div class="item"><h3><a href="/t">{question}</a></h3>'
        f'<div class="item-body"><p>{answer}</p></div></div>'
        for question, answer in zip(QUESTIONS, ANSWERS, strict=True)
    )
    html = f"<title>Questions</title><body><ul>{MENU}</ul><main><h1>Questions</h1>{parts}</main>"
    assert QUESTIONS[0] not in extract(html).text


@pytest.mark.parametrize(
    "tools",
    [
        "<svg><title>leaf</title></svg>How to brew tea <button>Copy link</button>",
        "<button>#</button>How to brew tea",
        "<button>Copy link</button> How to brew tea",
    ],
)
def test_a_button_beside_text_is_a_tool(tools: str) -> None:
    found = [block.text for block in blocks(f"<h2>{tools}</h2><p>Pour hot water.</p>")]
    assert found == ["How to brew tea", "Pour hot water."]


def test_only_the_first_button_of_a_heading_may_be_its_text() -> None:
    tags = "<button></button>" * 3 + "<button>How to brew tea</button>"
    assert [block.text for block in blocks(f"<h2>{tags}</h2><p>Pour hot water.</p>")] == [
        "Pour hot water."
    ]


def thread(post: str, frame: str) -> str:
    """A page with a question and three answers: posts in cells of other names, in equal frames."""
    cells = ["question", *["answer"] * (len(TEXTS) - 1)]
    parts = [
        f'<div class="{frame}"><div class="{cell}"><div class="{post}">{paragraphs(text)}</div>'
        "</div></div>"
        for cell, text in zip(cells, TEXTS, strict=True)
    ]
    return (
        f"<title>Power at home</title><body><ul>{MENU}</ul><h1>Power at home</h1>"
        f"<div id=question>{parts[0]}</div><ul>{4 * MENU}</ul>"
        f"<div id=answers>{''.join(parts[1:])}</div>"
    )


@pytest.mark.parametrize("frame", ["post-layout", ""])
def test_a_question_belongs_to_its_answers(frame: str) -> None:
    main = extract(thread("post-body", frame))
    assert main.sure
    assert main.text == "\n".join(TEXTS)


def test_parts_that_no_name_makes_posts_are_none() -> None:
    text = extract(thread("item", "")).text
    assert TEXTS[0] not in text
    assert TEXTS[1] in text


def test_posts_below_links_to_their_pages_are_those_of_a_list() -> None:
    texts = [TEA, SHORT.strip(), TEA.splitlines()[0]]
    posts = "".join(
        f'<article class="post-{at}"><header><h1><a href=/p/{at}>Post {at}</a></h1></header>'
        f'<div class="entry-content">{paragraphs(text)}</div><footer>2016-12-28</footer></article>'
        for at, text in zip("abc", texts, strict=True)
    )
    text = extract(f"<title>Posts</title><body><ul>{MENU}</ul><div role=main>{posts}</div>").text
    assert SHORT.strip() in text


@pytest.mark.parametrize("beside", ["<div class=comments>{}</div>", "<aside class=more>{}</aside>"])
def test_parts_with_a_low_name_have_no_posts(beside: str) -> None:
    post = '<div class="text">{}</div>'
    others = "".join(post.format(paragraphs(text)) for text in (TEA, SHORT.strip()))
    text = extract(
        f"<title>Power at home</title><body><ul>{MENU}</ul><h1>Power at home</h1><div class=block>"
        f"<div class=story>{post.format(paragraphs(SOLAR))}</div>{beside.format(others)}</div>"
    ).text
    assert text == SOLAR
