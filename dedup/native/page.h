/* A page, its tags, and the elements they make. */

#ifndef DEDUP_PAGE_H
#define DEDUP_PAGE_H

#include "vocabulary.h"

enum { NOWHERE = -1 }; /* in place of an element */
enum { SHORTEST_TAG = 10 }; /* octets of a tag with a telling attribute */

/* What is asked of Python, and what it is given: see dedup.page.compiled. Borrowed. */
typedef struct {
    PyObject *kinds, *paragraph, *show, *say, *choose;
} Asked;

/* Kept small: there are thousands on a page. */
typedef struct {
    uint64_t key; /* the first octets of its name */
    int32_t start, stop, beside_name;
    octet name;
    bool ends : 1, empty : 1;
    bool odd : 1, closed : 1, nested : 1, twice : 1, doubtful : 1, holding : 1, hidden : 1; /* while sought */
} Tag;

/* An element is the place of its tag among the tags that make the structure. */
typedef struct {
    const Asked *asked;
    const octet *html;
    size_t length, end; /* of what was given, and as far as its tags are whole */
    Tag *tags;          /* and one more, that begins at the end */
    int32_t tag_count, count; /* of tags, of places */
    int32_t *places; /* the tag at each, and the number of all tags */
    int32_t *inner;  /* the innermost element that is open behind each place, or NOWHERE */
    int32_t *outer;  /* the element around the one that begins there, or NOWHERE */
} Page;

/* What an attribute says, with its quotes. */
typedef struct {
    const octet *at;
    size_t length;
    bool found;
} Value;

void read_attributes(const octet *at, size_t from, size_t end, const char *const *names, int wanted,
                     Value *values);
bool begins_with(const octet *at, const octet *end, const char *word);
bool says_none(const octet *at, const octet *end);
bool hides(const octet *at, size_t from, size_t end);

bool find_tags(Page *page);
bool nest(Page *page);
void end_page(Page *page);

int32_t root_of(const Page *page);
int32_t end_of(const Page *page, int32_t element);
int32_t end_of_inline(const Page *page, int32_t tag, int32_t within);
bool is_hidden(const Page *page, int32_t tag);
bool is_link(const Page *page, int32_t tag);

/* The text behind a tag, as it is written. */
static inline const octet *text_behind(const Page *page, int32_t tag, size_t *length)
{
    const Tag *at = &page->tags[tag];
    *length = at[1].start - at->stop;
    return page->html + at->stop;
}

/* The tag of a place, or the number of all tags. */
static inline octet name_of(const Page *page, int32_t element)
{
    return element < 0 ? 0 : page->tags[page->places[element]].name;
}

#endif
