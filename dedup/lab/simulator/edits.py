"""Clean texts edited like reposts, by one kind of edit at a time or by several as a recipe.

    Text -> EDITS[name](text, editor) -> Text

The editor has the strength and the random numbers. The changed share grows with the strength, from
0 for no change to 1 for the maximum that reposting sites do of that kind. So an edited text is
always a near-duplicate for its readers. An edit that finds nothing to change (no numbers, a single
paragraph, no other texts) returns the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from dedup.lab.simulator.editor import Editor
from dedup.lab.simulator.prose import Sentences, Text, cut, glue
from dedup.lab.simulator.rewording import numbers, punctuation, script, synonyms
from dedup.lab.simulator.surroundings import boilerplate, title, wrapped

# Shares of the sentences (paragraphs), at strength 1.
MOST_DROPPED = 0.5
MOST_ADDED = 0.5
MOST_SWAPPED = 0.4  # Each with its neighbour.
MOST_LEFT_OUT = 0.7  # By an excerpt.

Edit = Callable[[Text, Editor], Text]


def drop(text: Text, editor: Editor) -> Text:
    """Leave sentences out, here and there."""
    paragraphs = cut(text)
    places = _places(paragraphs)
    chosen = editor.picks(len(places), MOST_DROPPED)
    gone = {places[pick] for pick in chosen[: len(places) - 1]}
    kept = [
        [sentence for place, sentence in enumerate(sentences) if (row, place) not in gone]
        for row, sentences in enumerate(paragraphs)
    ]
    return glue(text.title, kept)


def add(text: Text, editor: Editor) -> Text:
    """Put in sentences from other texts, here and there."""
    others = [other for other in editor.others if other.paragraphs]
    if not others:
        return text
    paragraphs = cut(text)
    rng = editor.rng
    for _ in range(editor.count(len(_places(paragraphs)), MOST_ADDED)):
        sentence = rng.choice(cut(Text("", (rng.choice(rng.choice(others).paragraphs),)))[0])
        sentences = rng.choice(paragraphs)
        sentences.insert(rng.randint(0, len(sentences)), sentence)
    return glue(text.title, paragraphs)


def swap(text: Text, editor: Editor) -> Text:
    """Exchange sentences with their neighbours."""
    paragraphs = cut(text)
    places = _places(paragraphs)
    for pick in editor.picks(len(places) - 1, MOST_SWAPPED):
        (row, place), (next_row, next_place) = places[pick], places[pick + 1]
        one, other = paragraphs[row][place], paragraphs[next_row][next_place]
        paragraphs[row][place], paragraphs[next_row][next_place] = other, one
    return glue(text.title, paragraphs)


def reorder(text: Text, editor: Editor) -> Text:
    """Move paragraphs to other places."""
    paragraphs = list(text.paragraphs)
    if len(paragraphs) < 2:
        return text
    moved = [paragraphs[pick] for pick in editor.picks(len(paragraphs))]
    for paragraph in moved:
        paragraphs.remove(paragraph)
        paragraphs.insert(editor.rng.randint(0, len(paragraphs)), paragraph)
    return Text(text.title, tuple(paragraphs))


def reflow(text: Text, editor: Editor) -> Text:
    """Break paragraphs in two, or run them into the ones before; no word changes."""
    paragraphs = cut(text)
    chosen = set(editor.picks(len(paragraphs)))
    flowed: Sentences = []
    for place, sentences in enumerate(paragraphs):
        if place not in chosen:
            flowed.append(sentences)
        elif flowed and (len(sentences) < 2 or editor.rng.random() < 0.5):
            flowed[-1] = [*flowed[-1], *sentences]
        else:
            middle = editor.rng.randint(1, max(1, len(sentences) - 1))
            flowed += [sentences[:middle], sentences[middle:]]
    return glue(text.title, flowed)


def excerpt(text: Text, editor: Editor) -> Text:
    """Keep sentences in a row: the beginning in half of the cases, else from anywhere."""
    paragraphs = cut(text)
    places = _places(paragraphs)
    size = max(1, len(places) - editor.count(len(places), MOST_LEFT_OUT))
    start = editor.rng.choice((0, editor.rng.randint(0, len(places) - size)))
    kept: Sentences = [[] for _ in paragraphs]
    for row, place in places[start : start + size]:
        kept[row].append(paragraphs[row][place])
    return glue(text.title, kept)


def _places(paragraphs: Sentences) -> list[tuple[int, int]]:
    return [(row, place) for row, line in enumerate(paragraphs) for place in range(len(line))]


_ALL: tuple[Edit, ...] = (
    *(title, drop, add, swap, reorder, reflow),
    *(synonyms, numbers, script, punctuation),
    *(excerpt, wrapped, boilerplate),
)
EDITS: Mapping[str, Edit] = {edit.__name__: edit for edit in _ALL}

# The steps of each recipe in their order, with the maximum of its random strength.
RECIPES: Mapping[str, Mapping[str, float]] = {
    "light": {"reflow": 0.4, "punctuation": 0.3, "title": 0.6, "boilerplate": 0.5},
    "medium": {
        "synonyms": 0.5, "numbers": 0.2, "drop": 0.4, "add": 0.2, "reflow": 0.6,
        "punctuation": 0.5, "title": 1.0, "boilerplate": 0.8,
    },
    "heavy": {
        "excerpt": 0.3, "synonyms": 1.0, "numbers": 0.5, "drop": 0.7, "add": 0.5, "swap": 0.4,
        "reorder": 0.3, "reflow": 1.0, "punctuation": 1.0, "title": 1.0, "boilerplate": 1.0,
    },
}  # fmt: skip


def apply_edit(
    name: str, text: Text, strength: float, rng: Random, others: Sequence[Text] = ()
) -> Text:
    """Edit a text by a name from EDITS, with a strength from 0 to 1.

    No paragraph may be empty. Sentences and headlines are taken from ``others``.
    """
    if not strength or not text.paragraphs:
        return text
    return EDITS[name](text, Editor(strength, rng, others))


def apply_recipe(name: str, text: Text, rng: Random, others: Sequence[Text] = ()) -> Text:
    """Edit a text by all steps of a recipe, each with a random strength."""
    for edit, most in RECIPES[name].items():
        text = apply_edit(edit, text, most * rng.random(), rng, others)
    return text
