/* The numbers that main text is judged by. A weight is a number of letters, by which an ideograph counts for
   several. Weight is good where a block reads as text, and bad where it is navigation. */

#ifndef DEDUP_NUMBERS_H
#define DEDUP_NUMBERS_H

#include "vocabulary.h"

/* The runs of text that an outline shows */
static const double LEAST_OCTETS = 30;      /* Octets of the shortest run, as it is written */
static const double LEAST_OCTETS_WIDE = 60; /* The same for Chinese and the like */
static const double LEAST_LETTERS = 20;     /* Letters of the shortest run */

/* When an outline is enough to find the main text */
static const double FAINT = 100;         /* Least weight of the outline */
static const double CLEAR = 0.3;         /* Least share of it in the trunk */
static const double NOTICE = 1000;       /* Least weight of the trunk where the page has many short runs: */
static const double CLEAR_OF_SHORT = 0.5; /* or this much per octet in runs too short for an outline */

/* The weight of a block */
static const double KIND_WEIGHTS[KIND_COUNT] = {
    /* Code stands in an article, but is none. */
    [TEXT] = 0.9, [LIST_ITEM] = 0.8, [CELL] = 0.7, [PARAGRAPH] = 1.2, [QUOTE] = 1.0, [CODE] = 0.5,
};
static const double IDEOGRAPH = 3;      /* Letters that an ideograph or a syllable counts for */
static const double SCRAP = 15;         /* Letters that every block lacks: scraps weigh nothing */
static const double HEADING_LIMIT = 10; /* Most weight of a heading, which counts with its section */
static const double LINK_SHARE = 0.6;   /* Most letters in links of a block that is no navigation */
static const double LINK_WEIGHT = 0.5;  /* Bad weight of a letter in the links of navigation */

/* The score of a part */
static const double FADE = 0.5;       /* Share of a score that goes one level up */
static const double FADE_ITEM = 0.25; /* The same out of a list item with parts: a teaser, a comment */
static const double LOW = 0.3;        /* Share of its weight that text below a low name keeps */
static const double HIGH = 1.3;       /* What a high name multiplies a score by */
static const double BESIDE_H1 = 4;    /* What standing below the <h1> of the page multiplies it by */
static const double LEAST_WITH_H1 = 250; /* Least good weight of a part that an <h1> heads */
static const double ALL = 0.9;           /* Share of a page that is as good as all of it */
static const double TITLE_LEAST = 10;    /* Least letters of a title that is no mere word */

/* How a trunk grows */
static const double WIDEN_GAIN = 0.25; /* Least share of its text that it gains by widening */
static const double WIDEN_LOSS = 0.05; /* Most other weight that it takes in, per weight gained */
static const double SPREAD = 0.5;      /* Share of the text below which it is one part of several */

/* What is pruned */
static const double PRUNE = 0.5;           /* Bad weight that is forgiven, per good weight */
static const double MENU = 0.5;            /* Most letters in links of a part that is no menu */
static const double MISNAMED_WITHIN = 0.2; /* Share of the text that makes a low name wrong */
static const double ENOUGH_BESIDE = 600;   /* Text without low names from which on comments are left out */

/* When a main text is sure */
static const double ENOUGH = 400;       /* Least letters: a site's footer may hold some hundreds */
static const double ENOUGH_LOW = 1000;  /* The same where only its size speaks against a low name */
static const double LEAST = 150;        /* The same where it has a good share of what an <h1> heads */
static const double LEAST_TITLED = 200; /* The same of what the title heads */
static const double SURE_SHARE = 0.25;  /* Such a good share */
static const double OUTWEIGHED = 4;     /* Most times that the whole page has its letters, if titled */
static const double HELD = 0.4; /* Least share of all text, if no <h1> heads it and no name calls it an article */

/* A short text below a heading */
static const double BRIEF = 90;        /* Least letters of the text */
static const double BRIEF_PROSE = 75;  /* Least letters of a paragraph that is running text */
static const double BRIEF_LINKS = 0.2; /* Most letters in links of such a paragraph */
enum { BRIEF_REACH = 16 };             /* Most blocks between heading and text, low names not counted */

#endif
