"""One pass over a corpus: what schemes find is what an index finds inline."""

from __future__ import annotations

from pathlib import Path

import pytest

from dedup import Config, make_fingerprinter, make_index, open_store
from dedup.lab.evaluation.corpus import CorpusPage, open_corpus
from dedup.lab.evaluation.metrics import ACROSS, WITHIN, count_kind, count_pairs, make_curve
from dedup.lab.evaluation.run import Evaluation, default_schemes, evaluate, kinds_of, read_page
from dedup.lab.evaluation.truth import ClusterLabels, make_catalogue
from dedup.page.limits import MOST_TAGS, MOST_TEXT
from dedup.schemes import PUBLISHED
from tests.lab.evaluation.made_corpora import edited, prose, write_drafts, write_lines

BOTH = ("combined", "simhash:distance=7")


def run(*paths: Path, schemes: tuple[str, ...] = BOTH, config: Config | None = None) -> Evaluation:
    corpus = open_corpus(paths)
    catalogue = make_catalogue(corpus)
    return evaluate(corpus, catalogue, ClusterLabels(catalogue), schemes, config or Config())


def test_edited_texts_are_found_across_hosts(tmp_path: Path) -> None:
    evaluation = run(write_drafts(tmp_path / "drafts"))
    combined = evaluation.schemes[0]
    assert combined.name == "combined"
    counts = count_pairs(evaluation.totals, combined.tally, ACROSS)
    assert (counts.labelled, counts.found, counts.false, counts.unlabelled) == (12, 12, 0, 0)
    assert count_pairs(evaluation.totals, combined.tally, WITHIN).labelled == 0
    assert (evaluation.totals.pages, evaluation.hosts) == (24, 2)


def test_costs_are_measured(tmp_path: Path) -> None:
    evaluation = run(write_drafts(tmp_path / "drafts"))
    combined, simhash = (entry.tally for entry in evaluation.schemes)
    assert (simhash.fingerprints, simhash.fingerprint_bytes, simhash.words) == (24, 24 * 8, 24)
    assert combined.words == 24 * 9
    assert combined.looked >= 12
    for tally in (combined, simhash):
        assert min(tally.fingerprint_ns, tally.index_ns) > 0


def test_verdicts_are_those_of_an_index(tmp_path: Path) -> None:
    """A page is reported where the index of a crawl, its pages stored, calls it a duplicate."""
    texts = [
        text for n in range(6) for text in (prose(n), edited(prose(n), n), edited(prose(n), 9))
    ]
    path = write_lines(tmp_path / "x.jsonl", [{"id": n, "text": t} for n, t in enumerate(texts)])
    for scheme in ("minhash", "minhash:min_similarity_same_host=0.3", *BOTH):
        evaluation = run(path, schemes=(scheme,))
        config = Config(scheme=scheme, store="memory:")
        index = make_index(config, open_store(config, tmp_path))
        fingerprinter = make_fingerprinter(config)
        matches = 0
        for number, text in enumerate(texts):
            page = fingerprinter.of_text(text)
            claim = index.check(f"http://x.example/{number}", number.to_bytes(4), page)
            matches += sum(map(index.drops, index.matches(claim.record)))
            index.insist(claim)  # stored whatever its verdict
            index.commit(claim)
        reported = count_pairs(evaluation.totals, evaluation.schemes[0].tally).reported
        assert reported == matches


def test_a_pair_that_no_scheme_looked_at_is_missed(tmp_path: Path) -> None:
    lines = [{"id": n, "text": prose(n), "cluster": "all"} for n in range(4)]
    evaluation = run(write_lines(tmp_path / "x.jsonl", lines))
    for entry in evaluation.schemes:
        counts = count_pairs(evaluation.totals, entry.tally, WITHIN)
        assert (counts.labelled, counts.missed, counts.reported) == (6, 6, 0)


def test_short_texts_match_only_equal_ones_and_are_counted(tmp_path: Path) -> None:
    twenty, five = prose(1, 20), prose(2, 5)
    texts = [twenty, twenty, edited(twenty, 1), five, five, prose(3), prose(3, 30)]
    clusters = ["twenty"] * 3 + ["five"] * 2 + ["cut"] * 2
    lines = [
        {"id": n, "text": text, "cluster": cluster}
        for n, (text, cluster) in enumerate(zip(texts, clusters, strict=True))
    ]
    evaluation = run(write_lines(tmp_path / "x.jsonl", lines))
    assert evaluation.totals.short_pages == 6
    assert evaluation.totals.short.tolist() == [0, 5]
    for entry in evaluation.schemes:
        counts = count_pairs(evaluation.totals, entry.tally)
        assert (counts.labelled, counts.found, counts.false) == (5, 1, 0)


def test_equal_texts_without_a_label_are_a_gap_in_the_labels(tmp_path: Path) -> None:
    lines = [{"id": n, "text": prose(1)} for n in range(3)]
    evaluation = run(write_lines(tmp_path / "x.jsonl", lines))
    counts = count_pairs(evaluation.totals, evaluation.schemes[0].tally)
    assert (counts.labelled, counts.unlabelled, counts.false) == (0, 3, 0)


def test_kinds_of_edits_stand_apart(tmp_path: Path) -> None:
    lines = [{"id": n, "text": prose(n), "cluster": n} for n in range(4)]
    lines += [
        {"id": f"e{n}", "text": edited(prose(n), n), "cluster": n, "edit": "words"}
        for n in range(3)
    ]
    lines.append({"id": "lost", "text": prose(50), "cluster": 3, "edit": "rewritten"})
    path = write_lines(tmp_path / "x.jsonl", lines)
    evaluation = run(path)
    tally = evaluation.schemes[0].tally
    recalls = {
        evaluation.kind_names[kind]: count_kind(evaluation.totals, tally, kind).recall
        for kind in kinds_of(evaluation)
    }
    assert recalls == {"words": 1.0, "rewritten": 0.0}


def test_pairs_of_two_kinds_are_a_kind_where_there_are_any(tmp_path: Path) -> None:
    lines = [{"id": kind, "text": prose(1), "cluster": 1, "edit": kind} for kind in ("cut", "long")]
    evaluation = run(write_lines(tmp_path / "x.jsonl", lines))
    names = [evaluation.kind_names[kind] for kind in kinds_of(evaluation)]
    assert names == ["cut", "long", "several kinds"]


def test_html_is_compared_by_its_main_text(tmp_path: Path) -> None:
    for site in ("one", "two"):
        (tmp_path / site).mkdir()
        menu = "".join(f"<li><a href='/{site}'>{site} {n}</a></li>" for n in range(30))
        for n in range(3):
            text = "".join(f"<p>{prose(m, 60)}.</p>" for m in range(4 * n, 4 * n + 4))
            page = f"<body><nav><ul>{menu}</ul></nav><article>{text}</article></body>"
            (tmp_path / site / f"{n}.html").write_text(page)
    evaluation = run(tmp_path / "one", tmp_path / "two")
    counts = count_pairs(evaluation.totals, evaluation.schemes[0].tally)
    assert (counts.unlabelled, counts.false) == (3, 0)
    assert evaluation.totals.read_ns > 0


@pytest.mark.parametrize(
    "html", ["<p>" * MOST_TAGS + "<p>tea", "<p>" + "tea and scones " * (MOST_TEXT // 15 + 1)]
)
def test_a_page_that_a_crawl_refuses_has_no_text(html: str) -> None:
    asked = CorpusPage("a/1", "1", "a:1", "http://a/1", "", html, html=True)
    assert read_page(asked, Config()).tokens == ()


def test_the_curve_holds_what_was_looked_at_whatever_its_verdict(tmp_path: Path) -> None:
    evaluation = run(write_drafts(tmp_path / "drafts"), config=Config(drop=frozenset()))
    tally = evaluation.schemes[0].tally
    assert count_pairs(evaluation.totals, tally).found == 0
    curve = make_curve(evaluation.totals, tally, ACROSS)
    assert next(counts for step, counts in curve.items() if step >= 200).found == 12


def test_progress_is_told(tmp_path: Path) -> None:
    corpus = open_corpus([write_drafts(tmp_path / "drafts", 30)])
    catalogue = make_catalogue(corpus)
    told: list[int] = []
    evaluate(corpus, catalogue, ClusterLabels(catalogue), ["simhash"], Config(), told.append)
    assert told == [20, 40, 60]


def test_the_configured_scheme_comes_first() -> None:
    names = default_schemes(Config(scheme="simhash", distance=5))
    assert names[0] == "simhash:distance=5"
    assert set(names[1:]) == set(PUBLISHED)


@pytest.mark.parametrize("scheme", ["simhash:distance=99", "simhash:distance=9"])
def test_a_scheme_that_cannot_be_is_refused(tmp_path: Path, scheme: str) -> None:
    with pytest.raises(ValueError, match="distance"):
        run(write_drafts(tmp_path / "drafts", 1), schemes=(scheme,))
