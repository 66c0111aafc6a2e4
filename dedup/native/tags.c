/* Find the tags of a page.

   First, each < that begins a tag is joined to the next >, and the name is looked up. This may be wrong
   for a few tags, and these are tested one by one: tags whose > may be in a quoted value, comments, and
   elements with raw text (scripts). Text inside them that looks like a tag is a lookalike; it is hidden.
   This follows the HTML standard (section 13.2.5, Tokenization), with these exceptions:

   - A quote without a closing quote is an ordinary character.
   - A tag is an empty element if it ends in a / after a space, a quote or its name, as in XHTML.
   - A "> in a value between single quotes may end the tag.

   brackets -> each < that begins a tag, up to the next > -> the same without lookalikes */

#include "page.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { LEAST_WITH_VALUE = 4 }; /* Minimum bytes besides the name of a tag whose > is in a value. */

static inline bool in_name(octet c)
{
    static const bool table[256] = {
        ['-'] = true, ['.'] = true, ['0' ... ':'] = true, ['A' ... 'Z'] = true, ['_'] = true,
        ['a' ... 'z'] = true,
    };
    return table[c];
}

static bool is_letter(octet c) { return lower(c) >= 'a' && lower(c) <= 'z'; }

/* Read the name at a place, and its key; return the length of the key. */
static int read_name(const Page *page, size_t at, uint64_t *key, octet *name)
{
    const octet *html = page->html + at;
    size_t left = page->length - at;
    int length = 0, most = left < NAME_OCTETS ? (int)left : NAME_OCTETS;
    uint64_t read = 0;
    while (length < most && in_name(html[length])) {
        read |= (uint64_t)(html[length] | 0x20) << 8 * length;
        length++;
    }
    octet known = name_of_key(read);
    bool goes_on = length == NAME_OCTETS && left > NAME_OCTETS && in_name(html[NAME_OCTETS]);
    *name = goes_on && elements[known].length <= NAME_OCTETS ? OTHER : known;
    *key = read;
    return length;
}

/* Read the end of a start tag: whether a " ends a value there, and whether the tag is an empty element. */
static void read_last(const octet *html, size_t stop, bool one_beside, bool *closed, bool *empty)
{
    size_t last = stop - 2;
    bool slashed = html[last] == '/';
    last -= slashed;
    bool spaced = html[last] == ' ';
    last -= spaced;
    octet end = html[last], before = last ? html[last - 1] : 0;
    bool quoted = end == '"';
    *closed = quoted && before != '=' && before != ' ';
    *empty = slashed && (one_beside || spaced || quoted || end == '\'');
}

/* The brackets of a page, in order. Each number is twice the place of the bracket, plus 1 for a >. */
typedef struct {
    uint32_t *at;
    size_t count, room;
} Brackets;

enum { AT_ONCE = 64 };

static bool make_room_for_some(Brackets *brackets)
{
    return brackets->room - brackets->count >= AT_ONCE ||
           make_room((void **)&brackets->at, &brackets->room, brackets->count + AT_ONCE, sizeof(uint32_t));
}

static inline uint32_t bracket_at(const octet *html, size_t at)
{
    return (uint32_t)at << 1 | (html[at] == '>');
}

#ifdef __SSE2__
/* Search 64 bytes for brackets; return one bit for each byte. */
static inline uint64_t brackets_among(const octet *at)
{
    const __m128i apart = _mm_set1_epi8('<' ^ '>'), close = _mm_set1_epi8('>');
    uint64_t found = 0;
    for (int i = 0; i < AT_ONCE; i += 16) {
        __m128i some = _mm_or_si128(_mm_loadu_si128((const __m128i *)(at + i)), apart);
        found |= (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(some, close)) << i;
    }
    return found;
}
#endif

static bool find_brackets(const octet *html, size_t length, Brackets *brackets)
{
    size_t from = 0;
#ifdef __SSE2__
    for (; length - from >= AT_ONCE; from += AT_ONCE) {
        uint64_t found = brackets_among(html + from);
        if (!found)
            continue;
        if (!make_room_for_some(brackets))
            return false;
        uint32_t *to = brackets->at + brackets->count;
        for (; found; found &= found - 1)
            *to++ = bracket_at(html, from + __builtin_ctzll(found));
        brackets->count = to - brackets->at;
    }
#endif
    size_t open = find(html, '<', from, length), close = find(html, '>', from, length);
    while (open < length || close < length) {
        if (!make_room_for_some(brackets))
            return false;
        brackets->at[brackets->count++] = bracket_at(html, open < close ? open : close);
        if (open < close)
            open = find(html, '<', open + 1, length);
        else
            close = find(html, '>', close + 1, length);
    }
    return true;
}

/* The number of brackets that may begin a tag. */
static size_t count_opens(const Brackets *brackets)
{
    size_t count = 0;
    for (size_t i = 0; i < brackets->count; i++)
        count += !(brackets->at[i] & 1);
    return count;
}

static bool is_close(const Brackets *brackets, size_t i)
{
    return i < brackets->count && brackets->at[i] & 1;
}

/* The tag from a < to the next >. */
static inline Tag make_tag(const Page *page, size_t open, size_t stop, bool odd, bool nested, bool twice)
{
    uint64_t key;
    octet name;
    bool ends = page->html[open + 1] == '/', closed = false, empty = false;
    int length = read_name(page, open + 1 + ends, &key, &name);
    int32_t beside_name = (int32_t)(stop - open) - length - 2;
    if (!ends)
        read_last(page->html, stop, beside_name == 1, &closed, &empty);
    return (Tag){.key = key, .start = open, .stop = stop, .beside_name = beside_name,
                 .name = odd ? ODDITY : name, .ends = ends, .empty = empty,
                 .odd = odd, .closed = closed, .nested = nested, .twice = twice};
}

/* Make a tag of each < that begins one, up to the next >. The page ends before an incomplete tag. */
static void take_all(Page *page, const Brackets *brackets)
{
    const octet *html = page->html;
    size_t length = page->length, close = 0;
    page->end = length;
    for (size_t i = 0; i < brackets->count; i++) {
        if (is_close(brackets, i))
            continue;
        size_t open = brackets->at[i] >> 1;
        octet first = open + 1 < length ? html[open + 1] : 0;
        bool ends = first == '/';
        bool named = open + 1 + ends < length && is_letter(html[open + 1 + ends]);
        bool odd = !named && (ends || first == '!' || first == '?');
        if (!named && !odd)
            continue;
        close = close > i ? close : i + 1;
        while (close < brackets->count && !is_close(brackets, close))
            close++;
        if (close == brackets->count) {
            page->end = open;
            break;
        }
        page->tags[page->tag_count++] = make_tag(page, open, (brackets->at[close] >> 1) + 1, odd,
                                                 close > i + 1, is_close(brackets, close + 1));
    }
}

static bool find_all(Page *page)
{
    Brackets brackets = {0};
    bool done = find_brackets(page->html, page->length, &brackets);
    page->tags = done ? PyMem_Malloc((count_opens(&brackets) + 1) * sizeof(Tag)) : NULL;
    if (page->tags)
        take_all(page, &brackets);
    else if (done)
        PyErr_NoMemory();
    PyMem_Free(brackets.at);
    return page->tags;
}

/* Mark the tags that may end behind their first >, and the tags that may contain lookalikes. */
static void doubt(Page *page)
{
    const octet *html = page->html;
    for (int32_t i = 0; i < page->tag_count; i++) {
        Tag *tag = &page->tags[i];
        const Tag *next = i + 1 < page->tag_count ? tag + 1 : NULL;
        if (tag->odd)
            tag->doubtful = html[tag->stop - 2] != '-' || html[tag->stop - 3] != '-';
        else
            tag->doubtful = !tag->closed && !tag->ends && tag->beside_name >= LEAST_WITH_VALUE;
        tag->doubtful |= tag->nested || tag->twice || (next && next->twice);
        bool ended = next && next->name == tag->name && next->ends && next->beside_name == 1;
        tag->holding = has_trait(tag->name, RAW) && !tag->ends && (tag->doubtful || !ended);
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

/* The place behind the first > outside all values. */
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
        return end - start < 4 || memcmp(html + start, "<!--", 4) ? stop : end_of_comment(html, start, end);
    if (find(html, '"', start, stop) < stop || find(html, '\'', start, stop) < stop)
        return end_of_tag(html, start, end);
    return stop;
}

/* The first tag from ``from`` on that ends the raw text, or the number of all tags. */
static int32_t end_of_raw(const Page *page, octet name, int32_t from)
{
    size_t length = strlen("</") + elements[name].length, least = 0;
    if (name == E_script && from < page->tag_count)
        least = end_of_script(page->html, page->tags[from].start, page->end);
    for (; from < page->tag_count; from++) {
        const Tag *tag = &page->tags[from];
        if ((size_t)tag->start >= least && tag->ends && tag->name == name &&
            ends_name(page->html[tag->start + length]))
            break;
    }
    return from;
}

/* Mark lookalikes as hidden, and correct the end of tags with a > in a value. */
static void hide_lookalikes(Page *page)
{
    const octet *html = page->html;
    for (int32_t i = 0, after; i < page->tag_count; i = after) {
        Tag *tag = &page->tags[i];
        after = i + 1;
        if (!tag->doubtful && !tag->holding)
            continue;
        int64_t stop = tag->doubtful ? (int64_t)real_stop(html, tag, page->end) : tag->stop;
        if (stop != tag->stop) {
            octet before = html[stop - 3];
            tag->stop = stop;
            tag->empty = html[stop - 2] == '/' && (before == ' ' || before == '"' || before == '\'');
        }
        while (after < page->tag_count && page->tags[after].start < stop)
            after++;
        if (tag->holding && !tag->empty)
            after = end_of_raw(page, tag->name, after);
        for (int32_t lookalike = i + 1; lookalike < after; lookalike++)
            page->tags[lookalike].hidden = true;
    }
}

/* Find the tags of a page. An incomplete tag at the end of the page is left out. */
bool find_tags(Page *page)
{
    if (page->length > INT32_MAX)
        return PyErr_NoMemory(), false;
    if (!find_all(page))
        return false;
    doubt(page);
    hide_lookalikes(page);
    int32_t left = 0;
    while (left < page->tag_count && !page->tags[left].hidden)
        left++;
    for (int32_t i = left; i < page->tag_count; i++)
        if (!page->tags[i].hidden)
            page->tags[left++] = page->tags[i];
    page->tag_count = left;
    page->tags[left] = (Tag){.start = page->end, .stop = page->end};
    return true;
}
