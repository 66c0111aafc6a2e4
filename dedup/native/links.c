/* The tags in the head of a page that may name other URLs: the same as dedup.native.portable.texts. */

#include "page.h"

enum { NAME = 4 }; /* Bytes of each name. */

static bool is_word(octet c) { return is_digit(c) || c == '_' || (lower(c) >= 'a' && lower(c) <= 'z'); }

/* Whether the tag at a < has a name. */
static bool has_name(const octet *at, const octet *end, const char *name)
{
    return begins_with(at + 1, end, name) && (end - at == 1 + NAME || !is_word(at[1 + NAME]));
}

static bool add_tag(PyObject *found, const char *name, const octet *at, size_t length)
{
    return append_object(found, Py_BuildValue("(yN)", name, as_bytes(at, length)));
}

/* Return the names of the <link>s and <base>s before the <body>, in lower case, each with what follows up to its >,
   as far as its first ``longest`` bytes; all within the first ``most`` bytes of the page. */
PyObject *find_links(PyObject *module, PyObject *arguments)
{
    Py_buffer page;
    Py_ssize_t most, longest;
    if (!PyArg_ParseTuple(arguments, "y*nn:find_links", &page, &most, &longest))
        return NULL;
    const octet *at = page.buf, *end = at + (page.len < most ? page.len : most);
    PyObject *found = PyList_New(0);
    while (found && at < end && (at = memchr(at, '<', end - at)) && !has_name(at, end, "body")) {
        bool is_base = has_name(at, end, "base");
        if (!is_base && !has_name(at, end, "link")) {
            at++;
            continue;
        }
        const octet *from = at + 1 + NAME;
        size_t left = end - from, length = find(from, '>', 0, left < (size_t)longest ? left : (size_t)longest);
        if (!add_tag(found, is_base ? "base" : "link", from, length))
            Py_CLEAR(found);
        at = from + length;
    }
    PyBuffer_Release(&page);
    return found;
}
