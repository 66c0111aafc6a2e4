/* Packed entries of a bucket, searched: as dedup.store.packed does it. */

#include "native.h"

enum { MARK_AT = 2, SLOT_AT = 4, SLOTS = 256 }; /* octets of an entry */

/* The words of 64 bits, little-endian, within a Hamming distance of one; a list, perhaps of equal ones. */
PyObject *near_words(PyObject *module, PyObject *arguments)
{
    Py_buffer packed;
    unsigned long long word;
    int radius;
    if (!PyArg_ParseTuple(arguments, "y*Ki:near_words", &packed, &word, &radius))
        return NULL;
    const octet *at = packed.buf;
    PyObject *found = PyList_New(0);
    for (Py_ssize_t i = 0; found && i + 8 <= packed.len; i += 8) {
        uint64_t stored;
        memcpy(&stored, at + i, sizeof stored);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        stored = __builtin_bswap64(stored);
#endif
        if (__builtin_popcountll(stored ^ word) > radius)
            continue;
        PyObject *one = PyLong_FromUnsignedLongLong(stored);
        if (!one || PyList_Append(found, one))
            Py_CLEAR(found);
        Py_XDECREF(one);
    }
    PyBuffer_Release(&packed);
    return found;
}

/* The marks of a bucket's entries by slot: of each a text, a character of 16 bits for each entry. */
PyObject *read_marks(PyObject *module, PyObject *arguments)
{
    Py_buffer bucket;
    Py_ssize_t step;
    int slots, mask;
    if (!PyArg_ParseTuple(arguments, "y*nii:read_marks", &bucket, &step, &slots, &mask))
        return NULL;
    Octets marks[SLOTS] = {{0}};
    const octet *at = bucket.buf;
    bool done = step > SLOT_AT && slots > 0 && slots <= SLOTS && !(slots & (slots - 1));
    if (!done)
        PyErr_SetString(PyExc_ValueError, "entries have marks, and up to 256 slots, a power of two");
    for (Py_ssize_t i = 0; done && i + step <= bucket.len; i += step) {
        const octet mark[] = {at[i + MARK_AT] & mask, at[i + MARK_AT + 1] & mask >> 8};
        done = append(&marks[at[i + SLOT_AT] & (slots - 1)], mark, sizeof mark);
    }
    PyObject *texts = done ? PyList_New(slots) : NULL;
    for (int slot = 0, little = -1; texts && slot < slots; slot++) {
        const Octets *its = &marks[slot];
        PyObject *text = PyUnicode_DecodeUTF16((const char *)its->at, its->length, NULL, &little);
        if (!text || PyList_SetItem(texts, slot, text))
            Py_CLEAR(texts);
    }
    for (int slot = 0; slot < SLOTS; slot++)
        PyMem_Free(marks[slot].at);
    PyBuffer_Release(&bucket);
    return texts;
}
