/* Growing arrays, counts of bytes, folding of white space, and a test for UTF-8. */

#include "native.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Make room for one more entry in an array. */
bool make_room(void **array, size_t *room, size_t count, size_t size)
{
    if (count < *room)
        return true;
    size_t more = 2 * count + 64;
    void *at = PyMem_Realloc(*array, more * size);
    if (!at) {
        PyErr_NoMemory();
        return false;
    }
    *array = at;
    *room = more;
    return true;
}

/* Make room for more bytes. Afterwards the array exists, even if ``more`` is 0. */
bool grow(Octets *octets, size_t more)
{
    if (octets->at && octets->room - octets->length >= more)
        return true;
    size_t room = 2 * (octets->length + more) + 256;
    octet *at = PyMem_Realloc(octets->at, room);
    if (!at) {
        PyErr_NoMemory();
        return false;
    }
    octets->at = at;
    octets->room = room;
    return true;
}

bool append(Octets *octets, const octet *from, size_t length)
{
    if (!length)
        return true;
    if (!grow(octets, length))
        return false;
    memcpy(octets->at + octets->length, from, length);
    octets->length += length;
    return true;
}

/* Append an object to a list and release it. NULL for the object is an error from before. */
bool append_object(PyObject *list, PyObject *object)
{
    bool done = object && !PyList_Append(list, object);
    Py_XDECREF(object);
    return done;
}

/* Bytes that are counted into a sum of one byte, so that many are added at a time; no vector is left half full. */
enum { SUMMED = 240 };

#ifdef __SSE2__
/* Count a byte among others, a multiple of 16. */
static size_t count_in_vectors(const octet *octets, size_t length, octet sign)
{
    const __m128i wanted = _mm_set1_epi8((char)sign), zero = _mm_setzero_si128();
    uint64_t sums[2] = {0}, more[2];
    for (size_t at = 0; at < length; sums[0] += more[0], sums[1] += more[1]) {
        size_t stop = length - at > 16 * SUMMED ? at + 16 * SUMMED : length;
        __m128i part = zero; /* A sum in each of its bytes. */
#pragma GCC unroll 4
        for (; at < stop; at += 16) {
            __m128i some = _mm_loadu_si128((const __m128i *)(octets + at));
            part = _mm_sub_epi8(part, _mm_cmpeq_epi8(some, wanted));
        }
        _mm_storeu_si128((__m128i *)more, _mm_sad_epu8(part, zero));
    }
    return sums[0] + sums[1];
}
#else
static size_t count_in_vectors(const octet *octets, size_t length, octet sign)
{
    size_t sum = 0;
    for (size_t at = 0; at < length;) {
        size_t stop = length - at > SUMMED ? at + SUMMED : length;
        octet part = 0;
        for (; at < stop; at++)
            part += octets[at] == sign;
        sum += part;
    }
    return sum;
}
#endif

/* Count a byte among others. */
size_t count_of(const octet *octets, size_t length, octet sign)
{
    size_t whole = length / 16 * 16, sum = count_in_vectors(octets, whole, sign);
    for (size_t at = whole; at < length; at++)
        sum += octets[at] == sign;
    return sum;
}

/* The number of characters of a text: its bytes without continuation bytes. */
static size_t count_characters(const octet *text, size_t length)
{
    size_t sum = 0;
    for (size_t at = 0; at < length;) {
        size_t stop = length - at > SUMMED ? at + SUMMED : length;
        octet part = 0;
        for (; at < stop; at++)
            part += (text[at] & 0xc0) != 0x80;
        sum += part;
    }
    return sum;
}

/* Kinds of bytes: white space, and first bytes of characters that may be white space. */
enum { WHITE = 1, BEGINS = 2 };
static const octet kinds[256] = {
    ['\t' ... '\r'] = WHITE, [0x1c ... ' '] = WHITE, [0xc2] = BEGINS, [0xe1 ... 0xe3] = BEGINS,
};

/* The length of the white space beyond ASCII at a place, as in str.split of Python; or 0. */
static size_t white_space(const octet *at, size_t left)
{
    octet c = at[0];
    if (c == 0xc2)
        return left > 1 && (at[1] == 0x85 || at[1] == 0xa0) ? 2 : 0;
    if (left < 3)
        return 0;
    octet d = at[1], e = at[2];
    bool white = (c == 0xe1 && d == 0x9a && e == 0x80) || (c == 0xe3 && d == 0x80 && e == 0x80) ||
                 (c == 0xe2 && d == 0x81 && e == 0x9f) ||
                 (c == 0xe2 && d == 0x80 &&
                  ((e >= 0x80 && e <= 0x8a) || e == 0xa8 || e == 0xa9 || e == 0xaf));
    return white ? 3 : 0;
}

#ifdef __SSE2__
/* Copy text up to white space that needs folding, or a byte that may begin such; return the length. */
static size_t copy_plain(octet *to, const octet *from, size_t length, bool *behind_white)
{
    const __m128i space = _mm_set1_epi8(' '), wide = _mm_set1_epi8((char)0xe1), two = _mm_set1_epi8(2);
    size_t at = 0;
    unsigned before = *behind_white;
    for (; at + 16 <= length; at += 16) {
        __m128i some = _mm_loadu_si128((const __m128i *)(from + at));
        __m128i beyond = _mm_sub_epi8(some, wide); /* 0 to 2 for bytes 0xe1 to 0xe3. */
        __m128i spaces = _mm_cmpeq_epi8(some, space);
        __m128i kept = _mm_andnot_si128(spaces, _mm_cmpeq_epi8(_mm_min_epu8(some, space), some));
        __m128i begins = _mm_or_si128(_mm_cmpeq_epi8(some, _mm_set1_epi8((char)0xc2)),
                                      _mm_cmpeq_epi8(_mm_min_epu8(beyond, two), beyond));
        unsigned white = _mm_movemask_epi8(spaces);
        if (_mm_movemask_epi8(_mm_or_si128(kept, begins)) || (white & (white << 1 | before)))
            break;
        _mm_storeu_si128((__m128i *)(to + at), some);
        before = white >> 15;
    }
    *behind_white = before;
    return at;
}
#else
static size_t copy_plain(octet *to, const octet *from, size_t length, bool *behind_white) { return 0; }
#endif

/* Append text with white space folded to one space and removed at the ends. Return the number of
   characters, or -1 for an error. */
int64_t fold(Octets *folded, const octet *text, size_t length)
{
    if (!grow(folded, length))
        return -1;
    octet *from = folded->at + folded->length, *to = from;
    bool behind_white = true; /* A branch would be mispredicted, because words are short. */
    for (size_t at = 0; at < length;) {
        while (behind_white && at < length && kinds[text[at]] == WHITE)
            at++;
        size_t plain = copy_plain(to, text + at, length - at, &behind_white);
        at += plain, to += plain;
        for (size_t stop = length - at > 16 ? at + 16 : length; at < stop;) {
            octet kind = kinds[text[at]];
            size_t wide = kind == BEGINS ? white_space(text + at, length - at) : 0;
            bool white = kind == WHITE || wide;
            *to = white ? ' ' : text[at];
            to += !(white && behind_white);
            behind_white = white;
            at += wide ? wide : 1;
        }
    }
    to -= to > from && behind_white;
    folded->length = to - folded->at;
    return (int64_t)count_characters(from, to - from);
}

/* The length of a character beyond ASCII in UTF-8; 0 for invalid bytes (Unicode, table 3-7). */
static size_t character(const octet *at, size_t left)
{
    octet c = at[0], least = 0x80, most = 0xbf;
    size_t length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
    if (c < 0xc2 || c > 0xf4 || left < length)
        return 0;
    if (c == 0xe0 || c == 0xf0)
        least = c == 0xe0 ? 0xa0 : 0x90;
    else if (c == 0xed || c == 0xf4)
        most = c == 0xed ? 0x9f : 0x8f;
    if (at[1] < least || at[1] > most)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

/* The place behind a run of characters of three bytes, such as Han and kana. */
static const octet *skip_wide(const octet *at, const octet *end)
{
    while (end - at >= 3 && at[0] >= 0xe1 && at[0] <= 0xec && (at[1] & at[2] & 0xc0) == 0x80 &&
           ((at[1] | at[2]) & 0xc0) == 0x80)
        at += 3;
    return at;
}

/* The first byte beyond ASCII, or the end. */
static const octet *skip_ascii(const octet *at, const octet *end)
{
#ifdef __SSE2__
    for (; end - at >= 64; at += 64) {
        const __m128i *some = (const __m128i *)at;
        __m128i one = _mm_or_si128(_mm_loadu_si128(some), _mm_loadu_si128(some + 1));
        __m128i other = _mm_or_si128(_mm_loadu_si128(some + 2), _mm_loadu_si128(some + 3));
        if (_mm_movemask_epi8(_mm_or_si128(one, other)))
            break;
    }
    for (; end - at >= 16; at += 16) {
        unsigned beyond = _mm_movemask_epi8(_mm_loadu_si128((const __m128i *)at));
        if (beyond)
            return at + __builtin_ctz(beyond);
    }
#else
    uint64_t eight;
    while (end - at >= 8 && (memcpy(&eight, at, 8), !(eight & 0x8080808080808080)))
        at += 8;
#endif
    while (at < end && *at < 0x80)
        at++;
    return at;
}

PyObject *is_utf8(PyObject *module, PyObject *arguments)
{
    Py_buffer text;
    if (!PyArg_ParseTuple(arguments, "y*:is_utf8", &text))
        return NULL;
    const octet *at = text.buf, *end = at + text.len;
    bool valid = true;
    while (valid && at < end) {
        at = skip_wide(skip_ascii(at, end), end);
        if (at < end && *at >= 0x80) {
            size_t length = character(at, end - at);
            valid = length;
            at += length;
        }
    }
    PyBuffer_Release(&text);
    return PyBool_FromLong(valid);
}

PyObject *count_octet(PyObject *module, PyObject *arguments)
{
    Py_buffer octets;
    int sign;
    if (!PyArg_ParseTuple(arguments, "y*i:count_octet", &octets, &sign))
        return NULL;
    size_t sum = count_of(octets.buf, octets.len, sign);
    PyBuffer_Release(&octets);
    return PyLong_FromSize_t(sum);
}
