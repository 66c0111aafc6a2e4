/* Declarations for all files of this folder. Pages may be hostile. So all functions read only within
   their input, and each step takes time and memory linear in it. */

#ifndef DEDUP_NATIVE_H
#define DEDUP_NATIVE_H

#define _GNU_SOURCE /* For memmem. */
/* No format of arguments has a "#": built by Python 3.13 or later, it would fail in 3.11 and 3.12. */
#ifndef Py_GIL_DISABLED
#define Py_LIMITED_API 0x030b0000
#endif
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t octet;

/* A growing array of bytes: its start, its used bytes, its allocated bytes. */
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
bool append_object(PyObject *list, PyObject *object);
int64_t fold(Octets *folded, const octet *text, size_t length);

static inline bool is_space(octet c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static inline bool is_digit(octet c) { return c >= '0' && c <= '9'; }
static inline octet lower(octet c) { return c >= 'A' && c <= 'Z' ? c | 0x20 : c; }

static inline bool is_blank_text(const octet *at, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!is_space(at[i]))
            return false;
    return true;
}

/* Leave out the white space around a text; return its new start. */
static inline const octet *trim(const octet *at, size_t *length)
{
    for (; *length && is_space(*at); --*length)
        at++;
    while (*length && is_space(at[*length - 1]))
        --*length;
    return at;
}

/* A new string, and new bytes, or NULL for an error. */
static inline PyObject *as_str(const octet *at, size_t length)
{
    return PyUnicode_FromStringAndSize((const char *)at, length);
}
static inline PyObject *as_bytes(const octet *at, size_t length)
{
    return PyBytes_FromStringAndSize((const char *)at, length);
}

/* The first place of a byte, or the end of the searched range. */
static inline size_t find(const octet *at, octet wanted, size_t from, size_t end)
{
    const octet *found = from < end ? memchr(at + from, wanted, end - from) : NULL;
    return found ? (size_t)(found - at) : end;
}

/* The character at a place in UTF-8, and its length in bytes. */
static inline uint32_t read_character(const octet *at, size_t *length)
{
    octet c = at[0];
    *length = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    uint32_t code = c < 0x80 ? c : c & 0x7f >> *length;
    for (size_t i = 1; i < *length; i++)
        code = code << 6 | (at[i] & 0x3f);
    return code;
}

/* Write a character of up to 16 bits as UTF-8; return the place behind it. */
static inline octet *write_character(octet *to, uint32_t code)
{
    if (code < 0x80) {
        *to++ = code;
        return to;
    }
    if (code < 0x800) {
        *to++ = 0xc0 | code >> 6;
    } else {
        *to++ = 0xe0 | code >> 12;
        *to++ = 0x80 | (code >> 6 & 0x3f);
    }
    *to++ = 0x80 | (code & 0x3f);
    return to;
}

PyObject *is_utf8(PyObject *module, PyObject *arguments);
PyObject *read_page(PyObject *module, PyObject *arguments, PyObject *named);
PyObject *say(PyObject *module, PyObject *arguments);
PyObject *show_blocks(PyObject *module, PyObject *arguments, PyObject *named);
PyObject *show_tags(PyObject *module, PyObject *arguments);
PyObject *hash_tokens(PyObject *module, PyObject *arguments);
PyObject *join_tokens(PyObject *module, PyObject *arguments);
PyObject *space_tokens(PyObject *module, PyObject *arguments);
PyObject *read_dictionary(PyObject *module, PyObject *arguments);
PyObject *match_sentences(PyObject *module, PyObject *arguments);
PyObject *compare_sketches(PyObject *module, PyObject *arguments);
PyObject *sketch(PyObject *module, PyObject *arguments);
PyObject *simhash(PyObject *module, PyObject *arguments);
PyObject *near_words(PyObject *module, PyObject *arguments);
PyObject *read_marks(PyObject *module, PyObject *arguments);
PyObject *spell(PyObject *module, PyObject *arguments);
PyObject *tell_item(PyObject *module, PyObject *arguments);
PyObject *find_links(PyObject *module, PyObject *arguments);
PyObject *find_numbers(PyObject *module, PyObject *arguments);
PyObject *count_octet(PyObject *module, PyObject *arguments);
void prepare_visible(void);
void prepare_notices(void);
PyObject *sketch_visible(PyObject *module, PyObject *arguments);

#endif
