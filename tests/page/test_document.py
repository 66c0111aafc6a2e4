"""A page as schemes read it."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from dedup.page import (
    Document,
    Kind,
    MainText,
    Paragraph,
    cut,
    extract,
    from_text,
    join_pieces,
    read_document,
    read_piece,
    segment,
    versions,
)
from dedup.page.normalisation import spell

LAW = settings(derandomize=True, deadline=None, max_examples=200)
TEXT = st.text("aB1 \n\r\x1c\u2028’，é茶樹體のทีा\u0301\ud800\u200d", max_size=12)


FLOODS = ["end" + "\u0301\u0323" * 20, "茶。" + "\uff9e" * 40]  # of marks
WORDS = st.lists(
    st.sampled_from("⿲ ⿰木，綠 tea C++ # 茶树 紅茶。綠茶 ，体 é é ไท 3 1.5".split(" ") + FLOODS)
).map(" ".join)


def document(text: str, segmenter: str = "jieba") -> Document:
    return read_document(from_text(text), segmenter)


def test_each_paragraph_has_its_words() -> None:
    page = document("The Tea House\n老茶树")
    assert page.words == (("the", "tea", "house"), ("老", "茶树"))
    assert [paragraph.text for paragraph in page.paragraphs] == ["The Tea House", "老茶树"]


def test_the_tokens_are_the_words_of_all_paragraphs_in_order() -> None:
    assert document("one two\nthree").tokens == ("one", "two", "three")


@LAW
@given(st.lists(TEXT, max_size=5), TEXT, TEXT)
@example([], "Tea", "")
@example([""], "", "")
@example(["one\ntwo", "", "茶\n树"], "a\nb", "c")
@example([], "茶", "樹")  # a word, were the two one line
def test_a_page_is_read_paragraph_by_paragraph(texts: list[str], title: str, heading: str) -> None:
    paragraphs = (Paragraph(text, Kind.PARAGRAPH, 0, n) for n, text in enumerate(texts))
    page = read_document(MainText(title, tuple(paragraphs), True, heading))
    *words, of_title, of_heading = (
        tuple(segment(spell(text.replace("\n", " ")))) for text in (*texts, title, heading)
    )
    assert page.words == tuple(words)
    assert page.title_words == of_title + of_heading
    assert page.tokens == tuple(token for words in page.words for token in words)


@LAW
@given(st.lists(TEXT | WORDS, max_size=9), TEXT, st.integers(1, 30))
@example(["one", "two", "three"], "Tea", 1)
@example(["tea ⿲", "綠茶"], "", 1)
@example(["tea " * 500 + FLOODS[0] + " tail"], "", 1000)
@example(["茶" * 600 + FLOODS[1] + "茶" * 600], "", 1)
def test_a_page_read_by_pieces_is_the_same(texts: list[str], title: str, length: int) -> None:
    paragraphs = (Paragraph(text, Kind.PARAGRAPH, 0, n) for n, text in enumerate(texts))
    main = MainText(title, tuple(paragraphs), True)
    page = join_pieces(main, map(read_piece, cut(main, length)))
    whole = read_document(main)
    assert (page.words, page.title_words) == (whole.words, whole.title_words)
    assert page.joined == whole.joined


def test_a_text_is_cut_where_no_word_goes_on() -> None:
    pieces = cut(from_text("tea C ++ leaf 3 月、茶叶。红茶，绿 茶\ntea"), 1)
    assert [piece.text for piece in pieces[:-1]] == [
        *("tea", "C ++ leaf 3 月、茶叶", "红茶", "绿 茶", "tea")
    ]


def test_a_long_text_is_read_in_pieces_and_a_short_one_at_once() -> None:
    assert len(cut(from_text("tea\n" * 10))) == 1
    assert len(cut(from_text(("tea " * 1_000 + "\n") * 20))) == 4
    assert len(cut(from_text("tea " * 20_000))) == 4


def test_texts_that_read_the_same_have_one_digest() -> None:
    assert document("The  TEA house, 體育").digest == document("the tea\nhouse 体育").digest
    assert document("Tea\n\nhouse,").digest.hex() == "1fbc44fbaa90be299934bd5138f0d677"


def test_texts_that_read_otherwise_have_other_digests() -> None:
    digests = {document(text).digest for text in ("tea house", "house tea", "teahouse", "")}
    assert len(digests) == 4


def test_a_page_without_text_is_an_empty_document() -> None:
    assert read_document(extract("")).tokens == ()


def test_the_segmenter_can_be_chosen() -> None:
    assert document("茶树", "chars").tokens == ("茶", "树")


def test_a_store_can_tell_what_steps_a_text_went_through() -> None:
    steps = versions("plain", "chars")
    assert sorted(steps) == ["extractor", "normaliser", "segmenter", "texts"]
    assert steps["extractor"].startswith("plain/")
    assert steps["segmenter"].startswith("chars/")
