/* Search packed words and entries: the same as dedup.native.portable.packed. */

#include "native.h"

enum {
    MARK_AT = 2, /* The first byte of the mark in an entry. */
    SLOT_AT = 4, /* The byte of the slot in an entry. */
    SLOTS = 256  /* Maximum number of slots. */
};

static inline uint64_t word_at(const octet *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* The place of the next packed word within ``radius`` bits of ``word``, or the end. */
static inline __attribute__((always_inline)) size_t next_near(const octet *at, size_t from, size_t end,
                                                              uint64_t word, int radius)
{
    for (; from < end; from++)
        if (__builtin_popcountll(word_at(at + 8 * from) ^ word) <= radius)
            break;
    return from;
}

static size_t next_plain(const octet *at, size_t from, size_t end, uint64_t word, int radius)
{
    return next_near(at, from, end, word, radius);
}

#ifdef __x86_64__
/* The same for processors with an instruction that counts bits, as nearly all have. */
__attribute__((target("popcnt"))) static size_t next_counted(const octet *at, size_t from, size_t end,
                                                             uint64_t word, int radius)
{
    return next_near(at, from, end, word, radius);
}
#endif

/* The packed words of 64 bits, little-endian, within a Hamming distance of a word, with repeats. */
PyObject *near_words(PyObject *module, PyObject *arguments)
{
    Py_buffer packed;
    unsigned long long word;
    int radius;
    if (!PyArg_ParseTuple(arguments, "y*Ki:near_words", &packed, &word, &radius))
        return NULL;
    size_t (*next)(const octet *, size_t, size_t, uint64_t, int) = next_plain;
#ifdef __x86_64__
    if (__builtin_cpu_supports("popcnt"))
        next = next_counted;
#endif
    size_t count = packed.len / 8;
    PyObject *found = PyList_New(0);
    for (size_t i = 0; found && (i = next(packed.buf, i, count, word, radius)) < count; i++) {
        PyObject *one = PyLong_FromUnsignedLongLong(word_at((const octet *)packed.buf + 8 * i));
        if (!one || PyList_Append(found, one))
            Py_CLEAR(found);
        Py_XDECREF(one);
    }
    PyBuffer_Release(&packed);
    return found;
}

/* The marks of a bucket's entries, one string per slot, with a character of 16 bits per entry. */
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
