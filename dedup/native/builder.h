/* Nodes and blocks of a page in the making, as Page in dedup.page.reading has them. */

#ifndef DEDUP_BUILDER_H
#define DEDUP_BUILDER_H

#include "native.h"

enum { LINE_BREAK = 0xff };
enum { UNKNOWN = -2, HIDDEN = -1, NOWHERE = -1 }; /* in place of a node, and of an element */

/* A page, its tags and its elements: the attributes of dedup.page.elements.Elements. */
typedef struct {
    Py_buffer buffers[10];
    const octet *html, *names, *ends, *empty, *invisible;
    const int64_t *starts, *stops, *places, *inner, *outer;
    int64_t tags, count; /* of tags, of places */
} Page;

/* What the names of tags mean. */
typedef struct {
    Py_buffer kinds; /* of the text in each, an index into the builder's kinds, or INHERITED */
    int link, br, hr, html, body, h1;
} Meaning;

typedef struct {
    Page page;
    Meaning meaning;
    PyObject *elements, *block, *kinds, *read_text; /* borrowed */
    PyObject *node_elements, *parents, *node_kinds, *blocks;
    int32_t *nodes; /* of each element, from NOWHERE on */
    octet *kind_of; /* of each node */
    size_t node_count, node_room;
    Octets chain, folded;
} Builder;

bool begin_builder(Builder *builder, PyObject *page, PyObject *meaning, int64_t root);
PyObject *built(Builder *builder, bool done);
bool add_block(Builder *builder, int64_t element, PyObject *text, Py_ssize_t link_chars);
PyObject *read_text(Builder *builder, const octet *text, size_t length);
Py_ssize_t count_text(Builder *builder, const octet *text, size_t length);
int is_hidden(Builder *builder, int64_t tag);
int is_link(Builder *builder, int64_t tag);

#endif
