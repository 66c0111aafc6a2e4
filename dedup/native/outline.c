/* The outline of a page: its longer runs of text outside links, and its <h1>s.

   On most pages the outline shows the place of the main text. Then only that part is read. */

#include "blocks.h"

static bool begins_heading(const Page *page, int32_t tag)
{
    const Tag *at = &page->tags[tag];
    return at->name == E_h1 && !at->ends && !at->empty;
}

/* Whether a tag may begin a run of text for the outline, or a heading. */
static bool begins_run(const Page *page, int32_t tag)
{
    const Tag *at = &page->tags[tag];
    if (begins_heading(page, tag))
        return true;
    if (at[1].start - at->stop <= LEAST_OCTETS)
        return false;
    if (at->ends)
        return true;
    if (at->name == E_a)
        return !is_link(page, tag);
    return !has_trait(at->name, UNREAD);
}

/* Join the text of a heading with tags in it: all its blocks, with spaces between. */
static bool join_heading(Blocks *heading, Octets *texts, Text *text, int64_t *link_chars)
{
    *text = (Text){texts->length, 0, 0};
    for (size_t i = 0; i < heading->block_count; i++) {
        const Block *block = &heading->blocks[i];
        if ((i && !append(texts, (const octet *)" ", 1)) ||
            !append(texts, heading->texts.at + block->text.at, block->text.length))
            return false;
        text->characters += block->text.characters + (i > 0);
        *link_chars += block->link_chars;
    }
    text->length = texts->length - text->at;
    return true;
}

/* Add a heading; return the tag that ends it, or -1 for an error. */
static int32_t add_heading(Blocks *blocks, Blocks *heading, int32_t place)
{
    const Page *page = blocks->page;
    int32_t tag = page->places[place], end = page->places[end_of(page, place)];
    int64_t link_chars = 0;
    Text text;
    bool done;
    if (end == tag + 1) {
        size_t length;
        const octet *from = text_behind(page, tag, &length);
        done = show_text(page, &blocks->texts, from, length, &text);
    } else {
        done = read_element(heading, page, place) &&
               join_heading(heading, &blocks->texts, &text, &link_chars);
    }
    done = done && (!text.characters || add_block(blocks, place, text, link_chars));
    return done ? end : -1;
}

static bool add_run(Blocks *blocks, int32_t tag, int32_t place)
{
    const Page *page = blocks->page;
    size_t length;
    const octet *from = text_behind(page, tag, &length);
    Text text;
    if (!show_text(page, &blocks->texts, from, length, &text))
        return false;
    if (text.characters < LEAST_LETTERS)
        return true;
    if (!page->tags[tag].ends && is_hidden(page, tag))
        return true;
    return add_block(blocks, place < 0 ? NOWHERE : page->inner[place], text, 0);
}

bool read_outline(Blocks *blocks, const Page *page)
{
    Blocks heading = {0};
    int32_t place = NOWHERE, read_to = 0;
    bool done = begin_reading(blocks, page, root_of(page));
    for (int32_t tag = 0; done && tag < page->tag_count; tag++) {
        if (place + 1 < page->count && page->places[place + 1] == tag)
            place++;
        if (tag < read_to || !begins_run(page, tag))
            continue;
        if (begins_heading(page, tag))
            done = (read_to = add_heading(blocks, &heading, place)) >= 0;
        else
            done = add_run(blocks, tag, place);
    }
    end_blocks(&heading);
    return done;
}
