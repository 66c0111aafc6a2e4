/* What is rare (attributes that hide, references of characters) is asked of Python. */

#include "builder.h"

enum { INHERITED = 0xff, SHORTEST = 10 }; /* octets of a tag with an attribute that hides */

/* Text as it is shown, of what is written in a page. */
PyObject *read_text(Builder *builder, const octet *text, size_t length)
{
    if (find(text, '&', 0, length) < length) {
        PyObject *raw = PyBytes_FromStringAndSize((const char *)text, length);
        PyObject *shown = raw ? PyObject_CallFunctionObjArgs(builder->read_text, raw, NULL) : NULL;
        Py_XDECREF(raw);
        return shown;
    }
    if (fold(&builder->folded, text, length) < 0)
        return NULL;
    return PyUnicode_DecodeUTF8((const char *)builder->folded.at, builder->folded.length, "replace");
}

Py_ssize_t count_text(Builder *builder, const octet *text, size_t length)
{
    if (find(text, '&', 0, length) == length)
        return fold(&builder->folded, text, length);
    PyObject *shown = read_text(builder, text, length);
    Py_ssize_t characters = shown ? PyUnicode_GetLength(shown) : -1;
    Py_XDECREF(shown);
    return characters;
}

/* What Elements says of a tag: 1 or 0, -1 for an error. */
static int ask(Builder *builder, const char *method, int64_t tag)
{
    PyObject *said = PyObject_CallMethod(builder->elements, method, "L", (long long)tag);
    int is_true = said ? PyObject_IsTrue(said) : -1;
    Py_XDECREF(said);
    return is_true;
}

/* Whether attributes may hide what a tag begins: it says "hidden" or "display". */
static bool may_hide(const octet *at, const octet *end)
{
    for (; at + 4 <= end; at++) {
        if (lower(at[0]) != 'd')
            continue;
        octet second = lower(at[1]);
        if (second == 'd' && lower(at[2]) == 'e' && lower(at[3]) == 'n')
            return true;
        if (second == 'i' && lower(at[2]) == 's' && lower(at[3]) == 'p')
            return true;
    }
    return false;
}

int is_hidden(Builder *builder, int64_t tag)
{
    const Page *page = &builder->page;
    const octet *at = page->html + page->starts[tag], *end = page->html + page->stops[tag];
    if (end - at < SHORTEST || !may_hide(at, end))
        return 0;
    return ask(builder, "is_hidden", tag);
}

int is_link(Builder *builder, int64_t tag)
{
    const Page *page = &builder->page;
    int64_t start = page->starts[tag];
    if (page->stops[tag] - start >= 7 && !memcmp(page->html + start + 3, "href", 4))
        return 1; /* as in most */
    return ask(builder, "is_link", tag);
}

static bool add_number(PyObject *list, long long value)
{
    PyObject *number = PyLong_FromLongLong(value);
    bool added = number && !PyList_Append(list, number);
    Py_XDECREF(number);
    return added;
}

static octet name_of(const Page *page, int64_t element)
{
    return element < 0 ? 0 : page->names[page->places[element]];
}

/* Make an element a node. */
static bool add_node(Builder *builder, int64_t element, int32_t parent)
{
    octet kind = ((const octet *)builder->meaning.kinds.buf)[name_of(&builder->page, element)];
    if (kind == INHERITED)
        kind = parent < 0 ? 0 : builder->kind_of[parent];
    if (builder->node_count == builder->node_room) {
        size_t room = 2 * builder->node_room + 64;
        octet *kind_of = PyMem_Realloc(builder->kind_of, room);
        if (!kind_of) {
            PyErr_NoMemory();
            return false;
        }
        builder->kind_of = kind_of;
        builder->node_room = room;
    }
    builder->kind_of[builder->node_count] = kind;
    builder->nodes[element + 1] = builder->node_count++;
    return add_number(builder->node_elements, element) && add_number(builder->parents, parent) &&
           add_number(builder->node_kinds, kind);
}

/* The node of an element, made with those of the elements around it as needed. */
static bool place_node(Builder *builder, int64_t element, int32_t *node)
{
    const Page *page = &builder->page;
    Octets *chain = &builder->chain;
    chain->length = 0;
    while ((*node = builder->nodes[element + 1]) == UNKNOWN) {
        if (!append(chain, (const octet *)&element, sizeof element))
            return false;
        element = page->outer[element];
    }
    while (chain->length) {
        chain->length -= sizeof element;
        memcpy(&element, chain->at + chain->length, sizeof element);
        if (*node != HIDDEN) {
            int hidden = page->invisible[element];
            octet name = name_of(page, element);
            if (!hidden && name != builder->meaning.html && name != builder->meaning.body)
                hidden = is_hidden(builder, page->places[element]);
            if (hidden < 0)
                return false;
            if (hidden) {
                *node = HIDDEN;
            } else {
                if (!add_node(builder, element, *node))
                    return false;
                *node = builder->nodes[element + 1];
            }
        }
        builder->nodes[element + 1] = *node;
    }
    return true;
}

/* Add a block that stands in an element, if that is visible. */
bool add_block(Builder *builder, int64_t element, PyObject *text, Py_ssize_t link_chars)
{
    int32_t node;
    if (!place_node(builder, element, &node))
        return false;
    if (node == HIDDEN)
        return true;
    PyObject *kind = PyTuple_GetItem(builder->kinds, builder->kind_of[node]);
    if (!kind)
        return false;
    PyObject *block = PyObject_CallFunction(builder->block, "OnOOi", text, link_chars,
                                            PyTuple_GetItem(kind, 0), PyTuple_GetItem(kind, 1), node);
    bool added = block && !PyList_Append(builder->blocks, block);
    Py_XDECREF(block);
    return added;
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

static void end_builder(Builder *builder)
{
    for (int i = 0; i < 10; i++)
        PyBuffer_Release(&builder->page.buffers[i]);
    PyBuffer_Release(&builder->meaning.kinds);
    Py_XDECREF(builder->node_elements), Py_XDECREF(builder->parents);
    Py_XDECREF(builder->node_kinds), Py_XDECREF(builder->blocks);
    PyMem_Free(builder->nodes), PyMem_Free(builder->kind_of);
    PyMem_Free(builder->chain.at), PyMem_Free(builder->folded.at);
}

/* Make a builder that has but a root: an element, or NOWHERE. */
bool begin_builder(Builder *builder, PyObject *page, PyObject *meaning, int64_t root)
{
    Page *p = &builder->page;
    Py_buffer *b = p->buffers;
    Meaning *m = &builder->meaning;
    if (!PyArg_ParseTuple(page, "y*y*y*y*y*y*y*y*y*y*", b, b + 1, b + 2, b + 3, b + 4, b + 5, b + 6,
                          b + 7, b + 8, b + 9) ||
        !PyArg_ParseTuple(meaning, "y*(iiiiii)OO!O", &m->kinds, &m->link, &m->br, &m->hr, &m->html,
                          &m->body, &m->h1, &builder->block, &PyTuple_Type, &builder->kinds,
                          &builder->read_text))
        return false;
    p->html = b[0].buf, p->starts = b[1].buf, p->stops = b[2].buf, p->names = b[3].buf;
    p->ends = b[4].buf, p->empty = b[5].buf, p->places = b[6].buf, p->inner = b[7].buf;
    p->outer = b[8].buf, p->invisible = b[9].buf;
    if (!is_sound(p) || root < NOWHERE || root >= p->count) {
        PyErr_SetString(PyExc_ValueError, "these are no tags and places of a page");
        return false;
    }
    builder->nodes = PyMem_Malloc((p->count + 1) * sizeof *builder->nodes);
    builder->node_elements = PyList_New(0), builder->parents = PyList_New(0);
    builder->node_kinds = PyList_New(0), builder->blocks = PyList_New(0);
    if (!builder->nodes) {
        PyErr_NoMemory();
        return false;
    }
    if (!builder->node_elements || !builder->parents || !builder->node_kinds || !builder->blocks)
        return false;
    for (int64_t element = 0; element <= p->count; element++)
        builder->nodes[element] = UNKNOWN;
    if (!add_node(builder, root, -1))
        return false;
    builder->nodes[0] = 0; /* what is nowhere hangs in the root, too */
    return true;
}

PyObject *built(Builder *builder, bool done)
{
    PyObject *result = NULL;
    if (done)
        result = PyTuple_Pack(4, builder->node_elements, builder->parents, builder->node_kinds,
                              builder->blocks);
    end_builder(builder);
    return result;
}
