/* Two fingerprints of the scheme ``combined``, compared: as dedup.schemes.combined does it. */

#include "native.h"

/* The head of a fingerprint, little-endian: see _HEAD there. */
enum { SHINGLES_AT = 8, SIZE_AT = 12, KEYS_AT = 14, TITLE_AT = 24, HEAD = 30 };

/* The upper halves of the smallest shingle hashes, ascending; those of the keys come first. */
typedef struct {
    const octet *keys, *rest;
    size_t key_count, count;
    uint32_t shingles;
    uint64_t limit;
} Sketch;

static uint64_t read_number(const octet *at, int octets)
{
    uint64_t value = 0;
    for (int i = 0; i < octets; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

static uint32_t value_at(const Sketch *sketch, size_t i)
{
    const octet *at = i < sketch->key_count ? sketch->keys + 8 * i + 4
                                            : sketch->rest + 4 * (i - sketch->key_count);
    return read_number(at, 4);
}

/* Take a fingerprint apart; false where it is none that this code has made. */
static bool open_sketch(const Py_buffer *fingerprint, Sketch *sketch)
{
    const octet *at = fingerprint->buf;
    size_t length = fingerprint->len;
    if (length < HEAD)
        return false;
    size_t title = read_number(at + TITLE_AT, 2);
    sketch->shingles = read_number(at + SHINGLES_AT, 4);
    sketch->count = read_number(at + SIZE_AT, 2);
    sketch->key_count = read_number(at + KEYS_AT, 2);
    if (!sketch->count || sketch->key_count > sketch->count ||
        length != HEAD + 2 * title + 4 * sketch->key_count + 4 * sketch->count)
        return false;
    sketch->keys = at + HEAD + 2 * title;
    sketch->rest = sketch->keys + 8 * sketch->key_count;
    for (size_t i = 1; i < sketch->count; i++)
        if (value_at(sketch, i) < value_at(sketch, i - 1))
            return false;
    bool is_cut = sketch->shingles > sketch->count;
    sketch->limit = is_cut ? value_at(sketch, sketch->count - 1) : (uint64_t)1 << 32;
    return true;
}

/* Behind all values equal to that at some place. */
static size_t behind(const Sketch *sketch, size_t i)
{
    uint32_t value = value_at(sketch, i);
    while (i < sketch->count && value_at(sketch, i) == value)
        i++;
    return i;
}

static size_t count_to(const Sketch *sketch, uint64_t limit)
{
    size_t count = 0;
    for (size_t i = 0; i < sketch->count && value_at(sketch, i) <= limit; i = behind(sketch, i))
        count++;
    return count;
}

static size_t count_shared(const Sketch *a, const Sketch *b)
{
    size_t shared = 0, i = 0, j = 0;
    while (i < a->count && j < b->count) {
        uint32_t one = value_at(a, i), other = value_at(b, j);
        shared += one == other;
        size_t next = one <= other ? behind(a, i) : i;
        j = other <= one ? behind(b, j) : j;
        i = next;
    }
    return shared;
}

/* Resemblance and containment; None for fingerprints that are to be looked at by Python. */
PyObject *compare_sketches(PyObject *module, PyObject *arguments)
{
    Py_buffer one, other;
    if (!PyArg_ParseTuple(arguments, "y*y*:compare_sketches", &one, &other))
        return NULL;
    Sketch a, b;
    bool known = open_sketch(&one, &a) && open_sketch(&other, &b);
    double resemblance = 0, containment = 0;
    size_t shared = known ? count_shared(&a, &b) : 0;
    if (shared) { /* none of these is beyond a limit */
        uint64_t limit = a.limit < b.limit ? a.limit : b.limit;
        size_t in_a = count_to(&a, limit), in_b = count_to(&b, limit);
        bool is_smaller = a.shingles < b.shingles || (a.shingles == b.shingles && in_a < in_b);
        resemblance = (double)shared / (in_a + in_b - shared);
        containment = (double)shared / (is_smaller ? in_a : in_b);
    }
    PyBuffer_Release(&one), PyBuffer_Release(&other);
    if (!known)
        Py_RETURN_NONE;
    return Py_BuildValue("(dd)", resemblance, containment);
}
