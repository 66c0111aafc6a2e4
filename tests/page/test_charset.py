"""Bytes to text, as browsers decode them."""

import chardet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.demo.texts import load_texts
from dedup.page import decode_html, page_encoding, read_body
from dedup.page.charset import GUESS_BYTES, guess_encoding

LAW = settings(derandomize=True, deadline=None, max_examples=150)
SIMPLIFIED = load_texts()["tea"].plain
TRADITIONAL = load_texts()["tea.hant"].plain
BYTE_ORDER_MARKS = {"utf-8": b"\xef\xbb\xbf", "utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}
LABELS = ["utf-8", "gb2312", "big5", "latin1", "utf-16", "utf-7", "hex", "idna", "x", "\u00e9", ""]


def html(text: str, charset: str = "") -> str:
    meta = f'<meta charset="{charset}">' if charset else ""
    return f"<html><head>{meta}<title>x</title></head><body><p>{text}</p></body></html>"


@pytest.mark.parametrize("encoding", BYTE_ORDER_MARKS)
def test_a_byte_order_mark_beats_the_header(encoding: str) -> None:
    body = BYTE_ORDER_MARKS[encoding] + "<p>茶 caf\u00e9</p>".encode(encoding)
    assert decode_html(body, "text/html; charset=iso-8859-1") == "<p>茶 caf\u00e9</p>"


@pytest.mark.parametrize("content_type", [None, "text/html; charset=utf-8"])
def test_only_valid_utf8_stays_bytes(content_type: str | None) -> None:
    mark = BYTE_ORDER_MARKS["utf-8"]
    for page in (b"<p>tea</p>", "<p>茶馆 caf\u00e9</p>".encode()):
        assert read_body(page, content_type) == read_body(mark + page, content_type) == page
    for page in (b"<p>caf\xe9</p>", mark + b"<p>caf\xe9</p>"):
        assert read_body(page, content_type) == decode_html(page, content_type)


def test_the_header_beats_the_meta_element() -> None:
    page = html("茶", charset="big5")
    assert decode_html(page.encode(), "text/html; charset=utf-8") == page


def test_the_meta_element_counts_where_the_header_names_no_charset() -> None:
    page = html("Ł", charset="iso-8859-2")
    assert decode_html(page.encode("iso-8859-2"), "text/html") == page


def test_an_old_meta_element_counts_too() -> None:
    page = '<meta http-equiv="Content-Type" content="text/html; charset=gbk"><p>茶</p>'
    assert decode_html(page.encode("gbk")) == page


@pytest.mark.parametrize("label", ["gb2312", "GBK", "gb18030"])
def test_the_gb_labels_are_all_read_as_gb18030(label: str) -> None:
    page = html("朱镕基 \u20ac 䶮", charset=label)  # none of it in GB 2312
    assert decode_html(page.encode("gb18030")) == page


@pytest.mark.parametrize("label", ["gb2312", "big5", "shift_jis", "iso-8859-1"])
def test_a_converted_page_that_kept_its_old_meta_element_is_utf8(label: str) -> None:
    page = html("茶馆 caf\u00e9", charset=label)
    assert decode_html(page.encode(), "text/html") == page


def test_a_meta_element_counts_on_a_page_whose_octets_are_ascii() -> None:
    page = html("茶道", charset="iso-2022-jp")
    assert decode_html(page.encode("iso-2022-jp")) == page


@pytest.mark.parametrize("header", [None, "utf-8", "iso-8859-1", "shift_jis"])
@pytest.mark.parametrize("label", ["", "iso-2022-jp", "utf-8"])
def test_a_page_in_iso_2022_jp_is_read_whatever_its_labels(header: str | None, label: str) -> None:
    page = html("港の話", charset=label)
    content_type = header and f"text/html; charset={header}"
    assert decode_html(page.encode("iso-2022-jp"), content_type) == page


@pytest.mark.parametrize(
    "text",
    [
        "an escape \x1b alone",
        "colours \x1b[31mred\x1b[0m",
        "a switch \x1b$B only",
        "words \x1b$B between two switches \x1b(B",
        "\x1b$B<p>tags</p>\x1b(B and <b>more</b> \x1b$B",
        "back \x1b(B before \x1b$B",
    ],
)
def test_ascii_with_odd_escapes_is_read_by_its_label(text: str) -> None:
    assert decode_html(html(text).encode(), "text/html; charset=utf-8") == html(text)


@pytest.mark.parametrize("label", ["utf-16", "UTF-16LE", "utf-16be", "utf-32"])
def test_a_page_whose_meta_element_can_be_read_is_not_in_utf16(label: str) -> None:
    page = html("茶 caf\u00e9", charset=label)
    assert decode_html(page.encode() + b"\xff") == page + "\ufffd"


def test_utf16_in_the_header_counts() -> None:
    page = html("茶", charset="utf-8")
    assert decode_html(page.encode("utf-16-le"), "text/html; charset=utf-16le") == page


@pytest.mark.parametrize("order", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("label", ["utf-16", "UTF-16LE", "utf-16be"])
@pytest.mark.parametrize("text", ["Tea on the hills, day after day.", "山上的茶，一天又一天。"])
def test_the_order_of_octets_in_utf16_is_that_of_the_page(
    order: str, label: str, text: str
) -> None:
    """To browsers "utf-16" is UTF-16LE; other software takes it for UTF-16BE."""
    page = f"<html><head><title>{text}</title></head><body><p>{text * 20}</p></body></html>"
    assert decode_html(page.encode(order), f"text/html; charset={label}") == page


@pytest.mark.parametrize("label", ["utf-16", "utf-16le", "utf-16be"])
@pytest.mark.parametrize("encoding", ["ascii", "utf-8", "gb18030"])
def test_a_page_without_nul_is_not_in_utf16(label: str, encoding: str) -> None:
    text = "Tea, day after day. " if encoding == "ascii" else "山上的茶，一天又一天。"
    page = f"<p>{text * 20}</p>"
    assert decode_html(page.encode(encoding), f"text/html; charset={label}") == page


@pytest.mark.parametrize("encoding", ["ascii", "utf-8", "gb18030"])
def test_a_page_with_a_few_stray_nul_is_not_in_utf16(encoding: str) -> None:
    text = "Tea, day after day." if encoding == "ascii" else "山上的茶，一天又一天。"
    page = f"<html><body>{f'<p>{text}</p>' * 20}\0<p>{text}</p></body></html>\0"
    assert decode_html(page.encode(encoding), "text/html; charset=utf-16") == page


def test_latin1_is_read_as_windows_1252() -> None:
    assert decode_html(b"\x93tea\x94", "text/html; charset=iso-8859-1") == "\u201ctea\u201d"


def test_undeclared_utf8_is_utf8() -> None:
    assert decode_html(html(SIMPLIFIED).encode()) == html(SIMPLIFIED)


@pytest.mark.parametrize(("text", "encoding"), [(SIMPLIFIED, "gb18030"), (TRADITIONAL, "big5")])
def test_an_undeclared_chinese_encoding_is_guessed(text: str, encoding: str) -> None:
    page = html(text).encode(encoding, "ignore")
    assert decode_html(page) == page.decode(encoding)


def test_an_undeclared_western_page_keeps_its_letters() -> None:
    text = "D\u00e9j\u00e0 vu au caf\u00e9, o\u00f9 l'\u00e9t\u00e9 s'ach\u00e8ve. " * 5
    assert decode_html(html(text).encode("cp1252")) == html(text)


@pytest.mark.parametrize("header", ["text/html", "text/html; charset=utf-8"])
@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (SIMPLIFIED, "gb18030"),
        (TRADITIONAL, "big5"),
        ("D\u00e9j\u00e0 vu, o\u00f9 ? " * 9, "cp1252"),
    ],
)
def test_a_page_labelled_as_the_utf8_that_it_is_not_is_guessed(
    text: str, encoding: str, header: str
) -> None:
    page = html(text, charset="utf-8").encode(encoding, "ignore")
    assert decode_html(page, header) == page.decode(encoding)


@pytest.mark.parametrize("label", ["gbk", "gb18030", "big5", "iso-8859-1", "windows-1252"])
def test_a_page_in_utf8_is_that_whatever_the_header_says(label: str) -> None:
    page = html(SIMPLIFIED, charset=label)
    assert decode_html(page.encode(), f"text/html; charset={label}") == page


def test_a_few_bytes_that_chance_makes_utf8_are_what_the_header_says() -> None:
    body = "<p>小隆</p>".encode("gbk")
    assert body.decode() == "<p>\u0421\u00a1</p>"
    assert decode_html(body, "text/html; charset=gbk") == "<p>小隆</p>"


def test_a_page_in_utf8_is_that_whatever_its_script_begins_with() -> None:
    body = b"\xe9\xe8\xff" * 10 + b" " * GUESS_BYTES + html(SIMPLIFIED).encode()
    assert SIMPLIFIED[-40:] in decode_html(body, "text/html; charset=utf-8")


@pytest.mark.parametrize("encoding", ["windows-1250", "iso-8859-2", "shift_jis"])
def test_what_a_page_says_of_itself_counts_where_the_header_says_utf8_and_it_is_none(
    encoding: str,
) -> None:
    text = (
        "茶の湯、お茶の時間です。" * 4
        if encoding in ("shift_jis", "big5")
        else "žluťoučký kůň " * 9
    )
    page = html(text, charset=encoding)
    body = page.encode(encoding, "ignore")
    assert decode_html(body, "text/html; charset=utf-8") == body.decode(encoding)


@pytest.mark.parametrize("stray", [b"\x1b$B", b"\x1b$B\x1b(", b"\x1b[2J"])
def test_a_stray_escape_is_no_japanese(stray: bytes) -> None:
    body = b"<p>tea " + stray + b" and more of it \x7f</p>"
    assert b"more of it" in decode_html(body).encode()


def test_most_of_a_page_in_utf8_is_read_where_some_of_it_is_cut() -> None:
    body = html(SIMPLIFIED).encode().replace("茶".encode(), "茶".encode()[:2], 3)
    assert "\ufffd" in decode_html(body, "text/html; charset=utf-8")
    assert SIMPLIFIED[-40:] in decode_html(body, "text/html; charset=utf-8")


@pytest.mark.parametrize("header", [None, "text/html", "text/html; charset=iso-2022-jp"])
def test_japanese_between_escapes_is_read(header: str | None) -> None:
    page = html("お茶の時間、静岡の新茶が届きました。")
    assert decode_html(page.encode("iso-2022-jp"), header) == page


def test_undecodable_bytes_become_replacement_characters() -> None:
    assert decode_html(b"tea \xff house", "text/html; charset=utf-8") == "tea \ufffd house"


@pytest.mark.parametrize("label", ["hex", "zlib", "base64", "rot13", "idna", "undefined", "x-no",
                                   "punycode", "unicode_escape", "raw-unicode-escape"])  # fmt: skip
def test_a_label_that_is_no_charset_counts_for_nothing(label: str) -> None:
    body = "<p>caf\u00e9</p>".encode()
    assert decode_html(body, f"text/html; charset={label}") == "<p>caf\u00e9</p>"
    assert page_encoding(body, f"text/html; charset={label}") == "utf-8"


@LAW
@given(st.binary(max_size=300), st.sampled_from(LABELS), st.sampled_from(LABELS))
def test_garbage_never_raises(garbage: bytes, header: str, meta: str) -> None:
    body = f"<meta charset={meta}>".encode() + garbage
    assert isinstance(decode_html(body, f"text/html; charset={header}"), str)


def test_a_run_of_letters_is_no_hint_at_an_encoding() -> None:
    words = "Übergrößenträger, süße Äpfel und weiße Mäuse. ".encode("cp1252") * 20
    assert guess_encoding(b"x" * (GUESS_BYTES - len(words)) + words) == guess_encoding(words)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What the guesser is shown."""
    bodies: list[bytes] = []

    def detect(body: bytes) -> dict[str, None]:
        bodies.append(body)
        return {"encoding": None}

    monkeypatch.setattr(chardet, "detect", detect)
    return bodies


def test_a_guesser_is_shown_no_long_run_of_letters(shown: list[bytes]) -> None:
    guess_encoding(b"x" * 5_000 + b"\xff tea")
    assert shown == [b"\xff tea"]


def test_a_guesser_is_shown_only_runs_of_text_beyond_ascii(shown: list[bytes]) -> None:
    guess_encoding(b"<p class=tea>caf\xe9 au lait</p>\n<p>tea\nth\xe9</p><p>tea</p>")
    assert shown == [b"caf\xe9 au lait\nth\xe9"]


def test_a_guesser_is_shown_no_more_than_it_needs(shown: list[bytes]) -> None:
    guess_encoding(b"<p>caf\xe9</p>" * GUESS_BYTES)
    assert [len(body) for body in shown] == [GUESS_BYTES]


def test_text_behind_a_long_script_tells_the_encoding() -> None:
    body = b"<script>" + b"tea();\n" * 20_000 + b"</script>" + html(SIMPLIFIED).encode("gb18030")
    assert SIMPLIFIED[-40:] in decode_html(body)


@pytest.mark.parametrize("label", ["cp037", "cp500", "utf-32-le"])
def test_a_label_under_which_markup_is_other_bytes_is_ignored_as_in_browsers(label: str) -> None:
    """Whoever serves a text in them shows other signs in a browser."""
    body = html("The ferry leaves at nine.").encode(label)
    assert "ferry" not in decode_html(body, f"text/html; charset={label}")
