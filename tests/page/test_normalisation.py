"""One spelling for what readers see as the same text."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.demo.texts import load_texts
from dedup.page import normalisation, normalise
from dedup.page.normalisation import spell

LAW = settings(derandomize=True, deadline=None, max_examples=400)
TEXTS = load_texts()
TRANSLATED = sorted(name.removesuffix(".hant") for name in TEXTS if name.endswith(".hant"))

# The alphabets that a step of the chain touches, so that examples run into its corners.
LETTERS = st.one_of(
    st.characters(max_codepoint=0x7F),
    st.characters(min_codepoint=0x80, max_codepoint=0x5FF),
    st.sampled_from("\u200b\u200d\u00ad\ufeff\u0301\u0307\u0345\u3000\ufb01\uff21\u0130\u00df"),
    st.sampled_from("體育館裏頭髮乾淨后麵著漢語书台"),
    st.sampled_from("\u00a0\u2026\u3000！（），：；？\u0338\u2f00\U0002f800\ud800\n\r\x1c\u2028"),
    st.characters(exclude_characters="薴"),  # OpenCC makes it 苧, and that 苎
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ｔｅａ ﬁrst ①", "tea first 1"),
        ("TEA Straße ΣΊΣΥΦΟΣ", "tea strasse σίσυφοσ"),
        ("te\u200ba\u00ad ho\u2060use\ufeff \u200ebar", "tea house bar"),
        ("  tea\t\n\u00a0\u3000house\u2003 ", "tea house"),
        ("cafe\u0301", "caf\u00e9"),
        ("体育館裏的頭髮", "体育馆里的头发"),
        ("乾淨的麵條，皇后在後面", "干净的面条,皇后在后面"),
        ("𩤙", "𩨆"),
        ("C++, C#; G++ C+++#", "cplusplus, csharp; gplusplus c+++#"),
        ("用C#写C++的书", "用csharp写cplusplus的书"),
        ("Usage# a+b 1+ ++ #x C#x", "usage# a+b 1+ ++ #x c#x"),
    ],
    ids=[
        *("nfkc", "case", "zero-width", "white space", "composed", "traditional", "phrases"),
        *("rare", "names", "names in Chinese", "no names"),
    ],
)
def test_what_reads_the_same_is_spelt_the_same(text: str, expected: str) -> None:
    assert normalise(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("绿 茶 是 茶 。", "绿茶是茶 。"),
        ("繁體 中文", "繁體中文"),
        ("مُحَمَّدٌ كِتَابٌ", "محمد كتاب"),
        ("كـــتاب", "كتاب"),
        ("شَالُوم שָׁלוֹם", "شالوم שלום"),
        ("کتاب فارسی", "كتاب فارسي"),
        ("على", "علي"),
        ("ё Ёлка е\u0308лка", "е елка елка"),
        ("hòa bình, khỏe, thúy Đường", "hoà bình, khoẻ, thuý Đường"),
        ("Khoa học Hòa", "Khoa học Hoà"),
        ("茶 \u200b 水", "茶水"),
        ("\u06cc\u0654", "\u0626"),
        ("١٢٣ ۴۵۶ १२३", "123 456 123"),
        ("سَنَة ١٩٩٩", "سنة 1999"),
        ("\ufe77", "\u0640\u064e"),
    ],
)
def test_what_readers_see_as_the_same_text_is_one(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("茶 tea 茶", "茶tea茶"),
        ("첫 차", "첫차"),
        ("お茶 の 時間", "お茶の時間"),
        ("آب", "اب"),
        ("й и", "и и"),
        ("hoàn hòn", "hoan hon"),
        ("été", "ete"),
    ],
)
def test_what_is_another_word_stays_another(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


@pytest.mark.parametrize("name", TRANSLATED)
def test_a_traditional_article_reads_like_the_simplified_one(name: str) -> None:
    assert normalise(TEXTS[f"{name}.hant"].plain) == normalise(TEXTS[name].plain)


def test_an_invisible_character_does_not_keep_an_accent_from_its_letter() -> None:
    assert normalise("cafe\u200d\u0301") == "caf\u00e9"


def test_lone_surrogates_and_nuls_cut_nothing_off() -> None:
    assert normalise("漢\ud800字\0體\udfff育").replace("\0", "") == "汉字体育"


@LAW
@given(st.text(LETTERS, max_size=30))
def test_a_normalised_text_is_normalised_already(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@LAW
@given(st.text(LETTERS, max_size=30))
def test_no_short_cut_changes_the_spelling(text: str) -> None:
    visible = normalisation._INVISIBLE.sub("", text).translate(normalisation._folds())
    composed = unicodedata.normalize("NFKC", visible).casefold().translate(normalisation._folds())
    joined = normalisation._SPACED_HAN.sub("", " ".join(composed.split()))
    toned = normalisation._TONE_PLACE.sub(
        lambda found: normalisation._TONE_PLACES[found[0]], normalisation._simplify(joined)
    )
    named = normalisation._PLUS.sub(lambda signs: "plus" * len(signs[0]), toned)
    named = normalisation._SHARP.sub("sharp", named)
    assert normalise(text) == " ".join(named.split())


@LAW
@given(st.lists(st.text(LETTERS, max_size=12).map(lambda text: text.replace("\n", " "))))
def test_lines_are_spelt_each_on_its_own(lines: list[str]) -> None:
    assert spell("\n".join(lines)) == "\n".join(map(spell, lines))


def test_the_conversion_table_is_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    normalise("漢")
    monkeypatch.delattr(normalisation, "OpenCC")
    assert normalise("體育") == "体育"


@pytest.mark.parametrize("marks", ["\u0301", "\u0315\u0300\u05ae\u0321", "\uff9e\u0301"])
def test_a_flood_of_marks_is_thinned_out(marks: str) -> None:
    text = normalise("a" + marks * 100_000)
    assert len(text) < 40
    assert text == unicodedata.normalize("NFKC", text)


def test_as_many_marks_as_a_script_has_are_kept() -> None:
    word = "a" + "\u0315\u0300" * 15
    line = f"{word} {'tea ' * 200}"
    assert normalise(line).split()[0] == unicodedata.normalize("NFKC", word)


def test_long_runs_of_other_signs_stay() -> None:
    line = "\u2500" * 600
    assert normalise(line) == line


def test_how_an_ideograph_is_put_together_does_not_keep_others_traditional() -> None:
    assert normalise("⿲綠茶 ⿰木。體育\n書") == "绿茶木。体育书"


@pytest.mark.parametrize(
    ("taiwan", "mainland"),
    [
        ("這個軟體用的記憶體很少，伺服器也不忙。", "这个软件用的内存很少，服务器也不忙。"),
        ("隨著網際網路的普及，程式設計師多了。", "随着互联网的普及，程序员多了。"),
        ("計程車開往矽谷", "出租车开往硅谷"),
    ],
)
def test_words_of_taiwan_are_those_of_the_mainland(taiwan: str, mainland: str) -> None:
    assert normalise(taiwan) == normalise(mainland)


@pytest.mark.parametrize("text", ["在档案馆里查资料", "软体动物没有骨骼", "程式化的表演"])
def test_simplified_texts_keep_their_words(text: str) -> None:
    assert normalise(text) == text


def test_a_line_is_spelled_alike_alone_and_among_others() -> None:
    lines = ["程式", "這是樹", "公車"]
    assert spell("\n".join(lines)).split("\n") == [spell(line) for line in lines]
