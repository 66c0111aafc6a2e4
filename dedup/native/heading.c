/* The heading of a main text, and the link of the heading right above it.

   The heading of the text is added to the first <h1>, or stands for it (main_text.c, dedup.page.compiled).

   On the page of an article the heading right above the text is plain, or it links to the page itself. On a
   list page that shows articles in full, it links to the page of the first one. dedup.index.lists compares the
   URLs. */

#include "trunk.h"

enum {
    MOST_ABOVE = 8,    /* Headings that are read above a text. */
    MOST_BEFORE = 64,  /* Headings that are tested before a text. */
    LONGEST_HEAD = 200 /* Maximum characters of a heading that stands for an <h1>. */
};

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

/* Whether an element contains a heading: its text may stand below that one. */
static bool has_heading(const Page *page, int32_t element)
{
    for (int32_t place = element + 1, end = end_of(page, element); place < end; place++)
        if (begins_heading(page, place))
            return true;
    return false;
}

/* The last heading before a place; NOWHERE if there is none. */
static int32_t find_heading(const Page *page, int32_t place)
{
    do
        place--;
    while (place >= 0 && !begins_heading(page, place));
    return place < 0 ? NOWHERE : place;
}

/* Whether the smallest element around a heading and a text has no heading before that one: the name of an
   author below the heading of an article is no heading of the text. */
static bool is_first(const Page *page, int32_t heading, int32_t element)
{
    for (int32_t place = smallest_around(page, heading, element) + 1; place < heading; place++)
        if (begins_heading(page, place))
            return false;
    return true;
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

/* The last element of a main text that has blocks. */
static int32_t find_last(const Blocks *blocks, const Nodes *main)
{
    int32_t last = NOWHERE;
    for (size_t i = 0; i < main->count; i++)
        if (element_of(blocks, main->at[i]) > last)
            last = element_of(blocks, main->at[i]);
    return last;
}

/* Whether there is another heading of the same level with a link, up to the last element of a main text. */
static bool has_next(const Page *page, int32_t heading, int32_t last)
{
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

/* What a heading tells of its page. */
typedef struct {
    bool titled; /* It is part of the title. */
    int32_t tag; /* The tag of the link that it is; NOWHERE if it has other text, or other links. */
} Told;

static bool read_heading(const Page *page, int32_t place, Title title, Told *told)
{
    Blocks heading = {0};
    bool done = read_element(&heading, page, place);
    *told = (Told){.tag = NOWHERE};
    if (done && heading.block_count == 1) {
        Text text = heading.blocks[0].text;
        int32_t tag = find_link(page, place, page->places[place]);
        told->titled = memmem(title.at, title.length, heading.texts.at + text.at, text.length);
        if (tag >= 0 && find_link(page, place, tag + 1) < 0 &&
            heading.blocks[0].link_chars == text.characters)
            told->tag = tag;
    }
    end_blocks(&heading);
    return done;
}

/* Read the link of the heading above a main text. Its target is empty if the heading has text outside
   links, or is part of the title: then the page is the page of the article. Below the heading of the first of
   several articles, there may be other headings, of its parts or with its author. */
bool read_heading_link(Blocks *blocks, const Nodes *main, Title title, HeadingLink *link)
{
    const Page *page = blocks->page;
    int32_t first = find_first(blocks, main), last = find_last(blocks, main);
    if (first < 0 || has_heading(page, first))
        return true;
    int32_t place = find_heading(page, first), around = smallest_around(page, first, last);
    for (int i = 0; i < MOST_ABOVE && place >= 0 && (!i || place > around); i++) {
        Told told;
        if (!read_heading(page, place, title, &told))
            return false;
        if (told.titled)
            break;
        if (told.tag >= 0 && is_first(page, place, first)) {
            bool several = has_next(page, place, last);
            if (several || !i) {
                link->several = several;
                return read_target(page, told.tag, &blocks->texts, &link->target);
            }
        }
        place = find_heading(page, place);
    }
    return true;
}

/* Whether an element is in a part beside the text, up to an element around both. */
static bool is_beside(const Page *page, int32_t element, int32_t around)
{
    for (; element > around; element = page->outer[element]) {
        octet name = name_of(page, element);
        if (name == E_nav || name == E_aside || name == E_footer)
            return true;
    }
    return false;
}

/* The heading of a main text: the highest one of the smallest part, smaller than the body, that has one of a
   higher level before the text; else the one the text begins with, or NOWHERE. */
static int32_t find_head(const Page *page, int32_t first, int32_t last)
{
    int32_t found = begins_heading(page, first) ? first : NOWHERE;
    octet level = found < 0 ? DEEPEST_HEADING + 1 : elements[name_of(page, first)].kind;
    int32_t end = first, left = MOST_BEFORE;
    int32_t around = smallest_around(page, first, last);
    for (; around > 0 && name_of(page, around) != E_body; end = around, around = page->outer[around]) {
        for (int32_t place = around + 1; place < end && left; place++)
            if (begins_heading(page, place) && elements[name_of(page, place)].kind < level && left-- &&
                !is_beside(page, place, around))
                found = place, level = elements[name_of(page, place)].kind;
        if (found >= 0 && found != first)
            break;
    }
    return found;
}

/* Read the heading of a main text; it is empty if there is none, or if it is all link. */
bool read_head(Blocks *blocks, const Nodes *main, Text *head, octet *level)
{
    *head = (Text){0, 0, 0};
    *level = 0;
    int32_t first = main->count ? element_of(blocks, main->at[0]) : NOWHERE;
    if (first < 0) /* No text, or text outside all elements. */
        return true;
    int32_t place = find_head(blocks->page, first, find_last(blocks, main));
    Blocks heading = {0};
    if (place < 0)
        return true;
    bool done = read_element(&heading, blocks->page, place);
    if (done && heading.block_count) {
        Text text = heading.blocks[0].text;
        *level = elements[name_of(blocks->page, place)].kind;
        if (text.characters <= LONGEST_HEAD && heading.blocks[0].link_chars < text.characters) {
            *head = (Text){blocks->texts.length, text.length, text.characters};
            done = append(&blocks->texts, heading.texts.at + text.at, text.length);
        }
    }
    end_blocks(&heading);
    return done;
}
