/* The numbers for the search of main text. A weight is a number of letters; an ideograph counts as
   several letters. Text has good weight, navigation has bad weight. */

#ifndef DEDUP_NUMBERS_H
#define DEDUP_NUMBERS_H

#include "vocabulary.h"

/* The runs of text in an outline. */
static const double LEAST_OCTETS = 30;      /* Minimum bytes of a run in the HTML. */
static const double LEAST_OCTETS_WIDE = 60; /* Minimum bytes of a run of Chinese and the like. */
static const double LEAST_LETTERS = 20;     /* Minimum letters of a run; of a sentence beside its links. */

/* The conditions for finding the main text by the outline alone. */
static const double FAINT = 100;          /* Minimum weight of the outline. */
static const double CLEAR = 0.3;          /* Minimum share of the outline's weight in the trunk. */
enum { DATED_REACH = 48 };                /* Maximum runs of text from a heading to a dated trunk. */
enum { LONGEST_DATE = 100 };              /* Maximum bytes of a date; a longer text is a sentence. */

/* The weight of a block. */
static const double KIND_WEIGHTS[KIND_COUNT] = {
    /* Code is part of an article, but is no article by itself. */
    [TEXT] = 0.9, [LIST_ITEM] = 0.8, [CELL] = 0.7, [PARAGRAPH] = 1.2, [QUOTE] = 1.0, [CODE] = 0.5,
};
static const double IDEOGRAPH = 3;      /* Letters per ideograph or syllable (Korean, kana). */
static const double SCRAP = 15;         /* Letters subtracted from every block: scraps weigh nothing. */
static const double HEADING_LIMIT = 10; /* Maximum weight of a heading; it counts with its section. */
static const double LINK_SHARE = 0.6;   /* Navigation has a larger share of its letters in links. */
static const double LINK_WEIGHT = 0.5;  /* Bad weight per letter in the links of navigation. */

/* The score of a part. A low name marks a part without main text, a high name a part with it. */
static const double FADE = 0.5;          /* Share of a node's score that is added to its parent. */
static const double FADE_ITEM = 0.25;    /* FADE for a list item with parts: a teaser, a comment. */
static const double LOW = 0.3;           /* Factor for the weight of text below a low name. */
static const double HIGH = 1.3;          /* Factor for the score of a part with a high name. */
static const double BESIDE_H1 = 4;       /* Factor for the score of a part below the page's <h1>. */
static const double LEAST_WITH_H1 = 250; /* Minimum good weight of the part that belongs to an <h1>. */
static const double LONGEST_FORM = 600;  /* Letters that a form for a comment does not reach. */
static const double TITLE_LEAST = 10;    /* Minimum letters of a title; shorter texts are words. */
enum { LONGEST_NAME = 30 };              /* Maximum characters of a site's name that is half of a title or more. */

/* The growth of a trunk. */
static const double WIDEN_GAIN = 0.25; /* Minimum gain of text by a wider trunk, as a share. */
static const double WIDEN_LOSS = 0.05; /* Maximum other weight in the wider trunk, per weight gained. */
static const double LEAST_DESCRIPTION = 0.4; /* Minimum good weight of one of a product, per the trunk's. */
static const double SPREAD = 0.5;      /* A trunk with less of the page's text is one part of several. */

/* The pruning of a main text. */
static const double PRUNE = 0.5;           /* Minimum good weight of a good part, per bad weight. */
static const double MENU = 0.5;            /* A menu has a larger share of its letters in links. */
static const double MISNAMED_WITHIN = 0.2; /* With this share of the text, a low name is wrong. */
static const double CAPTIONS_WITHIN = 0.5; /* With this share of the text, captions are the text: a gallery. */
static const double ENOUGH_BESIDE = 600;   /* Beside this weight without low names, comments go. */

/* The conditions for a sure main text. */
static const double ENOUGH = 400;       /* Minimum letters: a site's footer may have some hundreds. */
static const double ENOUGH_LOW = 1000;  /* Minimum letters in spite of a low name. */
static const double LEAST = 150;        /* Minimum letters with SURE_SHARE of the text below an <h1>. */
static const double LEAST_TITLED = 200; /* Minimum letters with SURE_SHARE of the part with the title. */
static const double SURE_SHARE = 0.25;  /* Minimum share for LEAST and LEAST_TITLED. */
static const double OUTWEIGHED = 4;     /* Minimum letters of the page, per letter, for LEAST_TITLED. */
static const double HELD = 0.5;         /* Minimum share of the page's running text. */
static const double HELD_MARKED = 0.15; /* The same for a text that is marked as an article. */
enum { MANY_TEASERS = 4 };              /* Minimum teasers of a list. */
enum { BLOCKS_OF_TEASER = 3 };          /* Maximum blocks in a teaser, its headline aside. */

/* A short text below a heading. */
static const double BRIEF = 90;           /* Minimum letters of the text. */
static const double LONGEST_BRIEF = 1000; /* Maximum; a longer one has to be a share of the page. */
static const double BRIEF_PROSE = 75;     /* Minimum letters of a paragraph of running text. */
static const double BRIEF_LINKS = 0.2;    /* Maximum share of its letters in links. */
enum { BRIEF_REACH = 16 };                /* Maximum blocks from heading to text, without low names. */

/* The paragraphs between heading and main text. A shorter one is a subtitle, part of the heading. */
static const double LEAST_STANDFIRST = 110; /* Minimum letters of a paragraph. */

/* A text that is likely the main text of a page without a sure one. */
static const double LIKELY_RUNNING = 0.9; /* Minimum share of running text in it. */
static const double LIKELY_HELD = 0.2;    /* Minimum share of the page's running text that it has. */

#endif
