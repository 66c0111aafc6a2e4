/* Which element is in which: as dedup.page.nesting has it, whose tables say what ends what. */

#include "page.h"

enum { FARTHEST = 100 }; /* levels up that a tag ends an element */

typedef struct {
    const Rules *rules;
    octet *names, *ends; /* of the tags that make the structure */
    int32_t *open;       /* the elements that are open; the first is the place around all */
    int32_t depth;
} Nest;

static octet says(const Nest *nest, octet name, int32_t element)
{
    return nest->rules->says[name * nest->rules->name_count + (element < 0 ? 0 : nest->names[element])];
}

/* How many levels up the innermost of the elements wanted is; 0 for none. */
static int32_t depth_of(const Nest *nest, octet name, octet wanted, octet stops)
{
    int32_t least = nest->depth > FARTHEST ? nest->depth - FARTHEST : 0;
    for (int32_t depth = nest->depth - 1; depth > least; depth--) {
        octet said = says(nest, name, nest->open[depth]);
        if (said & wanted)
            return depth;
        if (said & stops)
            return 0;
    }
    return 0;
}

static int32_t begin(Nest *nest, octet name, int32_t place)
{
    const Names *names = &nest->rules->names;
    int32_t depth;
    if (name == names->body) { /* whatever the head left open */
        int32_t left = nest->names[0] == names->html && nest->depth > 1 ? 2 : 1;
        nest->depth = nest->depth < left ? nest->depth : left;
    }
    while (!(says(nest, name, nest->open[nest->depth - 1]) & STOPS) &&
           (depth = depth_of(nest, name, ENDED, STOPS)))
        nest->depth = depth;
    int32_t around = nest->open[nest->depth - 1];
    nest->open[nest->depth++] = place;
    return around;
}

static int32_t end(Nest *nest, octet name)
{
    int32_t last = nest->open[nest->depth - 1], depth;
    if (last >= 0 && nest->names[last] == name)
        nest->depth--;
    else if ((depth = depth_of(nest, name, CLOSED, STAYS_IN)))
        nest->depth = depth;
    return nest->open[nest->depth - 1];
}

/* Of the tags that make the structure, empty ones and all but the first of <html> and of <body> neither
   begin nor end anything: they are oddities. */
static void name_places(const Page *page, Nest *nest)
{
    const Names *names = &page->rules->names;
    bool html = false, body = false;
    for (int32_t place = 0; place < page->count; place++) {
        const Tag *tag = &page->tags[page->places[place]];
        bool neither = tag->empty;
        if (tag->name == names->html || tag->name == names->body) {
            bool *seen = tag->name == names->html ? &html : &body;
            neither |= tag->ends || *seen;
            *seen |= !neither;
        }
        nest->names[place] = neither ? ODDITY : tag->name;
        nest->ends[place] = neither || tag->ends;
    }
}

static bool make_places(Page *page)
{
    for (int32_t tag = 0; tag < page->tag_count; tag++)
        page->count += has_trait(page->rules, page->tags[tag].name, PLACED);
    page->places = PyMem_Malloc((3 * (size_t)page->count + 1) * sizeof(int32_t));
    if (!page->places)
        return false;
    page->inner = page->places + page->count + 1;
    page->outer = page->inner + page->count;
    int32_t place = 0;
    for (int32_t tag = 0; tag < page->tag_count; tag++)
        if (has_trait(page->rules, page->tags[tag].name, PLACED))
            page->places[place++] = tag;
    page->places[place] = page->tag_count;
    return true;
}

/* Find the elements that the tags of a page make. */
bool nest(Page *page)
{
    if (!make_places(page))
        return PyErr_NoMemory(), false;
    size_t count = page->count;
    Nest nest = {.rules = page->rules, .names = PyMem_Malloc(2 * count + 1), .depth = 1};
    nest.open = PyMem_Malloc((count + 1) * sizeof(int32_t));
    bool made = nest.names && nest.open;
    if (made) {
        nest.ends = nest.names + count;
        nest.open[0] = NOWHERE;
        name_places(page, &nest);
        for (int32_t place = 0; place < page->count; place++) {
            octet name = nest.names[place];
            page->outer[place] = nest.ends[place] ? NOWHERE : begin(&nest, name, place);
            page->inner[place] = nest.ends[place] ? end(&nest, name) : place;
        }
    } else {
        PyErr_NoMemory();
    }
    PyMem_Free(nest.names), PyMem_Free(nest.open);
    return made;
}
