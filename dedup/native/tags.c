/* Where the tags of a page are: as dedup.page.markup finds them, which has the rules.

   brackets -> each < that begins a tag, up to the next > -> the same without lookalikes */

#include "native.h"

enum { RAW = 1, LONGER = 2 };      /* what is said of a name */
enum { NAME_OCTETS = 8, PADDING = NAME_OCTETS + 2 };
enum { LEAST_WITH_VALUE = 4, ODDITY = 1 };

/* The names that mean something: sorted keys, and the name of each. */
typedef struct {
    const uint64_t *keys;
    const octet *names, *kinds, *lengths;
    size_t count;
} Names;

typedef struct {
    int64_t start, stop;
    uint64_t key;
    octet name;
    bool ends, empty, odd, closed, nested, twice;
    bool doubtful, holding, hidden;
    int64_t beside_name;
} Tag;

typedef struct {
    Tag *at;
    size_t count, room;
} Tags;

static bool in_name(octet c)
{
    return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == ':' || c == '.';
}

static bool is_letter(octet c) { return lower(c) >= 'a' && lower(c) <= 'z'; }

static bool ends_name(octet c)
{
    return c == '>' || c == ' ' || c == '/' || c == '\t' || c == '\r' || c == '\n' || c == '\f';
}

static octet look_up(const Names *names, uint64_t key)
{
    size_t low = 0, high = names->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (names->keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < names->count && names->keys[low] == key ? names->names[low] : 0;
}

/* The name that begins somewhere: its key, what it is among those known, the length of the key. */
static int read_name(const octet *html, size_t at, const Names *names, uint64_t *key, octet *name)
{
    int length = 0;
    *key = 0;
    while (length < NAME_OCTETS && in_name(html[at + length])) {
        *key |= (uint64_t)(html[at + length] | 0x20) << 8 * length;
        length++;
    }
    *name = look_up(names, *key);
    if (length == NAME_OCTETS && in_name(html[at + length]) && !(names->kinds[*name] & LONGER))
        *name = 0;
    return length;
}

/* What the end of a tag says: whether it is a " that ends a value; whether the tag is empty. */
static void read_last(const octet *html, Tag *tag)
{
    int64_t last = tag->stop - 2;
    bool slashed = html[last] == '/';
    last -= slashed;
    bool spaced = html[last] == ' ';
    last -= spaced;
    octet end = html[last], before = last ? html[last - 1] : 0;
    bool quoted = end == '"';
    bool alone = slashed && (spaced || quoted || end == '\'');
    tag->closed = quoted && before != '=' && before != ' ';
    tag->empty = !tag->ends && (alone || (slashed && tag->beside_name == 1));
}

/* Each < that begins a tag, up to the next >; where the page ends, as far as its tags are whole. */
static bool find_all(const octet *html, size_t length, const Names *names, Tags *tags, size_t *end)
{
    size_t open = find(html, '<', 0, length), close = find(html, '>', 0, length);
    size_t looked_behind = length; /* the last > behind which brackets were sought, */
    bool twice = false;            /* and whether the next of these is another > */
    while (open < length) {
        octet first = html[open + 1];
        bool ends = first == '/';
        bool named = is_letter(html[open + 1 + ends]);
        bool odd = !named && (ends || first == '!' || first == '?');
        if (close < open)
            close = find(html, '>', open + 1, length);
        size_t next = find(html, '<', open + 1, length);
        if (!named && !odd) {
            open = next;
            continue;
        }
        if (close == length) {
            *end = open;
            return true;
        }
        if (!make_room((void **)&tags->at, &tags->room, tags->count, sizeof(Tag)))
            return false;
        Tag *tag = &tags->at[tags->count++];
        *tag = (Tag){.start = open, .stop = close + 1, .ends = ends, .odd = odd};
        int name = read_name(html, open + 1 + ends, names, &tag->key, &tag->name);
        if (odd)
            tag->name = ODDITY;
        tag->beside_name = tag->stop - tag->start - name - 2;
        read_last(html, tag);
        tag->nested = next < close;
        if (close != looked_behind) {
            size_t bracket = tag->nested ? find(html, '<', close + 1, length) : next;
            twice = find(html, '>', close + 1, bracket) < bracket;
            looked_behind = close;
        }
        tag->twice = twice;
        open = next;
    }
    return true;
}

/* Whether a tag may end behind its first >, and whether it may hold lookalikes. */
static void doubt(const octet *html, Tags *tags, const Names *names)
{
    for (size_t i = 0; i < tags->count; i++) {
        Tag *tag = &tags->at[i];
        const Tag *next = i + 1 < tags->count ? tag + 1 : NULL;
        if (tag->odd)
            tag->doubtful = html[tag->stop - 2] != '-' || html[tag->stop - 3] != '-';
        else
            tag->doubtful = !tag->closed && !tag->ends && tag->beside_name >= LEAST_WITH_VALUE;
        tag->doubtful |= tag->nested || tag->twice || (next && next->twice);
        bool ended = next && next->name == tag->name && next->ends && next->beside_name == 1;
        tag->holding = names->kinds[tag->name] & RAW && !tag->ends && (tag->doubtful || !ended);
    }
}

static size_t end_of_comment(const octet *html, size_t start, size_t end)
{
    size_t at = start + 4;
    if (at < end && html[at] == '>')
        return at + 1;
    if (at + 1 < end && html[at] == '-' && html[at + 1] == '>')
        return at + 2;
    for (at = find(html, '-', at, end); at + 2 < end; at = find(html, '-', at + 1, end)) {
        if (html[at + 1] != '-')
            continue;
        if (html[at + 2] == '>')
            return at + 3;
        if (html[at + 2] == '!' && at + 3 < end && html[at + 3] == '>')
            return at + 4;
    }
    return end;
}

/* Behind the > that is in no value. */
static size_t end_of_tag(const octet *html, size_t start, size_t end)
{
    size_t at = start + 1;
    while (at < end && html[at] != '>') {
        if (html[at++] != '=')
            continue;
        while (at < end && is_space(html[at]) && html[at] != '\v')
            at++;
        if (at < end && (html[at] == '"' || html[at] == '\'')) {
            size_t quote = find(html, html[at], at + 1, end);
            at = quote < end ? quote + 1 : at + 1;
        } else if (at < end && !is_space(html[at]) && html[at] != '>') {
            while (at < end && !is_space(html[at]) && html[at] != '>')
                at++;
        }
    }
    return at < end ? at + 1 : end;
}

static size_t real_stop(const octet *html, const Tag *tag, size_t end)
{
    size_t start = tag->start, stop = tag->stop;
    if (tag->name == ODDITY)
        return memcmp(html + start, "<!--", 4) ? stop : end_of_comment(html, start, end);
    if (find(html, '"', start, stop) < stop || find(html, '\'', start, stop) < stop)
        return end_of_tag(html, start, end);
    return stop;
}

static void hide_lookalikes(const octet *html, size_t end, Tags *tags, const Names *names)
{
    for (size_t i = 0, after; i < tags->count; i = after) {
        Tag *tag = &tags->at[i];
        after = i + 1;
        if (!tag->doubtful && !tag->holding)
            continue;
        size_t stop = tag->doubtful ? real_stop(html, tag, end) : (size_t)tag->stop;
        if (stop != (size_t)tag->stop) {
            octet before = html[stop - 3];
            tag->stop = stop;
            tag->empty = html[stop - 2] == '/' && (before == ' ' || before == '"' || before == '\'');
        }
        while (after < tags->count && (size_t)tags->at[after].start < stop)
            after++;
        if (tag->holding && !tag->empty) {
            size_t length = 2 + names->lengths[tag->name];
            for (; after < tags->count; after++) {
                const Tag *other = &tags->at[after];
                if (other->ends && other->name == tag->name && ends_name(html[other->start + length]))
                    break;
            }
        }
        for (size_t lookalike = i + 1; lookalike < after; lookalike++)
            tags->at[lookalike].hidden = true;
    }
}

/* The tags that are left, as parallel arrays. */
static PyObject *as_arrays(const Tags *tags, size_t end)
{
    size_t count = 0;
    for (size_t i = 0; i < tags->count; i++)
        count += !tags->at[i].hidden;
    PyObject *starts = PyBytes_FromStringAndSize(NULL, count * sizeof(int64_t));
    PyObject *stops = PyBytes_FromStringAndSize(NULL, count * sizeof(int64_t));
    PyObject *keys = PyBytes_FromStringAndSize(NULL, count * sizeof(uint64_t));
    PyObject *names = PyBytes_FromStringAndSize(NULL, count);
    PyObject *ends = PyBytes_FromStringAndSize(NULL, count);
    PyObject *empty = PyBytes_FromStringAndSize(NULL, count);
    if (!starts || !stops || !keys || !names || !ends || !empty) {
        Py_XDECREF(starts), Py_XDECREF(stops), Py_XDECREF(keys);
        Py_XDECREF(names), Py_XDECREF(ends), Py_XDECREF(empty);
        return NULL;
    }
    int64_t *start = (int64_t *)PyBytes_AsString(starts), *stop = (int64_t *)PyBytes_AsString(stops);
    uint64_t *key = (uint64_t *)PyBytes_AsString(keys);
    char *name = PyBytes_AsString(names), *is_end = PyBytes_AsString(ends);
    char *is_empty = PyBytes_AsString(empty);
    for (size_t i = 0; i < tags->count; i++) {
        const Tag *tag = &tags->at[i];
        if (tag->hidden)
            continue;
        *start++ = tag->start, *stop++ = tag->stop, *key++ = tag->key;
        *name++ = tag->name, *is_end++ = tag->ends, *is_empty++ = tag->empty;
    }
    return Py_BuildValue("(nNNNNNN)", (Py_ssize_t)end, starts, stops, names, ends, empty, keys);
}

PyObject *find_tags(PyObject *module, PyObject *arguments)
{
    Py_buffer html, keys, numbers, kinds, lengths;
    if (!PyArg_ParseTuple(arguments, "y*y*y*y*y*:find_tags", &html, &keys, &numbers, &kinds, &lengths))
        return NULL;
    PyObject *found = NULL;
    Names names = {keys.buf, numbers.buf, kinds.buf, lengths.buf, keys.len / sizeof(uint64_t)};
    if (html.len < PADDING || numbers.len < (Py_ssize_t)names.count || kinds.len != lengths.len) {
        PyErr_SetString(PyExc_ValueError, "a page needs its padding, and each key a name");
    } else {
        const octet *octets = html.buf;
        size_t end = html.len - PADDING;
        Tags tags = {NULL, 0, 0};
        if (find_all(octets, html.len, &names, &tags, &end)) {
            doubt(octets, &tags, &names);
            hide_lookalikes(octets, end, &tags, &names);
            found = as_arrays(&tags, end);
        }
        PyMem_Free(tags.at);
    }
    PyBuffer_Release(&html), PyBuffer_Release(&keys), PyBuffer_Release(&numbers);
    PyBuffer_Release(&kinds), PyBuffer_Release(&lengths);
    return found;
}
