/* Compare two fingerprints of the scheme ``combined``: the same as dedup.schemes.sketched. */

#include "native.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Byte offsets in the head of a fingerprint, little-endian: see _HEAD in dedup.schemes.combined. */
enum { SHINGLES_AT = 8, SIZE_AT = 12, KEYS_AT = 14, WORDS_AT = 17, NUMBERS_AT = 18, HEAD = 24 };
enum { MOST_SKETCHED = 1 << 13, LEAST_RUN = 4, PLACES = 256 };

static const double BY_CHANCE = 0.001;

/* The upper halves of the smallest shingle hashes, ascending, without repeats, with their places. */
typedef struct {
    uint32_t values[MOST_SKETCHED], shingles;
    octet places[MOST_SKETCHED];
    size_t count;
    uint64_t limit;
} Sketch;

static uint64_t read_number(const octet *at, int octets)
{
    uint64_t value = 0;
    for (int i = 0; i < octets; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

/* Read a fingerprint; return false if it has another format than this code writes. */
static bool open_sketch(const Py_buffer *fingerprint, Sketch *sketch)
{
    const octet *at = fingerprint->buf;
    size_t length = fingerprint->len;
    if (length < HEAD)
        return false;
    size_t hashes = read_number(at + WORDS_AT, 1) + read_number(at + NUMBERS_AT, 2);
    size_t size = read_number(at + SIZE_AT, 2), key_count = read_number(at + KEYS_AT, 2);
    sketch->shingles = read_number(at + SHINGLES_AT, 4);
    if (!size || size > MOST_SKETCHED || key_count > size || sketch->shingles < size ||
        length != HEAD + 2 * hashes + 4 * key_count + 5 * size)
        return false;
    const octet *keys = at + HEAD + 2 * hashes, *rest = keys + 8 * key_count;
    const octet *places = rest + 4 * (size - key_count);
    uint32_t value, last = 0;
    sketch->count = 0;
    for (size_t i = 0; i < size; i++, last = value) {
        /* The upper half of a key is its second half in the bytes. */
        value = read_number(i < key_count ? keys + 8 * i + 4 : rest + 4 * (i - key_count), 4);
        if (value < last)
            return false;
        if (i && value == last)
            continue;
        sketch->values[sketch->count] = value;
        sketch->places[sketch->count++] = places[i];
    }
    sketch->limit = sketch->shingles > size ? last : (uint64_t)1 << 32;
    return true;
}

/* The number of values of a sketch up to a limit. */
static size_t count_to(const Sketch *sketch, uint64_t limit)
{
    size_t count = sketch->count;
    while (count && sketch->values[count - 1] > limit)
        count--;
    return count;
}

/* Mark the values that both sketches have, among the first values of each; return their number. */
static size_t mark_shared(const Sketch *a, const Sketch *b, size_t from_a, size_t from_b, octet *in_a, octet *in_b)
{
    size_t shared = 0;
    memset(in_a, 0, from_a), memset(in_b, 0, from_b);
    for (size_t i = 0, j = 0; i < from_a && j < from_b;) {
        uint32_t here = a->values[i], there = b->values[j];
        if (here == there)
            in_a[i] = in_b[j] = true, shared++;
        i += here <= there;
        j += there <= here;
    }
    return shared;
}

/* Find the lengths of the runs of unmarked values, by place; return the number of runs. */
static size_t find_runs(const Sketch *sketch, size_t count, const octet *marks, uint16_t *runs)
{
    uint16_t order[MOST_SKETCHED];
    size_t ends[PLACES + 1] = {0}, run = 0;
    for (size_t i = 0; i < count; i++)
        ends[sketch->places[i] + 1]++;
    for (int place = 0; place < PLACES; place++)
        ends[place + 1] += ends[place];
    for (size_t i = 0; i < count; i++)
        order[ends[sketch->places[i]]++] = i;
    runs[0] = 0;
    for (size_t i = 0; i < count; i++) {
        if (marks[order[i]])
            runs[++run] = 0;
        else
            runs[run]++;
    }
    return run + 1;
}

static int compare_runs(const void *one, const void *other)
{
    return *(const uint16_t *)other - *(const uint16_t *)one;
}

/* The share of a text in passages that another text lacks, by its first ``count`` hashes. */
static double share_of_own(const Sketch *text, const Sketch *other, size_t count, const octet *marks)
{
    uint16_t runs[MOST_SKETCHED + 1];
    size_t found = find_runs(text, count, marks, runs), own = 0;
    qsort(runs, found, sizeof *runs, compare_runs);
    for (size_t i = 0; i < found && runs[i] >= LEAST_RUN; i++) {
        size_t outside = count - own - runs[i];
        if (outside && pow(1 - (double)(found - 1) / outside, runs[i]) >= BY_CHANCE)
            break;
        own += runs[i];
    }
    double share = (double)own / count, larger = 1 - (double)other->shingles / text->shingles;
    return share > larger ? share : larger;
}

static PyObject *compare(const Sketch *a, const Sketch *b, double least)
{
    octet in_a[MOST_SKETCHED], in_b[MOST_SKETCHED];
    uint64_t limit = a->limit < b->limit ? a->limit : b->limit;
    size_t from_a = count_to(a, limit), from_b = count_to(b, limit);
    size_t shared = mark_shared(a, b, from_a, from_b, in_a, in_b);
    size_t fewer = from_a < from_b ? from_a : from_b;
    if (!shared || (double)shared / fewer < least)
        return PyTuple_New(0);
    return Py_BuildValue("(dddddn)", (double)shared / (from_a + from_b - shared), (double)shared / from_a,
                         (double)shared / from_b, share_of_own(a, b, from_a, in_a),
                         share_of_own(b, a, from_b, in_b), (Py_ssize_t)from_a);
}

/* Return the fields of dedup.schemes.sketched.Likeness; an empty tuple if the shares in common are both
   below ``least``; None if Python must read the fingerprints. */
PyObject *compare_sketches(PyObject *module, PyObject *arguments)
{
    Py_buffer one, other;
    double least;
    if (!PyArg_ParseTuple(arguments, "y*y*d:compare_sketches", &one, &other, &least))
        return NULL;
    Sketch a, b;
    PyObject *likeness = NULL;
    if (open_sketch(&one, &a) && open_sketch(&other, &b))
        likeness = compare(&a, &b, least);
    else
        likeness = Py_NewRef(Py_None);
    PyBuffer_Release(&one), PyBuffer_Release(&other);
    return likeness;
}
