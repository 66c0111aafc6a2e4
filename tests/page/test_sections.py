"""Pages whose text is spread over sections, of which none is the main text by itself."""

import pytest

from tests.page.bodies import MENU, SHORT, paragraphs, read

pytestmark = pytest.mark.usefixtures("compiled")


TITLE = "Ferries for everyone"
DATE = "<p>3 May 2024</p>"
HERO = "We ferry people, bicycles and freight over the river, by day and by night, all year round."
SECTIONS = [
    "Tickets are sold on board, in the harbour office and by all our partners on both banks.",
    "Freight is weighed and loaded until an hour before the boat leaves from the northern pier.",
    "Every captain has sailed this river for ten years at least, and knows it in any weather.",
    "In winter the last boat waits for the evening train, however late that may turn out to be.",
    "Schools travel at half the price if they tell us of their plans at least a week ahead.",
]


def hero(name: str, date: str = "") -> str:
    text = f"<div class='{name}'>{paragraphs(HERO * 4)}</div>"
    return f"<div class=first><div><h1>{TITLE}</h1>{date}</div><div>{text}</div></div>"


def sections(item: str) -> str:
    link = "<a href='/more'>Read more about this</a>"
    return "".join(
        f"<{item} class='s{'abcde'[number]}'><h2>More</h2>{link}"
        f"<div><div>{paragraphs(text * 4)}</div></div></{item}>"
        for number, text in enumerate(SECTIONS)
    )


def test_a_page_of_sections_is_not_its_first_one() -> None:
    main = read(f"<ul>{MENU}</ul><div id=page>{hero('intro')}{sections('div')}</div>", TITLE)
    assert main.sure
    assert all(text in main.text for text in (HERO, *SECTIONS))
    assert "Read more" not in main.text
    assert "Section number" not in main.text


def landing(above: str) -> str:
    """A page of sections; the first one has enough of its text to be clear by itself."""
    first = f"<div class=text><p>{HERO * 12}</p></div>"
    others = "".join(
        f"<div class=s{i}><div><p>{t * 4}</p></div></div>" for i, t in enumerate(SECTIONS)
    )
    return f"<div id=page><h1>{TITLE}</h1>{above}{first}{others}</div>"


def test_a_large_section_is_not_the_page() -> None:
    main = read(landing(""), TITLE)
    assert main.sure
    assert all(text in main.text for text in (HERO, *SECTIONS))


@pytest.mark.parametrize("indented", ["{}", f"\n{' ' * 120}{{}}\n{' ' * 120}"])
def test_a_text_below_a_date_is_no_section(indented: str) -> None:
    date = indented.format("3 May 2024")
    assert read(landing(f"<div>{date}</div>"), TITLE).text == HERO * 12


def test_a_year_in_a_sentence_is_no_date() -> None:
    sentence = f"In 1998 there were three boats. {HERO}"
    main = read(landing(f"<div>{sentence}</div>"), TITLE)
    assert all(text in main.text for text in (sentence, *SECTIONS))


def test_a_long_part_below_a_date_is_no_short_text_if_the_page_has_much_more() -> None:
    first = f"<div><h1>{TITLE}</h1>{DATE}<div class=intro><p>{HERO * 13}</p></div></div>"
    rows = "".join(
        f"{'<div>' * depth}<{tag}><p>{text * 20}</p></{tag}>{'</div>' * depth}"
        for depth, (tag, text) in enumerate(
            zip(("section", "center", "fieldset", "div", "form"), SECTIONS, strict=True), start=1
        )
    )
    main = read(f"{first}{rows}", TITLE)
    assert not main.sure
    assert all(text in main.text for text in (HERO, *SECTIONS))


def test_a_year_far_above_a_section_is_no_date() -> None:
    steps = "".join(f"<div>Step {number}</div>" for number in range(60))
    main = read(landing(f"<div>Since 1998</div>{steps}"), TITLE)
    assert all(text in main.text for text in (HERO, *SECTIONS))


def test_a_small_part_of_the_page_is_not_sure_in_spite_of_its_name() -> None:
    rows = "".join(
        f"<section class={'abcde'[i]}><p>{t * 5}</p></section>" for i, t in enumerate(SECTIONS)
    )
    main = read(f"<article class=box>{hero('post')}</article>{rows}", TITLE)
    assert not main.sure
    assert all(text in main.text for text in (HERO, *SECTIONS))


@pytest.mark.parametrize("name", ["article-body", "entry-content", "post", "story"])
def test_what_is_named_an_article_is_no_section(name: str) -> None:
    main = read(f"<div id=page>{hero(name)}{sections('div')}</div>", TITLE)
    assert main.text == HERO * 4


@pytest.mark.parametrize("name", ["article-intro", "story-lead", "post-text"])
def test_a_few_sentences_named_an_article_are_its_lead(name: str) -> None:
    lead = f"<div class=first><h1>{TITLE}</h1><div class={name}><p>{HERO * 3}</p></div></div>"
    main = read(f"<div id=page>{lead}{sections('div')}</div>", TITLE)
    assert main.sure
    assert all(text in main.text for text in (HERO, *SECTIONS))


def test_the_element_article_alone_makes_no_small_part_the_page() -> None:
    article = f"<article>{hero('intro')}</article>"
    main = read(f"<div id=page>{article}{sections('div')}</div>", TITLE)
    assert not main.sure
    assert all(text in main.text for text in (HERO, *SECTIONS))


def test_list_items_with_parts_of_their_own_are_no_sections() -> None:
    teasers = f"<ul>{sections('li')}</ul>"
    assert read(f"<div id=page>{hero('intro', DATE)}{teasers}</div>", TITLE).text == HERO * 4


def test_long_list_items_are_sections_and_so_are_items_within_them() -> None:
    entries = "".join(f"<li><div><p>{text * 2}</p></div></li>" for text in SECTIONS)
    manual = f"<ul><li><section><h2>All calls</h2><ul>{entries}</ul></section></li></ul>"
    main = read(f"<div id=page>{hero('intro')}{manual}</div>", TITLE)
    assert all(text in main.text for text in (HERO, *SECTIONS))


def test_if_only_the_whole_page_holds_the_sections_nothing_is_sure_without_a_date() -> None:
    main = read(f"{hero('intro')}{sections('div')}", TITLE)
    assert not main.sure
    assert all(text in main.text for text in (HERO, *SECTIONS))
    assert read(f"{hero('intro', DATE)}{sections('div')}", TITLE).text == HERO * 4


def test_a_part_that_holds_much_of_the_text_is_no_section() -> None:
    note = f"<div class=note><div><div>{paragraphs(SHORT * 3)}</div></div></div>"
    assert read(f"<div id=page>{hero('intro')}{note}</div>", TITLE).text == HERO * 4


def test_nothing_is_gathered_around_a_part_that_is_no_main_text_by_itself() -> None:
    short_runs = ["<i></i> ".join((text * 4).split()) for text in SECTIONS[:3]]
    parts = [f"<div>{MENU}<div><p>{text}</p></div></div>" for text in short_runs]
    main = read(f"<div><p>Opening hours</p></div><div id=page>{''.join(parts)}</div>")
    assert not main.sure
    assert "Opening hours" in main.text


def listing(name: str) -> str:
    """A listing of code with each word in an element of its own, as by a highlighter."""
    lines = (
        f"<i>{name}_{number}</i> <b>=</b> <i>read_{number}</i>(<u>io</u>)" for number in range(90)
    )
    return "<pre>" + "\n".join(lines) + "</pre>"


def reference(name: str) -> str:
    """A description that stands on many pages, above the code of this one."""
    about = f"<section><h1>{TITLE}</h1><div><p>{HERO * 5}</p></div></section>"
    return f"{about}<section><h2>Source</h2><div>{listing(name)}</div></section>"


def test_a_description_is_not_the_page_if_most_of_it_is_code() -> None:
    main = read(reference("tug"), TITLE)
    assert not main.sure
    assert HERO * 5 in main.text
    assert "tug_1 = read_1(io)" in main.text


@pytest.mark.parametrize("mark", ["<div class=article-body>", f"{DATE}<div>"])
def test_an_article_above_as_much_other_text_is_the_page(mark: str) -> None:
    text = f"<h1>{TITLE}</h1>{mark}<p>{HERO * 8}</p></div>"
    rows = "".join(f"<li>{t} <a href=/{i}>{t[:30]}</a></li>" for i, t in enumerate(SECTIONS * 3))
    main = read(f"<div>{text}</div><ul>{rows}</ul>", TITLE)
    assert main.sure
    assert main.text == HERO * 8


LINES = ["Built in Turku.", "Carries 190 people.", "Charges in nine minutes.", "Crosses by night."]
PROSE = paragraphs("\n".join(text * 3 for text in SECTIONS))


@pytest.mark.parametrize("above", [True, False])
def test_a_section_of_short_lines_is_part_of_its_article(above: bool) -> None:
    lines = f"<section class=glance><h2>At a glance</h2>{paragraphs(chr(10).join(LINES))}</section>"
    prose = f"<section class=text>{PROSE}</section>"
    parts = lines + prose if above else prose + lines
    main = read(f"<ul>{MENU}</ul><article><h1>{TITLE}</h1>{parts}</article>", TITLE)
    assert main.sure
    assert all(text in main.text for text in (*LINES, *SECTIONS))
    assert (main.text.index(LINES[0]) < main.text.index(SECTIONS[0])) is above


@pytest.mark.parametrize(
    "beside",
    [
        f"<section class=related>{paragraphs(chr(10).join(LINES))}</section>",
        f"<div class=glance>{paragraphs(chr(10).join(LINES))}</div>",
        "<section>" + "".join(f"<p><a href=/{i}>{line}</a></p>" for i, line in enumerate(LINES)),
        f"<section><p>{LINES[0]}</p>" + "".join(f"<p><a href=/{t}>{t}</a></p>" for t in SECTIONS),
    ],
)
def test_other_parts_of_an_article_are_not_taken_for_sections(beside: str) -> None:
    prose = f"<section class=text>{PROSE}</section>"
    main = read(f"<ul>{MENU}</ul><article><h1>{TITLE}</h1>{prose}{beside}</article>", TITLE)
    assert main.sure
    assert SECTIONS[-1] in main.text
    assert not any(line in main.text for line in LINES)


FACTS = "<table><tr><td>Built</td><td>3 May 2019</td></tr></table>"


@pytest.mark.parametrize(("around", "prose"), [("div", "section"), ("article", "div")])
def test_sections_are_parts_of_an_article_whose_text_is_in_one(around: str, prose: str) -> None:
    """Beside a table of facts all of the element around is read."""
    lines = f"<section class=glance>{paragraphs(chr(10).join(LINES))}</section>"
    parts = f"<h1>{TITLE}</h1><{prose} class=text>{PROSE}</{prose}>{lines}{FACTS}"
    main = read(f"<ul>{MENU}</ul><{around}>{parts}</{around}>", TITLE)
    assert main.sure
    assert "3 May 2019" in main.text
    assert not any(line in main.text for line in LINES)
