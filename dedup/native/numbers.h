/* The numbers that main text is judged by: weights are letters, one ideograph counting for several. */

#ifndef DEDUP_NUMBERS_H
#define DEDUP_NUMBERS_H

#include "vocabulary.h"

/* What an outline shows: runs of text with so many octets as they are written, and so many letters. */
static const double LEAST_OCTETS = 30, LEAST_OCTETS_WIDE = 60, LEAST_LETTERS = 20;

/* An outline shows the main text where it weighs so much, the trunk has such a share of it, and the trunk is
   not outweighed by runs too short for an outline: it has so much per octet of these, or this weight. */
static const double FAINT = 100, CLEAR = 0.3, CLEAR_OF_SHORT = 0.5, NOTICE = 1000;

/* The weight of a block: its letters, by its kind and less a scrap; a heading counts with its section. */
static const double KIND_WEIGHTS[KIND_COUNT] = {
    [TEXT] = 0.9,      [LIST_ITEM] = 0.8, [CELL] = 0.7,
    [PARAGRAPH] = 1.2, [QUOTE] = 1.0,     [CODE] = 0.5, /* it stands in an article, but is none */
};
static const double IDEOGRAPH = 3, SCRAP = 15, HEADING_LIMIT = 10;

/* A block with more of its text in links is navigation, and weighs against its part. */
static const double LINK_SHARE = 0.6, LINK_WEIGHT = 0.5;

/* What a score keeps of its weight one level up; out of a list item with parts of its own (a teaser, a
   comment) less. What weight keeps below a low name; what a high name and standing beside an <h1> gain. */
static const double FADE = 0.5, FADE_ITEM = 0.25, LOW = 0.3, HIGH = 1.3, BESIDE_H1 = 4;

/* The good weight of the smallest part that an <h1> can stand for; the share of a page from which on a part
   is all of it; the letters of a title that is no mere word. */
static const double LEAST_WITH_H1 = 250, ALL = 0.9, TITLE_LEAST = 10;

/* A trunk widens where it gains such a share of its text and takes in no more other weight per weight
   gained. With less than such a share of the page's text it is one part of several. */
static const double WIDEN_GAIN = 0.25, WIDEN_LOSS = 0.05, SPREAD = 0.5;

/* Bad weight forgiven per good weight; the share of the letters of a part inside an article that may be
   links. A low name on such a share of what was found is wrong; that of comments is wrong only where less
   than so much is left without low names. */
static const double PRUNE = 0.5, MENU = 0.5, MISNAMED_WITHIN = 0.2, ENOUGH_BESIDE = 600;

/* A main text is sure from ENOUGH letters on, as a site's footer may hold some hundreds; from ENOUGH_LOW on
   where only its size speaks against a low name. Fewer will do where they have such a share of what an <h1>
   heads, or of what the title heads in a page with no more than OUTWEIGHED times as many. */
static const double ENOUGH = 400, ENOUGH_LOW = 1000, LEAST = 150;
static const double SURE_SHARE = 0.25, LEAST_TITLED = 200, OUTWEIGHED = 4;

/* The share of the text outside parts with low names that a sure text holds, unless an <h1> heads it or a
   name calls it an article. */
static const double HELD = 0.4;

/* A text below a heading is trusted though it is short: the letters of the shortest, and of the shortest
   paragraph that counts as running text; the share of this that may be links; the blocks from the heading to
   the text, at most, without parts with low names. */
static const double BRIEF = 90, BRIEF_PROSE = 75, BRIEF_LINKS = 0.2;
enum { BRIEF_REACH = 16 };

#endif
