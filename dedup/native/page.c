/* What the tags and elements of a page are. */

#include "page.h"

enum { INLINE_WITHIN = 300 }; /* tags that a hidden inline element ends within */

void end_page(Page *page) { PyMem_Free(page->tags), PyMem_Free(page->places); }

/* The element that a page hangs in. */
int32_t root_of(const Page *page)
{
    return page->count && name_of(page, 0) == E_html ? 0 : NOWHERE;
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
    if (has_trait(at->name, VOID) || at->empty)
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

/* Whether the attributes of a tag that is no end tag hide what it begins. */
bool is_hidden(const Page *page, int32_t tag)
{
    const Tag *at = &page->tags[tag];
    return at->stop - at->start >= SHORTEST_TAG && at->name != ODDITY &&
           may_hide(page->html + at->start + 1, page->html + at->stop - 1) &&
           hides(page->html, at->start + 1, at->stop);
}

/* Whether an <a> leads to a place, or what a script makes of it: it has a target, or names no place. */
bool is_link(const Page *page, int32_t tag)
{
    static const char *const names[] = {"name", "id"};
    const Tag *at = &page->tags[tag];
    const octet *from = page->html + at->start, *end = page->html + at->stop;
    if (holds(from, end, "href") || !(holds(from, end, "name") || holds(from, end, "id")))
        return true;
    Value values[2] = {{0}};
    read_attributes(page->html, at->start + 1, at->stop, names, 2, values);
    return !values[0].found && !values[1].found;
}
