/* A page, its tags, and its elements. */

#ifndef DEDUP_PAGE_H
#define DEDUP_PAGE_H

#include "vocabulary.h"

enum { NOWHERE = -1 };      /* In place of an element. */
enum { SHORTEST_TAG = 10 }; /* Minimum bytes of a tag with a useful attribute. */

/* Objects of Python, as borrowed references: see dedup.page.compiled.

   kinds: the tuple of kinds, in the order of KINDS; paragraph: the class of paragraphs.
   show: decodes HTML text; choose: finds the page's own article. */
typedef struct {
    PyObject *kinds, *paragraph, *show, *choose;
} Asked;

/* One tag, in 32 bytes: a page has thousands of tags. */
typedef struct {
    uint64_t key;                     /* The first bytes of its name, in lower case. */
    int32_t start, stop, beside_name; /* Its start and end; its bytes besides key and brackets. */
    octet name;
    bool ends, empty; /* Whether it is an end tag; whether it is an empty element. */
    /* Only for tags.c, until all tags are found. */
    bool odd, closed, nested, twice, doubtful, holding, hidden;
} Tag;

/* Places are the tags that make the structure (PLACED). An element is the place of its tag. */
typedef struct {
    const Asked *asked;
    const octet *html;
    size_t length, end;       /* The bytes of the HTML; the bytes before an incomplete last tag. */
    Tag *tags;                /* One more tag at the end, empty, at ``end``. */
    int32_t tag_count, count; /* The number of tags; the number of places. */
    int32_t *places;          /* The tag of each place; then the number of all tags. */
    int32_t *inner;           /* The innermost open element behind each place, or NOWHERE. */
    int32_t *outer;           /* The parent of the element that begins at each place, or NOWHERE. */
    bool shows_all;           /* Whether scripts will bring into sight what is out of it. */
} Page;

/* Whether the attributes of an element hide it: not, by a style that takes it out of the page, or for good. */
typedef enum { IN_SIGHT, OUT_OF_SIGHT, NOT_SHOWN } Sight;

/* The value of an attribute, with its quotes. */
typedef struct {
    const octet *at;
    size_t length;
    bool found;
} Value;

void read_attributes(const octet *at, size_t from, size_t end, const char *const *names, int wanted,
                     Value *values);
void strip(Value *value);
bool begins_with(const octet *at, const octet *end, const char *word);
bool says_none(const octet *at, const octet *end);
Sight sight_of(const octet *at, size_t from, size_t end);

size_t end_of_script(const octet *html, size_t at, size_t end);
bool find_tags(Page *page);
bool nest(Page *page);
void end_page(Page *page);

int32_t root_of(const Page *page);
int32_t smallest_around(const Page *page, int32_t one, int32_t other);
int32_t end_of(const Page *page, int32_t element);
int32_t end_of_inline(const Page *page, int32_t tag, int32_t within);
bool is_hidden(const Page *page, int32_t tag);
bool is_out_of_sight(const Page *page, int32_t tag);
bool is_staged(const Page *page);
bool is_link(const Page *page, int32_t tag);
bool leads_within(const Page *page, int32_t tag);

static inline bool ends_name(octet c)
{
    return c == '>' || c == ' ' || c == '/' || c == '\t' || c == '\r' || c == '\n' || c == '\f';
}

static inline bool is_heading(octet name) { return name >= E_h1 && name <= E_h6; }

/* The text behind a tag, as in the HTML. */
static inline const octet *text_behind(const Page *page, int32_t tag, size_t *length)
{
    const Tag *at = &page->tags[tag];
    *length = at[1].start - at->stop;
    return page->html + at->stop;
}

/* The name of an element; OTHER for NOWHERE. */
static inline octet name_of(const Page *page, int32_t element)
{
    return element < 0 ? 0 : page->tags[page->places[element]].name;
}

#endif
