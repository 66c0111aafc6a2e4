/* What the tags and elements of a page are; what attributes say is asked of Python where it may matter. */

#include "page.h"

enum { INLINE_WITHIN = 300 }; /* tags that a hidden inline element ends within */

void end_page(Page *page) { PyMem_Free(page->tags), PyMem_Free(page->places); }

/* The element that a page hangs in. */
int32_t root_of(const Page *page)
{
    return page->count && name_of(page, 0) == page->rules->names.html ? 0 : NOWHERE;
}

/* The place at which an element ends. */
int32_t end_of(const Page *page, int32_t element)
{
    int32_t place = element + 1;
    while (place < page->count && page->inner[place] >= element &&
           (page->inner[place] != place || page->outer[place] >= element))
        place++;
    return place;
}

/* The end tag of a tag, itself if it is void, or ``within`` where none is near. */
int32_t end_of_inline(const Page *page, int32_t tag, int32_t within)
{
    const Tag *at = page->tags + tag;
    int32_t left = page->tag_count - tag, depth = 0;
    for (size_t i = 0; i < page->rules->void_count; i++)
        if (at->key == page->rules->voids[i])
            return tag;
    if (at->empty)
        return tag;
    for (int32_t i = 0; i < left && i < INLINE_WITHIN; i++) {
        if (at[i].key != at->key)
            continue;
        depth += at[i].ends ? -1 : 1;
        if (!depth)
            return tag + i;
    }
    return within;
}

/* What Python says of a tag as it is written: 1 or 0, -1 for an error. */
static int ask(const Page *page, PyObject *function, int32_t tag)
{
    const Tag *at = &page->tags[tag];
    PyObject *said = PyObject_CallFunction(function, "y#", (const char *)page->html + at->start,
                                           (Py_ssize_t)(at->stop - at->start));
    int is_true = said ? PyObject_IsTrue(said) : -1;
    Py_XDECREF(said);
    return is_true;
}

/* Whether an octet stands between attributes, or ends a value. */
static bool is_around(octet c)
{
    return is_space(c) || c == '/' || c == '>' || c == '=' || c == '"' || c == '\'' || c == '<';
}

/* Whether a tag says a word somewhere. */
static bool holds(const octet *at, const octet *end, const char *word)
{
    for (; at < end; at++)
        if (lower(*at) == (octet)*word && begins_with(at, end, word))
            return true;
    return false;
}

/* Whether a tag may have an attribute that hides what it begins. */
static bool may_hide(const octet *at, const octet *end)
{
    for (; at < end; at++) {
        octet c = lower(*at);
        if (c == 'h' && begins_with(at, end, "hidden") && is_around(at[-1]) && is_around(at[6]))
            return true;
        if (c == 'd' && says_none(at, end))
            return true;
    }
    return false;
}

int is_hidden(const Page *page, int32_t tag)
{
    const Tag *at = &page->tags[tag];
    if (at->stop - at->start < SHORTEST_TAG || at->name == ODDITY ||
        !may_hide(page->html + at->start + 1, page->html + at->stop - 1))
        return 0;
    if (at->stop - at->start > LONGEST_TAG)
        return ask(page, page->rules->hides, tag);
    return hides(page->html, at->start + 1, at->stop);
}

/* Whether an <a> leads somewhere: it has a target, or no name. */
int is_link(const Page *page, int32_t tag)
{
    const octet *at = page->html + page->tags[tag].start, *end = page->html + page->tags[tag].stop;
    if (holds(at, end, "href") || !(holds(at, end, "name") || holds(at, end, "id")))
        return 1;
    return ask(page, page->rules->leads, tag);
}
