"""The default scheme: candidates from SimHash and exact keys, verified with a sketch."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.demo.texts import load_texts
from dedup.page import from_text, read_document
from dedup.schemes import Combined, Comparison
from dedup.schemes.hashing import shingle_set, token_hashes
from dedup.schemes.simhash import simhash
from dedup.verdict import MOST_NEW, Findings, Headings, Relation, relate
from tests.schemes.reading import document

LAW = settings(derandomize=True, deadline=None, max_examples=150)
SCHEME = Combined()
TEXTS = load_texts()
LARGEST = 24 + 2 * (12 + 16) + 8 * 8 + 120 * 4 + 128  # all the hashes and places that there may be
LONG = " ".join(f"word{i}" for i in range(150))
FEW = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=40)
ANY = st.lists(st.text("abcdefgh", min_size=1, max_size=4), min_size=1, max_size=600)


def fingerprint(*tokens: str) -> bytes:
    return SCHEME.fingerprint(document(*tokens))


def titled(title: str, text: str = LONG) -> bytes:
    return SCHEME.fingerprint(read_document(from_text(text, title)))


def shingles(tokens: list[str]) -> set[tuple[str, ...]]:
    """The set of 3 consecutive tokens; a shorter text is one shingle."""
    return {tuple(tokens[i : i + 3]) for i in range(max(1, len(tokens) - 2))}


def found_in(comparison: Comparison) -> Findings:
    assert comparison.findings is not None
    return comparison.findings


def relation(comparison: Comparison, *, same_site: bool = False) -> Relation:
    """What the later page is to the earlier one, by the fingerprints alone."""
    return relate(found_in(comparison), MOST_NEW, same_site=same_site, sure=comparison.sure)


@LAW
@given(ANY)
def test_the_words_are_the_simhash_and_the_smallest_shingle_hashes(tokens: list[str]) -> None:
    simhash_word, *keys = SCHEME.words(fingerprint(*tokens))
    assert (simhash_word.space, simhash_word.value) == ("simhash", simhash(tokens))
    assert {key.space for key in keys} == {"shingle"}
    assert [key.value for key in keys] == shingle_set(token_hashes(tokens), 3)[:8].tolist()


@LAW
@given(ANY)
def test_a_fingerprint_is_small_whatever_the_text(tokens: list[str]) -> None:
    value = fingerprint(*tokens)
    assert len(value) <= LARGEST
    assert len(SCHEME.words(value)) <= 12


def test_a_long_text_under_a_long_title_needs_no_larger_fingerprint() -> None:
    title, words = (" ".join(f"{letter}{n}" for n in range(100_000)) for letter in ("t", ""))
    value = titled(title, words)
    assert len(value) == LARGEST
    assert len(SCHEME.words(value)) == 9


@LAW
@given(FEW, FEW)
def test_texts_soon_known_to_be_unlike_have_nothing_to_do_with_each_other(
    one: list[str], other: list[str]
) -> None:
    a, b = fingerprint(*one), fingerprint(*other)
    comparison = SCHEME.compare(a, b)
    assert comparison.containment is not None
    if comparison.containment < 0.1:
        assert SCHEME.compare_if_alike(a, b) is None
        assert relation(comparison) is Relation.NONE
    else:
        assert SCHEME.compare_if_alike(a, b) == comparison


@LAW
@given(FEW, FEW)
def test_small_texts_are_compared_exactly(one: list[str], other: list[str]) -> None:
    a, b = shingles(one), shingles(other)
    comparison = SCHEME.compare(fingerprint(*one), fingerprint(*other))
    assert comparison.similarity == len(a & b) / len(a | b)
    assert comparison.containment == len(a & b) / min(len(a), len(b))
    assert comparison.distance == (simhash(one) ^ simhash(other)).bit_count()


@LAW
@given(ANY, ANY)
def test_how_alike_texts_are_is_the_same_both_ways(one: list[str], other: list[str]) -> None:
    forth = SCHEME.compare(fingerprint(*one), fingerprint(*other))
    back = SCHEME.compare(fingerprint(*other), fingerprint(*one))
    assert forth._replace(findings=None) == back._replace(findings=None)
    assert found_in(forth).likely <= found_in(forth).new


@LAW
@given(ANY)
def test_a_text_is_equal_to_itself(tokens: list[str]) -> None:
    value = fingerprint(*tokens)
    comparison = SCHEME.compare(value, value)
    assert comparison[:3] == (1.0, 0, 1.0)
    assert relation(comparison, same_site=True) is Relation.EQUAL


@pytest.mark.parametrize("shared", [500, 1500, 2500])
def test_large_texts_are_estimated_within_a_tenth(shared: int) -> None:
    errors = []
    for n in range(20):
        one = [f"s{n}-{i}" for i in range(shared)] + [f"a{n}-{i}" for i in range(3000 - shared)]
        other = [f"s{n}-{i}" for i in range(shared)] + [f"b{n}-{i}" for i in range(3000 - shared)]
        a, b = shingles(one), shingles(other)
        estimate = SCHEME.compare(fingerprint(*one), fingerprint(*other)).similarity
        errors.append(estimate - len(a & b) / len(a | b))
    assert max(map(abs, errors)) < 0.12
    assert abs(sum(errors) / len(errors)) < 0.02  # unbiased


def test_a_text_inside_a_larger_one_is_contained_in_it_and_the_larger_one_has_grown() -> None:
    small = [f"s{i}" for i in range(60)]
    large = [f"a{i}" for i in range(60)] + small + [f"b{i}" for i in range(300)]
    comparison = SCHEME.compare(fingerprint(*small), fingerprint(*large))
    assert comparison.containment is not None
    assert comparison.containment > 0.9
    assert comparison.similarity < 0.3
    assert relation(comparison) is Relation.CONTAINED
    assert relation(SCHEME.compare(fingerprint(*large), fingerprint(*small))) is Relation.GROWN


@pytest.mark.parametrize("tokens", [["tea"], ["tea", "house"]])
def test_a_text_of_one_or_two_tokens_is_one_shingle(tokens: list[str]) -> None:
    assert len(SCHEME.words(fingerprint(*tokens))) == 2
    assert SCHEME.compare(fingerprint(*tokens), fingerprint(*tokens)).similarity == 1.0
    assert SCHEME.compare(fingerprint(*tokens), fingerprint("green", "tea")).similarity == 0.0


@pytest.mark.parametrize(
    ("name", "edited"),
    [("ferry", "ferry.corrected"), ("tide", "tide.light"), ("birds", "birds.heavy")],
)
def test_an_edited_article_shares_a_word_with_the_first_and_is_accepted(
    name: str, edited: str
) -> None:
    one, other = (SCHEME.fingerprint(document(TEXTS[text].plain)) for text in (name, edited))
    keys = set(SCHEME.words(one)) & set(SCHEME.words(other))
    comparison = SCHEME.compare(other, one)
    assert keys or (comparison.distance or 0) <= 3
    assert SCHEME.nominates(comparison, MOST_NEW, same_host=False)
    assert SCHEME.accepts(comparison, same_host=False)


def test_its_spaces_say_how_its_words_find_each_other() -> None:
    near, exact = Combined(distance=5, common=7).spaces
    assert (near.name, near.bits, near.radius, near.cap) == ("simhash", 64, 5, None)
    assert (exact.name, exact.bits, exact.radius, exact.cap) == ("shingle", 64, 0, 7)


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        (0.1, Relation.EDITED),
        (0.2, Relation.GROWN),  # a passage beside all of the other page
        (0.4, Relation.GROWN),
        (0.9, Relation.GROWN),
    ],
)
def test_a_page_is_new_by_the_passages_it_adds(own: float, expected: Relation) -> None:
    added = " ".join(f"own{i}" for i in range(round(150 * own / (1 - own))))
    comparison = SCHEME.compare(titled("", f"{LONG}\n{added}"), titled("", LONG))
    assert found_in(comparison).new == pytest.approx(own, abs=0.08)
    assert found_in(comparison).gone == 0.0
    assert relation(comparison) is expected
    assert SCHEME.accepts(comparison, same_host=False) == (expected is Relation.EDITED)


def test_a_page_with_a_passage_in_place_of_another_has_not_grown() -> None:
    words = LONG.split()
    own = [f"own{i}" for i in range(30)]
    comparison = SCHEME.compare(fingerprint(*words[:60], *own, *words[90:]), titled("", LONG))
    assert found_in(comparison).new == pytest.approx(0.2, abs=0.05)
    assert relation(comparison) is Relation.EDITED


@pytest.mark.parametrize(("own", "worth_a_look"), [(0.1, True), (0.3, True), (0.5, False)])
def test_a_look_at_the_texts_is_worth_while_unless_far_too_much_is_new(
    own: float, worth_a_look: bool
) -> None:
    added = " ".join(f"own{i}" for i in range(round(150 * own / (1 - own))))
    comparison = SCHEME.compare(titled("", f"{LONG}\n{added}"), titled("", LONG))
    assert SCHEME.nominates(comparison, MOST_NEW, same_host=False) == worth_a_look
    assert SCHEME.nominates(comparison, 0.5, same_host=False)


def test_where_little_is_as_it_was_the_rest_counts_as_new_and_only_the_texts_can_tell() -> None:
    words = LONG.split()
    edited = " ".join(word if i % 4 else f"{word}a" for i, word in enumerate(words))
    comparison = SCHEME.compare(titled("", edited), titled("", LONG))
    assert found_in(comparison).new > 0.7
    assert relation(comparison) is Relation.OVERLAP
    assert SCHEME.nominates(comparison, MOST_NEW, same_host=False)


SHEET = (
    "order {} is on its way to you . we packed {} parcels and gave them to the post office in "
    "harbour street where a van picks them up every evening at six and takes them to the sorting "
    "office by the river . the next morning they leave for the town you live in"
)


@pytest.mark.parametrize(
    ("one", "other"),
    [(("4711", "2"), ("4712", "2")), (("4711", "2"), ("4711", "3")), (("7", "2"), ("8", "3"))],
    ids=["a long number", "a short number", "two short numbers"],
)
@pytest.mark.parametrize("same_site", [True, False])
def test_pages_of_one_wording_with_other_numbers_are_variants(
    one: tuple[str, str], other: tuple[str, str], same_site: bool
) -> None:
    comparison = SCHEME.compare(*(titled("", SHEET.format(*numbers)) for numbers in (one, other)))
    assert relation(comparison, same_site=same_site) is Relation.VARIANT
    assert not SCHEME.accepts(comparison, same_host=same_site)


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("", "it weighs 310 grams"),  # only one page has a number of its own
        ("it weighs 310 grams", "it weighs 0310 grams"),
        ("Updated: 2024-03-01", "Updated: 2024-03-05"),  # a stamp is no fact
        ("the i386 machine", "the i486 machine"),  # nor is the name of a machine
    ],
)
def test_other_numbers_that_are_no_facts_make_no_variant(line: str, other: str) -> None:
    comparison = SCHEME.compare(*(titled("", f"{LONG}\n{end}") for end in (line, other)))
    assert not found_in(comparison).facts
    assert relation(comparison) in (Relation.EQUAL, Relation.EDITED)


def test_of_many_numbers_one_makes_a_variant_where_all_else_is_the_same() -> None:
    words = [f"{word} {100 + i}" if i % 15 == 0 else word for i, word in enumerate(LONG.split())]
    comparison = SCHEME.compare(
        titled("", " ".join(["word0 99", *words[1:]])), titled("", " ".join(words))
    )
    assert relation(comparison) is Relation.VARIANT


def test_of_many_numbers_one_put_right_where_much_was_edited_makes_no_variant() -> None:
    words = [f"{word} {100 + i}" if i % 15 == 0 else word for i, word in enumerate(LONG.split())]
    edited = [word if i % 15 != 8 else f"edit{chr(97 + i // 15)}" for i, word in enumerate(words)]
    edited[0] = "word0 99"
    comparison = SCHEME.compare(*(titled("", " ".join(text)) for text in (edited, words)))
    assert comparison.similarity < 0.85
    assert relation(comparison) is Relation.EDITED


@pytest.mark.parametrize(
    ("one", "other", "headings"),
    [
        ("Red shirt | Shop", "Blue shirt | Shop", Headings.SISTERS),
        ("红色衬衫", "蓝色衬衫", Headings.SISTERS),
        ("Headphones WH-1000XM4", "Headphones WH-1000XM5", Headings.SISTERS),
        ("Class ElementKindVisitor6", "Class ElementKindVisitor8", Headings.SISTERS),
        ("Report 2021", "Report 2022", Headings.FACTS),
        ("Manual 14: shirts", "Manual 15: shirts", Headings.FACTS),
        ("Prices of 2024-03-01", "Prices of 2024-04-01", Headings.FACTS),
        ("2024年3月1日公告", "2024年3月5日公告", Headings.FACTS),
        ("Red shirt", "Red shirt, print version", Headings.SAME),  # one says more
        ("Red shirt", "", Headings.SAME),
        ("RED Shirt!", "red shirt", Headings.SAME),
        ("News of 2024-01-02", "News of 2024/01/02", Headings.SAME),
        ("Storm stops the ferry", "Islanders wait as wind closes the port", Headings.OTHER),
    ],
)
@pytest.mark.parametrize("words", [60, 150])
def test_equal_texts_of_one_site_are_variants_where_headings_differ_a_little(
    one: str, other: str, headings: Headings, words: int
) -> None:
    text = " ".join(LONG.split()[:words])
    comparison = SCHEME.compare(titled(one, text), titled(other, text))
    assert comparison.similarity == 1.0
    assert found_in(comparison).headings is headings
    apart = headings in (Headings.SISTERS, Headings.FACTS)
    assert relation(comparison, same_site=True) is (Relation.VARIANT if apart else Relation.EQUAL)
    assert relation(comparison, same_site=False) is Relation.EQUAL


def test_a_part_of_a_text_under_a_heading_written_anew_is_contained() -> None:
    part = " ".join(LONG.split()[:100])
    titles = ("Storm stops the ferry", "Islanders wait as wind closes the port")
    comparison = SCHEME.compare(titled(titles[0], part), titled(titles[1]))
    assert found_in(comparison).headings is Headings.OTHER
    assert relation(comparison, same_site=True) is Relation.CONTAINED


@pytest.mark.parametrize(
    ("title", "expected"), [("Red shirt", Relation.EDITED), ("Blue shirt", Relation.VARIANT)]
)
def test_texts_of_two_sites_that_are_less_alike_under_sister_headings_are_variants(
    title: str, expected: Relation
) -> None:
    edited = " ".join(
        word if i % 12 else f"edit{chr(97 + i // 12)}" for i, word in enumerate(LONG.split())
    )
    comparison = SCHEME.compare(titled(title, edited), titled("Red shirt"))
    assert comparison.similarity < 0.85
    assert relation(comparison, same_site=False) is expected


def test_of_long_titles_only_what_is_known_of_both_is_compared() -> None:
    words = [f"word{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(100)]
    long = " ".join(words[:60])
    same = SCHEME.compare(titled(long), titled(" ".join(words)))
    other = SCHEME.compare(titled(long), titled(long.replace("word", "other")))
    assert found_in(same).headings is Headings.SAME
    assert found_in(other).headings is Headings.OTHER


@pytest.mark.parametrize(
    ("sure", "other_sure"), [(True, True), (True, False), (False, True), (False, False)]
)
def test_a_page_whose_text_was_guessed_may_have_little_that_is_new(
    sure: bool, other_sure: bool
) -> None:
    added = " ".join(f"own{i}" for i in range(17))
    later, earlier = (read_document(from_text(text)) for text in (f"{LONG}\n{added}", LONG))
    comparison = SCHEME.compare(
        SCHEME.fingerprint(replace(later, sure=sure)),
        SCHEME.fingerprint(replace(earlier, sure=other_sure)),
    )
    assert found_in(comparison).new == pytest.approx(0.1, abs=0.03)
    assert comparison.sure == (sure and other_sure)
    assert SCHEME.accepts(comparison, same_host=False) == comparison.sure


def test_the_words_of_a_text_do_not_depend_on_how_many_numbers_it_has() -> None:
    numbers = [" ".join(f"Boat {n + 11} leaves." for n in range(count)) for count in range(4)]
    none, *some = (set(SCHEME.words(titled("River", f"{LONG}\n{text}"))) for text in numbers)
    assert all(len(words & none) >= len(none) // 2 for words in some)
