/* The blocks and tags of a page, for tests and for the study of single pages. */

#include "blocks.h"

enum { LEVELS = 200 }; /* Maximum elements in a path. */

/* The path of a node: the names of the innermost elements around it, then its own, with spaces. */
static PyObject *path_of(const Blocks *blocks, int32_t node)
{
    PyObject *path = PyUnicode_FromString("");
    for (int level = 0; path && node >= 0 && level < LEVELS; level++, node = blocks->nodes[node].parent) {
        const char *name = elements[blocks->nodes[node].name].name;
        PyObject *longer = PyUnicode_FromFormat(*name && PyUnicode_GetLength(path) ? "%s %U" : "%s%U", name, path);
        Py_DECREF(path);
        path = longer;
    }
    return path;
}

static PyObject *as_list(const Blocks *blocks)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < blocks->block_count; i++) {
        const Block *block = &blocks->blocks[i];
        PyObject *path = path_of(blocks, block->node), *text = path ? as_string(blocks, block->text) : NULL;
        PyObject *row = text ? Py_BuildValue("(OOLi)", path, text, (long long)block->link_chars,
                                             level_of(blocks, block))
                             : NULL;
        Py_XDECREF(path), Py_XDECREF(text);
        if (!append_object(list, row))
            Py_CLEAR(list);
    }
    return list;
}

/* The blocks of a page or of its outline, each as a tuple: its path, its text, its characters in links,
   and the level of a heading (0 for other blocks). */
PyObject *show_blocks(PyObject *module, PyObject *arguments, PyObject *named)
{
    static char *names[] = {"page", "show", "outline", NULL};
    Py_buffer html;
    Asked asked = {0};
    int outline = 0;
    PyObject *list = NULL;
    if (!PyArg_ParseTupleAndKeywords(arguments, named, "y*O|p:show_blocks", names, &html, &asked.show, &outline))
        return NULL;
    Page page = {.asked = &asked, .html = html.buf, .length = html.len};
    Blocks blocks = {0};
    if (find_tags(&page) && nest(&page) && (outline ? read_outline(&blocks, &page) : read_whole(&blocks, &page)))
        list = as_list(&blocks);
    end_blocks(&blocks), end_page(&page);
    PyBuffer_Release(&html);
    return list;
}

/* The tags of a page, each as a tuple: its start, its end, and its name (empty for unknown elements). */
PyObject *show_tags(PyObject *module, PyObject *arguments)
{
    Py_buffer html;
    PyObject *list = NULL;
    if (!PyArg_ParseTuple(arguments, "y*:show_tags", &html))
        return NULL;
    Page page = {.html = html.buf, .length = html.len};
    if (find_tags(&page))
        list = PyList_New(0);
    for (int32_t tag = 0; list && tag < page.tag_count; tag++) {
        const Tag *at = &page.tags[tag];
        if (!append_object(list, Py_BuildValue("(iis)", at->start, at->stop, elements[at->name].name)))
            Py_CLEAR(list);
    }
    end_page(&page);
    PyBuffer_Release(&html);
    return list;
}
