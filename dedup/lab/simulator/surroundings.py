"""Edits around an article: its title, notices above and below, a digest around it."""

from __future__ import annotations

import re
from math import ceil

from dedup.lab.simulator.editor import Editor
from dedup.lab.simulator.phrases import PHRASES
from dedup.lab.simulator.prose import Text, cut, headline, join_sentences
from dedup.lab.simulator.rewording import reword

MOST_NOTICES = 9  # Lines around an article, at strength 1.
MOST_WRAPPING = 2.0  # Characters of others, as a multiple of the article's own, at strength 1.
# A digest takes at most so many sentences from one text, and at most one in PIECE_SHARE of its
# characters: so it is no near-duplicate of that text too.
PIECE_SENTENCES = 6
PIECE_SHARE = 6

_MARK = re.compile(r"(?<=\w)([，：；|？?]|[,:;] )(?=\w)")


def title(text: Text, editor: Editor) -> Text:
    """Give the article another title: a tag or a site's name, other words, another headline."""
    phrases, rng = PHRASES[text.language], editor.rng
    level = ceil(editor.strength * 3)
    line = text.title
    if level >= 3 or not line:
        line = rng.choice(phrases.hooks) + headline(Text("", text.paragraphs), 25)
    elif level == 2:
        line = _turned(reword(line, rng))
    if rng.random() < 0.5:
        line = rng.choice(phrases.tags) + line
    else:
        line = f"{line}{rng.choice(('_', ' - ', ' | '))}{rng.choice(phrases.sites)}"
    return Text(line, text.paragraphs)


def _turned(line: str) -> str:
    """Exchange the two sides of the first mark in a title."""
    mark = _MARK.search(line)
    if not mark:
        return line
    return line[mark.end() :] + mark[0] + line[: mark.start()]


def boilerplate(text: Text, editor: Editor) -> Text:
    """Put source lines, copyright, editors' names and "read more" around and into the article."""
    phrases, rng = PHRASES[text.language], editor.rng

    def some(choices: tuple[str, ...], count: int) -> list[str]:
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
            heading = rng.choice(PHRASES[language].digests)
            side = rng.choice((before, after))
            side += [heading.format(title=headline(other), site=_site(editor, text)), piece]
            taken += len(piece)
    if not taken:
        return text
    own = (text.title,) if text.title else ()
    digest = rng.choice(PHRASES[language].digests[:-1])
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
    return editor.rng.choice(PHRASES[text.language].sites)
