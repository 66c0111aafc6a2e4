"""A page as schemes read it."""

from dedup.page import Document, extract, from_text, read_document, versions


def document(text: str, segmenter: str = "jieba") -> Document:
    return read_document(from_text(text), segmenter)


def test_each_paragraph_has_its_words() -> None:
    page = document("The Tea House\n老茶树")
    assert page.words == (("the", "tea", "house"), ("老", "茶树"))
    assert [paragraph.text for paragraph in page.paragraphs] == ["The Tea House", "老茶树"]


def test_the_tokens_are_the_words_of_all_paragraphs_in_order() -> None:
    assert document("one two\nthree").tokens == ("one", "two", "three")


def test_texts_that_read_the_same_have_one_digest() -> None:
    assert document("The  TEA house, 體育").digest == document("the tea\nhouse 体育").digest
    assert len(document("tea").digest) == 16


def test_texts_that_read_otherwise_have_other_digests() -> None:
    digests = {document(text).digest for text in ("tea house", "house tea", "teahouse", "")}
    assert len(digests) == 4


def test_a_page_without_text_is_an_empty_document() -> None:
    assert read_document(extract("")).tokens == ()


def test_the_segmenter_can_be_chosen() -> None:
    assert document("茶树", "chars").tokens == ("茶", "树")


def test_a_store_can_tell_what_steps_a_text_went_through() -> None:
    steps = versions("plain", "chars")
    assert sorted(steps) == ["extractor", "normaliser", "segmenter"]
    assert steps["extractor"].startswith("plain/")
    assert steps["segmenter"].startswith("chars/")
