/* The blocks of a page's outline: as dedup.page.outline has it. */

#include "builder.h"

/* Whether a run of text that an outline looks at, or a heading, may follow a tag; -1 for an error. */
static int begins_run(Builder *builder, const octet *unread, int64_t tag, int64_t least)
{
    const Page *page = &builder->page;
    octet name = page->names[tag];
    if (name == builder->meaning.h1 && !page->ends[tag] && !page->empty[tag])
        return 1;
    if (page->starts[tag + 1] - page->stops[tag] <= least)
        return 0;
    if (page->ends[tag])
        return 1;
    if (name == builder->meaning.link) {
        int link = is_link(builder, tag);
        return link < 0 ? -1 : !link;
    }
    return !unread[name];
}

/* Add a heading; gives the tag that ends it, or -1. */
static int64_t add_heading(Builder *builder, PyObject *read_heading, int64_t place)
{
    int64_t end = builder->page.places[end_of(builder, place)];
    int64_t tag = builder->page.places[place];
    Text text;
    Py_ssize_t link_chars = 0;
    if (end == tag + 1) {
        int64_t from = builder->page.stops[tag];
        if (!read_text(builder, builder->page.html + from, builder->page.starts[tag + 1] - from, &text))
            return -1;
    } else {
        const char *octets;
        Py_ssize_t length;
        PyObject *heading = PyObject_CallFunction(read_heading, "L", (long long)place);
        bool done = heading && PyArg_ParseTuple(heading, "y#nn", &octets, &length, &text.characters,
                                                &link_chars);
        text.at = builder->texts.length;
        text.length = done ? length : 0;
        done = done && append(&builder->texts, (const octet *)octets, length);
        Py_XDECREF(heading);
        if (!done)
            return -1;
    }
    return !text.characters || add_block(builder, place, text, link_chars) ? end : -1;
}

static bool add_run(Builder *builder, int64_t tag, int64_t place, int64_t least)
{
    const Page *page = &builder->page;
    int64_t from = page->stops[tag];
    Text text;
    if (!read_text(builder, page->html + from, page->starts[tag + 1] - from, &text))
        return false;
    int hidden = text.characters < least ? 1 : page->ends[tag] ? 0 : is_hidden(builder, tag);
    if (hidden)
        return hidden > 0;
    return add_block(builder, place < 0 ? NOWHERE : page->inner[place], text, 0);
}

/* Read the outline of a page; the root is set. */
bool read_outline(Builder *builder, PyObject *read_heading, const octet *unread, int64_t least_octets,
                  int64_t least)
{
    const Page *page = &builder->page;
    int64_t place = NOWHERE, read_to = 0;
    for (int64_t tag = 0; tag < page->tags; tag++) {
        if (place + 1 < page->count && page->places[place + 1] == tag)
            place++;
        if (tag < read_to)
            continue;
        int runs = begins_run(builder, unread, tag, least_octets);
        if (runs < 0)
            return false;
        if (!runs)
            continue;
        if (page->names[tag] == builder->meaning.h1) {
            if ((read_to = add_heading(builder, read_heading, place)) < 0)
                return false;
        } else if (!add_run(builder, tag, place, least)) {
            return false;
        }
    }
    return true;
}

PyObject *outline_blocks(PyObject *module, PyObject *arguments)
{
    Builder builder = {0};
    PyObject *elements, *page, *meaning, *block_type, *read_heading;
    Py_buffer unread; /* of each name, whether what stands behind its tags is left out */
    long long least_octets, least;
    if (!PyArg_ParseTuple(arguments, "OOOOOy*LL:outline_blocks", &elements, &page, &meaning, &block_type,
                          &read_heading, &unread, &least_octets, &least))
        return NULL;
    bool done = begin_builder(&builder, elements, page, meaning) &&
                set_root(&builder, root_of(&builder)) &&
                read_outline(&builder, read_heading, unread.buf, least_octets, least);
    PyObject *blocks = done ? as_page(&builder, block_type) : NULL;
    PyBuffer_Release(&unread);
    end_builder(&builder);
    return blocks;
}
