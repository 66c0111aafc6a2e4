"""The benchmark of the store fills one, finds what it planted, and its bars can be missed."""

from __future__ import annotations

import gzip
import json
import random
from argparse import Namespace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import store_scale
from benchmarks.command import as_command
from benchmarks.store_peers import PEERS, measure_peer
from benchmarks.store_run import Disk, Filled, Opening, Window, flip
from benchmarks.stored_pages import BATCH, Pages, real_fingerprints
from crawler.demo.texts import load_texts
from dedup import Config, make_fingerprinter
from dedup.schemes import Word, make_scheme
from tests.benchmarks.printed import result


@pytest.mark.parametrize("through", ["store", "index"])
def test_store_scale_fills_a_store_and_finds_all_that_was_planted(
    through: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    main = as_command(store_scale.make_arguments, partial(store_scale.run, absent=list))
    picture = tmp_path / "growth.svg"
    arguments = ["--pages", "5000", "--through", through, "--peers", "--folder", str(tmp_path)]
    main([*arguments, "--picture", str(picture), "--json"])
    content = result(capsys)
    places = content["listings"]["disk and memory"][0]
    assert (places["pages"], places["missed"]) == (5000, 0)
    assert 0 < places["records"] < places["disk, bytes a page"]
    found = {bar["name"]: bar["value"] for bar in content["bars"]}
    assert found["false hits, 5,000 pages"] == 0
    assert [row["index"] for row in content["listings"]["beside other indexes"]] == ["this store"]
    assert picture.read_text(encoding="utf-8").startswith("<?xml")
    assert not list(tmp_path.glob("store-scale-*"))


def test_a_size_the_disk_has_no_room_for_is_skipped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(store_scale.shutil, "disk_usage", lambda _: Namespace(free=1 << 20))
    assert store_scale.main(["--pages", "5000", "--json"]) == 0
    assert result(capsys)["notes"][0].startswith("5,000 pages: skipped, ")


def test_a_setting_that_does_not_exist_is_named() -> None:
    with pytest.raises(SystemExit, match="NEARDUP_SHEME"):
        store_scale.main(["--set", "sheme=x"])


def test_help_says_what_needs_the_data_folder(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        store_scale.main(["--help"])
    assert "needed by --skewed only" in capsys.readouterr().out


def filled(pages: int, cpu_us: float, **changes: Any) -> Filled:
    """A run as it should be, but for some changes."""
    values: dict[str, Any] = {
        "windows": (Window(pages, cpu_us, 1, 2, 3, 4),),
        "growth_mb": 300.0,
        "anonymous_mb": 250.0,
        "missed": 0,
        "false": 0,
        "disk": Disk(160 * pages, 90 * pages, {}),
        "opening": Opening(0.5, 1, 10, 50),
    }
    return Filled(pages, cpu_us, **(values | changes))


def missed_bars(runs: list[Filled], config: Config) -> list[str]:
    """The names of the bars that some runs miss."""
    found = store_scale.bars(runs, config, default_cache=config.cache_mb == Config().cache_mb)
    return [bar.name.partition(",")[0] for bar in found if not bar.met]


def test_bars_of_the_store_are_met_by_good_runs_and_missed_by_bad_ones() -> None:
    config = Config(scheme="simhash")
    good = [filled(10**5, 20), filled(10**6, 40), filled(10**7, 60)]
    assert missed_bars(good, config) == []
    assert missed_bars([filled(10**6, 41)], config) == ["CPU us a page"]
    assert missed_bars([filled(10**5, 19), *good[1:]], config) == ["CPU at 1e7 / at 1e5 pages"]
    assert missed_bars([filled(10**5, 1, missed=1)], config) == ["missed near-duplicates"]
    assert missed_bars([filled(10**5, 1, false=1)], config) == ["false hits"]
    assert missed_bars([filled(10**5, 1, anonymous_mb=config.cache_mb + 201.0)], config) == [
        "own memory"
    ]
    assert missed_bars([filled(10**7, 60, opening=Opening(1.1, 1, 21, 50))], config) == [
        "cold look-ups",
        "seconds to open",
    ]
    heavy = filled(10**5, 1, disk=Disk(171 * 10**5, 90 * 10**5, {}))
    assert missed_bars([heavy], config) == ["bytes a page beside the records"]


def test_the_bars_of_cpu_go_by_scheme_and_cache() -> None:
    small = Config(scheme="simhash", cache_mb=64)
    assert missed_bars([filled(10**7, 150)], small) == []
    assert missed_bars([filled(10**7, 151)], small) == ["CPU us a page"]
    assert missed_bars([filled(10**7, 150)], Config()) == []
    assert missed_bars([filled(10**7, 151)], Config()) == ["CPU us a page"]


@pytest.mark.parametrize("name", ["simhash", "combined", "minhash"])
def test_pages_of_a_batch_are_the_same_each_time_and_readable_by_their_scheme(name: str) -> None:
    scheme = make_scheme(name)
    pages = Pages(scheme)
    batch = pages.batch(1)
    assert batch == Pages(scheme).batch(1)
    assert len({record.request for record in batch + pages.batch(0)}) == 2 * BATCH
    assert len({record.fingerprint for record in batch}) == BATCH
    one, other = batch[0].fingerprint, batch[1].fingerprint
    assert scheme.words(one) != scheme.words(other)
    assert scheme.compare(one, one).similarity == 1.0
    assert scheme.compare(one, other).similarity < 0.8


def test_blocks_of_real_fingerprints_keep_their_values() -> None:
    real = np.array([[1, 2, 3, 4], [5, 6, 7, 8]], np.uint16)
    drawn = Pages(make_scheme("simhash"), real).values(0).view(np.uint16).reshape(-1, 4)
    assert [set(column) for column in drawn.T.tolist()] == [{1, 5}, {2, 6}, {3, 7}, {4, 8}]


def test_real_fingerprints_are_those_of_articles_and_copies(tmp_path: Path) -> None:
    texts = {name: load_texts()[name].plain for name in ("tea", "shadow")}
    path = tmp_path / "lctt-zh" / "articles.jsonl.gz"
    path.parent.mkdir()
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        for name, text in texts.items():
            lines.write(json.dumps({"id": name, "text": text}) + "\n")
    found = real_fingerprints(tmp_path, 6)
    assert found.shape == (6, 4)
    value = make_fingerprinter(Config(scheme="simhash")).of_text(texts["tea"]).value
    assert value in {row.tobytes() for row in found}


def test_a_flipped_word_differs_in_so_many_bits() -> None:
    word = flip(Word("simhash", 0), 3, 64, random.Random(1))
    assert word.value.bit_count() == 3


@pytest.mark.parametrize("name", [name for name, peer in PEERS.items() if peer.module == "numpy"])
def test_a_peer_is_filled_and_finds_all_that_was_planted(name: str) -> None:
    cost = measure_peer(name, Pages(make_scheme("simhash")), BATCH)
    assert cost.missed == 0
    assert cost.step_us == cost.find_us + cost.add_us > 0


@pytest.mark.parametrize("name", PEERS)
def test_an_installed_peer_finds_what_it_holds(name: str) -> None:
    pytest.importorskip(PEERS[name].module)
    peer = PEERS[name]()
    values = Pages(make_scheme("simhash")).values(0)[:50]
    prepared = peer.prepare(values)
    peer.fill(0, values, prepared)
    peer.add(50, peer.prepare(values[:1] ^ np.uint64(1))[0])
    assert 7 in set(peer.find(prepared[7]))
    if peer.takes_bits:
        assert sorted(peer.find(prepared[0])) == [0, 50]
