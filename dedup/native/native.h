/* What the files of this module share. Everything works on the octets of a page and on arrays of its
   tags, each checked once, as it comes in; no function keeps anything between calls. */

#ifndef DEDUP_NATIVE_H
#define DEDUP_NATIVE_H

#define _GNU_SOURCE /* memmem */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
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

bool grow(Octets *octets, size_t more);
bool append(Octets *octets, const octet *from, size_t length);
int64_t fold(Octets *folded, const octet *text, size_t length);
bool make_room(void **array, size_t *room, size_t count, size_t size);

static inline bool is_space(octet c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static inline octet lower(octet c) { return c >= 'A' && c <= 'Z' ? c | 0x20 : c; }

/* The place of an octet, or the end of where it was sought. */
static inline size_t find(const octet *at, octet wanted, size_t from, size_t end)
{
    const octet *found = from < end ? memchr(at + from, wanted, end - from) : NULL;
    return found ? (size_t)(found - at) : end;
}

PyObject *is_utf8(PyObject *module, PyObject *arguments);
PyObject *find_tags(PyObject *module, PyObject *arguments);
PyObject *nest(PyObject *module, PyObject *arguments);
PyObject *read_blocks(PyObject *module, PyObject *arguments);
PyObject *outline_blocks(PyObject *module, PyObject *arguments);
PyObject *find_main_text(PyObject *module, PyObject *arguments);

#endif
