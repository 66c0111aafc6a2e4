/* Tests and look-ups for the tags and elements of a page. */

#include "page.h"

enum { INLINE_WITHIN = 300 }; /* Maximum tags up to the end tag of a hidden inline element. */

void end_page(Page *page) { PyMem_Free(page->tags), PyMem_Free(page->places); }

/* The root element of a page, or NOWHERE. */
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

/* The smallest element around two elements, or NOWHERE. */
int32_t smallest_around(const Page *page, int32_t one, int32_t other)
{
    while (one != other)
        if (one > other)
            one = page->outer[one];
        else
            other = page->outer[other];
    return one;
}

/* The end tag of a tag; the tag itself if it has no content; ``within`` if no end tag is near. */
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

/* Whether a tag contains a word. */
static bool holds(const octet *at, const octet *end, const char *word)
{
    for (; at < end; at++)
        if (lower(*at) == (octet)*word && begins_with(at, end, word))
            return true;
    return false;
}

static Sight see(const Page *page, int32_t tag)
{
    const Tag *at = &page->tags[tag];
    bool may_hide = at->stop - at->start >= SHORTEST_TAG && at->name != ODDITY;
    return may_hide ? sight_of(page->html, at->start + 1, at->stop) : IN_SIGHT;
}

/* Whether the attributes of a start tag hide its element. A heading out of sight is one for screen readers. */
bool is_hidden(const Page *page, int32_t tag)
{
    Sight sight = see(page, tag);
    return sight == NOT_SHOWN ||
           (sight == OUT_OF_SIGHT && !page->shows_all && !is_heading(page->tags[tag].name));
}

/* Whether only a style that takes it out of the page hides the element of a start tag. */
bool is_out_of_sight(const Page *page, int32_t tag) { return see(page, tag) == OUT_OF_SIGHT; }

/* Whether an <h1>, a <main> or an <article> stands in an element that is out of sight: a script will fade it in.
   An element that begins before the last of them stands around that, too, and was looked at. */
bool is_staged(const Page *page)
{
    for (int32_t place = 0, last = NOWHERE; place < page->count; place++) {
        octet name = name_of(page, place);
        if (page->tags[page->places[place]].ends || (name != E_h1 && name != E_main && name != E_article))
            continue;
        int32_t element = name == E_h1 ? page->outer[place] : place;
        for (; element > last; element = page->outer[element])
            if (is_out_of_sight(page, page->places[element]))
                return true;
        last = place;
    }
    return false;
}

/* Whether a link leads to a place in its own page. */
bool leads_within(const Page *page, int32_t tag)
{
    static const char *const names[] = {"href"};
    const Tag *at = &page->tags[tag];
    Value target = {0};
    read_attributes(page->html, at->start + 1, at->stop, names, 1, &target);
    strip(&target);
    return target.length > 1 && *target.at == '#';
}

/* Whether an <a> is a link: it has a target, or it has no name and no id (a script makes it a link). */
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
