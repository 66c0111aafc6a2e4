"""Clean texts edited like reposts, by one kind of edit at a time or by several as a recipe.

    Text -> EDITS[name](text, editor) -> Text

The editor has the strength and the random numbers. The changed share grows with the strength, from
0 for no change to 1 for the maximum that reposting sites do of that kind. So an edited text is
always a near-duplicate for its readers. An edit that finds nothing to change (no numbers, a single
paragraph, no other texts) returns the same text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from random import Random

from dedup.lab.simulator.phrases import Synonyms, chinese_synonyms, english_synonyms, phrases_of
from dedup.lab.simulator.prose import (
    Language,
    Sentences,
    Text,
    cut,
    fold,
    glue,
    headline,
    join_sentences,
)
from dedup.page.normalisation import converter
from dedup.page.segmentation import han_cutter

MOST_NUMBERS = 0.6  # Share of the numbers at strength 1.

_HAN_RUN = re.compile("[\u4e00-\u9fd5]+")
_HAN = re.compile("[\u3400-\u9fff]")
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_ARTICLE = re.compile(r"\b(an?)\s+$", re.IGNORECASE)
_MONTHS = (
    "January February March April May June July August September October November December".split()
)
_MONTH = "|".join(_MONTHS)
_NUMBER = re.compile(
    r"(?P<zh>(?P<y1>\d{4})年(?P<m1>\d{1,2})月(?P<d1>\d{1,2})日)"
    rf"|(?P<us>\b(?P<m2>{_MONTH}) (?P<d2>\d{{1,2}}), (?P<y2>\d{{4}}))"
    rf"|(?P<gb>\b(?P<d3>\d{{1,2}}) (?P<m3>{_MONTH}) (?P<y3>\d{{4}}))"
    r"|(?P<iso>(?<![\w/.-])(?P<y4>\d{4})-(?P<m4>\d{2})-(?P<d4>\d{2})(?![\w/-]))"
    r"|(?P<number>(?<![A-Za-z0-9_./:\-])\d{1,3}(?:,\d{3})+(?![\w,])"
    r"|(?<![A-Za-z0-9_./:\-])\d+(?:\.\d+)?(?![A-Za-z0-9_/:]|[.,\-]\d))"
)
_TO_HALF = str.maketrans(
    dict(zip("，。！？；：（）", (", ", ". ", "! ", "? ", "; ", ": ", " (", ")"), strict=True))
    | dict(zip("“”‘’【】", '""' + "''[]", strict=True))
)
_TO_FULL = dict(zip(",.!?;:()", "，。！？；：（）", strict=True))
_HALF_MARK = re.compile("(?<=[\u3400-\u9fff])\\s*([,.!?;:()])\\s*(?=[\u3400-\u9fff]|$)")
_TO_PLAIN = str.maketrans(
    {"“": '"', "”": '"', "‘": "'", "’": "'", "—": " - ", "–": "-", "…": "..."}
)

_WAYS = {  # Other ways to write each form of a date, by the groups of _NUMBER.
    "zh": ("{y1}-{m1:0>2}-{d1:0>2}", "{m1}月{d1}日"),
    "us": ("{d2} {m2} {y2}", "{m2} {d2}"),
    "gb": ("{m3} {d3}, {y3}", "{d3} {m3}"),
    "iso": ("{y4}/{m4}/{d4}", "{m4}-{d4}"),
}

Word = tuple[int, int, tuple[str, ...]]  # Start, end, synonyms.

MOST_NOTICES = 9  # Lines around an article, at strength 1.
MOST_WRAPPING = 2.0  # Characters of others, as a multiple of the article's own, at strength 1.
# A digest takes at most so many sentences from one text, and at most one in PIECE_SHARE of its
# characters: so it is no near-duplicate of that text too.
PIECE_SENTENCES = 6
PIECE_SHARE = 6

_MARK = re.compile(r"(?<=\w)([，：；|？?]|[,:;] )(?=\w)")

# Shares of the sentences (paragraphs), at strength 1.
MOST_DROPPED = 0.5
MOST_ADDED = 0.5
MOST_SWAPPED = 0.4  # Each with its neighbour.
MOST_LEFT_OUT = 0.7  # By an excerpt.


@dataclass(frozen=True, slots=True)
class Editor:
    """The means of an edit."""

    strength: float  # 0 changes nothing, 1 is the maximum that reposts do of this kind.
    rng: Random  # The only source of random numbers; one seed, one result.
    others: Sequence[Text] = ()  # Texts to take sentences and headlines from; may be empty.

    def count(self, size: int, most: float = 1.0) -> int:
        """The number of ``size`` things to change, if strength 1 changes the share ``most``."""
        return min(size, ceil(round(self.strength * most * size, 6)))

    def picks(self, size: int, most: float = 1.0) -> list[int]:
        """The places of the things to change, in order."""
        return sorted(self.rng.sample(range(size), self.count(size, most)))

    def fill(self, phrase: str, language: Language) -> str:
        """Fill in the words in braces."""
        phrases, rng = phrases_of(language), self.rng
        year, month, day = rng.randint(2012, 2026), rng.randint(1, 12), rng.randint(1, 28)
        date = f"{year}年{month}月{day}日" if language == "zh" else f"{day}/{month}/{year}"
        other = rng.choice(self.others) if self.others else None
        return phrase.format(
            site=rng.choice(phrases.sites),
            name=rng.choice(phrases.people),
            url=f"http://{rng.choice(phrases.hosts)}/{year}/{rng.randint(1000, 99999)}.html",
            date=date,
            year=year,
            title=headline(other) if other else rng.choice(phrases.boxes),
        )


def synonyms(text: Text, editor: Editor) -> Text:
    """Replace words by synonyms; at strength 1 all words of the tables."""
    found = [_replaceable(paragraph) for paragraph in text.paragraphs]
    places = [(row, word) for row, words in enumerate(found) for word in words]
    chosen: list[list[tuple[int, int, str]]] = [[] for _ in found]
    for pick in editor.picks(len(places)):
        row, (start, end, choices) = places[pick]
        chosen[row].append((start, end, editor.rng.choice(choices)))
    rows = zip(text.paragraphs, chosen, strict=True)
    return Text(text.title, tuple(_exchange(paragraph, words) for paragraph, words in rows))


def reword(line: str, rng: Random) -> str:
    """Replace every word of a line that the tables contain."""
    words = [(start, end, rng.choice(choices)) for start, end, choices in _replaceable(line)]
    return _exchange(line, words)


def _replaceable(paragraph: str) -> list[Word]:
    """The words with synonyms, in order; Chinese ones as the segmenter cuts them."""
    words: list[Word] = []
    if not paragraph.isascii():
        table, cutter = chinese_synonyms(), han_cutter("jieba")
        for run in _HAN_RUN.finditer(paragraph):
            start = run.start()
            for word in cutter(run[0]):
                if word in table:
                    words.append((start, start + len(word), table[word]))
                start += len(word)
    words += _english_words(paragraph, english_synonyms())
    return sorted(words, key=lambda word: word[0])


def _english_words(paragraph: str, table: Synonyms) -> list[Word]:
    words: list[Word] = []
    for match in _WORD.finditer(paragraph):
        word = match[0]
        choices = table.get(word.lower(), ())
        if not choices or not (word.islower() or word.istitle()):
            continue
        if article := _ARTICLE.search(paragraph, max(0, match.start() - 4), match.start()):
            choices = tuple(c for c in choices if (c[0] in "aeiou") == (len(article[1]) == 2))
        if word[0].isupper():
            choices = tuple(choice[0].upper() + choice[1:] for choice in choices)
        if choices:
            words.append((match.start(), match.end(), choices))
    return words


def _exchange(line: str, words: list[tuple[int, int, str]]) -> str:
    parts, last = [], 0
    for start, end, word in words:
        parts += [line[last:start], word]
        last = end
    return "".join(parts) + line[last:]


def numbers(text: Text, editor: Editor) -> Text:
    """Change numbers a little, and write dates in another way."""
    total = sum(len(_NUMBER.findall(paragraph)) for paragraph in text.paragraphs)
    chosen = set(editor.picks(total, MOST_NUMBERS))
    seen = iter(range(total))

    def change(match: re.Match[str]) -> str:
        if next(seen) not in chosen:
            return match[0]
        ways = _WAYS.get(match.lastgroup or "")
        if ways is None:
            return _nudge(match[0], editor.rng)
        return editor.rng.choice(ways).format(**match.groupdict())

    return Text(text.title, tuple(_NUMBER.sub(change, line) for line in text.paragraphs))


def _nudge(number: str, rng: Random) -> str:
    """A number near by, with the same decimal places and the same grouping."""
    whole, dot, decimals = number.replace(",", "").partition(".")
    if len(whole + decimals) > 15:
        return number  # An identifier rather than an amount.
    value = int(whole + decimals)
    step = 1 if 1900 <= value < 2100 else max(1, value // 20)  # Years change by 1.
    near = str(max(1, value + rng.choice((-1, 1)) * rng.randint(1, step)))
    if dot:
        near = near.zfill(len(decimals) + 1)
        return f"{near[: -len(decimals)]}.{near[-len(decimals) :]}"
    return f"{int(near):,}" if "," in number else near


def script(text: Text, editor: Editor) -> Text:
    """Write simplified Chinese in traditional script, traditional in simplified.

    A site converts a whole text. The strength decides on the depth: the characters only, the forms
    of Taiwan too, or the words of Taiwan too.
    """
    depth = min(2, int(editor.strength * 3))
    joined = "\n".join((text.title, *text.paragraphs))
    if not _HAN.search(joined):
        return text
    simple = converter("t2s").convert(joined)
    names = ("t2s", "tw2s", "tw2sp") if simple != joined else ("s2t", "s2tw", "s2twp")
    title, *paragraphs = converter(names[depth]).convert(joined).split("\n")
    return Text(title, tuple(paragraphs))


def punctuation(text: Text, editor: Editor) -> Text:
    """Change the width of Chinese punctuation, and straighten quotation marks and dashes."""
    paragraphs = list(text.paragraphs)
    for place in editor.picks(len(paragraphs)):
        paragraphs[place] = _other_marks(paragraphs[place]) or paragraphs[place]
    return Text(text.title, tuple(paragraphs))


def _other_marks(paragraph: str) -> str:
    if not _HAN.search(paragraph):
        return fold(paragraph.translate(_TO_PLAIN))
    if re.search("[，。！？；：]", paragraph):
        return fold(paragraph.translate(_TO_HALF))
    return _HALF_MARK.sub(lambda mark: _TO_FULL[mark[1]], paragraph)


def title(text: Text, editor: Editor) -> Text:
    """Give the article another title: a tag or a site's name, other words, another headline."""
    phrases, rng = phrases_of(text.language), editor.rng
    level = ceil(editor.strength * 3)
    line = text.title
    if level >= 3 or not line:
        line = rng.choice(phrases.hooks) + headline(Text("", text.paragraphs), 25)
    elif level == 2:
        line = reword(line, rng)
        if mark := _MARK.search(line):  # Exchange its two sides.
            line = line[mark.end() :] + mark[0] + line[: mark.start()]
    if rng.random() < 0.5:
        line = rng.choice(phrases.tags) + line
    else:
        line = f"{line}{rng.choice(('_', ' - ', ' | '))}{rng.choice(phrases.sites)}"
    return Text(line, text.paragraphs)


def boilerplate(text: Text, editor: Editor) -> Text:
    """Put source lines, copyright, editors' names and "read more" around and into the article."""
    phrases, rng = phrases_of(text.language), editor.rng

    def some(choices: list[str], count: int) -> list[str]:
        chosen = rng.sample(choices, min(count, len(choices)))
        return [editor.fill(phrase, text.language) for phrase in chosen]

    lines = ceil(editor.strength * MOST_NOTICES)
    head, inside = lines // 3, lines // 4
    paragraphs = list(text.paragraphs)
    for line in some(phrases.between, inside):
        paragraphs.insert(rng.randint(1, len(paragraphs)), line)
    before, after = some(phrases.before, head), some(phrases.after, lines - head - inside)
    return Text(text.title, (*before, *paragraphs, *after))


def wrapped(text: Text, editor: Editor) -> Text:
    """Make a digest: pieces of other texts before and after the article."""
    rng, language = editor.rng, text.language
    wanted = editor.strength * MOST_WRAPPING * len(text.body)
    before: list[str] = []
    after: list[str] = []
    taken = 0
    for other in rng.sample(editor.others, len(editor.others)):
        if taken >= wanted:
            break
        if piece := _piece(other, editor):
            heading = rng.choice(phrases_of(language).digests)
            side = rng.choice((before, after))
            side += [heading.format(title=headline(other), site=_site(editor, text)), piece]
            taken += len(piece)
    if not taken:
        return text
    own = (text.title,) if text.title else ()
    digest = rng.choice(phrases_of(language).digests[:-1])
    page_title = digest.format(title=headline(text), site=_site(editor, text))
    return Text(page_title, (*before, *own, *text.paragraphs, *after))


def _piece(other: Text, editor: Editor) -> str:
    """A few sentences in a row, a small share of a text; nothing of a very short one."""
    sentences = [sentence for paragraph in cut(other) for sentence in paragraph]
    room = len(other.body) // PIECE_SHARE
    piece: list[str] = []
    for sentence in sentences[editor.rng.randrange(len(sentences)) :][:PIECE_SENTENCES]:
        room -= len(sentence)
        if room < 0:
            break
        piece.append(sentence)
    return join_sentences(piece)


def _site(editor: Editor, text: Text) -> str:
    return editor.rng.choice(phrases_of(text.language).sites)


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


Edit = Callable[[Text, Editor], Text]


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
