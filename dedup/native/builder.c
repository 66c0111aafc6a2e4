/* What is rare (attributes that hide, references of characters) is asked of Python. */

#include "builder.h"

enum { INHERITED = 0xff, SHORTEST = 10 }; /* octets of a tag with an attribute that hides */

/* Text as it is shown, of what is written in a page; it stands behind all others. */
bool read_text(Builder *builder, const octet *from, size_t length, Text *text)
{
    Octets *texts = &builder->texts;
    text->at = texts->length;
    if (find(from, '&', 0, length) == length) {
        text->characters = fold(texts, from, length);
        text->length = texts->length - text->at;
        return text->characters >= 0;
    }
    PyObject *shown = PyObject_CallFunction(builder->meaning.read_text, "y#", (const char *)from,
                                            (Py_ssize_t)length);
    PyObject *encoded = shown ? PyUnicode_AsEncodedString(shown, "utf-8", "surrogatepass") : NULL;
    bool done = encoded && append(texts, (const octet *)PyBytes_AsString(encoded), PyBytes_Size(encoded));
    text->characters = done ? PyUnicode_GetLength(shown) : -1;
    text->length = texts->length - text->at;
    Py_XDECREF(shown), Py_XDECREF(encoded);
    return done;
}

/* How many characters of what is written are shown; -1 for an error. */
int64_t count_text(Builder *builder, const octet *from, size_t length)
{
    Text text;
    bool done = read_text(builder, from, length, &text);
    builder->texts.length = text.at;
    return done ? text.characters : -1;
}

PyObject *as_string(const Builder *builder, Text text)
{
    return PyUnicode_DecodeUTF8((const char *)builder->texts.at + text.at, text.length, "surrogatepass");
}

/* What Elements says of a tag: 1 or 0, -1 for an error. */
static int ask(Builder *builder, const char *method, int64_t tag)
{
    PyObject *said = PyObject_CallMethod(builder->elements, method, "L", (long long)tag);
    int is_true = said ? PyObject_IsTrue(said) : -1;
    Py_XDECREF(said);
    return is_true;
}

/* Whether an octet stands between attributes, or ends a value. */
static bool is_around(octet c)
{
    return is_space(c) || c == '/' || c == '>' || c == '=' || c == '"' || c == '\'';
}

static bool says(const octet *at, const octet *end, const char *word)
{
    for (; *word; at++, word++)
        if (at == end || lower(*at) != (octet)*word)
            return false;
    return true;
}

/* Whether a tag says a word somewhere. */
static bool holds(const octet *at, const octet *end, const char *word)
{
    for (; at < end; at++)
        if (lower(*at) == (octet)*word && says(at, end, word))
            return true;
    return false;
}

/* Whether "display: none" begins somewhere. */
static bool says_none(const octet *at, const octet *end)
{
    if (!says(at, end, "display"))
        return false;
    at += strlen("display");
    while (at < end && is_space(*at))
        at++;
    if (at == end || *at++ != ':')
        return false;
    while (at < end && is_space(*at))
        at++;
    return says(at, end, "none");
}

/* Whether a tag may have an attribute that hides what it begins. */
static bool may_hide(const octet *at, const octet *end)
{
    for (; at < end; at++) {
        octet c = lower(*at);
        if (c == 'h' && says(at, end, "hidden") && is_around(at[-1]) && is_around(at[6]))
            return true;
        if (c == 'd' && says_none(at, end))
            return true;
    }
    return false;
}

int is_hidden(Builder *builder, int64_t tag)
{
    const Page *page = &builder->page;
    const octet *at = page->html + page->starts[tag], *end = page->html + page->stops[tag];
    if (end - at < SHORTEST || !may_hide(at + 1, end - 1))
        return 0;
    return ask(builder, "is_hidden", tag);
}

/* Whether an <a> leads somewhere: it has a target, or no name. */
int is_link(Builder *builder, int64_t tag)
{
    const Page *page = &builder->page;
    const octet *at = page->html + page->starts[tag], *end = page->html + page->stops[tag];
    if (holds(at, end, "href") || !(holds(at, end, "name") || holds(at, end, "id")))
        return 1;
    return ask(builder, "is_link", tag);
}

static octet name_of(const Page *page, int64_t element)
{
    return element < 0 ? 0 : page->names[page->places[element]];
}

/* The element that a page hangs in. */
int64_t root_of(const Builder *builder)
{
    const Page *page = &builder->page;
    return page->count && page->names[page->places[0]] == builder->meaning.html ? 0 : NOWHERE;
}

/* The place at which an element ends. */
int64_t end_of(const Builder *builder, int64_t element)
{
    const Page *page = &builder->page;
    int64_t place = element + 1;
    while (place < page->count && page->inner[place] >= element &&
           (page->inner[place] != place || page->outer[place] >= element))
        place++;
    return place;
}

/* Make an element a node. */
static bool add_node(Builder *builder, int64_t element, int32_t parent)
{
    if (!make_room((void **)&builder->nodes, &builder->node_room, builder->node_count, sizeof(Node)))
        return false;
    octet name = name_of(&builder->page, element);
    octet kind = ((const octet *)builder->meaning.kinds.buf)[name];
    if (kind == INHERITED)
        kind = parent < 0 ? 0 : builder->nodes[parent].kind;
    builder->nodes[builder->node_count] = (Node){element, parent, name, kind};
    builder->node_of[element + 1] = builder->node_count++;
    return true;
}

/* Whether an element shows no text; -1 for an error. */
static int is_invisible(Builder *builder, int64_t element)
{
    const Page *page = &builder->page;
    octet name = name_of(page, element);
    if (page->invisible[element] || name == builder->meaning.html || name == builder->meaning.body)
        return page->invisible[element];
    return is_hidden(builder, page->places[element]);
}

/* The node of an element, made with those of the elements around it as needed. */
static bool place_node(Builder *builder, int64_t element, int32_t *node)
{
    Octets *chain = &builder->chain;
    chain->length = 0;
    while ((*node = builder->node_of[element + 1]) == UNKNOWN) {
        if (!append(chain, (const octet *)&element, sizeof element))
            return false;
        element = builder->page.outer[element];
    }
    while (chain->length) {
        chain->length -= sizeof element;
        memcpy(&element, chain->at + chain->length, sizeof element);
        int invisible = *node == HIDDEN ? 1 : is_invisible(builder, element);
        if (invisible < 0 || (!invisible && !add_node(builder, element, *node)))
            return false;
        if (invisible)
            builder->node_of[element + 1] = HIDDEN;
        *node = builder->node_of[element + 1];
    }
    return true;
}

/* Add a block that stands in an element, if that is visible. */
bool add_block(Builder *builder, int64_t element, Text text, int64_t link_chars)
{
    int32_t node;
    if (!place_node(builder, element, &node))
        return false;
    if (node == HIDDEN)
        return true;
    if (!make_room((void **)&builder->blocks, &builder->block_room, builder->block_count, sizeof(Block)))
        return false;
    builder->blocks[builder->block_count++] = (Block){text, link_chars, node};
    return true;
}

static bool is_sound(Page *page)
{
    Py_ssize_t length = page->buffers[0].len - 1;
    int64_t tags = page->buffers[3].len, count = page->buffers[9].len - 1;
    Py_ssize_t wide = sizeof(int64_t);
    if (length < 0 || count < 0 || page->buffers[1].len != (tags + 1) * wide ||
        page->buffers[2].len != tags * wide || page->buffers[4].len != tags ||
        page->buffers[5].len != tags || page->buffers[6].len != (count + 1) * wide ||
        page->buffers[7].len != count * wide || page->buffers[8].len != count * wide)
        return false;
    page->tags = tags, page->count = count;
    int64_t at = 0;
    for (int64_t tag = 0; tag < tags; tag++) {
        if (page->starts[tag] < at || page->stops[tag] < page->starts[tag])
            return false;
        at = page->stops[tag];
    }
    if (page->starts[tags] < at || page->starts[tags] > length || page->places[count] != tags)
        return false;
    for (int64_t place = 0; place < count; place++) {
        int64_t inner = page->inner[place], outer = page->outer[place];
        if (page->places[place] < 0 || page->places[place] >= page->places[place + 1] ||
            inner < NOWHERE || inner > place || outer < NOWHERE || outer >= place)
            return false;
    }
    return true;
}

/* Look at a page; nothing is read yet, and the root is to be set. */
bool begin_builder(Builder *builder, PyObject *elements, PyObject *page, PyObject *meaning)
{
    Page *p = &builder->page;
    Py_buffer *b = p->buffers;
    Meaning *m = &builder->meaning;
    builder->elements = elements;
    if (!PyArg_ParseTuple(page, "y*y*y*y*y*y*y*y*y*y*", b, b + 1, b + 2, b + 3, b + 4, b + 5, b + 6,
                          b + 7, b + 8, b + 9) ||
        !PyArg_ParseTuple(meaning, "y*y*O!O(iiiiii)", &m->kinds, &m->levels, &PyTuple_Type,
                          &m->of_kinds, &m->read_text, &m->link, &m->br, &m->hr, &m->html, &m->body,
                          &m->h1))
        return false;
    p->html = b[0].buf, p->starts = b[1].buf, p->stops = b[2].buf, p->names = b[3].buf;
    p->ends = b[4].buf, p->empty = b[5].buf, p->places = b[6].buf, p->inner = b[7].buf;
    p->outer = b[8].buf, p->invisible = b[9].buf;
    if (!is_sound(p)) {
        PyErr_SetString(PyExc_ValueError, "these are no tags and places of a page");
        return false;
    }
    builder->node_of = PyMem_Malloc((p->count + 1) * sizeof *builder->node_of);
    if (!builder->node_of) {
        PyErr_NoMemory();
        return false;
    }
    return true;
}

/* Begin with the element that all hangs in, an element or NOWHERE, and forget all else. */
bool set_root(Builder *builder, int64_t root)
{
    if (root < NOWHERE || root >= builder->page.count) {
        PyErr_SetString(PyExc_ValueError, "no element of this page");
        return false;
    }
    builder->node_count = builder->block_count = 0;
    builder->texts.length = 0;
    for (int64_t element = 0; element <= builder->page.count; element++)
        builder->node_of[element] = UNKNOWN;
    if (!add_node(builder, root, -1))
        return false;
    builder->node_of[0] = 0; /* what is nowhere hangs in the root, too */
    return true;
}

void end_builder(Builder *builder)
{
    for (int i = 0; i < 10; i++)
        PyBuffer_Release(&builder->page.buffers[i]);
    PyBuffer_Release(&builder->meaning.kinds), PyBuffer_Release(&builder->meaning.levels);
    PyMem_Free(builder->nodes), PyMem_Free(builder->blocks), PyMem_Free(builder->node_of);
    PyMem_Free(builder->texts.at), PyMem_Free(builder->chain.at), PyMem_Free(builder->folded.at);
}

static PyObject *as_block(const Builder *builder, const Block *block, PyObject *type)
{
    octet kind = builder->nodes[block->node].kind;
    PyObject *text = as_string(builder, block->text);
    PyObject *of_kind = PyTuple_GetItem(builder->meaning.of_kinds, kind);
    if (!text || !of_kind) {
        Py_XDECREF(text);
        return NULL;
    }
    return PyObject_CallFunction(type, "NnOii", text, (Py_ssize_t)block->link_chars, of_kind,
                                 level_of(builder, block), block->node);
}

/* Of each node its element, its parent, the number of its kind; and the blocks. */
PyObject *as_page(const Builder *builder, PyObject *block_type)
{
    PyObject *nodes = PyList_New(builder->node_count), *blocks = PyList_New(builder->block_count);
    bool done = nodes && blocks;
    for (size_t i = 0; done && i < builder->node_count; i++) {
        const Node *node = &builder->nodes[i];
        PyObject *one = Py_BuildValue("(Lii)", (long long)node->element, node->parent, node->kind);
        done = one && !PyList_SetItem(nodes, i, one);
    }
    for (size_t i = 0; done && i < builder->block_count; i++) {
        PyObject *one = as_block(builder, &builder->blocks[i], block_type);
        done = one && !PyList_SetItem(blocks, i, one);
    }
    PyObject *page = done ? PyTuple_Pack(2, nodes, blocks) : NULL;
    Py_XDECREF(nodes), Py_XDECREF(blocks);
    return page;
}
