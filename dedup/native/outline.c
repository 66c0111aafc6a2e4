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
    long long end;
    Py_ssize_t link_chars;
    PyObject *text;
    PyObject *heading = PyObject_CallFunction(read_heading, "L", (long long)place);
    bool done = heading && PyArg_ParseTuple(heading, "LUn", &end, &text, &link_chars) &&
                (!PyUnicode_GetLength(text) || add_block(builder, place, text, link_chars));
    Py_XDECREF(heading);
    return done ? end : -1;
}

static bool add_run(Builder *builder, int64_t tag, int64_t place, int64_t least)
{
    const Page *page = &builder->page;
    int64_t from = page->stops[tag];
    PyObject *text = read_text(builder, page->html + from, page->starts[tag + 1] - from);
    int hidden = 0;
    bool done = text != NULL;
    if (done && PyUnicode_GetLength(text) >= least) {
        hidden = page->ends[tag] ? 0 : is_hidden(builder, tag);
        done = hidden > 0 ||
               (!hidden && add_block(builder, place < 0 ? NOWHERE : page->inner[place], text, 0));
    }
    Py_XDECREF(text);
    return done;
}

PyObject *outline_blocks(PyObject *module, PyObject *arguments)
{
    Builder builder = {0};
    PyObject *page, *meaning, *read_heading;
    Py_buffer unread; /* of each name, whether what stands behind its tags is left out */
    long long root, least_octets, least;
    if (!PyArg_ParseTuple(arguments, "OOOLOy*LL:outline_blocks", &builder.elements, &page, &meaning,
                          &root, &read_heading, &unread, &least_octets, &least))
        return NULL;
    bool done = begin_builder(&builder, page, meaning, root);
    int64_t place = NOWHERE, read_to = 0;
    for (int64_t tag = 0; done && tag < builder.page.tags; tag++) {
        if (place + 1 < builder.page.count && builder.page.places[place + 1] == tag)
            place++;
        if (tag < read_to)
            continue;
        int runs = begins_run(&builder, unread.buf, tag, least_octets);
        done = runs >= 0;
        if (runs <= 0)
            continue;
        if (builder.page.names[tag] == builder.meaning.h1)
            done = (read_to = add_heading(&builder, read_heading, place)) >= 0;
        else
            done = add_run(&builder, tag, place, least);
    }
    PyBuffer_Release(&unread);
    return built(&builder, done);
}
