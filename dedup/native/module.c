/* dedup.native.core: from a page to its main text, as dedup.page has it. */

#include "native.h"

static PyMethodDef functions[] = {
    {"is_utf8", is_utf8, METH_VARARGS, "Whether octets are UTF-8."},
    {"read_page", read_page, METH_VARARGS, "The main text of a page, by the rules of judgement."},
    {"spell", spell, METH_VARARGS, "A text in one spelling, and whether it has Han characters."},
    {"hash_tokens", hash_tokens, METH_VARARGS, "The hashes of tokens."},
    {"simhash", simhash, METH_VARARGS, "The SimHash of hashes with their weights."},
    {"sketch", sketch, METH_VARARGS, "SimHash, distinct shingles, the smallest of their hashes."},
    {"join_tokens", join_tokens, METH_VARARGS, "Tokens with one space between, and their number."},
    {"space_tokens", space_tokens, METH_VARARGS, "A text with its tokens parted by spaces."},
    {"read_dictionary", read_dictionary, METH_VARARGS, "A dictionary of jieba, for space_tokens."},
    {"count_octet", count_octet, METH_VARARGS, "How often an octet stands among others."},
    {"compare_sketches", compare_sketches, METH_VARARGS, "How alike two sketches are, and what each has for itself."},
    {"match_sentences", match_sentences, METH_VARARGS, "Sentences of one text found in another."},
    {"near_words", near_words, METH_VARARGS, "Packed words within a distance of one."},
    {"read_marks", read_marks, METH_VARARGS, "The marks of packed entries, by slot."},
    {"tell_item", tell_item, METH_VARARGS, "What a plain item is known by."},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {{0, NULL}};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "core",
    .m_methods = functions,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit_core(void) { return PyModuleDef_Init(&definition); }
