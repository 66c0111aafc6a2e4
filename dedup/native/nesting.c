/* The tree of elements, from the tags of block elements and invisible elements.

   Few authors end all elements. A tag ends the same elements as in the HTML standard (section 13.2.6,
   Tree construction), as far as these elements are concerned. The standard moves some content elsewhere,
   such as text between the rows of a table; here it stays in its place. */

#include "page.h"

enum { FARTHEST = 100 }; /* Maximum levels up to the element that a tag ends. */

/* The effects of a tag's name on an open element. */
enum {
    ENDED = 1,   /* The start tag ends the element. */
    STOPS = 2,   /* The start tag ends no element around this one. */
    CLOSED = 4,  /* The end tag ends the element. */
    STAYS_IN = 8 /* The end tag ends no element around this one. */
};

typedef struct {
    octet *names, *ends; /* The name of each place, and whether it is an end tag. */
    int32_t *open;       /* The open elements; the first one is NOWHERE, around all. */
    int32_t depth;
} Nest;

static bool is_cell(octet name) { return name == E_td || name == E_th || name == E_caption; }

static bool is_term(octet name) { return name == E_dt || name == E_dd; }

/* Whether the search inside a table goes on outside an open element. */
static bool is_within_table(octet open) { return open != E_table && open != E_template; }

/* Whether the start tag of an element ends an open element. */
static bool ends(octet name, octet open)
{
    if (name == E_li)
        return open == E_li;
    if (is_term(name))
        return is_term(open);
    if (name == E_td || name == E_th)
        return is_cell(open);
    if (name == E_tr || has_trait(name, OF_TABLE))
        return is_cell(open) || open == E_tr || (name != E_tr && has_trait(open, OF_TABLE));
    return has_trait(name, ENDS_P) && (open == E_p || (is_heading(name) && is_heading(open)));
}

/* Whether the search for the element that a start tag ends goes on outside an open element. */
static bool is_sought_through(octet name, octet open)
{
    if (name == E_li || is_term(name))
        return has_trait(open, LOOSE);
    if (name == E_td || name == E_th)
        return is_within_table(open) && open != E_tr;
    return (name == E_tr || has_trait(name, OF_TABLE)) && is_within_table(open);
}

/* Whether an end tag ends no element around an open one. */
static bool stays_in(octet name, octet open)
{
    if (open == E_template || name == E_table)
        return open == E_template;
    if (open == E_table || is_cell(name) || name == E_tr || has_trait(name, OF_TABLE))
        return open == E_table;
    return is_cell(open) || (name == E_li && (open == E_ul || open == E_ol));
}

static int says(const Nest *nest, octet name, int32_t element)
{
    octet open = element < 0 ? OTHER : nest->names[element];
    bool ended = ends(name, open);
    bool closed = name == open || (is_heading(name) && is_heading(open));
    return (ended ? ENDED : is_sought_through(name, open) ? 0 : STOPS) | (closed ? CLOSED : 0) |
           (stays_in(name, open) ? STAYS_IN : 0);
}

/* The depth of the innermost open element with a wanted effect; 0 for none. */
static int32_t depth_of(const Nest *nest, octet name, int wanted, int stops)
{
    int32_t least = nest->depth > FARTHEST ? nest->depth - FARTHEST : 0;
    for (int32_t depth = nest->depth - 1; depth > least; depth--) {
        int said = says(nest, name, nest->open[depth]);
        if (said & wanted)
            return depth;
        if (said & stops)
            return 0;
    }
    return 0;
}

static int32_t begin(Nest *nest, octet name, int32_t place)
{
    int32_t depth;
    if (name == E_body) { /* It ends all elements that the head left open. */
        int32_t left = nest->names[0] == E_html && nest->depth > 1 ? 2 : 1;
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

/* Name the places. Some tags have no effect and become oddities: empty elements, and all tags of <html>
   and <body> except the first start tag of each. */
static void name_places(const Page *page, Nest *nest)
{
    bool html = false, body = false;
    for (int32_t place = 0; place < page->count; place++) {
        const Tag *tag = &page->tags[page->places[place]];
        bool neither = tag->empty;
        if (tag->name == E_html || tag->name == E_body) {
            bool *seen = tag->name == E_html ? &html : &body;
            neither |= tag->ends || *seen;
            *seen |= !neither;
        }
        nest->names[place] = neither ? ODDITY : tag->name;
        nest->ends[place] = neither || tag->ends;
    }
}

/* Whether no visible text of an element follows a tag directly. */
static bool is_blank_behind(const Page *page, int32_t tag)
{
    const Tag *at = &page->tags[tag];
    size_t length;
    const octet *text = text_behind(page, tag, &length);
    return (has_trait(at->name, INVISIBLE) && !at->ends) || is_blank_text(text, length);
}

/* Whether nothing follows a button in its heading. */
static bool ends_heading(const Page *page, int32_t button)
{
    bool inside = true;
    for (int32_t tag = button + 1; tag < page->tag_count && !has_trait(page->tags[tag].name, ENDS_P); tag++) {
        inside = inside && page->tags[tag].name != E_button;
        if (!inside && !is_blank_behind(page, tag))
            return false;
    }
    return true;
}

/* Show the buttons that are an <h2> to <h6>, a <dt> or a <summary>: they are questions above folded
   answers. A button beside other text is a tool, such as "Copy link"; a button in an <h1> opens a menu. */
static void show_questions(Page *page)
{
    bool begins = false; /* Whether a heading began, with only white space since, and no button. */
    bool shown = false;  /* Whether such a button is open. */
    for (int32_t tag = 0; tag < page->tag_count; tag++) {
        Tag *at = &page->tags[tag];
        if (has_trait(at->name, ENDS_P)) {
            begins = !at->ends && !at->empty &&
                     ((is_heading(at->name) && at->name != E_h1) || at->name == E_summary || at->name == E_dt);
        } else if (at->name == E_button) {
            shown = at->ends ? shown : begins && ends_heading(page, tag);
            if (shown)
                at->name = OTHER;
            shown = shown && !at->ends;
            begins = false; /* Only the first button is looked at, so that the time is linear. */
        }
        begins = begins && is_blank_behind(page, tag);
    }
}

static bool make_places(Page *page)
{
    for (int32_t tag = 0; tag < page->tag_count; tag++)
        page->count += has_trait(page->tags[tag].name, PLACED);
    page->places = PyMem_Malloc((3 * (size_t)page->count + 1) * sizeof(int32_t));
    if (!page->places)
        return false;
    page->inner = page->places + page->count + 1;
    page->outer = page->inner + page->count;
    int32_t place = 0;
    for (int32_t tag = 0; tag < page->tag_count; tag++)
        if (has_trait(page->tags[tag].name, PLACED))
            page->places[place++] = tag;
    page->places[place] = page->tag_count;
    return true;
}

/* Find the elements of a page by its tags. */
bool nest(Page *page)
{
    show_questions(page);
    if (!make_places(page))
        return PyErr_NoMemory(), false;
    size_t count = page->count;
    Nest nest = {.names = PyMem_Malloc(2 * count + 1), .depth = 1};
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
