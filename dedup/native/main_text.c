/* The main text of a page: as dedup.page.main_text finds it. */

#include "trunk.h"

/* The octets of text outside an element and outside links in runs too short for an outline. */
static int64_t count_short_outside(const Page *page, int32_t part)
{
    int32_t first = page->places[part], last = page->places[end_of(page, part)];
    int64_t count = 0;
    bool in_link = false;
    for (int32_t tag = 0; tag < page->tag_count; tag++) {
        const Tag *at = &page->tags[tag];
        int64_t length = at[1].start - at->stop;
        if (at->name == page->rules->names.link)
            in_link = !at->ends;
        if ((tag >= first && tag < last) || length <= 0 || in_link ||
            length > page->rules->numbers[LEAST_OCTETS_WIDE] ||
            (!at->ends && has_trait(page->rules, at->name, UNREAD)))
            continue;
        octet middle = page->html[at->stop + length / 2];
        if (middle > ' ' && (length <= page->rules->numbers[LEAST_OCTETS] || middle >= 0x80))
            count += length;
    }
    return count;
}

/* The page's <title>, not that of a drawing in it. */
static bool read_title(Blocks *blocks, Text *title)
{
    const Page *page = blocks->page;
    const Names *names = &page->rules->names;
    *title = (Text){blocks->texts.length, 0, 0};
    for (int32_t place = 0; place < page->count; place++) {
        const Tag *tag = &page->tags[page->places[place]];
        if (tag->name == names->title && !tag->ends && !tag->empty &&
            name_of(page, page->outer[place]) != names->svg) {
            size_t length;
            const octet *from = text_behind(page, page->places[place], &length);
            return show_text(page, &blocks->texts, from, length, title);
        }
    }
    return true;
}

/* The page's title, else its first <h1>, and its first <h1> that is not all link (a logo). */
static bool read_titles(Blocks *blocks, Text *title, Text *heading)
{
    *heading = (Text){0, 0, 0};
    if (!read_title(blocks, title))
        return false;
    for (size_t i = 0; i < blocks->block_count; i++) {
        const Block *block = &blocks->blocks[i];
        if (level_of(blocks, block) != 1)
            continue;
        if (!title->characters)
            *title = block->text;
        if (!heading->characters && block->link_chars < block->text.characters)
            *heading = block->text;
    }
    return true;
}

/* The octets in the longest <noscript>. */
static int64_t longest_unscripted(const Page *page)
{
    int64_t longest = 0;
    for (int32_t tag = 0; tag < page->tag_count; tag++) {
        const Tag *at = &page->tags[tag];
        int64_t length = at[1].start - at->stop;
        if (at->name == page->rules->names.noscript && !at->ends && length > longest)
            longest = length;
    }
    return longest;
}

/* The element that an outline shows the main text in, or NOWHERE; whether its trunk has a low name. */
static int32_t find_part(Tree *tree, bool *is_low)
{
    weigh_outside_low(tree, number(tree, LOW));
    sum_up(tree, false);
    if (tree->sums[0] < number(tree, FAINT))
        return NOWHERE;
    memcpy(tree->faded, tree->sums, tree->count * sizeof *tree->faded);
    int32_t trunk = find_trunk(tree);
    int32_t part = around_all(tree, trunk);
    double weight = tree->faded[trunk];
    if (part < 0 || weight < number(tree, CLEAR) * tree->faded[0] || is_named(tree, part, ROOT) ||
        in_banner(tree, trunk))
        return NOWHERE;
    int32_t element = tree->read->nodes[part].element;
    if (weight < number(tree, NOTICE) &&
        weight < number(tree, CLEAR_OF_SHORT) * count_short_outside(tree->page, element))
        return NOWHERE;
    *is_low = tree->parts[trunk].low;
    return element;
}

/* Whether blocks hold a good part of all text outside parts with low names. */
static bool holds_most(const Tree *tree, const Nodes *blocks)
{
    double held = 0, all = 0;
    for (size_t i = 0; i < blocks->count; i++)
        if (tree->weights[blocks->at[i]] > 0)
            held += tree->weights[blocks->at[i]];
    for (size_t i = 0; i < tree->blocks; i++)
        if (tree->weights[i] > 0 && !tree->parts[tree->read->blocks[i].node].low)
            all += tree->weights[i];
    return held >= number(tree, HELD) * all;
}

/* The main text of what was read. */
static bool take_main(Tree *tree, Guess *guess)
{
    int32_t trunk = find_trunk(tree);
    if (!take(tree, trunk, guess))
        return false;
    int32_t around = guess->sure ? gather(tree, trunk) : trunk;
    if (around != trunk && !take(tree, around, guess))
        return false;
    bool is_own = tree->parts[around].beside_h1 || told(tree, around, IS_ARTICLE);
    guess->sure = guess->sure && (is_own || holds_most(tree, &guess->blocks));
    return true;
}

/* Paragraph is a tuple by name: made as one, without the function in Python that takes its fields. */
static PyObject *as_paragraph(PyObject *type, PyObject *fields)
{
    newfunc make = (newfunc)PyType_GetSlot(&PyTuple_Type, Py_tp_new);
    PyObject *arguments = fields ? PyTuple_Pack(1, fields) : NULL;
    PyObject *one = arguments ? make((PyTypeObject *)type, arguments, NULL) : NULL;
    Py_XDECREF(arguments), Py_XDECREF(fields);
    return one;
}

/* The blocks as paragraphs, in the sections that headings make. */
static PyObject *as_paragraphs(const Blocks *read, const Nodes *blocks)
{
    const Rules *rules = read->page->rules;
    PyObject *paragraphs = PyTuple_New(blocks->count);
    int section = 0;
    for (size_t i = 0; paragraphs && i < blocks->count; i++) {
        const Block *block = &read->blocks[blocks->at[i]];
        int level = level_of(read, block);
        section = level ? level : section;
        PyObject *text = as_string(read, block->text);
        PyObject *kind = PyTuple_GetItem(rules->kind, kind_of(read, block));
        PyObject *fields = text && kind ? Py_BuildValue("(OOin)", text, kind, section, (Py_ssize_t)i) : NULL;
        PyObject *one = as_paragraph(rules->paragraph, fields);
        Py_XDECREF(text);
        if (!one || PyTuple_SetItem(paragraphs, i, one))
            Py_CLEAR(paragraphs);
    }
    return paragraphs;
}

/* Read the outline, then the part that it shows, or the whole page; or fail. */
static bool find_main(Blocks *blocks, Title title, Guess *guess)
{
    Tree tree;
    bool is_low = false, done = grow_tree(&tree, blocks, title);
    int32_t element = done ? find_part(&tree, &is_low) : NOWHERE;
    done = done && !tree.failed;
    end_tree(&tree);
    if (!done)
        return false;
    if (element != NOWHERE && read_element(blocks, blocks->page, element) && blocks->block_count) {
        done = grow_tree(&tree, blocks, title) && take_main(&tree, guess);
        double enough = number(&tree, is_low ? ENOUGH_LOW : ENOUGH);
        done = done && !tree.failed;
        end_tree(&tree);
        if (!done || (guess->sure && guess->size >= enough))
            return done;
    }
    guess->blocks.count = 0;
    guess->sure = false;
    if (PyErr_Occurred() || !read_whole(blocks, blocks->page) || !blocks->block_count)
        return !PyErr_Occurred();
    done = grow_tree(&tree, blocks, title) && take_main(&tree, guess) &&
           (guess->sure || take_brief(&tree, guess)) &&
           (guess->sure || all_but_chrome(&tree, &guess->blocks)) && !tree.failed;
    end_tree(&tree);
    return done;
}

static bool all_blocks(Blocks *blocks, Guess *guess)
{
    bool done = read_whole(blocks, blocks->page);
    for (size_t i = 0; done && i < blocks->block_count; i++)
        done = add(&guess->blocks, i);
    guess->sure = blocks->block_count;
    return done;
}

/* Title, heading, paragraphs, whether they are sure, octets without scripts; NULL for an error. */
static PyObject *read_found(const Page *page, bool is_plain)
{
    Blocks blocks = {0};
    Guess guess = {0};
    Text title, heading;
    PyObject *found = NULL;
    if (read_outline(&blocks, page) && read_titles(&blocks, &title, &heading)) {
        PyObject *shown = as_string(&blocks, title), *headed = as_string(&blocks, heading);
        PyObject *octets = shown ? PyUnicode_AsUTF8String(shown) : NULL;
        bool done = headed && octets;
        if (done) {
            Title kept = {(const octet *)PyBytes_AsString(octets), PyBytes_Size(octets),
                          PyUnicode_GetLength(shown)};
            done = is_plain ? all_blocks(&blocks, &guess) : find_main(&blocks, kept, &guess);
        }
        PyObject *paragraphs = done ? as_paragraphs(&blocks, &guess.blocks) : NULL;
        if (paragraphs)
            found = Py_BuildValue("(OONNL)", shown, headed, paragraphs, PyBool_FromLong(guess.sure),
                                  (long long)longest_unscripted(page));
        Py_XDECREF(shown), Py_XDECREF(headed), Py_XDECREF(octets);
    }
    PyMem_Free(guess.blocks.at);
    end_blocks(&blocks);
    return found;
}

static bool has_more(const Page *page, octet sign, Number most)
{
    double limit = page->rules->numbers[most];
    return page->length > 2 * limit && count_of(page->html, page->length, sign) > limit;
}

/* Read a page in UTF-8 without NUL. Gives a tuple, as read_found; False for a page that has more tags or
   references of characters than are read. */
PyObject *read_page(PyObject *module, PyObject *arguments)
{
    Py_buffer html;
    PyObject *given, *found = NULL;
    int is_plain;
    if (!PyArg_ParseTuple(arguments, "y*O!p:read_page", &html, &PyTuple_Type, &given, &is_plain))
        return NULL;
    Rules rules = {0};
    if (take_rules(&rules, given)) {
        Page page = {.rules = &rules, .html = html.buf, .length = html.len};
        if (has_more(&page, '<', MOST_TAGS) || has_more(&page, '&', MOST_REFERENCES))
            found = PyBool_FromLong(0);
        else if (find_tags(&page) && nest(&page))
            found = read_found(&page, is_plain);
        end_page(&page);
    }
    release_rules(&rules);
    PyBuffer_Release(&html);
    return found;
}
