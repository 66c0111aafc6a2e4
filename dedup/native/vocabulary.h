/* The HTML elements that are known to the reader of pages. Each has one row: its name, the kind of its
   text, and its traits. */

#ifndef DEDUP_VOCABULARY_H
#define DEDUP_VOCABULARY_H

#include "native.h"

/* The traits of an element, one bit each. */
enum {
    PLACED = 1 << 0,     /* It is an element of the tree; other tags are only part of the text. */
    ENDS_P = 1 << 1,     /* It is a block element: its tag ends a paragraph. */
    INVISIBLE = 1 << 2,  /* Its text is invisible. */
    RAW = 1 << 3,        /* It contains no tags. <noscript> is raw where scripts run. */
    VOID = 1 << 4,       /* It has no end tag. */
    UNREAD = 1 << 5,     /* The text after its start tag is no running text; outlines skip it. */
    READING = 1 << 6,    /* It contains the pronunciation of ideographs, not text of the page. */
    RUBY = 1 << 7,       /* Its tag ends a pronunciation (READING). */
    ROOT = 1 << 8,       /* The root of a page. */
    NO_TRUNK = 1 << 9,   /* A paragraph or the like; it is never the container of an article. */
    NO_FADE = 1 << 10,   /* Its parent gets its whole score, not a share of it. */
    BARE_TEXT = 1 << 11, /* It may contain text of the article beside the article's container. */
    IS_MAIN = 1 << 12,   /* A <footer> in it belongs to the article, not to the site. */
    HEADED = 1 << 13,    /* A <header> in it belongs to this part, not to the site. */
    NAMELESS = 1 << 14,  /* Without a class, it is like any other element of its name. */
    LOOSE = 1 << 15,     /* The search for an open element goes on outside it: see nesting.c. */
    OF_TABLE = 1 << 16,  /* <thead>, <tbody>, <tfoot>. */
    OF_SITE = 1 << 17,   /* Part of the site's frame, on every page. */
    NEVER_LOW = 1 << 18, /* Its class never marks it as a part without main text. */
    OF_FACTS = 1 << 19,  /* It may contain facts about the article beside the article's container. */
};

/* The kinds of text. The kind of a heading is its level. KINDS has their names for Python, in order. */
enum { TEXT, DEEPEST_HEADING = 6, LIST_ITEM, CELL, PARAGRAPH, QUOTE, CODE, KIND_COUNT };
enum { INHERITED = 0xff }; /* In place of a kind: the kind of the parent element. */
#define KINDS                                                                                        \
    {"text", "heading", "heading", "heading", "heading", "heading", "heading", "list-item", "cell",  \
     "paragraph", "quote", "code"}

#define BLOCK (PLACED | ENDS_P)
#define UNSEEN (PLACED | INVISIBLE | UNREAD)
#define HEADING (BLOCK | NO_TRUNK)

#define ELEMENTS(ROW)                                                                                \
    ROW(a, INHERITED, UNREAD)                                                                        \
    ROW(address, INHERITED, BLOCK | LOOSE)                                                           \
    ROW(annotation, INHERITED, UNSEEN)                                                               \
    ROW(area, INHERITED, VOID)                                                                       \
    ROW(article, INHERITED, BLOCK | IS_MAIN | HEADED | NEVER_LOW)                                    \
    ROW(aside, INHERITED, BLOCK | HEADED)                                                            \
    ROW(audio, INHERITED, UNSEEN)                                                                    \
    ROW(base, INHERITED, VOID)                                                                       \
    ROW(blockquote, QUOTE, BLOCK | NO_TRUNK | NO_FADE | BARE_TEXT)                                   \
    ROW(body, INHERITED, PLACED | ROOT | NEVER_LOW)                                                  \
    ROW(br, INHERITED, VOID)                                                                         \
    ROW(button, INHERITED, UNSEEN)                                                                   \
    ROW(canvas, INHERITED, UNSEEN)                                                                   \
    ROW(caption, CELL, BLOCK | NO_TRUNK)                                                             \
    ROW(center, INHERITED, BLOCK | NO_FADE)                                                          \
    ROW(col, INHERITED, VOID)                                                                        \
    ROW(datalist, INHERITED, UNSEEN)                                                                 \
    ROW(dd, LIST_ITEM, BLOCK | NO_TRUNK)                                                             \
    ROW(details, INHERITED, BLOCK)                                                                   \
    ROW(dialog, INHERITED, UNSEEN)                                                                   \
    ROW(dir, INHERITED, BLOCK)                                                                       \
    ROW(div, INHERITED, BLOCK | NAMELESS | LOOSE)                                                    \
    ROW(dl, INHERITED, BLOCK | NO_FADE | OF_FACTS)                                                   \
    ROW(dt, LIST_ITEM, BLOCK | NO_TRUNK)                                                             \
    ROW(embed, INHERITED, VOID)                                                                      \
    ROW(fieldset, INHERITED, BLOCK)                                                                  \
    ROW(figcaption, INHERITED, BLOCK | NO_TRUNK)                                                     \
    ROW(figure, INHERITED, BLOCK)                                                                    \
    ROW(footer, INHERITED, BLOCK | OF_SITE)                                                          \
    ROW(form, INHERITED, BLOCK)                                                                      \
    ROW(h1, 1, HEADING)                                                                              \
    ROW(h2, 2, HEADING | UNREAD)                                                                     \
    ROW(h3, 3, HEADING | UNREAD)                                                                     \
    ROW(h4, 4, HEADING | UNREAD)                                                                     \
    ROW(h5, 5, HEADING | UNREAD)                                                                     \
    ROW(h6, 6, HEADING | UNREAD)                                                                     \
    ROW(header, INHERITED, BLOCK)                                                                    \
    ROW(hgroup, INHERITED, BLOCK | NO_FADE)                                                          \
    ROW(hr, INHERITED, VOID)                                                                         \
    ROW(html, INHERITED, PLACED | ROOT | NEVER_LOW)                                                  \
    ROW(iframe, INHERITED, UNSEEN | RAW)                                                             \
    ROW(img, INHERITED, VOID)                                                                        \
    ROW(input, INHERITED, VOID)                                                                      \
    ROW(legend, INHERITED, BLOCK)                                                                    \
    ROW(li, LIST_ITEM, BLOCK | NO_TRUNK)                                                             \
    ROW(link, INHERITED, VOID)                                                                       \
    ROW(main, INHERITED, BLOCK | IS_MAIN | HEADED | NEVER_LOW)                                       \
    ROW(map, INHERITED, UNSEEN)                                                                      \
    ROW(menu, INHERITED, BLOCK)                                                                      \
    ROW(meta, INHERITED, VOID)                                                                       \
    ROW(nav, INHERITED, BLOCK | OF_SITE)                                                             \
    ROW(noembed, INHERITED, UNSEEN | RAW)                                                            \
    ROW(noframes, INHERITED, UNSEEN | RAW)                                                           \
    ROW(noscript, INHERITED, UNSEEN | RAW)                                                           \
    ROW(object, INHERITED, UNSEEN)                                                                   \
    ROW(ol, INHERITED, BLOCK | NO_FADE)                                                              \
    ROW(p, PARAGRAPH, BLOCK | NO_TRUNK | BARE_TEXT | LOOSE | NEVER_LOW)                              \
    ROW(param, INHERITED, VOID)                                                                      \
    ROW(pre, CODE, BLOCK | NO_TRUNK | BARE_TEXT)                                                     \
    ROW(rb, INHERITED, RUBY)                                                                         \
    ROW(rp, INHERITED, RUBY | READING)                                                               \
    ROW(rt, INHERITED, RUBY | READING)                                                               \
    ROW(rtc, INHERITED, RUBY)                                                                        \
    ROW(ruby, INHERITED, RUBY)                                                                       \
    ROW(script, INHERITED, UNSEEN | RAW)                                                             \
    ROW(search, INHERITED, BLOCK)                                                                    \
    ROW(section, INHERITED, BLOCK | HEADED)                                                          \
    ROW(select, INHERITED, UNSEEN)                                                                   \
    ROW(source, INHERITED, VOID)                                                                     \
    ROW(style, INHERITED, UNSEEN | RAW)                                                              \
    ROW(summary, INHERITED, BLOCK)                                                                   \
    ROW(svg, INHERITED, UNSEEN)                                                                      \
    ROW(table, INHERITED, BLOCK | OF_FACTS)                                                          \
    ROW(tbody, INHERITED, BLOCK | NO_TRUNK | NO_FADE | OF_TABLE)                                     \
    ROW(td, CELL, BLOCK | NAMELESS)                                                                  \
    ROW(template, INHERITED, UNSEEN)                                                                 \
    ROW(textarea, INHERITED, UNSEEN | RAW)                                                           \
    ROW(tfoot, INHERITED, BLOCK | NO_TRUNK | NO_FADE | OF_TABLE)                                     \
    ROW(th, CELL, BLOCK)                                                                             \
    ROW(thead, INHERITED, BLOCK | NO_TRUNK | NO_FADE | OF_TABLE)                                     \
    ROW(title, INHERITED, UNSEEN | RAW)                                                              \
    ROW(tr, INHERITED, BLOCK | NO_TRUNK | NO_FADE)                                                   \
    ROW(track, INHERITED, VOID)                                                                      \
    ROW(ul, INHERITED, BLOCK | NO_FADE)                                                              \
    ROW(video, INHERITED, UNSEEN)                                                                    \
    ROW(wbr, INHERITED, VOID)                                                                        \
    ROW(xmp, INHERITED, BLOCK | RAW)

/* The number of each name; E_div is the number of <div>. Comments, doctypes and the like are ODDITY. */
#define NUMBER_OF(name, kind, traits) E_##name,
enum { OTHER, ODDITY, ELEMENTS(NUMBER_OF) NAME_COUNT };
#undef NUMBER_OF

typedef struct {
    const char *name;
    octet length, kind;
    uint32_t traits;
} Element;

enum { NAME_OCTETS = 8 }; /* Bytes of a name that are its key. Only three known names are longer. */

extern const Element elements[NAME_COUNT];

void place_names(void);
octet name_of_key(uint64_t key);

static inline bool has_trait(octet name, uint32_t trait) { return elements[name].traits & trait; }

#endif
