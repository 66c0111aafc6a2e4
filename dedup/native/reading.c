/* Read the blocks of a page or of one element.

   Pages are read only here, so one place decides about visible text, blocks and white space. A block is
   the text between two tags of block elements, or between line breaks there. An element becomes a node
   when its first block is added. */

#include "blocks.h"

enum { LINE_BREAK = 0xff }; /* In place of <br> and <hr>. This byte never occurs in UTF-8. */

/* The state of a reading.

   text: the text since the last boundary; lines: the lines of it.
   parts: the number of pieces in the text; link_chars: its characters in links.
   link_start: the start of the open link in the text, or -1.
   skip_to: the tag that ends the skipped part.
   element, link_element: the current element, and the element of the open link. */
typedef struct {
    Blocks *blocks;
    Octets text, lines;
    int64_t parts, link_chars, link_start;
    int32_t skip_to, element, link_element;
} Reader;

/* Whether a text is the address of a page and nothing else. A link that shows it is a reference, and no
   navigation. */
static bool is_address(const octet *text, size_t length)
{
    static const char *const beginnings[] = {"http://", "https://", "www."};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (length > strlen(beginnings[i]) && begins_with(text, text + length, beginnings[i]))
            return find(text, ' ', 0, length) == length;
    return false;
}

static bool count_link(Reader *reader)
{
    size_t start = reader->link_start;
    Octets *texts = &reader->blocks->texts;
    Text text;
    bool done = show_text(reader->blocks->page, texts, reader->text.at + start,
                          reader->text.length - start, &text);
    if (!is_address(texts->at + text.at, text.length))
        reader->link_chars += text.characters;
    texts->length = text.at;
    return done;
}

static bool end_link(Reader *reader)
{
    if (reader->link_start < 0)
        return true;
    bool counted = count_link(reader);
    reader->link_start = -1;
    reader->link_element = NOWHERE;
    return counted;
}

/* Add the lines since the last boundary. Each gets a share of the characters in links, by its length. */
static bool add_lines(Reader *reader)
{
    const Text *lines = (const Text *)reader->lines.at;
    size_t count = reader->lines.length / sizeof(Text);
    double total = 0;
    for (size_t i = 0; i < count; i++)
        total += lines[i].characters;
    for (size_t i = 0; i < count; i++) {
        int64_t length = lines[i].characters, in_links = 0;
        if (reader->link_chars) {
            in_links = (int64_t)__builtin_rint((double)reader->link_chars * length / total);
            in_links = in_links < length ? in_links : length;
        }
        if (!add_block(reader->blocks, reader->element, lines[i], in_links))
            return false;
    }
    return true;
}

/* End the run of text at a boundary, and split it at its line breaks. */
static bool cut(Reader *reader)
{
    Octets *text = &reader->text;
    if (reader->link_start >= 0) {
        if (!count_link(reader))
            return false;
        reader->link_start = 0;
    }
    reader->lines.length = 0;
    for (size_t at = 0; at < text->length;) {
        size_t end = find(text->at, LINE_BREAK, at, text->length);
        Text line;
        if (!show_text(reader->blocks->page, &reader->blocks->texts, text->at + at, end - at, &line) ||
            (line.characters && !append(&reader->lines, (const octet *)&line, sizeof line)))
            return false;
        at = end + 1;
    }
    if (!add_lines(reader))
        return false;
    text->length = 0;
    reader->parts = 0;
    reader->link_chars = 0;
    return true;
}

/* Read the text behind a tag. White space before the first text is skipped. */
static bool read_behind(Reader *reader, int32_t tag)
{
    size_t length;
    const octet *from = text_behind(reader->blocks->page, tag, &length);
    if (!reader->parts && is_blank_text(from, length))
        return true;
    reader->parts++;
    return append(&reader->text, from, length);
}

/* The tag that ends the element of a tag, if the element is hidden; else 0. */
static int32_t end_of_hidden(const Page *page, int32_t tag, int32_t stop)
{
    if (page->tags[tag].ends || !is_hidden(page, tag))
        return 0;
    int32_t end = end_of_inline(page, tag, stop);
    return end > tag ? end : 0;
}

/* The tag that ends the element of a tag, if it is the pronunciation of ideographs; else 0. */
static int32_t end_of_ruby(const Page *page, int32_t tag, int32_t stop)
{
    if (page->tags[tag].ends || !has_trait(page->tags[tag].name, READING))
        return 0;
    for (int32_t next = tag + 1; next < stop; next++)
        if (has_trait(page->tags[next].name, RUBY))
            return next;
    return 0;
}

/* The tag that ends a link, if this is only a sign: a link to its own heading, as manuals have; else 0. */
static int32_t end_of_sign(const Reader *reader, int32_t tag, int32_t stop)
{
    static const char *const signs[] = {"¶", "&para;", "&#182;", "🔗", "#", "§"};
    const Page *page = reader->blocks->page;
    const Tag *at = &page->tags[tag];
    if (at->name != E_a || at->ends || tag + 1 >= stop || at[1].name != E_a || !at[1].ends)
        return 0;
    if (reader->element < 0 || !(is_heading(name_of(page, reader->element)) || name_of(page, reader->element) == E_dt))
        return 0;
    size_t length;
    const octet *text = text_behind(page, tag, &length);
    text = trim(text, &length);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (length == strlen(signs[i]) && !memcmp(text, signs[i], length))
            return tag + 1;
    return 0;
}

/* Whether a link in a heading leads to a place in its own page: in manuals to the heading itself. Such a link
   is no navigation. */
static bool is_anchor_of_heading(const Reader *reader, int32_t tag)
{
    const Page *page = reader->blocks->page;
    return is_heading(name_of(page, reader->element)) && leads_within(page, tag);
}

/* Read tags that make no structure, and the text behind each. */
static bool read_tags(Reader *reader, int32_t tag, int32_t stop)
{
    static const octet line_break = LINE_BREAK, space = ' ';
    const Page *page = reader->blocks->page;
    for (; tag < stop; tag++) {
        if (tag < reader->skip_to)
            continue;
        const Tag *at = &page->tags[tag];
        if (at->name == E_br || at->name == E_hr) {
            bool in_listing = at->name == E_br && name_of(page, reader->element) == E_pre;
            reader->parts++;
            if (!append(&reader->text, in_listing ? &space : &line_break, 1))
                return false;
        } else if (at->name == E_a && at->ends) {
            if (!end_link(reader))
                return false;
        } else {
            int32_t end = end_of_ruby(page, tag, stop);
            end = end ? end : end_of_hidden(page, tag, stop);
            end = end ? end : end_of_sign(reader, tag, stop);
            if (end) {
                reader->skip_to = end;
                continue;
            }
            bool link = at->name == E_a && !at->empty && is_link(page, tag) && !is_anchor_of_heading(reader, tag);
            if (link && !end_link(reader))
                return false;
            if (link) {
                reader->link_start = reader->text.length;
                reader->link_element = reader->element;
            }
        }
        if (!read_behind(reader, tag))
            return false;
    }
    return true;
}

/* Read the text behind places, each up to the next place. */
static bool read_places(Reader *reader, int32_t place, int32_t last)
{
    const Page *page = reader->blocks->page;
    int32_t unseen = INT32_MAX; /* The outermost invisible element around the place. */
    for (; place < last; place++) {
        int32_t element = page->inner[place];
        int32_t tag = page->places[place], stop = page->places[place + 1];
        int32_t around = element == place ? page->outer[place] : element;
        if (around >= unseen || stop <= reader->skip_to)
            continue;
        if (element >= 0 && has_trait(name_of(page, element), INVISIBLE)) {
            unseen = element;
            continue;
        }
        unseen = INT32_MAX;
        bool moved = element != reader->element;
        bool shown = !has_trait(name_of(page, place), INVISIBLE);
        if (reader->parts && (moved || (shown && reader->skip_to <= tag)) && !cut(reader))
            return false;
        if (moved) {
            reader->element = element;
            if (around < reader->link_element && !end_link(reader))
                return false;
        }
        if (tag >= reader->skip_to && !read_behind(reader, tag))
            return false;
        if (!read_tags(reader, tag + 1 > reader->skip_to ? tag + 1 : reader->skip_to, stop))
            return false;
    }
    return cut(reader);
}

static bool read_between(Blocks *blocks, int32_t first, int32_t last, bool whole)
{
    const Page *page = blocks->page;
    Reader reader = {.blocks = blocks, .element = NOWHERE, .link_element = NOWHERE, .link_start = -1};
    bool done = grow(&reader.text, 1); /* A link may begin before any text. */
    if (whole) {                       /* The text before the first tag. */
        reader.parts = 1;
        done = done && append(&reader.text, page->html, page->tags[0].start) &&
               read_tags(&reader, 0, page->places[0]);
    }
    done = done && read_places(&reader, first, last);
    PyMem_Free(reader.text.at), PyMem_Free(reader.lines.at);
    return done;
}

bool read_whole(Blocks *blocks, const Page *page)
{
    return begin_reading(blocks, page, root_of(page)) && read_between(blocks, 0, page->count, true);
}

/* Read the text between two places. The part before the last one need not be a whole element. */
bool read_range(Blocks *blocks, const Page *page, int32_t first, int32_t last)
{
    return begin_reading(blocks, page, root_of(page)) && read_between(blocks, first, last, false);
}

bool read_element(Blocks *blocks, const Page *page, int32_t element)
{
    return begin_reading(blocks, page, element) &&
           read_between(blocks, element, end_of(page, element), false);
}
