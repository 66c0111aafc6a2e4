/* The blocks of a page, or of a part of one: as dedup.page.reading cuts them. */

#include "builder.h"

/* What is open while a page is read: see _Reader in dedup.page.reading. */
typedef struct {
    Builder *builder;
    Octets text, lines;
    int64_t parts, skip_to, element, link_element, link_chars, link_start;
} Reader;

static bool count_link(Reader *reader)
{
    size_t start = reader->link_start;
    int64_t characters =
        count_text(reader->builder, reader->text.at + start, reader->text.length - start);
    reader->link_chars += characters;
    return characters >= 0;
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

/* Add the lines since the last boundary; of the length of links each has its share. */
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
        if (!add_block(reader->builder, reader->element, lines[i], in_links))
            return false;
    }
    return true;
}

/* Close the run of text before a boundary; its line breaks part it further. */
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
        if (!read_text(reader->builder, text->at + at, end - at, &line) ||
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

static bool is_blank(const octet *at, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!is_space(at[i]))
            return false;
    return true;
}

/* What stands behind a tag; nothing begins with white space. */
static bool read_behind(Reader *reader, int64_t tag)
{
    const Page *page = &reader->builder->page;
    const octet *from = page->html + page->stops[tag];
    size_t length = page->starts[tag + 1] - page->stops[tag];
    if (!reader->parts && is_blank(from, length))
        return true;
    reader->parts++;
    return append(&reader->text, from, length);
}

/* The tag that ends what a hidden tag begins, if that is hidden; 0 if it is not, -1 for an error. */
static int64_t end_of_hidden(Reader *reader, int64_t tag, int64_t stop)
{
    Builder *builder = reader->builder;
    int hidden = builder->page.ends[tag] ? 0 : is_hidden(builder, tag);
    if (hidden <= 0)
        return hidden;
    PyObject *end = PyObject_CallMethod(builder->elements, "end_of_inline", "LL", (long long)tag,
                                        (long long)stop);
    int64_t place = end ? PyLong_AsLongLong(end) : -1;
    Py_XDECREF(end);
    return place > tag ? place : place < 0 ? -1 : 0;
}

/* Read some tags that make no structure, and what stands behind each. */
static bool read_tags(Reader *reader, int64_t tag, int64_t stop)
{
    static const octet line_break = LINE_BREAK;
    const Page *page = &reader->builder->page;
    const Meaning *meaning = &reader->builder->meaning;
    for (; tag < stop; tag++) {
        if (tag < reader->skip_to)
            continue;
        octet name = page->names[tag];
        if (name == meaning->br || name == meaning->hr) {
            reader->parts++;
            if (!append(&reader->text, &line_break, 1))
                return false;
        } else if (name == meaning->link && page->ends[tag]) {
            if (!end_link(reader))
                return false;
        } else {
            int64_t end = end_of_hidden(reader, tag, stop);
            if (end) {
                if (end < 0)
                    return false;
                reader->skip_to = end;
                continue;
            }
            int link = name == meaning->link && !page->empty[tag] ? is_link(reader->builder, tag) : 0;
            if (link < 0 || (link && !end_link(reader)))
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

/* Read what stands behind some places, each up to the next. */
static bool read_places(Reader *reader, int64_t place, int64_t last)
{
    const Page *page = &reader->builder->page;
    int64_t unseen = INT64_MAX; /* the outermost element that shows nothing, while places are in it */
    for (; place < last; place++) {
        int64_t element = page->inner[place];
        int64_t tag = page->places[place], stop = page->places[place + 1];
        int64_t around = element == place ? page->outer[place] : element;
        if (around >= unseen || stop <= reader->skip_to)
            continue;
        if (element >= 0 && page->invisible[element]) {
            unseen = element;
            continue;
        }
        unseen = INT64_MAX;
        bool moved = element != reader->element;
        if (reader->parts && (moved || !(page->invisible[place] || reader->skip_to > tag)))
            if (!cut(reader))
                return false;
        if (moved) {
            reader->element = element;
            if (around < reader->link_element && !end_link(reader))
                return false;
        }
        if (tag >= reader->skip_to && !read_behind(reader, tag))
            return false;
        int64_t from = tag + 1 > reader->skip_to ? tag + 1 : reader->skip_to;
        if (!read_tags(reader, from, stop))
            return false;
    }
    return cut(reader);
}

/* Read a page, or what is between some places of it; the root is set. */
bool read_part(Builder *builder, int64_t first, int64_t last, bool whole)
{
    Reader reader = {.builder = builder, .element = NOWHERE, .link_element = NOWHERE, .link_start = -1};
    bool done = true;
    if (whole) { /* what stands before the first tag */
        reader.parts = 1;
        done = append(&reader.text, builder->page.html, builder->page.starts[0]) &&
               read_tags(&reader, 0, builder->page.places[0]);
    }
    done = done && read_places(&reader, first, last);
    PyMem_Free(reader.text.at), PyMem_Free(reader.lines.at);
    return done;
}

PyObject *read_blocks(PyObject *module, PyObject *arguments)
{
    Builder builder = {0};
    PyObject *elements, *page, *meaning, *block_type;
    long long part;
    if (!PyArg_ParseTuple(arguments, "OOOOL:read_blocks", &elements, &page, &meaning, &block_type, &part))
        return NULL;
    bool whole = part == NOWHERE, done = begin_builder(&builder, elements, page, meaning);
    done = done && set_root(&builder, whole ? root_of(&builder) : part) &&
           read_part(&builder, whole ? 0 : part, whole ? builder.page.count : end_of(&builder, part), whole);
    PyObject *blocks = done ? as_page(&builder, block_type) : NULL;
    end_builder(&builder);
    return blocks;
}
