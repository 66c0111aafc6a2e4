/* Join and hash tokens: the same as dedup.native.portable.hashes. */

#include "native.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { SHORT = 16 };

/* XXH3 of up to 16 bytes, by its specification (xxHash, doc/xxhash_spec.md). */
static const octet secret[] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21,
    0xad, 0x1c, 0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4,
    0xb7, 0xb3, 0x67, 0x1f, 0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a,
    0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21, 0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e,
};

static uint64_t read64(const octet *at)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

static uint32_t read32(const octet *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint64_t rotate(uint64_t value, int by) { return value << by | value >> (64 - by); }

static uint64_t hash_to_3(const octet *at, size_t length, uint64_t seed)
{
    uint32_t joined = (uint32_t)at[0] << 16 | (uint32_t)at[length >> 1] << 24 | at[length - 1] |
                      (uint32_t)length << 8;
    uint64_t hash = joined ^ ((read32(secret) ^ read32(secret + 4)) + seed);
    hash = (hash ^ hash >> 33) * 0xc2b2ae3d27d4eb4f;
    hash = (hash ^ hash >> 29) * 0x165667b19e3779f9;
    return hash ^ hash >> 32;
}

static uint64_t hash_to_8(const octet *at, size_t length, uint64_t seed)
{
    seed ^= (uint64_t)__builtin_bswap32((uint32_t)seed) << 32;
    uint64_t flip = (read64(secret + 8) ^ read64(secret + 16)) - seed;
    uint64_t hash = (read32(at + length - 4) + ((uint64_t)read32(at) << 32)) ^ flip;
    hash ^= rotate(hash, 49) ^ rotate(hash, 24);
    hash *= 0x9fb21c651e98df25;
    hash ^= (hash >> 35) + length;
    hash *= 0x9fb21c651e98df25;
    return hash ^ hash >> 28;
}

static uint64_t hash_to_16(const octet *at, size_t length, uint64_t seed)
{
    uint64_t low = read64(at) ^ ((read64(secret + 24) ^ read64(secret + 32)) + seed);
    uint64_t high = read64(at + length - 8) ^ ((read64(secret + 40) ^ read64(secret + 48)) - seed);
    unsigned __int128 product = (unsigned __int128)low * high;
    uint64_t hash = length + __builtin_bswap64(low) + high + ((uint64_t)product ^ (uint64_t)(product >> 64));
    hash = (hash ^ hash >> 37) * 0x165667919e3779f9;
    return hash ^ hash >> 32;
}

/* The hash of a token. Python hashes long tokens. */
static bool hash_token(const octet *at, size_t length, uint64_t seed, PyObject *hash_long, uint64_t *hash)
{
    if (length <= SHORT) {
        *hash = length < 4   ? hash_to_3(at, length, seed)
                : length < 9 ? hash_to_8(at, length, seed)
                             : hash_to_16(at, length, seed);
        return true;
    }
    PyObject *made = PyObject_CallFunction(hash_long, "NK", as_bytes(at, length),
                                           (unsigned long long)seed);
    if (made)
        *hash = PyLong_AsUnsignedLongLong(made);
    Py_XDECREF(made);
    return !PyErr_Occurred();
}

/* Append the hashes of tokens with white space between, 64 bits each. */
bool hash_all(Octets *hashes, const octet *at, size_t length, uint64_t seed, PyObject *hash_long)
{
    if (!grow(hashes, (length + 1) / 2 * sizeof(uint64_t))) /* Tokens have spaces between them. */
        return false;
    uint64_t *hash = (uint64_t *)(hashes->at + hashes->length);
    for (size_t from = 0; from < length;) {
        while (from < length && is_space(at[from]))
            from++;
        size_t end = from;
        while (end < length && !is_space(at[end]))
            end++;
        if (end > from && !hash_token(at + from, end - from, seed, hash_long, hash++))
            return false;
        from = end;
    }
    hashes->length = (octet *)hash - hashes->at;
    return true;
}

PyObject *hash_tokens(PyObject *module, PyObject *arguments)
{
    Py_buffer text;
    unsigned long long seed;
    PyObject *hash_long, *made = NULL;
    Octets hashes = {0};
    if (!PyArg_ParseTuple(arguments, "y*KO:hash_tokens", &text, &seed, &hash_long))
        return NULL;
    if (hash_all(&hashes, text.buf, text.len, seed, hash_long))
        made = as_bytes(hashes.at, hashes.length);
    PyMem_Free(hashes.at);
    PyBuffer_Release(&text);
    return made;
}

#ifdef __SSE2__
/* Copy words with one space between each two, 16 bytes at a time; return the length. */
static size_t copy_joined(octet *to, const octet *from, size_t length, bool *behind_space, Py_ssize_t *count)
{
    const __m128i space = _mm_set1_epi8(' '), tab = _mm_set1_epi8('\t'), four = _mm_set1_epi8(4);
    unsigned before = *behind_space;
    size_t at = 0;
    for (; at + 16 <= length; at += 16) {
        __m128i some = _mm_loadu_si128((const __m128i *)(from + at)), controls = _mm_sub_epi8(some, tab);
        unsigned spaces = _mm_movemask_epi8(_mm_cmpeq_epi8(some, space)), behind = spaces << 1 | before;
        if (_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(controls, four), controls)) || (spaces & behind))
            break;
        _mm_storeu_si128((__m128i *)(to + at), some);
        *count += __builtin_popcount(behind & 0xffff);
        before = spaces >> 15;
    }
    *behind_space = before;
    return at;
}
#else
static size_t copy_joined(octet *to, const octet *from, size_t length, bool *behind_space, Py_ssize_t *count)
{
    return 0;
}
#endif

/* Join the tokens with one space between; return them and their number. */
PyObject *join_tokens(PyObject *module, PyObject *arguments)
{
    Py_buffer text;
    if (!PyArg_ParseTuple(arguments, "y*:join_tokens", &text))
        return NULL;
    const octet *at = text.buf;
    Octets joined = {0};
    bool done = grow(&joined, text.len + 1), behind_space = true;
    Py_ssize_t count = 0;
    octet *to = joined.at;
    for (Py_ssize_t i = 0; done && i < text.len;) {
        size_t plain = copy_joined(to, at + i, text.len - i, &behind_space, &count);
        i += plain, to += plain;
        for (Py_ssize_t stop = text.len - i > 16 ? i + 16 : text.len; i < stop; i++) {
            bool space = is_space(at[i]); /* Words are short, so branches would be slow. */
            *to = space ? ' ' : at[i];
            to += !(space && behind_space);
            count += behind_space && !space;
            behind_space = space;
        }
    }
    Py_ssize_t length = done ? to - joined.at - (count && behind_space) : 0;
    PyObject *made = done ? Py_BuildValue("(Nn)", as_bytes(joined.at, length), count) : NULL;
    PyMem_Free(joined.at);
    PyBuffer_Release(&text);
    return made;
}
