/* SimHash and shingles from hashes: the same as votes and sketches in dedup.native.portable. */

#include "native.h"

#include <math.h>
#include <stdlib.h>

enum { WORD_BITS = 64, PARTS = 8, VALUES = 256, UNIT = 4096 };
static const double MOST_WEIGHT = 1ULL << 53; /* Maximum weight; larger doubles are not exact. */
enum {
    MOST_PLACES = 1 << 12, /* Maximum groups of a sort by the highest bits. */
    FEW = 64               /* Up to this many hashes are sorted by insertion. */
};

static int compare(const void *one, const void *other)
{
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

static void sort_few(uint64_t *hashes, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint64_t hash = hashes[i];
        size_t at = i;
        for (; at && hashes[at - 1] > hash; at--)
            hashes[at] = hashes[at - 1];
        hashes[at] = hash;
    }
}

/* Sort hashes: first into groups by their highest bits, which are evenly spread. There are about as many
   groups as hashes. Then each group is sorted. */
static void sort(const uint64_t *hashes, uint64_t *sorted, size_t count)
{
    uint32_t places[MOST_PLACES + 1];
    int shift = WORD_BITS - 1;
    while (1ULL << (WORD_BITS - shift) < count && 1 << (WORD_BITS - shift) < MOST_PLACES)
        shift--;
    size_t values = 1ULL << (WORD_BITS - shift);
    memset(places, 0, (values + 1) * sizeof *places);
    for (size_t i = 0; i < count; i++)
        places[(hashes[i] >> shift) + 1]++;
    for (size_t value = 0; value < values; value++)
        places[value + 1] += places[value];
    for (size_t i = 0; i < count; i++)
        sorted[places[hashes[i] >> shift]++] = hashes[i];
    for (size_t value = 0, from = 0; value < values; from = places[value++]) {
        size_t size = places[value] - from;
        if (size > FEW)
            qsort(sorted + from, size, sizeof *sorted, compare);
        else
            sort_few(sorted + from, size);
    }
}

/* The weight of each byte of hashes, by its place and its value; and the sum of all weights. */
typedef struct {
    uint64_t weights[PARTS][VALUES], all;
} Votes;

static void vote(Votes *votes, uint64_t hash, uint64_t weight)
{
    for (int part = 0; part < PARTS; part++)
        votes->weights[part][hash >> 8 * part & 0xff] += weight;
    votes->all += weight;
}

/* The bits that are set in more than half of all weight. */
static uint64_t count_votes(Votes *votes)
{
    uint64_t word = 0;
    for (int part = 0; part < PARTS; part++) {
        uint64_t *weights = votes->weights[part];
        for (int bit = 7; bit >= 0; bit--) {
            int half = 1 << bit;
            uint64_t set = 0;
            for (int value = 0; value < half; value++) {
                set += weights[value + half];
                weights[value] += weights[value + half];
            }
            word |= (uint64_t)(2 * set > votes->all) << (8 * part + bit);
        }
    }
    return word;
}

/* The 64-bit SimHash of hashes with their weights, which are whole numbers. */
PyObject *simhash(PyObject *module, PyObject *arguments)
{
    Py_buffer hashes, weights;
    if (!PyArg_ParseTuple(arguments, "y*y*:simhash", &hashes, &weights))
        return NULL;
    const uint64_t *hash = hashes.buf;
    const double *weight = weights.buf;
    Votes votes = {0};
    bool fits = hashes.len == weights.len;
    for (size_t i = 0; fits && i < hashes.len / sizeof *hash; i++) {
        fits = weight[i] >= 0 && weight[i] <= MOST_WEIGHT; /* This is false for NaN. */
        vote(&votes, hash[i], fits ? (uint64_t)weight[i] : 0);
    }
    PyBuffer_Release(&hashes), PyBuffer_Release(&weights);
    if (!fits) {
        PyErr_SetString(PyExc_ValueError, "each hash has one weight, from 0 to 2 ** 53");
        return NULL;
    }
    return PyLong_FromUnsignedLongLong(count_votes(&votes));
}

/* The SimHash of sorted hashes. The weight of each is 1 + ln(its count). */
static uint64_t simhash_of(const uint64_t *sorted, size_t count)
{
    Votes votes = {0};
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && sorted[next] == sorted[i];)
            next++;
        vote(&votes, sorted[i], next - i == 1 ? UNIT : (uint64_t)rint((1 + log(next - i)) * UNIT));
    }
    return count_votes(&votes);
}

static uint64_t mix(uint64_t value)
{
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
    value = (value ^ value >> 27) * 0x94d049bb133111eb;
    return value ^ value >> 31;
}

/* Replace the hashes of tokens by the hashes of shingles of ``width`` tokens; return their number. */
static size_t make_shingles(uint64_t *hashes, size_t count, size_t width)
{
    width = width < count ? width : count;
    size_t left = count ? count - width + 1 : 0;
    for (size_t i = 0; i < left; i++) {
        uint64_t total = hashes[i];
        for (size_t next = 1; next < width; next++)
            total = total * 0x9e3779b97f4a7c15 + hashes[i + next];
        hashes[i] = mix(total);
    }
    return left;
}

/* Remove repeated hashes; return the number of the rest. */
static size_t unite(uint64_t *sorted, size_t count)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        if (!i || sorted[i] != sorted[i - 1])
            sorted[left++] = sorted[i];
    return left;
}

static void pack(octet *to, uint64_t value, int octets)
{
    for (int i = 0; i < octets; i++)
        to[i] = value >> 8 * i;
}

/* The first place of each of the smallest hashes among all hashes, in 256ths. */
static void find_places(const uint64_t *all, size_t left, const uint64_t *smallest, size_t count, octet *places)
{
    for (size_t i = left; count && i-- > 0;) {
        if (all[i] > smallest[count - 1])
            continue;
        size_t low = 0, high = count - 1;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (smallest[middle] < all[i])
                low = middle + 1;
            else
                high = middle;
        }
        places[low] = (octet)(i * 256 / left);
    }
}

/* Pack the smallest hashes, little-endian: the first ``keys`` hashes whole, the upper halves of the
   others, then their places among all hashes. */
static PyObject *pack_smallest(const uint64_t *smallest, size_t keys, size_t count, const uint64_t *all, size_t left)
{
    keys = keys < count ? keys : count;
    PyObject *packed = PyBytes_FromStringAndSize(NULL, 8 * keys + 4 * (count - keys) + count);
    octet *to = packed ? (octet *)PyBytes_AsString(packed) : NULL;
    for (size_t i = 0; packed && i < count; i++) {
        pack(to, i < keys ? smallest[i] : smallest[i] >> 32, i < keys ? 8 : 4);
        to += i < keys ? 8 : 4;
    }
    if (packed)
        find_places(all, left, smallest, count, to);
    return packed;
}

/* The SimHash of a text, the number of its distinct shingles, and the smallest of their hashes. */
PyObject *sketch(PyObject *module, PyObject *arguments)
{
    Py_buffer text;
    unsigned long long seed;
    Py_ssize_t width, keys, most;
    PyObject *hash_long, *made = NULL;
    Octets hashes = {0};
    if (!PyArg_ParseTuple(arguments, "y*KOnnn:sketch", &text, &seed, &hash_long, &width, &keys, &most))
        return NULL;
    bool fits = width > 0 && keys >= 0 && most >= 0;
    if (!fits)
        PyErr_SetString(PyExc_ValueError, "a shingle has at least one token");
    if (fits && hash_all(&hashes, text.buf, text.len, seed, hash_long)) {
        size_t count = hashes.length / sizeof(uint64_t);
        uint64_t *all = (uint64_t *)hashes.at, *sorted = PyMem_Malloc((count + 1) * sizeof *sorted);
        if (sorted) {
            sort(all, sorted, count);
            uint64_t word = simhash_of(sorted, count);
            size_t left = make_shingles(all, count, width);
            sort(all, sorted, left);
            size_t shingles = unite(sorted, left);
            size_t kept = shingles < (size_t)most ? shingles : (size_t)most;
            made = Py_BuildValue("(KnN)", (unsigned long long)word, (Py_ssize_t)shingles,
                                 pack_smallest(sorted, keys, kept, all, left));
        } else {
            PyErr_NoMemory();
        }
        PyMem_Free(sorted);
    }
    PyMem_Free(hashes.at);
    PyBuffer_Release(&text);
    return made;
}
