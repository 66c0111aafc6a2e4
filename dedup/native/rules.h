/* The rules that dedup.page.judgement tells: tables by the number of a name or of a kind, numbers, and
   functions for what is rare. */

#ifndef DEDUP_RULES_H
#define DEDUP_RULES_H

#include "native.h"

/* The numbers, in their order there. */
typedef enum {
    FAINT, CLEAR, NOTICE, CLEAR_OF_SHORT, FADE, FADE_ITEM, LOW, HIGH, BESIDE_H1, WIDEN_GAIN,
    WIDEN_LOSS, SPREAD, PRUNE, MISNAMED_WITHIN, ENOUGH_BESIDE, SURE_SHARE, LEAST, LEAST_TITLED,
    OUTWEIGHED, ENOUGH, ENOUGH_LOW, IDEOGRAPH, SCRAP, HEADING_LIMIT, LINK_SHARE, LINK_WEIGHT, ALL,
    TITLE_LEAST, LEAST_WITH_H1, LEAST_OCTETS, LEAST_OCTETS_WIDE, LEAST_LETTERS, MOST_TAGS,
    MOST_REFERENCES, BRIEF, BRIEF_PROSE, BRIEF_LINKS, BRIEF_REACH, MENU, HELD, NUMBERS
} Number;

/* What is said of the names of tags: bits of a trait. */
enum {
    RAW = 1 << 0,       /* holds no tags */
    LONGER = 1 << 1,    /* longer than a key */
    PLACED = 1 << 2,    /* has a place in the structure */
    INVISIBLE = 1 << 3, /* shows no text */
    UNREAD = 1 << 4,    /* an outline leaves out what stands behind it */
    NO_TRUNK = 1 << 5,
    NO_FADE = 1 << 6,
    BARE_TEXT = 1 << 7,
    IS_MAIN = 1 << 8,
    CHROME_TAG = 1 << 9,
    ROOT = 1 << 10,
    NAMELESS = 1 << 11,
    HEADED = 1 << 12,
    READING = 1 << 13, /* begins how an ideograph is read, */
    RUBY = 1 << 14,    /* and this ends it */
};

/* What one name says of another: see nest. */
enum { ENDED = 1, STOPS = 2, CLOSED = 4, STAYS_IN = 8 };

/* What all the names of a part say: bits. */
enum {
    IS_LOW = 1, IS_CHROME = 2, IS_NOTICE = 4, IS_COMMENTS = 8, IS_HIGH = 16, IS_ARTICLE = 32,
    IS_MENU = 64, IS_SIDEBAR = 128
};

enum { HEADING_KIND = 1, ENTRY_KIND = 2 }; /* what is said of a kind: bits */
enum { INHERITED = 0xff };                  /* in place of a kind */
enum { ODDITY = 1 };                        /* the name of a comment, a doctype and the like */

typedef struct {
    int link, br, hr, html, body, h1, li, form, details, header, article, title, svg, noscript;
} Names;

enum { BUFFERS = 13 };
enum { SLOTS = 1024 }; /* of keys, some eight times as many: most are found where they belong */

/* What was said of a hint, and the name of its part; nothing yet where it has no octets. */
enum { HINT_OCTETS = 61 };
typedef struct {
    octet length, name, flags, hint[HINT_OCTETS];
} Saying;

typedef struct {
    const double *numbers;
    const uint64_t *keys;
    const octet *by_key; /* the name of each */
    octet slots[SLOTS];  /* the number of a key from 1 on, where its hash says or behind */
    const octet *lengths; /* of names */
    const uint16_t *traits;
    const octet *says;  /* of each name of each other */
    const octet *kinds; /* of the text in an element of that name, or INHERITED */
    const octet *levels, *of_kind; /* of kinds: the level of a heading, what is said */
    const double *kind_weights;
    const octet *plain; /* what the name of a part alone says */
    const uint64_t *voids; /* keys of elements that have no end tag */
    size_t key_count, name_count, kind_count, void_count;
    Names names;
    PyObject *kind, *paragraph, *read_text, *hides, *leads; /* borrowed, as those below */
    PyObject *say, *tell; /* what a hint says, what a tag says */
    PyObject *choose; /* the page's own among several articles */
    Saying *sayings;  /* each where its hash says: what was said lately */
    size_t saying_count;
    Py_buffer buffers[BUFFERS];
} Rules;

/* Where the search for a key begins. */
static inline size_t slot_of(uint64_t key) { return key * 0x9e3779b97f4a7c15 >> 54; }

/* The name of a key, or 0. */
static inline octet name_of_key(const Rules *rules, uint64_t key)
{
    octet number;
    for (size_t slot = slot_of(key); (number = rules->slots[slot]); slot = (slot + 1) % SLOTS)
        if (rules->keys[number - 1] == key)
            return rules->by_key[number - 1];
    return 0;
}

bool take_rules(Rules *rules, PyObject *given);
void release_rules(Rules *rules);

static inline bool has_trait(const Rules *rules, octet name, uint16_t trait)
{
    return rules->traits[name] & trait;
}

#endif
