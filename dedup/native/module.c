/* The module dedup.native.core: main text, tokens and sketches of pages, and searches in bulk. */

#include "sayings.h"
#include "vocabulary.h"

#define BY_KEYWORD(function) (PyCFunction)(void (*)(void))(function), METH_VARARGS | METH_KEYWORDS

static PyMethodDef functions[] = {
    {"is_utf8", is_utf8, METH_VARARGS, "Whether octets are UTF-8."},
    {"read_page", BY_KEYWORD(read_page), "The main text of a page."},
    {"show_blocks", BY_KEYWORD(show_blocks), "The blocks of a page, or of its outline."},
    {"say", say, METH_VARARGS, "The meaning of class, id and role, as bits by SAYINGS."},
    {"show_tags", show_tags, METH_VARARGS, "The tags of a page."},
    {"spell", spell, METH_VARARGS, "A text in one spelling, and whether it has Han characters."},
    {"hash_tokens", hash_tokens, METH_VARARGS, "The hashes of tokens."},
    {"simhash", simhash, METH_VARARGS, "The SimHash of hashes with their weights."},
    {"sketch", sketch, METH_VARARGS, "SimHash, distinct shingles, the smallest of their hashes."},
    {"join_tokens", join_tokens, METH_VARARGS, "Tokens with one space between, and their number."},
    {"space_tokens", space_tokens, METH_VARARGS, "A text with its tokens parted by spaces."},
    {"read_dictionary", read_dictionary, METH_VARARGS, "A dictionary of jieba, for space_tokens."},
    {"count_octet", count_octet, METH_VARARGS, "How often an octet stands among others."},
    {"find_links", find_links, METH_VARARGS, "The tags <link> and <base> in the head of a page."},
    {"find_numbers", find_numbers, METH_VARARGS, "The numbers of a text."},
    {"compare_sketches", compare_sketches, METH_VARARGS, "How alike two sketches are, and what each has for itself."},
    {"match_sentences", match_sentences, METH_VARARGS, "Sentences of one text found in another."},
    {"sketch_visible", sketch_visible, METH_VARARGS, "A sketch of all text that a page shows."},
    {"near_words", near_words, METH_VARARGS, "Packed words within a distance of one."},
    {"read_marks", read_marks, METH_VARARGS, "The marks of packed entries, by slot."},
    {"tell_item", tell_item, METH_VARARGS, "What a plain item is known by."},
    {NULL, NULL, 0, NULL},
};

/* Add a tuple of names to the module. */
static int add_names(PyObject *module, const char *as, const char *const *names, int count)
{
    PyObject *tuple = PyTuple_New(count);
    for (int i = 0; tuple && i < count; i++) {
        PyObject *name = PyUnicode_FromString(names[i]);
        if (!name || PyTuple_SetItem(tuple, i, name))
            Py_CLEAR(tuple);
    }
    int result = tuple ? PyModule_AddObjectRef(module, as, tuple) : -1;
    Py_XDECREF(tuple);
    return result;
}

#define NAME_OF(name) #name,

static int prepare(PyObject *module)
{
    static const char *const kinds[] = KINDS, *const sayings[] = {SAYINGS(NAME_OF)};
    const char *names[NAME_COUNT];
    place_names();
    place_class_names();
    prepare_visible();
    prepare_notices();
    for (int name = 0; name < NAME_COUNT; name++)
        names[name] = elements[name].name;
    bool failed = add_names(module, "KINDS", kinds, KIND_COUNT) ||
                  add_names(module, "SAYINGS", sayings, SAYING_COUNT) ||
                  add_names(module, "NAMES", names, NAME_COUNT);
    return failed ? -1 : 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, prepare}, {0, NULL}};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "core",
    .m_methods = functions,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit_core(void) { return PyModuleDef_Init(&definition); }
