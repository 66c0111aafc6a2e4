/* dedup.native.core: the steps over a page's octets and tags that take Python longest. */

#include "native.h"

static PyMethodDef functions[] = {
    {"is_utf8", is_utf8, METH_VARARGS, NULL},
    {"find_tags", find_tags, METH_VARARGS, NULL},
    {"nest", nest, METH_VARARGS, NULL},
    {"read_blocks", read_blocks, METH_VARARGS, NULL},
    {"outline_blocks", outline_blocks, METH_VARARGS, NULL},
    {"find_main_text", find_main_text, METH_VARARGS, NULL},
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
