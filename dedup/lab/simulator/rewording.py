"""Edits inside sentences: words, numbers and dates, script, punctuation."""

from __future__ import annotations

import re
from random import Random

from dedup.lab.simulator.editor import Editor
from dedup.lab.simulator.prose import Text, fold
from dedup.lab.simulator.vocabulary import Synonyms, chinese_synonyms, english_synonyms
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
