/* The blocks and nodes of a page: see reading.c. */

#include "blocks.h"

enum { CELL_WITHIN = 3 }; /* Maximum levels from the numbers of lines up to their cell. */

/* Append text as Python decodes it: text with rare character references. */
static bool ask_text(const Page *page, Octets *texts, const octet *from, size_t length, Text *text)
{
    PyObject *shown = PyObject_CallFunction(page->asked->show, "N", as_bytes(from, length));
    PyObject *encoded = shown ? PyUnicode_AsUTF8String(shown) : NULL;
    bool done = encoded && append(texts, (const octet *)PyBytes_AsString(encoded), PyBytes_Size(encoded));
    text->characters = done ? PyUnicode_GetLength(shown) : -1;
    Py_XDECREF(shown), Py_XDECREF(encoded);
    return done;
}

/* Append the visible text of a piece of HTML text: references decoded, white space folded. */
bool show_text(const Page *page, Octets *texts, const octet *from, size_t length, Text *text)
{
    Octets plain = {0};
    bool refers = find(from, '&', 0, length) < length, done = true;
    int known = refers ? unescape(&plain, from, length) : 1;
    text->at = texts->length;
    if (known)
        text->characters = known < 0 ? -1
                           : refers  ? fold(texts, plain.at, plain.length)
                                     : fold(texts, from, length);
    else
        done = ask_text(page, texts, from, length, text);
    text->length = texts->length - text->at;
    PyMem_Free(plain.at);
    return done && text->characters >= 0;
}

PyObject *as_string(const Blocks *blocks, Text text)
{
    return PyUnicode_DecodeUTF8((const char *)blocks->texts.at + text.at, text.length, "replace");
}

/* Make a node of an element. */
static bool add_node(Blocks *blocks, int32_t element, int32_t parent)
{
    if (!make_room((void **)&blocks->nodes, &blocks->node_room, blocks->node_count, sizeof(Node)))
        return false;
    octet name = name_of(blocks->page, element);
    octet kind = elements[name].kind;
    if (kind == INHERITED)
        kind = parent < 0 ? TEXT : blocks->nodes[parent].kind;
    blocks->nodes[blocks->node_count] = (Node){element, parent, name, kind};
    blocks->seats[element + 1] = (Seat){blocks->reading, blocks->node_count++};
    return true;
}

/* Begin to read a page, with its root element or NOWHERE. Results of the last reading are removed. */
bool begin_reading(Blocks *blocks, const Page *page, int32_t root)
{
    if (!blocks->seats) {
        blocks->page = page;
        blocks->seats = PyMem_Calloc((size_t)page->count + 1, sizeof *blocks->seats);
        if (!blocks->seats)
            return PyErr_NoMemory(), false;
    }
    blocks->node_count = blocks->block_count = blocks->texts.length = 0;
    blocks->reading++;
    if (!grow(&blocks->texts, 1) || !add_node(blocks, root, -1))
        return false;
    blocks->seats[0] = (Seat){blocks->reading, 0}; /* Text outside all elements is in the root, too. */
    return true;
}

void end_blocks(Blocks *blocks)
{
    PyMem_Free(blocks->nodes), PyMem_Free(blocks->blocks), PyMem_Free(blocks->seats);
    PyMem_Free(blocks->texts.at), PyMem_Free(blocks->chain.at);
}

/* Whether the text of an element is invisible. */
static bool is_invisible(const Page *page, int32_t element)
{
    octet name = name_of(page, element);
    if (has_trait(name, INVISIBLE))
        return true;
    if (name == E_html || name == E_body)
        return false; /* If these are hidden, a script shows them. */
    return is_hidden(page, page->places[element]);
}

static int32_t node_of(const Blocks *blocks, int32_t element)
{
    const Seat *seat = &blocks->seats[element + 1];
    return seat->reading == blocks->reading ? seat->node : UNKNOWN;
}

/* The node of an element. Missing nodes are made, of the element and of the elements around it. */
static bool place_node(Blocks *blocks, int32_t element, int32_t *node)
{
    Octets *chain = &blocks->chain;
    chain->length = 0;
    while ((*node = node_of(blocks, element)) == UNKNOWN) {
        if (!append(chain, (const octet *)&element, sizeof element))
            return false;
        element = blocks->page->outer[element];
    }
    while (chain->length) {
        chain->length -= sizeof element;
        memcpy(&element, chain->at + chain->length, sizeof element);
        bool invisible = *node == HIDDEN || is_invisible(blocks->page, element);
        if (!invisible && !add_node(blocks, element, *node))
            return false;
        if (invisible)
            blocks->seats[element + 1] = (Seat){blocks->reading, HIDDEN};
        *node = node_of(blocks, element);
    }
    return true;
}

/* Whether a text is data for a script, which some shops keep in a <div> that a style hides: it begins as an
   object of JSON, or as a list of such, and ends as one. A paragraph or a cell may have an example instead. */
static bool is_data(const Blocks *blocks, Text text)
{
    const octet *at = blocks->texts.at + text.at, *end = at + text.length;
    if (at == end || (end[-1] != '}' && end[-1] != ']'))
        return false;
    bool is_object = false;
    for (; at < end && (*at == '[' || *at == '{' || *at == ' '); at++)
        is_object |= *at == '{';
    return is_object && at < end && *at == '"';
}

/* Whether the text of a node numbers the lines of a listing: "1 2 3" in a cell beside that of the listing.
   Elsewhere it may be the output of a program. */
static bool numbers_lines(const Blocks *blocks, int32_t node, Text text)
{
    for (int32_t levels = CELL_WITHIN; blocks->nodes[node].name != E_td; levels--)
        if ((node = blocks->nodes[node].parent) < 0 || levels == 0)
            return false;
    const octet *at = blocks->texts.at + text.at, *end = at + text.length;
    int64_t last = 0, lines = 0;
    while (at < end) {
        int64_t number = 0;
        for (; at < end && is_digit(*at) && number < INT32_MAX; at++)
            number = 10 * number + *at - '0';
        if ((at < end && *at++ != ' ') || (lines++ && number != last + 1))
            return false;
        last = number;
    }
    return lines > 1;
}

/* Add a block to an element, if the element is visible. */
bool add_block(Blocks *blocks, int32_t element, Text text, int64_t link_chars)
{
    int32_t node;
    if (!place_node(blocks, element, &node))
        return false;
    if (node == HIDDEN)
        return true;
    octet kind = blocks->nodes[node].kind;
    if ((kind == TEXT && is_data(blocks, text)) || (kind == CODE && numbers_lines(blocks, node, text)))
        return true;
    if (!make_room((void **)&blocks->blocks, &blocks->block_room, blocks->block_count, sizeof(Block)))
        return false;
    blocks->blocks[blocks->block_count++] = (Block){text, link_chars, node};
    return true;
}
