/* A sketch of all text that a page shows: the same as dedup.native.portable.visible.

   It reads the octets of the page as they came, in any encoding that has ASCII: repeats on one site
   have the same encoding. There is one pass; nothing is decoded and no tree is made. */

#include "native.h"

enum { SHINGLE = 4, MOST_SAMPLE = 256, OCTETS = 256 };
static const uint64_t WORD_FACTOR = 0x9e3779b97f4a7c15, BASE = 0xd6e8feb86659fd93,
                      SAMPLE_FACTOR = 0xc2b2ae3d27d4eb4f;

typedef struct {
    uint64_t seed, bag, rolling, last[SHINGLE]; /* The last words, and a hash of them together. */
    size_t words, most, count;         /* Words read; size of the sample, and its values now. */
    uint32_t sample[MOST_SAMPLE];      /* The smallest shingles, sorted. */
} Sketch;

static uint32_t table[OCTETS];        /* Of CRC-32 (ISO 3309), as zlib has it. */
static unsigned char letters[OCTETS]; /* The small letter for each octet of a word; 0 for others. */
/* The same for the octets behind the first one of a word: any but leads of three octets or four; behind
   such a lead, the rest of a character. */
static unsigned char behind[OCTETS], behind_lead[OCTETS];

static bool is_between(unsigned char octet, unsigned char first, unsigned char last)
{
    return first <= octet && octet <= last;
}

/* Fill the tables. */
void prepare_visible(void)
{
    for (uint32_t octet = 0; octet < OCTETS; octet++) {
        uint32_t crc = octet;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
        table[octet] = crc;
        if (octet >= 0x80 || is_between(octet, 'a', 'z') || is_between(octet, '0', '9'))
            letters[octet] = octet;
        else if (is_between(octet, 'A', 'Z'))
            letters[octet] = octet | 0x20;
        behind[octet] = octet < 0xe0 ? letters[octet] : 0;
        behind_lead[octet] = is_between(octet, 0x80, 0xbf) ? octet : 0;
    }
}

/* Put a value among the smallest ones, each once. The loops have no branch, so that a compiler can do
   many values in a step. */
static void add_value(Sketch *sketch, uint32_t value)
{
    uint32_t *sample = sketch->sample, is_known = 0;
    size_t count = sketch->count;
    for (size_t i = 0; i < count; i++)
        is_known |= sample[i] == value;
    if (is_known)
        return;
    if (count < sketch->most) {
        sample[count] = UINT32_MAX;
        sketch->count = ++count;
    }
    for (size_t i = count - 1; i > 0; i--) {
        uint32_t moved = sample[i - 1] > value ? sample[i - 1] : value;
        sample[i] = sample[i] > value ? moved : sample[i];
    }
    sample[0] = sample[0] < value ? sample[0] : value;
}

static inline void add_shingle(Sketch *sketch)
{
    uint32_t value = (uint32_t)((sketch->rolling ^ sketch->seed) * SAMPLE_FACTOR >> 32);
    if (sketch->count < sketch->most || value < sketch->sample[sketch->most - 1])
        add_value(sketch, value);
}

/* The rolling hash of the last words is a polynomial in BASE (Karp and Rabin, 1987). */
static void add_word(Sketch *sketch, uint32_t crc)
{
    uint64_t hash = crc * WORD_FACTOR;
    hash ^= hash >> 32;
    sketch->bag += hash;
    uint64_t *oldest = &sketch->last[sketch->words % SHINGLE];
    sketch->rolling = sketch->rolling * BASE + hash - *oldest * (BASE * BASE * BASE * BASE);
    *oldest = hash;
    if (++sketch->words >= SHINGLE)
        add_shingle(sketch);
}

static void read_text(Sketch *sketch, const unsigned char *at, const unsigned char *end)
{
    while (at < end) {
        unsigned char letter = letters[*at++];
        if (!letter)
            continue;
        /* A lead of three octets or four begins a word, in which only their rest may follow. */
        const unsigned char *next = letter >= 0xe0 ? behind_lead : behind;
        uint32_t crc = table[0xff ^ letter] ^ 0xffffff;
        for (; at < end && (letter = next[*at]); at++)
            crc = table[(crc ^ letter) & 0xff] ^ crc >> 8;
        add_word(sketch, ~crc);
    }
}

static bool is_named(const unsigned char *at, const unsigned char *end, const char *name)
{
    size_t length = strlen(name);
    if ((size_t)(end - at) < length)
        return false;
    for (size_t i = 0; i < length; i++)
        if ((at[i] | 0x20) != name[i])
            return false;
    return at + length == end || !(is_between(at[length] | 0x20, 'a', 'z') || is_between(at[length], '0', '9'));
}

/* The end of an element whose content is not shown; at is behind its start tag. */
static const unsigned char *skip_content(
    const unsigned char *at, const unsigned char *end, const char *name)
{
    while ((at = at < end ? memchr(at, '<', end - at) : NULL)) {
        if (end - at > 1 && at[1] == '/' && is_named(at + 2, end, name))
            return at;
        at++;
    }
    return end;
}

/* The first place behind a tag or a comment that begins at a "<". */
static const unsigned char *skip_tag(const unsigned char *at, const unsigned char *end)
{
    static const char *const HIDDEN[] = {"script", "style", "title", "template"};
    if (end - at >= 4 && !memcmp(at, "<!--", 4)) {
        for (at += 4; (at = memchr(at, '-', end - at)); at++)
            if (end - at >= 3 && !memcmp(at, "-->", 3))
                return at + 3;
        return end;
    }
    const unsigned char *close = memchr(at, '>', end - at);
    if (!close)
        return end;
    bool may_hide = (at[1] | 0x20) == 's' || (at[1] | 0x20) == 't';
    for (size_t i = 0; may_hide && i < sizeof HIDDEN / sizeof *HIDDEN; i++)
        if (is_named(at + 1, end, HIDDEN[i]))
            return skip_content(close + 1, end, HIDDEN[i]);
    return close + 1;
}

static bool begins_tag(const unsigned char *at, const unsigned char *end)
{
    return end - at > 1 &&
           (is_between(at[1] | 0x20, 'a', 'z') || at[1] == '/' || at[1] == '!' || at[1] == '?');
}

static void read_body(Sketch *sketch, const unsigned char *at, const unsigned char *end)
{
    while (at < end) {
        const unsigned char *from = at;
        while ((at = at < end ? memchr(at, '<', end - at) : NULL) && !begins_tag(at, end))
            at++;
        if (!at)
            at = end;
        read_text(sketch, from, at);
        if (at < end)
            at = skip_tag(at, end);
    }
    if (sketch->words && sketch->words < SHINGLE)
        add_shingle(sketch);
}

PyObject *sketch_visible(PyObject *module, PyObject *arguments)
{
    Py_buffer body;
    unsigned long long seed;
    int most;
    if (!PyArg_ParseTuple(arguments, "y*Ki:sketch_visible", &body, &seed, &most))
        return NULL;
    if (most < 1 || most > MOST_SAMPLE) {
        PyBuffer_Release(&body);
        return PyErr_Format(PyExc_ValueError, "a sample has 1 to %d values; got %d", MOST_SAMPLE, most);
    }
    Sketch sketch = {.seed = seed, .most = most};
    read_body(&sketch, body.buf, (const unsigned char *)body.buf + body.len);
    PyBuffer_Release(&body);
    PyObject *sample = PyTuple_New(sketch.count);
    for (size_t i = 0; sample && i < sketch.count; i++) {
        PyObject *value = PyLong_FromUnsignedLong(sketch.sample[i]);
        if (!value || PyTuple_SetItem(sample, i, value))
            Py_CLEAR(sample);
    }
    return sample ? Py_BuildValue("KnN", (unsigned long long)sketch.bag, (Py_ssize_t)sketch.words, sample)
                  : NULL;
}
