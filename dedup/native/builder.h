/* Nodes and blocks of a page in the making, as Builder in dedup.page.reading makes them. */

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
    Py_buffer kinds;    /* of the text in each, an index into the others, or INHERITED */
    Py_buffer levels;   /* of each kind, as a heading */
    PyObject *of_kinds; /* the Kind of each; borrowed */
    PyObject *read_text; /* text of what is written, with references of characters; borrowed */
    int link, br, hr, html, body, h1;
} Meaning;

typedef struct {
    int64_t element;
    int32_t parent;
    octet name, kind;
} Node;

/* Text with its white space folded: where among all texts, octets, characters. */
typedef struct {
    size_t at, length;
    int64_t characters;
} Text;

typedef struct {
    Text text;
    int64_t link_chars;
    int32_t node;
} Block;

typedef struct {
    Page page;
    Meaning meaning;
    PyObject *elements; /* borrowed */
    Node *nodes;
    Block *blocks;
    size_t node_count, node_room, block_count, block_room;
    int32_t *node_of; /* of each element, from NOWHERE on */
    Octets texts, chain, folded;
} Builder;

bool begin_builder(Builder *builder, PyObject *elements, PyObject *page, PyObject *meaning);
bool set_root(Builder *builder, int64_t root);
void end_builder(Builder *builder);

bool add_block(Builder *builder, int64_t element, Text text, int64_t link_chars);
bool read_text(Builder *builder, const octet *from, size_t length, Text *text);
int64_t count_text(Builder *builder, const octet *from, size_t length);
PyObject *as_string(const Builder *builder, Text text);
PyObject *as_page(const Builder *builder, PyObject *block_type);

int is_hidden(Builder *builder, int64_t tag);
int is_link(Builder *builder, int64_t tag);
int64_t root_of(const Builder *builder);
int64_t end_of(const Builder *builder, int64_t element);

bool read_part(Builder *builder, int64_t first, int64_t last, bool whole);
bool read_outline(Builder *builder, PyObject *read_heading, const octet *unread, int64_t least_octets,
                  int64_t least);

static inline octet level_of(const Builder *builder, const Block *block)
{
    return ((const octet *)builder->meaning.levels.buf)[builder->nodes[block->node].kind];
}

#endif
