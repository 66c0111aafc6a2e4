/* The link of the heading above a main text.

   On the page of an article this heading is plain, or it links to the page itself. On a list page that
   shows articles in full, it links to the page of the first one. dedup.index.lists compares the URLs. */

#include "trunk.h"

static int32_t element_of(const Blocks *blocks, int32_t block)
{
    return blocks->nodes[blocks->blocks[block].node].element;
}

/* The element with the first running text of a main text, or NOWHERE. */
static int32_t find_first(const Blocks *blocks, const Nodes *main)
{
    for (size_t i = 0; i < main->count; i++) {
        const Block *block = &blocks->blocks[main->at[i]];
        if (block->text.characters >= LEAST_LETTERS && !level_of(blocks, block))
            return element_of(blocks, main->at[i]);
    }
    return NOWHERE;
}

static bool begins_heading(const Page *page, int32_t place)
{
    const Tag *tag = &page->tags[page->places[place]];
    octet kind = elements[tag->name].kind;
    return kind >= 1 && kind <= DEEPEST_HEADING && !tag->ends && !tag->empty;
}

/* The last heading before an element. NOWHERE if the element contains a heading: its text may stand below
   that one. NOWHERE also if the smallest element around both has another heading before it: the name of an
   author below the heading of an article is no heading of the text. */
static int32_t find_heading(const Page *page, int32_t element)
{
    for (int32_t place = element + 1, end = end_of(page, element); place < end; place++)
        if (begins_heading(page, place))
            return NOWHERE;
    int32_t heading = element - 1;
    while (heading >= 0 && !begins_heading(page, heading))
        heading--;
    int32_t around = smallest_around(page, heading, element);
    for (int32_t place = around + 1; place < heading; place++)
        if (begins_heading(page, place))
            return NOWHERE;
    return heading;
}

static bool begins_link(const Page *page, int32_t tag)
{
    return page->tags[tag].name == E_a && !page->tags[tag].ends && is_link(page, tag);
}

/* The first link in a heading, from a tag on; NOWHERE if there is none. */
static int32_t find_link(const Page *page, int32_t heading, int32_t tag)
{
    octet level = name_of(page, heading);
    for (; tag < page->places[heading + 1]; tag++) {
        if (begins_link(page, tag))
            return tag;
        if (page->tags[tag].ends && page->tags[tag].name == level)
            break;
    }
    return NOWHERE;
}

/* Whether the main text has another heading of the same level with a link. */
static bool has_next(const Blocks *blocks, const Nodes *main, int32_t heading)
{
    const Page *page = blocks->page;
    int32_t last = heading;
    for (size_t i = 0; i < main->count; i++)
        if (element_of(blocks, main->at[i]) > last)
            last = element_of(blocks, main->at[i]);
    for (int32_t place = heading + 1; place <= last; place++)
        if (begins_heading(page, place) && name_of(page, place) == name_of(page, heading) &&
            find_link(page, place, page->places[place]) >= 0)
            return true;
    return false;
}

/* Append the target of a link, with white space folded. */
static bool read_target(const Page *page, int32_t tag, Octets *texts, Text *target)
{
    static const char *const names[] = {"href"};
    Value href = {0};
    read_attributes(page->html, page->tags[tag].start + 1, page->tags[tag].stop, names, 1, &href);
    strip(&href);
    return show_text(page, texts, href.at, href.length, target);
}

/* Read the link of the heading above a main text. Its target is empty if the heading has text outside
   links, or is part of the title: then the page is the page of the article. */
bool read_heading_link(Blocks *blocks, const Nodes *main, Title title, HeadingLink *link)
{
    const Page *page = blocks->page;
    int32_t first = find_first(blocks, main);
    int32_t place = first < 0 ? NOWHERE : find_heading(page, first);
    int32_t tag = place < 0 ? NOWHERE : find_link(page, place, page->places[place]);
    if (tag < 0 || find_link(page, place, tag + 1) >= 0)
        return true;
    Blocks heading = {0};
    bool done = read_element(&heading, page, place), leads = false;
    if (done && heading.block_count == 1) {
        Text text = heading.blocks[0].text;
        leads = heading.blocks[0].link_chars == text.characters &&
                !memmem(title.at, title.length, heading.texts.at + text.at, text.length);
    }
    end_blocks(&heading);
    if (!done || !leads)
        return done;
    link->several = has_next(blocks, main, place);
    return read_target(page, tag, &blocks->texts, &link->target);
}
