"""Kinds of pages: each is what its name says, and the benchmark counts what would be dropped."""

from __future__ import annotations

import json
import random
import re
import tarfile
from pathlib import Path

import pytest

from benchmarks import kinds
from benchmarks.kinds_made import KINDS, SHORT, TABLE, Kind, Pair, make_pairs
from benchmarks.kinds_records import RECORDS
from dedup.lab.simulator.prose import Text
from tests.benchmarks.made_data import write_manuals, write_reposts, write_versions
from tests.benchmarks.printed import result

HAN = "天地人山水火风云日月花草木石金土春夏秋冬东南西北上下左右前后大小多少高低长短远近新旧"
ARTICLES = 8


def made(language: str, seed: int) -> Text:
    """An article whose words are drawn by lot; no two share a sentence."""
    chance = random.Random(f"{language} {seed}")

    def sentence() -> str:
        if language == "zh":
            return "".join(chance.choices(HAN, k=24)) + f"，共{chance.randint(10, 99)}个。"
        words = ("".join(chance.choices("abcdefghij", k=6)) for _ in range(12))
        return " ".join(words).capitalize() + f" {chance.randint(10, 99)}. "

    lines = ("".join(sentence() for _ in range(5)).strip() for _ in range(8))
    return Text(sentence()[:20], tuple(lines))


@pytest.fixture(scope="module", params=["zh", "en"])
def articles(request: pytest.FixtureRequest) -> list[Text]:
    return [made(request.param, seed) for seed in range(ARTICLES)]


def pairs(name: str, articles: list[Text]) -> list[Pair]:
    (kind,) = (kind for kind in (*KINDS, *RECORDS) if kind.name == name)
    return [pair for _, pair in make_pairs(kind, articles[::2], articles[1::2])]


def units(text: Text) -> list[str]:
    return re.findall(r"[\u3400-\u9fff]{1,2}|[^\W\u3400-\u9fff]+", text.body)


@pytest.mark.parametrize("kind", [*KINDS, *RECORDS], ids=lambda kind: kind.name)
def test_every_kind_gives_the_same_pairs_each_time_and_none_of_a_page_with_itself(
    kind: Kind, articles: list[Text]
) -> None:
    once, again = (list(make_pairs(kind, articles[::2], articles[1::2])) for _ in range(2))
    assert once == again
    assert len(once) == ARTICLES // 2
    if kind.name != "the same text" and not kind.template:
        assert all(pair.first != pair.second for _, pair in once)
    assert all(0.0 <= pair.new <= 1.0 for _, pair in once)


@pytest.mark.parametrize("share", [0.1, 0.3, 0.4, 0.6])
def test_own_text_has_its_share_of_the_page(articles: list[Text], share: float) -> None:
    for pair in pairs(f"{share * 100:.0f} % own text beside the article", articles):
        assert set(pair.first.paragraphs) < set(pair.second.paragraphs)
        own = [line for line in pair.second.paragraphs if line not in pair.first.paragraphs]
        assert len("\n".join(own)) / len(pair.second.body) == pytest.approx(pair.new)
        assert pair.new == pytest.approx(share, abs=0.02)


@pytest.mark.parametrize("share", [0.1, 0.2, 0.25])
def test_so_many_words_are_replaced(articles: list[Text], share: float) -> None:
    for pair in pairs(f"{share * 100:.0f} % of the words replaced", articles):
        before, after = units(pair.first), units(pair.second)
        other = sum(one != two for one, two in zip(before, after, strict=True))
        assert other / len(before) == pytest.approx(share, abs=0.05)


@pytest.mark.parametrize("what", ["a product, other facts", "an event, another date"])
def test_facts_differ_in_one_line_and_in_the_title_only_where_that_is_said(
    articles: list[Text], what: str
) -> None:
    for place, titles in (("the text", 1), ("the title too", 2)):
        for pair in pairs(f"{what} in {place}", articles):
            assert len({pair.first.title, pair.second.title}) == titles
            assert pair.first.paragraphs[0] != pair.second.paragraphs[0]
            assert pair.first.paragraphs[1:] == pair.second.paragraphs[1:]


def test_other_digits_are_all_others_and_nothing_else_is(articles: list[Text]) -> None:
    for pair in pairs("all digits other ones", articles):
        one, two = pair.first.body, pair.second.body
        assert re.sub(r"\d", "#", one) == re.sub(r"\d", "#", two)
        assert all(a != b for a, b in zip(one, two, strict=True) if a.isdigit())


def test_a_table_has_the_same_names_and_other_values(articles: list[Text]) -> None:
    for pair in pairs("a table of other values", articles):
        tables = [page.paragraphs[1].removeprefix(TABLE) for page in (pair.first, pair.second)]
        names, values = (
            [[row.split("\t")[column] for row in table.split("\n")] for table in tables]
            for column in (0, 1)
        )
        assert names[0] == names[1]
        assert values[0] != values[1]


@pytest.mark.parametrize(("place", "cell"), [("", "<td>"), (", in <p>", "<td><p>")])
def test_a_table_is_one_in_the_page(articles: list[Text], place: str, cell: str) -> None:
    (kind,) = (kind for kind in KINDS if kind.name == f"a table of other values{place}")
    for pair in pairs(kind.name, articles):
        page = kinds._html(kind, kinds.TEMPLATE, pair.second, "http://a.example/1", articles[1::2])
        assert TABLE not in page
        assert page.count(cell) >= 3
        assert page.count("<tr>") == len(pair.second.paragraphs[1].split("\n"))


def test_short_texts_are_short_and_about_other_things(articles: list[Text]) -> None:
    for title, count in (("own titles", 2), ("one title", 1)):
        for pair in pairs(f"short texts, {title}", articles):
            assert len({pair.first.title, pair.second.title}) == count
            assert pair.first.body != pair.second.body
            assert len(pair.second.body) == SHORT[pair.second.language]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Made articles as the data files have them, and sets with truth."""
    texts = [made("zh", seed) for seed in range(ARTICLES)]
    articles = {str(n): f"{text.title}\n{text.body}" for n, text in enumerate(texts)}
    write_reposts(tmp_path, articles, drafts=articles)
    write_versions(
        tmp_path, {name: [text, f"{text}\n完。", text] for name, text in articles.items()}
    )
    write_manuals(tmp_path, articles)
    gold = {}
    folder = tmp_path / "html-gold"
    (folder / "pages").mkdir(parents=True)
    for seed in range(ARTICLES):
        text = made("en", seed)
        name = f"pages/{seed}.html"
        (folder / name).write_text(f"<title>{text.title}</title><p>{text.body}</p>")
        gold[str(seed)] = {
            "url": f"http://a.example/{seed}",
            "text": f"{text.title}\n{text.body}",
            "lang": "en",
            "file": name,
        }
    (folder / "gold.json").write_text(json.dumps(gold))
    with tarfile.open(folder / "scrapinghub.tar.xz", "w:xz") as tar:
        tar.add(folder / "gold.json", "gold.json")
        tar.add(folder / "pages", "pages")
    return tmp_path


@pytest.mark.usefixtures("compiled")
def test_the_benchmark_says_of_each_kind_what_would_be_dropped_and_lost(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = kinds.main([str(data), "--json"])
    content = result(capsys)
    rows = {(r["kind"], r["language"], r["site"]): r for r in content["listings"][kinds.TITLE]}
    assert len(rows) == 4 * (len(KINDS) + len(RECORDS))
    for language in ("zh", "en"):
        assert content["figures"][f"articles, {language}"] == ARTICLES // 2
        same = rows["the same text", language, "other site"]
        assert (same["pages"], same["dropped"], same["largest"]) == (ARTICLES // 2, 1.0, 0.0)
        own = rows["60 % own text beside the article", language, "same site"]
        assert (own["dropped"], own["expected"]) == (0.0, "<= 0.0000")
        news = rows["30 % own text beside the article", language, "other site"]
        assert news["dropped"] == 0 or news["largest"] == pytest.approx(0.3, abs=0.02)
    sets = {
        row["set"]: row
        for name in content["listings"]
        for row in content["listings"][name]
        if "set" in row
    }
    assert (sets["gctt-zh"]["found"], sets["gctt-zh"]["dropped"]) == (1.0, ARTICLES)
    assert sets["install-guide, 20 hosts"]["dropped"] == 0
    missed = [bar["name"] for bar in content["bars"] if not bar["met"]]
    assert code == bool(missed)


@pytest.mark.usefixtures("compiled")
def test_the_articles_may_be_of_any_languages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for seed in range(6):
        for language in ("de", "fr"):
            folder, text = tmp_path / language, made("en", seed + ord(language[0]))
            folder.mkdir(exist_ok=True)
            (folder / f"{seed}.txt").write_text(f"{text.title}\n{text.body}")
    kinds.main(["--articles", str(tmp_path), "--json"])
    content = result(capsys)
    assert list(content["listings"]) == [kinds.TITLE]
    for language in ("de", "fr"):
        assert content["figures"][f"articles, {language}"] == 3
        dropped = {
            row["kind"]: row["dropped"]
            for row in content["listings"][kinds.TITLE]
            if (row["language"], row["site"]) == (language, "same site")
        }
        assert dropped["the same text"] == 1
        assert dropped["other text in the place of 40 %"] == 0


@pytest.mark.parametrize(
    ("given", "told"), [([], "needs DATA_DIR"), (["--articles", "."], "no folder")]
)
def test_without_articles_there_is_one_line(
    given: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "de" / "not a file.txt").mkdir(parents=True)
    with pytest.raises(SystemExit, match=told):
        kinds.main(given)
