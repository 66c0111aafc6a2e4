"""Compare two texts: how much of the later one is new, and whether their facts differ.

    two kept texts -> blocks that only one text has -> sentences -> search in the other text
                   -> shares of new, gone and changed text; facts; headings

Blocks and sentences that both texts have are skipped. Shares are measured in letters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dedup.page.kept_text import MOST_BYTES, KeptText
from dedup.page.normalisation import leave_invisible_out
from dedup.verdict.cells import count_other_rows, have_other_cells
from dedup.verdict.changes import FACT_SHARE, Changes, exchange_codes
from dedup.verdict.forms import Form, compare_forms
from dedup.verdict.frames import measure_exchanged
from dedup.verdict.headings import Heading, compare
from dedup.verdict.matching import Matching, match
from dedup.verdict.records import are_records
from dedup.verdict.relations import Findings
from dedup.verdict.sentences import MOST_LINES, Line, Sentences, measure, split
from dedup.verdict.signs import have_other_signs
from dedup.verdict.statuses import LONGEST, MOST_BLOCKS, tell_status
from dedup.verdict.subjects import find_names, have_names_in_urls, name_another
from dedup.verdict.units import count_other_units

MOST_STAMPS = 6  # Changed sentences that may be stamps.


@dataclass(frozen=True, slots=True)
class TextComparison:
    """The result of comparing two texts."""

    findings: Findings  # Shares and facts.
    passages: tuple[str, ...]  # The new sentences of the later text, in order.
    new_words: int  # The number of new words in it.
    whole: bool  # Whether the whole later text was compared, as far as is known.
    lines: int = 0  # The number of sentences that only one of the texts has, for the time it took.


def compare_headings(later: str, earlier: str, segmenter: str = "jieba") -> TextComparison:
    """Compare two kept texts with the same words: their headings, signs and units can differ."""
    new, old = _read(later, earlier)
    headings, _, _ = compare(Heading(new.title, new.h1), Heading(old.title, old.h1), segmenter)
    facts = (
        have_other_signs(new.body, old.body)
        or any(count_other_units(new.body.split("\n"), old.body.split("\n")))
        or tell_status(
            (new.title, new.h1), (old.title, old.h1, *old.body.split("\n")[:MOST_BLOCKS])
        )
    )
    findings = Findings(0.0, 0.0, held=1.0, facts=facts, headings=headings)
    return TextComparison(findings, (), 0, whole=True)


def compare_texts(
    later: str,
    earlier: str,
    segmenter: str = "jieba",
    most_new: float = 1.0,
    urls: tuple[str, str] | None = None,
) -> TextComparison:
    """Compare two kept texts.

    Args:
        later, earlier: texts unpacked by ``dedup.page.kept_text``.
        segmenter: ``jieba`` or ``chars``.
        most_new: share of the later text, 0 to 1. If more than that is new, facts and heading words
            cannot change the result, and are not compared.
        urls: the URLs of both pages, the later one's first, if they are of one site. Forms are
            looked for only with them. The names of two subjects are looked for in them, or else
            in the headings.
    """
    new, old = _read(later, earlier)
    ours, theirs = split(new.body.split("\n"), old.body.split("\n"), segmenter)
    matching = match(ours, theirs)
    headings, own_words, old_words = compare(
        Heading(new.title, new.h1), Heading(old.title, old.h1), segmenter
    )
    findings = _measure(matching)._replace(headings=headings)
    if findings.new <= most_new:
        h1s = (new.h1, old.h1) if urls is None else ("", "")
        names = find_names(own_words, old_words, matching, segmenter, urls, h1s)
        same_site = urls is not None
        findings = findings._replace(
            facts=_have_other_facts(matching, same_site=same_site)
            or have_other_signs(new.body, old.body)
            or tell_status(
                (new.title, new.h1, *_top_of(matching)),
                (old.title, old.h1, *theirs.blocks[:MOST_BLOCKS], *theirs.own),
            ),
            told=sum(map(bool, names)),
            records=are_records(matching, same_site=same_site),
        )
        if urls is None:
            findings = findings._replace(renamed=name_another(matching, names))
        else:
            form = compare_forms(matching, urls)
            lost = findings.new + findings.changed
            findings = findings._replace(
                form=form is Form.FILLED,
                echo=form is Form.ECHO,
                exchanged=_measure_exchanged(matching),
                renamed=have_names_in_urls(urls, matching, lost, segmenter),
            )
    return TextComparison(
        findings,
        passages=tuple(dict.fromkeys(line.text.strip() for line in matching.new)),
        new_words=sum(line.size for line in matching.new),
        whole=2 * len(new.body.encode()) < MOST_BYTES and len(ours.lines) < MOST_LINES,
        lines=len(ours.lines) + len(theirs.lines),
    )


def _read(later: str, earlier: str) -> tuple[KeptText, KeptText]:
    """The parts of two kept texts.

    Lines that are not shared are without marks of direction and the like: a price may have them.
    """
    both = later.split("\n"), earlier.split("\n")
    shared = set(both[0]).intersection(both[1])
    new, old = (
        KeptText.read(
            "\n".join([line if line in shared else leave_invisible_out(line) for line in lines])
        )
        for lines in both
    )
    return new, old


def _top_of(matching: Matching) -> Iterator[str]:
    """The short blocks at the top of the later text that the other text lacks."""
    numbers = {line.sentence.block for line in matching.found}
    for number in numbers.intersection(range(MOST_BLOCKS)):
        block = matching.ours.blocks[number]
        if measure(block) <= LONGEST:
            yield block


def _measure(matching: Matching) -> Findings:
    """Measure the shares of two texts that are new, gone or changed."""
    ours, theirs = matching.ours, matching.theirs
    size, old_size = ours.letters, theirs.letters
    longest, paragraph = _longest_passages(ours, matching.new)
    return Findings(
        new=min(max(_size_of(matching.new), size - old_size) / size, 1.0),
        gone=min(_size_of(matching.gone) / old_size, 1.0),
        held=max(1 - _size_of(matching.broken) / old_size, 0.0),
        changed=min(_size_changed(matching) / size, 1.0),
        passage=min(longest / size, 1.0),
        letters=longest,
        paragraph=paragraph,
    )


def _measure_exchanged(matching: Matching) -> float:
    """The letters of the passages that two pages of one site have in one frame."""
    ours, theirs = matching.ours, matching.theirs
    return measure_exchanged(
        ours.blocks,
        _sizes_of_blocks(ours, matching.new),
        theirs.blocks,
        _sizes_of_blocks(theirs, matching.gone),
    )


def _have_other_facts(matching: Matching, *, same_site: bool) -> bool:
    """Whether two texts have other facts in sentences of one wording."""
    ours, theirs = matching.ours, matching.theirs
    if Changes.count(matching).are_of_facts(ours, same_site=same_site):
        return True
    if not ours.all and not theirs.all and have_other_cells(ours.blocks, theirs.blocks):
        return True
    return exchange_codes(matching) or _have_other_units(matching) or _have_other_rows(matching)


def _have_other_rows(matching: Matching) -> bool:
    """Whether some rows of a table have other numbers, and little else changed."""
    if not matching.found and not matching.alone:  # The blocks are the same.
        return False
    rows = count_other_rows(matching.ours.blocks, matching.theirs.blocks)
    changed = sum(not line.is_stamp for line in matching.found)
    return rows > 0 and rows * FACT_SHARE >= changed


def _have_other_units(matching: Matching) -> bool:
    """Whether numbers have other units; if these are measures, little else may have changed."""
    least = (len(matching.found) - MOST_STAMPS) / FACT_SHARE
    units, measures = count_other_units(matching.ours.own, matching.theirs.own, least)
    if units or not measures:
        return units > 0
    changed = sum(not line.is_stamp for line in matching.found)
    return measures * FACT_SHARE >= changed


def _size_of(lines: Iterable[Line]) -> float:
    return sum(line.letters for line in lines)


def _longest_passages(text: Sentences, lines: Iterable[Line]) -> tuple[float, float]:
    """The letters of the longest run of lines, given in order, and of that within a block."""
    longest = length = longest_within = within = 0.0
    last: Line | None = None
    for line in lines:
        goes_on = last is not None and _follows(text, last, line)
        is_in_block = last is not None and line.sentence.block == last.sentence.block
        length = line.letters + (length if goes_on else 0.0)
        within = line.letters + (within if goes_on and is_in_block else 0.0)
        longest, longest_within = max(longest, length), max(longest_within, within)
        last = line
    return longest, longest_within


def _follows(text: Sentences, last: Line, line: Line) -> bool:
    """Whether a line goes on where another ends, with no shared sentence or block between."""
    between = text.all[last.sentence.place + 1 : line.sentence.place]
    return (
        line.place == last.place + 1
        and line.sentence.block <= last.sentence.block + 1
        and text.shared.isdisjoint(sentence.text.strip() for sentence in between)
    )


def _sizes_of_blocks(text: Sentences, lines: Iterable[Line]) -> dict[int, float]:
    """The letters of some lines in each block, by block number; 0 for a block without any."""
    sizes = dict.fromkeys((sentence.block for sentence in text.all), 0.0)
    for line in lines:
        sizes[line.sentence.block] += line.letters
    return sizes


def _size_changed(matching: Matching) -> float:
    """The letters of the later text that the earlier text has in other words."""
    return sum(line.letters * (1 - found.share) for line, found in matching.found.items() if found)
