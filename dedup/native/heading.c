/* The link of the heading above a main text.

   On the page of an article this heading is plain, or it links to the page itself. On a list page that
   shows an article in full, it links to the page of the article. dedup.index.lists compares the URLs. */

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

/* The last heading before an element. NOWHERE if the smallest element around both has another heading
   before it: the name of an author below the heading of an article is no heading of the text. */
static int32_t find_heading(const Page *page, int32_t element)
{
    int32_t heading = element - 1, around = element;
    while (heading >= 0 && !begins_heading(page, heading))
        heading--;
    for (int32_t one = heading; one != around;)
        if (one > around)
            one = page->outer[one];
        else
            around = page->outer[around];
    for (int32_t place = around + 1; place < heading; place++)
        if (begins_heading(page, place))
            return NOWHERE;
    return heading;
}

/* Whether another heading of the same level, up to an element, begins with a link. */
static bool has_next(const Page *page, int32_t heading, int32_t last)
{
    for (int32_t place = heading + 1; place <= last; place++)
        if (begins_heading(page, place) && name_of(page, place) == name_of(page, heading)) {
            const Tag *inner = &page->tags[page->places[place] + 1];
            if (inner->name == E_a && !inner->ends)
                return true;
        }
    return false;
}

/* Append the target of the first link behind a place, as in the HTML. */
static bool read_target(const Page *page, int32_t place, Octets *texts, Text *target)
{
    static const char *const names[] = {"href"};
    int32_t tag = page->places[place];
    while (page->tags[tag].name != E_a || page->tags[tag].ends || !is_link(page, tag))
        tag++;
    Value href = {0};
    read_attributes(page->html, page->tags[tag].start + 1, page->tags[tag].stop, names, 1, &href);
    strip(&href);
    return show_text(page, texts, href.at, href.length, target);
}

/* Read the target of the heading above a main text. It is empty if the heading has text outside links, or
   is part of the title: then the page is the page of the article. It is also empty if the text is several
   articles with such headings. */
bool read_heading_link(Blocks *blocks, const Nodes *main, Title title, Text *target)
{
    const Page *page = blocks->page;
    int32_t first = find_first(blocks, main);
    int32_t place = first < 0 ? NOWHERE : find_heading(page, first);
    if (place < 0 || has_next(page, place, element_of(blocks, main->at[main->count - 1])))
        return true;
    Blocks heading = {0};
    bool done = read_element(&heading, page, place), leads = false;
    if (done && heading.block_count == 1) {
        Text text = heading.blocks[0].text;
        leads = heading.blocks[0].link_chars == text.characters &&
                !memmem(title.at, title.length, heading.texts.at + text.at, text.length);
    }
    end_blocks(&heading);
    return done && (!leads || read_target(page, place, &blocks->texts, target));
}
