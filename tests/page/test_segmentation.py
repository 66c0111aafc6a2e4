"""Normalised text to tokens, whatever the script."""

import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.demo.texts import load_texts
from dedup.page import SEGMENTERS, normalise, segment
from dedup.page.segmentation import _HAN, _UNSPACED, _marks, han_cutter, space

LAW = settings(derandomize=True, deadline=None, max_examples=300)
HAN_RUNS = sorted(
    {
        run
        for text in load_texts().values()
        for run in re.findall("[\u4e00-\u9fd5]+", normalise(text.plain))
    }
)
ANY_TEXT = st.text(
    st.one_of(
        st.characters(codec=None),
        st.characters(min_codepoint=0x900, max_codepoint=0x18AF),
        st.characters(min_codepoint=0x3000, max_codepoint=0x9FFF),
        st.characters(min_codepoint=0xD800, max_codepoint=0xDFFF, categories=["Cs"]),
    ),
    max_size=40,
)
# Letters, marks and signs of the scripts that tokens of one kind border on those of another in.
MIXED_TEXT = st.text(
    "ab1_ .\n\x1c\u2028é’—茶树的名㐀のッーทีा\u0301\u0300न한\ud800😀\U00011046", max_size=30
)
RUNS = re.compile(
    f"(?P<han>[{_HAN}]+)|(?P<unspaced>[{_UNSPACED}]+)"
    rf"|(?P<word>[^\W{_HAN}{_UNSPACED}]+(?:[{_marks()}]+[^\W{_HAN}{_UNSPACED}]*)*)"
)


def reference(text: str, segmenter: str) -> list[str]:
    """Segmentation run by run, as it is defined."""
    tokens: list[str] = []
    for run in RUNS.finditer(text):
        if run.lastgroup == "han":
            tokens += han_cutter(segmenter)(run[0])
        elif run.lastgroup == "unspaced" and len(run[0]) > 2:
            tokens += [run[0][i : i + 2] for i in range(len(run[0]) - 1)]
        else:
            tokens.append(run[0])
    return tokens


@pytest.fixture
def without_rjieba(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As on a machine that has jieba alone."""
    monkeypatch.setitem(sys.modules, "rjieba", None)
    han_cutter.cache_clear()
    yield
    han_cutter.cache_clear()


def test_han_runs_are_cut_into_words() -> None:
    assert segment("我们的日志一直躺在文本文件里") == [
        *("我们", "的", "日志", "一直", "躺", "在", "文本文件", "里"),
    ]


def test_chars_cuts_han_runs_into_characters() -> None:
    assert segment("老茶树 tea", "chars") == ["老", "茶", "树", "tea"]


def test_latin_words_beside_han_are_words_of_their_own() -> None:
    assert segment("搬进tidedb，24小时") == ["搬进", "tidedb", "24", "小时"]


def test_words_are_the_same_with_and_without_han_beside_them() -> None:
    words = "the 3rd ferry_boat left, at half past 7"
    assert segment(words + "。船")[:-1] == segment(words)


@pytest.mark.filterwarnings("ignore")  # jieba's own, when it is first compiled
def test_jieba_rjieba_and_compiled_code_give_equal_tokens(request: pytest.FixtureRequest) -> None:
    import rjieba  # noqa: F401  (of the extra "fast": without it this would compare nothing)

    assert len(HAN_RUNS) > 850
    by_rjieba = [han_cutter("jieba")(run) for run in HAN_RUNS]
    assert [segment(run) for run in HAN_RUNS] == by_rjieba
    request.getfixturevalue("without_rjieba")
    assert [han_cutter("jieba")(run) for run in HAN_RUNS] == by_rjieba


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("हिन्दी में समाचार", ["हिन्दी", "में", "समाचार"]),
        ("مُحَمَّد رسول", ["مُحَمَّد", "رسول"]),
        ("שָׁלוֹם עולם", ["שָׁלוֹם", "עולם"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("déjà čtvrť ünite", ["déjà", "čtvrť", "ünite"]),
    ],
    ids=["hindi", "arabic", "hebrew", "korean", "latin"],
)
def test_unicode_words_keep_their_combining_marks(text: str, tokens: list[str]) -> None:
    assert segment(text) == tokens


@pytest.mark.parametrize(
    "text",
    ["สวัสดีชาวโลก", "ありがとう", "カタカナ", "សួស្តី", "ສະບາຍດີ", "မင်္ဂလာပါ", "བོད་ཡིག", "㐀㐁㐂㐃",
     "ᬅᬓ᭄ᬱᬭᬩᬮᬶ", "ꨀꨇꨩꨉꨪ", "ꪀꪣꪱꪒꪸ"],
    ids=["thai", "hiragana", "katakana", "khmer", "lao", "burmese", "tibetan", "rare han",
         "balinese", "cham", "tai viet"],
)  # fmt: skip
def test_scripts_without_spaces_give_character_pairs(text: str) -> None:
    tokens = segment(text)
    assert len(tokens) == len(text) - 1
    assert {len(token) for token in tokens} == {2}


def test_a_run_of_one_or_two_such_characters_is_a_token() -> None:
    assert segment("の 茶 ない") == ["の", "茶", "ない"]


@LAW
@given(ANY_TEXT, st.sampled_from(SEGMENTERS))
def test_a_text_with_a_letter_has_a_token(text: str, segmenter: str) -> None:
    spelt = normalise(text)
    has_letter = any(unicodedata.category(character)[0] == "L" for character in spelt)
    assert segment(spelt, segmenter) or not has_letter


@LAW
@given(ANY_TEXT, st.sampled_from(SEGMENTERS))
def test_any_text_can_be_cut_even_unnormalised(text: str, segmenter: str) -> None:
    tokens = segment(text, segmenter)
    assert all(token and token in text for token in tokens)


@LAW
@given(st.one_of(ANY_TEXT, MIXED_TEXT), st.sampled_from(SEGMENTERS))
def test_a_whole_text_is_cut_as_its_runs_are(text: str, segmenter: str) -> None:
    assert segment(text, segmenter) == reference(text, segmenter)


@LAW
@given(st.lists(MIXED_TEXT.map(lambda text: text.replace("\n", " ")), min_size=1, max_size=5))
def test_lines_stay_lines_and_are_cut_each_on_its_own(lines: list[str]) -> None:
    spaced = space("\n".join(lines)).decode().split("\n")
    assert [line.split() for line in spaced] == [segment(line) for line in lines]


@pytest.mark.filterwarnings("ignore")  # jieba's own, when it is first compiled
@pytest.mark.usefixtures("without_rjieba")
def test_jieba_alone_cuts_a_whole_text_as_its_runs() -> None:
    text = "\n".join(normalise(text.plain) for text in load_texts().values())
    assert segment(text) == reference(text, "jieba")


def test_the_dictionary_is_loaded_once() -> None:
    assert han_cutter("jieba") is han_cutter("jieba")


def test_jieba_leaves_no_cache_in_the_temporary_folder(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['rjieba'] = sys.modules['dedup.native.core'] = None\n"
        "from dedup.page import segment\n"
        "assert segment('老茶树的名册') == ['老', '茶树', '的', '名册']\n"
        "assert 'jieba' in sys.modules"
    )
    environment = {"TMPDIR": str(tmp_path), "PYTHONPATH": "."}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_segmenter_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match="one of jieba, chars; got 'words'"):
        segment("茶", "words")
