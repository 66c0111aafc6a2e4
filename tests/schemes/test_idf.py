"""Models of how rare words are: what they weigh, what they go by, what is wrong with a file."""

import gzip
import json
import math
from pathlib import Path

import numpy as np
import pytest

from dedup.page import normalise, segment
from dedup.schemes.document_frequencies import write_table
from dedup.schemes.idf import load_idf
from tests.schemes.small_model import COUNTS, write_small_model

HEAD = {"format": "neardup-idf/1", "documents": 9}


def test_a_word_weighs_the_logarithm_of_its_rarity_from_0_to_1(tmp_path: Path) -> None:
    model = load_idf(write_small_model(tmp_path))
    weights = model.weights(["the", "tea", "quay", "skarne"])
    assert weights == pytest.approx([0, 1 / 3, 2 / 3, 1], abs=1e-5)


def test_a_word_that_the_model_does_not_know_weighs_as_much_as_the_rarest(tmp_path: Path) -> None:
    assert load_idf(write_small_model(tmp_path)).weights(["unheard"]).tolist() == [1.0]


def test_weights_come_in_the_order_of_the_words_and_for_each_of_them() -> None:
    model = load_idf("builtin")
    words = ["the", "zymurgy", "的", "the"]
    singly = [model.weights([word])[0] for word in words]
    assert model.weights(words).tolist() == singly
    assert model.weights(iter(words)).tolist() == singly
    assert model.weights([]).shape == (0,)


def test_weights_are_exact_in_any_sum() -> None:
    weights = load_idf("builtin").weights(["market", "茶叶", "ferry", "in"])
    assert (weights * 65536 == np.round(weights * 65536)).all()


@pytest.mark.parametrize(
    "commoner_first",
    [
        ["the", "market", "harbour", "ferries"],
        ["的", "中国", "茶叶", "渡轮"],
        ["of", "people", "lighthouse"],
    ],
)
def test_the_builtin_model_knows_english_and_chinese(commoner_first: list[str]) -> None:
    weights = load_idf("builtin").weights(commoner_first).tolist()
    assert weights == sorted(weights)
    assert weights[0] < 0.1
    assert 0.3 < weights[-1] < 1.0


def test_the_builtin_model_weighs_chinese_as_jieba_does() -> None:
    largest = math.log(1_088_899)  # of a word of one document
    weights = load_idf("builtin").weights(["的", "中国"])
    assert weights == pytest.approx(np.array([0.88474202619, 3.02732068666]) / largest, abs=1e-5)


def test_the_builtin_model_knows_most_words_of_a_plain_text() -> None:
    text = (
        "The crossing takes twenty minutes, two more than the diesel boats need. 渡轮今天没有开船。"
    )
    weights = load_idf("builtin").weights(segment(normalise(text)))
    assert (weights < 1).all()


def test_a_model_goes_by_its_content_not_by_its_name_or_date(tmp_path: Path) -> None:
    one, other, another = (str(tmp_path / name) for name in ("a.gz", "b.gz", "c.gz"))
    write_table(Path(one), COUNTS, 1000, "this", "2026-01-01")
    write_table(Path(other), COUNTS, 1000, "that", "2026-02-02")
    write_table(Path(another), COUNTS, 1001, "this", "2026-01-01")
    assert load_idf(one).version == load_idf(other).version
    assert load_idf(one).version != load_idf(another).version


def test_a_model_is_loaded_once() -> None:
    assert load_idf("builtin") is load_idf("builtin")


def test_a_missing_model_is_an_error_that_names_it_and_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no idf model .*none\.gz.*build-idf"):
        load_idf(str(tmp_path / "none.gz"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]\n3 tea\n",
        json.dumps({**HEAD, "format": "neardup-idf/2"}) + "\n3 tea\n",
        json.dumps({**HEAD, "documents": 1}) + "\n1 tea\n",
        json.dumps(HEAD) + "\ntea 3\n",
        json.dumps(HEAD) + "\n0 tea\n",
        json.dumps(HEAD) + "\n",
        json.dumps(HEAD) + "\n\n3 tea\n",
    ],
)
def test_a_file_that_holds_no_model_is_an_error(text: str, tmp_path: Path) -> None:
    path = tmp_path / "model.gz"
    path.write_bytes(gzip.compress(text.encode()))
    with pytest.raises(ValueError, match=r"model\.gz is no idf model of format neardup-idf/1"):
        load_idf(str(path))


@pytest.mark.parametrize("cut", [slice(1, None), slice(-4)])
def test_a_damaged_file_is_no_model(cut: slice, tmp_path: Path) -> None:
    path = tmp_path / "model.gz"
    path.write_bytes(gzip.compress(json.dumps(HEAD).encode() + b"\n3 tea\n")[cut])
    with pytest.raises(ValueError, match=r"model\.gz is no idf model of format neardup-idf/1"):
        load_idf(str(path))


def test_a_count_above_the_number_of_documents_weighs_nothing(tmp_path: Path) -> None:
    path = tmp_path / "model.gz"
    path.write_bytes(gzip.compress(json.dumps(HEAD).encode() + b"\n12 tea\n"))
    assert load_idf(str(path)).weights(["tea"]).tolist() == [0.0]
