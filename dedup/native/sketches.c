/* Two fingerprints of the scheme ``combined``, compared: as dedup.schemes.sketched does it. */

#include "native.h"

#include <math.h>
#include <stdlib.h>

/* The head of a fingerprint, little-endian: see _HEAD there. */
enum { SHINGLES_AT = 8, SIZE_AT = 12, KEYS_AT = 14, WORDS_AT = 17, NUMBERS_AT = 18, HEAD = 24 };
enum { MOST_SKETCHED = 1 << 13, LEAST_RUN = 4, PLACES = 256 };

static const double BY_CHANCE = 0.001;

/* The upper halves of the smallest shingle hashes, ascending; those of the keys come first. And where each
   stands in the text. */
typedef struct {
    const octet *keys, *rest, *places;
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
    size_t hashes = read_number(at + WORDS_AT, 1) + read_number(at + NUMBERS_AT, 2);
    sketch->shingles = read_number(at + SHINGLES_AT, 4);
    sketch->count = read_number(at + SIZE_AT, 2);
    sketch->key_count = read_number(at + KEYS_AT, 2);
    if (!sketch->count || sketch->count > MOST_SKETCHED || sketch->key_count > sketch->count ||
        sketch->shingles < sketch->count ||
        length != HEAD + 2 * hashes + 4 * sketch->key_count + 5 * sketch->count)
        return false;
    sketch->keys = at + HEAD + 2 * hashes;
    sketch->rest = sketch->keys + 8 * sketch->key_count;
    sketch->places = sketch->rest + 4 * (sketch->count - sketch->key_count);
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

/* Mark each value up to a limit that both have; gives how many the first has up to there. */
static size_t mark_shared(const Sketch *a, const Sketch *b, uint64_t limit, octet *marks, size_t *shared)
{
    size_t count = 0, i = 0, j = 0;
    *shared = 0;
    while (i < a->count && value_at(a, i) <= limit) {
        uint32_t value = value_at(a, i);
        while (j < b->count && value_at(b, j) < value)
            j++;
        marks[i] = j < b->count && value_at(b, j) == value;
        *shared += marks[i];
        count++;
        i = behind(a, i);
    }
    return count;
}

/* The lengths of the runs of values that are not marked, in the order of their places. */
static size_t find_runs(const Sketch *sketch, uint64_t limit, const octet *marks, uint16_t *runs)
{
    uint16_t order[MOST_SKETCHED];
    size_t ends[PLACES + 1] = {0}, count = 0, run = 0;
    for (size_t i = 0; i < sketch->count && value_at(sketch, i) <= limit; i = behind(sketch, i))
        ends[sketch->places[i] + 1]++, count++;
    for (int place = 0; place < PLACES; place++)
        ends[place + 1] += ends[place];
    for (size_t i = 0; i < sketch->count && value_at(sketch, i) <= limit; i = behind(sketch, i))
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

/* The share of a text in passages that another lacks. */
static double share_of_own(const Sketch *text, const Sketch *other, uint64_t limit, const octet *marks,
                           size_t count)
{
    uint16_t runs[MOST_SKETCHED + 1];
    size_t found = find_runs(text, limit, marks, runs), own = 0;
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

static PyObject *compare(const Sketch *a, const Sketch *b)
{
    octet in_a[MOST_SKETCHED], in_b[MOST_SKETCHED];
    uint64_t limit = a->limit < b->limit ? a->limit : b->limit;
    size_t shared, same;
    size_t from_a = mark_shared(a, b, limit, in_a, &shared), from_b = mark_shared(b, a, limit, in_b, &same);
    if (!shared)
        return PyTuple_New(0);
    return Py_BuildValue("(dddddn)", (double)shared / (from_a + from_b - shared), (double)shared / from_a,
                         (double)shared / from_b, share_of_own(a, b, limit, in_a, from_a),
                         share_of_own(b, a, limit, in_b, from_b), (Py_ssize_t)from_a);
}

/* What dedup.schemes.sketched.Likeness holds, nothing where nothing is shared; None for fingerprints that are
   to be looked at by Python. */
PyObject *compare_sketches(PyObject *module, PyObject *arguments)
{
    Py_buffer one, other;
    if (!PyArg_ParseTuple(arguments, "y*y*:compare_sketches", &one, &other))
        return NULL;
    Sketch a, b;
    PyObject *likeness = NULL;
    if (open_sketch(&one, &a) && open_sketch(&other, &b))
        likeness = compare(&a, &b);
    else
        likeness = Py_NewRef(Py_None);
    PyBuffer_Release(&one), PyBuffer_Release(&other);
    return likeness;
}
