"""The default scheme: candidates from SimHash and exact keys, verified with a sketch."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.demo.texts import load_texts
from dedup.page import from_text, read_document
from dedup.schemes import Combined, Comparison
from dedup.schemes.hashing import shingle_set, token_hashes
from dedup.schemes.simhash import simhash
from tests.schemes.reading import document

LAW = settings(derandomize=True, deadline=None, max_examples=150)
SCHEME = Combined()
TEXTS = load_texts()
FEW = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=40)
ANY = st.lists(st.text("abcdefgh", min_size=1, max_size=4), min_size=1, max_size=600)


def fingerprint(*tokens: str) -> bytes:
    return SCHEME.fingerprint(document(*tokens))


def shingles(tokens: list[str]) -> set[tuple[str, ...]]:
    """The set of 3 consecutive tokens; a shorter text is one shingle."""
    return {tuple(tokens[i : i + 3]) for i in range(max(1, len(tokens) - 2))}


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
    assert len(value) <= 600
    assert len(SCHEME.words(value)) <= 12


def test_a_long_text_needs_no_larger_fingerprint() -> None:
    value = fingerprint(*(f"w{i}" for i in range(100_000)))
    assert len(value) <= 600
    assert len(SCHEME.words(value)) == 9


@LAW
@given(FEW, FEW, st.sampled_from([0.05, 0.2, 0.5]))
def test_texts_soon_known_to_be_unlike_are_those_that_no_comparison_would_accept(
    one: list[str], other: list[str], least: float
) -> None:
    scheme = Combined(min_similarity=least)
    a, b = (scheme.fingerprint(document(*tokens)) for tokens in (one, other))
    comparison = scheme.compare(a, b)
    assert scheme.are_unlike(a, b) == (comparison.similarity < least)
    if scheme.are_unlike(a, b):
        assert not any(scheme.accepts(comparison, same_host=same) for same in (True, False))


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
def test_a_comparison_is_the_same_both_ways(one: list[str], other: list[str]) -> None:
    forth = SCHEME.compare(fingerprint(*one), fingerprint(*other))
    back = SCHEME.compare(fingerprint(*other), fingerprint(*one))
    assert (forth.similarity, forth.distance) == (back.similarity, back.distance)


@LAW
@given(ANY)
def test_a_text_is_wholly_similar_to_itself(tokens: list[str]) -> None:
    value = fingerprint(*tokens)
    comparison = SCHEME.compare(value, value)
    assert comparison[:3] == (1.0, 0, 1.0)
    assert not comparison.apart
    assert not comparison.foreign


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


def test_a_text_inside_a_larger_one_is_contained_in_it() -> None:
    small = [f"s{i}" for i in range(60)]
    large = [f"a{i}" for i in range(60)] + small + [f"b{i}" for i in range(300)]
    comparison = SCHEME.compare(fingerprint(*small), fingerprint(*large))
    assert comparison.containment is not None
    assert comparison.containment > 0.9
    assert comparison.similarity < 0.3


@pytest.mark.parametrize(
    ("similarity", "same_host", "accepted"),
    [(0.75, True, True), (0.74, True, False), (0.2, False, True), (0.19, False, False)],
)
def test_pages_of_one_host_must_be_more_alike_than_pages_of_two(
    similarity: float, same_host: bool, accepted: bool
) -> None:
    assert SCHEME.accepts(Comparison(similarity), same_host=same_host) == accepted


SHEET = (
    "order {} is on its way to you . we packed {} parcels and gave them to the post office in "
    "harbour street where a van picks them up every evening at six and takes them to the sorting "
    "office by the river . the next morning they leave for the town you live in"
)
LONG = " ".join(f"word{i}" for i in range(150))


@pytest.mark.parametrize(
    ("one", "other"),
    [(("4711", "2"), ("4712", "2")), (("4711", "2"), ("4711", "3")), (("7", "2"), ("8", "3"))],
    ids=["a long number", "a short number and nothing else", "two short numbers"],
)
def test_short_pages_of_one_template_that_differ_in_a_number_are_joined_across_hosts_only(
    one: tuple[str, str], other: tuple[str, str]
) -> None:
    comparison = SCHEME.compare(*(fingerprint(*SHEET.format(*n).split()) for n in (one, other)))
    assert comparison.similarity > SCHEME.min_similarity_same_host
    assert comparison.apart
    assert not SCHEME.accepts(comparison, same_host=True)
    assert SCHEME.accepts(comparison, same_host=False)


def test_short_pages_of_one_host_that_differ_in_a_word_and_a_section_number_are_joined() -> None:
    one = SHEET.format("5", "two").split()
    other = SHEET.replace("picks", "collects").format("7", "two").split()
    comparison = SCHEME.compare(fingerprint(*one), fingerprint(*other))
    assert not comparison.apart
    assert SCHEME.accepts(comparison, same_host=True)


def test_a_number_tells_no_long_pages_apart() -> None:
    one, other = (fingerprint(*LONG.split(), number) for number in ("4711", "4712"))
    assert SCHEME.accepts(SCHEME.compare(one, other), same_host=True)


def test_a_short_page_and_a_longer_one_are_not_told_apart_by_numbers() -> None:
    tokens = LONG.split()
    one, other = fingerprint(*tokens[:95], "4711"), fingerprint(*tokens[:110])
    assert SCHEME.accepts(SCHEME.compare(one, other), same_host=True)


def test_the_thresholds_are_options() -> None:
    scheme = Combined(min_similarity=0.5, min_similarity_same_host=0.9)
    assert not scheme.accepts(Comparison(0.4), same_host=False)
    assert not scheme.accepts(Comparison(0.8), same_host=True)


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
    comparison = SCHEME.compare(one, other)
    assert keys or (comparison.distance or 0) <= 3
    assert SCHEME.accepts(comparison, same_host=False)


def test_its_spaces_say_how_its_words_find_each_other() -> None:
    near, exact = Combined(distance=5, common=7).spaces
    assert (near.name, near.bits, near.radius, near.cap) == ("simhash", 64, 5, None)
    assert (exact.name, exact.bits, exact.radius, exact.cap) == ("shingle", 64, 0, 7)


def titled(title: str, text: str = LONG) -> bytes:
    return SCHEME.fingerprint(read_document(from_text(text, title)))


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("Red shirt | Shop", "Blue shirt | Shop", True),
        ("红色衬衫", "蓝色衬衫", True),
        ("Report 2021", "Report 2022", True),
        ("Red shirt", "Red shirt, print version", False),  # one title holds the other
        ("Red shirt", "", False),
        ("Manual 14: shirts", "Manual 15: shirts", False),  # a version
        ("Headphones WH-1000XM4", "Headphones WH-1000XM5", True),
        ("Manual for i386", "Manual for arm64", False),
        ("RED Shirt!", "red shirt", False),
        ("Class ElementKindVisitor6", "Class ElementKindVisitor8", True),
        ("operator==", "operator>=", True),
        ("Prices of 2024-03-01", "Prices of 2024-04-01", True),
        ("2024年3月1日公告", "2024年3月5日公告", True),
        ("Tea + milk - sugar", "Tea / milk - sugar", False),  # no operators: signs between words
        ("Great news- Site", "Great news| Site", False),
        ("Great news!", "Great news-", False),
        ("News of 2024-01-02", "News of 2024/01/02", False),
        ("News of 2024-01-02", "News of 2024年1月2日", False),
        ("News of 2024-01-02", "News of 2024.1.2", False),
    ],
)
def test_pages_of_one_host_are_apart_where_each_title_has_words_of_its_own(
    one: str, other: str, apart: bool
) -> None:
    comparison = SCHEME.compare(titled(one), titled(other))
    assert comparison.similarity == 1.0
    assert comparison.apart == apart
    assert SCHEME.accepts(comparison, same_host=True) != apart
    assert SCHEME.accepts(comparison, same_host=False)


def test_equal_short_texts_of_one_host_are_joined_where_one_title_is_in_the_other() -> None:
    short = " ".join(LONG.split()[:60])
    for other in ("", "Delivery terms, print version"):
        comparison = SCHEME.compare(titled("Delivery terms", short), titled(other, short))
        assert SCHEME.accepts(comparison, same_host=True)


NOTES = " ".join(
    f"the {number} of these notes was never translated" for number in "first second third".split()
)
JAPANESE = [f"{word}についてはこちらをご覧ください。" for word in "山川海空花"]
KOREAN = [f"{word} 대한 설명은 여기에 있습니다." for word in "산에 강에 달에 꽃에".split()]
RUSSIAN = [
    f"Описание {word} находится здесь." for word in "горы реки луны цветов птиц снега".split()
]
GERMAN = [
    f"Die Beschreibung {word} ist hier." for word in "des Bergs, der Ufer, der Vögel".split(", ")
]
ENGLISH = [f"A description of {word} is here." for word in "mountains rivers birds snow".split()]
CHINESE = [f"关于{word}的说明在这里。" for word in "山川海空花鸟"]
TRADITIONAL = [f"關於{word}的說明在這裡。" for word in "山川海空花鳥"]


@pytest.mark.parametrize(
    ("one", "other", "foreign"),
    [
        (JAPANESE, KOREAN, True),
        (JAPANESE, ENGLISH, True),
        (JAPANESE, CHINESE, True),
        (RUSSIAN, GERMAN, True),
        (GERMAN, ENGLISH, False),
        (CHINESE, CHINESE[:3], False),
        (CHINESE, TRADITIONAL[2:], False),
        ([*ENGLISH, "чай is tea in Russian"], ENGLISH, False),
    ],
)
def test_pages_of_two_hosts_in_different_scripts_must_be_as_alike_as_those_of_one(
    one: list[str], other: list[str], foreign: bool
) -> None:
    comparison = SCHEME.compare(*(titled("", "\n".join((*text, NOTES))) for text in (one, other)))
    assert comparison.foreign == foreign
    assert comparison.similarity >= SCHEME.min_similarity
    as_long_ones = comparison._replace(brief=False)
    assert SCHEME.accepts(as_long_ones, same_host=False) != foreign


@pytest.mark.parametrize("thresholds", [(0.2, 0.75), (0.75, 0.2), (0.5, 0.5)])
@LAW
@given(ANY, ANY)
def test_what_is_not_looked_at_changes_no_verdict(
    thresholds: tuple[float, float], one: list[str], other: list[str]
) -> None:
    scheme, looks = Combined(3, *thresholds), Combined(3, 0.05, 0.05)
    titles = ("red tea", "green tea")
    pair = [titled(*page) for page in zip(titles, map(" ".join, (one, other)), strict=True)]
    found, full = scheme.compare(*pair), looks.compare(*pair)
    assert found[:3] == full[:3]
    for same_host in (True, False):
        accepted = scheme.accepts(found, same_host=same_host)
        assert accepted == scheme.accepts(full, same_host=same_host)


def test_a_text_set_into_a_page_of_another_script_is_found_in_it() -> None:
    comparison = SCHEME.compare(titled("", LONG), titled("", "\n".join((*JAPANESE, LONG))))
    assert comparison.foreign
    assert SCHEME.accepts(comparison, same_host=False)


@pytest.mark.parametrize(("own", "accepted"), [(10, True), (40, False), (300, True)])
def test_set_phrases_join_no_short_pages_of_two_hosts(own: int, accepted: bool) -> None:
    phrases = [f"phrase{n}" for n in range(max(30, own // 2))]
    one, other = ([*phrases, *(f"{name}{n}" for n in range(own))] for name in "ab")
    comparison = SCHEME.compare(fingerprint(*one), fingerprint(*other))
    assert comparison.brief == (own < 70)
    assert comparison.similarity >= SCHEME.min_similarity
    assert SCHEME.accepts(comparison, same_host=False) == accepted


def test_of_long_titles_only_what_is_known_of_both_is_compared() -> None:
    words = [f"word{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(100)]
    long = " ".join(words)
    assert not SCHEME.compare(titled(long), titled(f"{long} more")).apart
    assert SCHEME.compare(titled(long), titled(long.replace("word", "other"))).apart
    assert len(titled(long)) <= 600


def test_containment_is_the_same_both_ways() -> None:
    chance = Random(1)
    words = [f"w{n}" for n in range(400)]
    for _ in range(20):
        one, other = (fingerprint(*chance.sample(words, 300)) for _ in range(2))
        assert SCHEME.compare(one, other) == SCHEME.compare(other, one)
