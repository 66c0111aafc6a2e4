/* What all files here share. Pages are hostile: nothing reads beyond its octets, and each step takes
   time and memory linear in them. */

#ifndef DEDUP_NATIVE_H
#define DEDUP_NATIVE_H

#define _GNU_SOURCE /* memmem */
#define PY_SSIZE_T_CLEAN
#ifndef Py_GIL_DISABLED
#define Py_LIMITED_API 0x030b0000
#endif
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t octet;

/* Octets that grow. */
typedef struct {
    octet *at;
    size_t length, room;
} Octets;

bool make_room(void **array, size_t *room, size_t count, size_t size);
bool grow(Octets *octets, size_t more);
bool append(Octets *octets, const octet *from, size_t length);
size_t count_of(const octet *octets, size_t length, octet sign);
bool hash_all(Octets *hashes, const octet *at, size_t length, uint64_t seed, PyObject *hash_long);
int unescape(Octets *to, const octet *at, size_t length);
int64_t fold(Octets *folded, const octet *text, size_t length);

static inline bool is_space(octet c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static inline octet lower(octet c) { return c >= 'A' && c <= 'Z' ? c | 0x20 : c; }

/* The place of an octet, or the end of where it was sought. */
static inline size_t find(const octet *at, octet wanted, size_t from, size_t end)
{
    const octet *found = from < end ? memchr(at + from, wanted, end - from) : NULL;
    return found ? (size_t)(found - at) : end;
}

PyObject *is_utf8(PyObject *module, PyObject *arguments);
PyObject *read_page(PyObject *module, PyObject *arguments);
PyObject *hash_tokens(PyObject *module, PyObject *arguments);
PyObject *join_tokens(PyObject *module, PyObject *arguments);
PyObject *space_tokens(PyObject *module, PyObject *arguments);
PyObject *compare_sketches(PyObject *module, PyObject *arguments);
PyObject *sketch(PyObject *module, PyObject *arguments);
PyObject *simhash(PyObject *module, PyObject *arguments);
PyObject *near_words(PyObject *module, PyObject *arguments);
PyObject *read_marks(PyObject *module, PyObject *arguments);
PyObject *spell(PyObject *module, PyObject *arguments);
PyObject *count_octet(PyObject *module, PyObject *arguments);

#endif
