/* The main text of a page where one stands out: the usual way through dedup.page.weighted_dom. Python
   reads the others, and those with several articles. */

#include "trunk.h"

/* The octets of text outside an element and outside links in runs too short for an outline. */
static int64_t count_short_outside(const Builder *builder, const Rules *rules, int64_t part)
{
    const Page *page = &builder->page;
    const octet *unread = rules->unread.buf;
    int64_t first = part < 0 ? 0 : page->places[part], last = page->places[end_of(builder, part)];
    int64_t count = 0;
    bool in_link = false;
    for (int64_t tag = 0; tag < page->tags; tag++) {
        int64_t length = page->starts[tag + 1] - page->stops[tag];
        if (page->names[tag] == builder->meaning.link)
            in_link = !page->ends[tag];
        if ((tag >= first && tag < last) || length <= 0 || length > rules->least_octets_wide ||
            in_link || (!page->ends[tag] && unread[page->names[tag]]))
            continue;
        octet middle = page->html[page->stops[tag] + length / 2];
        if (middle > ' ' && (length <= rules->least_octets || middle >= 0x80))
            count += length;
    }
    return count;
}

/* The page's <title>, not that of a drawing in it. */
static bool read_title(Builder *builder, const Rules *rules, Text *title)
{
    const Page *page = &builder->page;
    *title = (Text){builder->texts.length, 0, 0};
    for (int64_t place = 0; place < page->count; place++) {
        int64_t tag = page->places[place], outer = page->outer[place];
        if (page->names[tag] != rules->title || page->ends[tag] || page->empty[tag] ||
            (outer >= 0 && page->names[page->places[outer]] == rules->svg))
            continue;
        int64_t from = page->stops[tag];
        return read_text(builder, page->html + from, page->starts[tag + 1] - from, title);
    }
    return true;
}

/* The page's title, else its first <h1>, and its first <h1> that is not all link (a logo). */
static bool read_titles(Builder *builder, const Rules *rules, Text *title, Text *heading)
{
    if (!read_title(builder, rules, title))
        return false;
    *heading = (Text){0, 0, 0};
    for (size_t i = 0; i < builder->block_count; i++) {
        const Block *block = &builder->blocks[i];
        if (level_of(builder, block) != 1)
            continue;
        if (!title->characters)
            *title = block->text;
        if (!heading->characters && block->link_chars < block->text.characters)
            *heading = block->text;
    }
    return true;
}

/* The element that an outline shows the main text in; its trunk's own low name. -2 for none. */
static int64_t find_part(Tree *tree, bool *is_low)
{
    weigh_outside_low(tree, number(tree, LOW));
    sum_up(tree, false);
    double *weights = PyMem_Malloc(tree->count * sizeof *weights);
    if (!weights) {
        PyErr_NoMemory();
        return UNKNOWN;
    }
    memcpy(weights, tree->sums, tree->count * sizeof *weights);
    double whole = weights[0];
    int32_t trunk = whole < number(tree, FAINT) ? -1 : find_trunk(tree);
    int32_t part = trunk < 0 ? -1 : around_all(tree, trunk);
    double weight = trunk < 0 ? 0 : weights[trunk];
    PyMem_Free(weights);
    if (part < 0 || weight < number(tree, CLEAR) * whole || has_trait(tree, part, ROOT) ||
        in_banner(tree, trunk))
        return UNKNOWN;
    int64_t element = tree->builder->nodes[part].element;
    if (weight < number(tree, NOTICE)) {
        int64_t outside = count_short_outside(tree->builder, tree->rules, element);
        if (weight < number(tree, CLEAR_OF_SHORT) * outside)
            return UNKNOWN;
    }
    *is_low = tree->parts[trunk].low;
    return element;
}

/* The blocks as paragraphs, in the sections that headings make. */
static PyObject *as_paragraphs(const Builder *builder, const Rules *rules, const Nodes *blocks)
{
    PyObject *paragraphs = PyTuple_New(blocks->count);
    int section = 0;
    for (size_t i = 0; paragraphs && i < blocks->count; i++) {
        const Block *block = &builder->blocks[blocks->at[i]];
        int level = level_of(builder, block);
        section = level ? level : section;
        PyObject *text = as_string(builder, block->text);
        PyObject *kind = PyTuple_GetItem(builder->meaning.of_kinds, builder->nodes[block->node].kind);
        PyObject *one = text && kind ? PyObject_CallFunction(rules->paragraph, "OOin", text, kind,
                                                             section, (Py_ssize_t)i)
                                     : NULL;
        Py_XDECREF(text);
        if (!one || PyTuple_SetItem(paragraphs, i, one))
            Py_CLEAR(paragraphs);
    }
    return paragraphs;
}

/* What is told of a page before its main text is sought. */
typedef struct {
    const char *octets; /* of the title, */
    Py_ssize_t length;
    int64_t characters;
    bool several; /* whether there are articles beside each other, which Python looks at */
} Known;

/* The main text that a tree holds, if it is sure and enough: paragraphs; else NULL. */
static PyObject *take_main(Tree *tree, double enough)
{
    Guess guess = {0};
    PyObject *paragraphs = NULL;
    int32_t trunk = find_trunk(tree);
    if (take(tree, trunk, &guess)) {
        int32_t around = guess.sure ? gather(tree, trunk) : trunk;
        bool done = around == trunk || take(tree, around, &guess);
        if (done && !tree->failed && guess.sure && guess.size >= enough)
            paragraphs = as_paragraphs(tree->builder, tree->rules, &guess.blocks);
    }
    PyMem_Free(guess.blocks.at);
    return paragraphs;
}

/* The main text of an element, or of the whole page; NULL for none, and for an error. */
static PyObject *read_main(Builder *builder, const Rules *rules, int64_t element, bool is_low,
                           Known *known)
{
    Tree tree = {0};
    PyObject *paragraphs = NULL;
    bool whole = element == NOWHERE;
    int64_t first = whole ? 0 : element;
    int64_t last = whole ? builder->page.count : end_of(builder, element);
    if (set_root(builder, whole ? root_of(builder) : element) &&
        read_part(builder, first, last, whole) && builder->block_count &&
        grow_tree(&tree, builder, rules, known->octets, known->length, known->characters)) {
        known->several |= tree.several;
        if (!tree.several)
            paragraphs = take_main(&tree, whole ? 0 : number(&tree, is_low ? ENOUGH_LOW : ENOUGH));
    }
    end_tree(&tree);
    return paragraphs;
}

/* The main text by the outline, whose blocks are there. */
static PyObject *follow_outline(Builder *builder, const Rules *rules, Known *known)
{
    Tree tree = {0};
    bool is_low = false;
    int64_t element = UNKNOWN;
    if (grow_tree(&tree, builder, rules, known->octets, known->length, known->characters)) {
        known->several = tree.several;
        if (!tree.several)
            element = find_part(&tree, &is_low);
    }
    bool found = element != UNKNOWN && !tree.failed;
    end_tree(&tree);
    return found ? read_main(builder, rules, element, is_low, known) : NULL;
}

/* Title, heading and paragraphs; NULL without an error where Python is to look. */
static PyObject *find_main(Builder *builder, const Rules *rules)
{
    Text title, heading;
    if (!set_root(builder, root_of(builder)) ||
        !read_outline(builder, rules->read_heading, rules->unread.buf, rules->least_octets,
                      rules->least) ||
        !read_titles(builder, rules, &title, &heading))
        return NULL;
    const octet *octets = title.length ? builder->texts.at + title.at : (const octet *)"";
    PyObject *written = PyBytes_FromStringAndSize((const char *)octets, title.length);
    PyObject *shown = as_string(builder, title), *headed = as_string(builder, heading);
    PyObject *paragraphs = NULL, *found = NULL;
    if (written && shown && headed) {
        Known known = {PyBytes_AsString(written), title.length, title.characters, false};
        paragraphs = follow_outline(builder, rules, &known);
        if (!paragraphs && !known.several && !PyErr_Occurred())
            paragraphs = read_main(builder, rules, NOWHERE, false, &known);
    }
    if (paragraphs)
        found = PyTuple_Pack(3, shown, headed, paragraphs);
    Py_XDECREF(written), Py_XDECREF(shown), Py_XDECREF(headed), Py_XDECREF(paragraphs);
    return found;
}

PyObject *find_main_text(PyObject *module, PyObject *arguments)
{
    Builder builder = {0};
    Rules rules = {0};
    PyObject *elements, *page, *meaning, *given, *found = NULL;
    if (!PyArg_ParseTuple(arguments, "OOOOO:find_main_text", &elements, &page, &meaning, &given,
                          &rules.read_heading))
        return NULL;
    if (PyArg_ParseTuple(given, "y*y*y*y*y*OO(iiiiiii)LLL", &rules.numbers, &rules.kind_weights,
                         &rules.kinds, &rules.traits, &rules.unread, &rules.told, &rules.paragraph,
                         &rules.li, &rules.form, &rules.details, &rules.header, &rules.article,
                         &rules.title, &rules.svg, &rules.least_octets, &rules.least_octets_wide,
                         &rules.least)) {
        if (rules.numbers.len != NUMBERS * (Py_ssize_t)sizeof(double))
            PyErr_SetString(PyExc_ValueError, "these are not the numbers that are asked for");
        else if (begin_builder(&builder, elements, page, meaning))
            found = find_main(&builder, &rules);
    }
    end_builder(&builder);
    PyBuffer_Release(&rules.numbers), PyBuffer_Release(&rules.kind_weights);
    PyBuffer_Release(&rules.kinds), PyBuffer_Release(&rules.traits), PyBuffer_Release(&rules.unread);
    if (!found && !PyErr_Occurred())
        Py_RETURN_NONE;
    return found;
}
