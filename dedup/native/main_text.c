/* Main text by the weighted DOM tree.

   Each part of a page scores the weight of the text in it (tree.c), each block fading with every level it
   lies deeper, so that what lies near the root loses against the part that really holds the article. Names
   that speak of comments, footers and so on make the text below them fade; names that speak of an article,
   and standing in the part of the page that its <h1> heads, make it count more (hints.c, trunk.c). This
   follows Arc90's Readability, where a paragraph scores for its parent in full and for its grandparent by
   half; here all levels count.

   The part with the best score is the trunk. It widens to a part around it that adds much text and next to
   nothing else (the sections of a manual), or, where it holds little of the page's text, to the part that
   does (a page of sections). Bare paragraphs beside it come along, and so do further parts of the same make
   (element and first class of the part and of two around it) that no <h1> separates from it. Of several
   articles beside each other only the page's own counts, or all (articles.c). Inside, parts with a low name
   and parts with more bad weight than good are pruned (pruning.c). What is left is joined in document order,
   without the title: templates set that inside the article or outside.

   Where that leaves too little of what the page shows, nothing stands out as main text (index pages, lists
   of links, pages of few words). Then all visible text is kept but that of the site's chrome (chrome.c), and
   it is not sure. A wrong guess there would be the site's footer, equal on every page. Where a page says more
   in a <noscript>, which browsers show where scripts do not run, and that has a main text, this is it. */

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
        if (at->name == E_a)
            in_link = !at->ends;
        if ((tag >= first && tag < last) || length <= 0 || in_link ||
            length > LEAST_OCTETS_WIDE ||
            (!at->ends && has_trait(at->name, UNREAD)))
            continue;
        octet middle = page->html[at->stop + length / 2];
        if (middle > ' ' && (length <= LEAST_OCTETS || middle >= 0x80))
            count += length;
    }
    return count;
}

/* The page's <title>, not that of a drawing in it. */
static bool read_title(Blocks *blocks, Text *title)
{
    const Page *page = blocks->page;
    *title = (Text){blocks->texts.length, 0, 0};
    for (int32_t place = 0; place < page->count; place++) {
        const Tag *tag = &page->tags[page->places[place]];
        if (tag->name == E_title && !tag->ends && !tag->empty &&
            name_of(page, page->outer[place]) != E_svg) {
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
        if (at->name == E_noscript && !at->ends && length > longest)
            longest = length;
    }
    return longest;
}

/* The element that an outline shows the main text in, or NOWHERE; whether its trunk has a low name. */
static int32_t find_part(Tree *tree, bool *is_low)
{
    weigh_outside_low(tree, LOW);
    sum_up(tree, false);
    if (tree->sums[0] < FAINT)
        return NOWHERE;
    memcpy(tree->faded, tree->sums, tree->count * sizeof *tree->faded);
    int32_t trunk = find_trunk(tree);
    int32_t part = around_all(tree, trunk);
    double weight = tree->faded[trunk];
    if (part < 0 || weight < CLEAR * tree->faded[0] || is_named(tree, part, ROOT) ||
        in_banner(tree, trunk))
        return NOWHERE;
    int32_t element = tree->read->nodes[part].element;
    if (weight < NOTICE &&
        weight < CLEAR_OF_SHORT * count_short_outside(tree->page, element))
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
    return held >= HELD * all;
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
    bool is_own = tree->parts[around].beside_h1 || told(tree, around, says_article);
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
    const Asked *asked = read->page->asked;
    PyObject *paragraphs = PyTuple_New(blocks->count);
    int section = 0;
    for (size_t i = 0; paragraphs && i < blocks->count; i++) {
        const Block *block = &read->blocks[blocks->at[i]];
        int level = level_of(read, block);
        section = level ? level : section;
        PyObject *text = as_string(read, block->text);
        PyObject *kind = PyTuple_GetItem(asked->kinds, kind_of(read, block));
        PyObject *fields = text && kind ? Py_BuildValue("(OOin)", text, kind, section, (Py_ssize_t)i) : NULL;
        PyObject *one = as_paragraph(asked->paragraph, fields);
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
        double enough = is_low ? ENOUGH_LOW : ENOUGH;
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

/* Title, heading, paragraphs, whether they are sure. */
static PyObject *as_found(const Blocks *blocks, PyObject *title, Text heading, const Guess *guess)
{
    PyObject *headed = as_string(blocks, heading);
    PyObject *paragraphs = headed ? as_paragraphs(blocks, &guess->blocks) : NULL;
    PyObject *found = paragraphs ? PyTuple_Pack(4, title, headed, paragraphs, guess->sure ? Py_True : Py_False)
                                 : NULL;
    Py_XDECREF(headed), Py_XDECREF(paragraphs);
    return found;
}

/* Read what was found of a page; NULL for an error. */
static PyObject *read_found(const Page *page, bool is_plain, Guess *guess)
{
    Blocks blocks = {0};
    Text title, heading;
    PyObject *found = NULL, *shown = NULL, *octets = NULL;
    if (read_outline(&blocks, page) && read_titles(&blocks, &title, &heading)) {
        shown = as_string(&blocks, title);
        octets = shown ? PyUnicode_AsUTF8String(shown) : NULL;
    }
    Octets kept = {0}; /* texts are read anew */
    if (octets && append(&kept, blocks.texts.at + heading.at, heading.length)) {
        Title titled = {(const octet *)PyBytes_AsString(octets), PyBytes_Size(octets), PyUnicode_GetLength(shown)};
        bool done = is_plain ? all_blocks(&blocks, guess) : find_main(&blocks, titled, guess);
        heading.at = blocks.texts.length;
        if (done && append(&blocks.texts, kept.at, kept.length))
            found = as_found(&blocks, shown, heading, guess);
    }
    Py_XDECREF(shown), Py_XDECREF(octets);
    PyMem_Free(kept.at), PyMem_Free(guess->blocks.at);
    guess->blocks = (Nodes){0};
    end_blocks(&blocks);
    return found;
}

/* Read a page; what was found of it, where that counts, and the octets in its longest <noscript>. */
static PyObject *read_once(Page page, bool is_plain, Guess *guess, int64_t *unscripted)
{
    PyObject *found = NULL;
    *guess = (Guess){0};
    if (find_tags(&page) && nest(&page))
        found = read_found(&page, is_plain, guess);
    *unscripted = found ? longest_unscripted(&page) : 0;
    end_page(&page);
    return found;
}

/* The page as it is where scripts do not run: each <noscript> is a <div>. */
static bool without_scripts(Octets *to, const octet *at, size_t length)
{
    static const char name[] = "noscript";
    for (size_t from = 0; from < length;) {
        size_t tag = find(at, '<', from, length);
        size_t after = tag + 1 + (tag + 1 < length && at[tag + 1] == '/');
        if (!append(to, at + from, (after < length ? after : length) - from))
            return false;
        bool is_one = after < length && begins_with(at + after, at + length, name);
        if (is_one && !append(to, (const octet *)"div", 3))
            return false;
        from = after + (is_one ? strlen(name) : 0);
    }
    return true;
}

/* Read the page anew without scripts; what was found before stands unless there is a main text. */
static PyObject *read_unscripted(Page page, PyObject *found)
{
    Octets html = {0};
    Guess guess;
    int64_t unscripted;
    PyObject *other = NULL;
    bool done = without_scripts(&html, page.html, page.length);
    page.html = html.at, page.length = html.length;
    if (done)
        other = read_once(page, false, &guess, &unscripted);
    PyMem_Free(html.at);
    if (other && !(guess.sure && guess.size >= ENOUGH_LOW)) {
        Py_DECREF(other);
        return found;
    }
    Py_DECREF(found);
    return other;
}

/* Read a page in UTF-8 without NUL: title, heading, paragraphs, whether they are sure. */
PyObject *read_page(PyObject *module, PyObject *arguments, PyObject *named)
{
    static char *names[] = {"page", "plain", "kinds", "paragraph", "show", "say", "choose", NULL};
    Py_buffer html;
    Asked asked;
    Guess guess;
    int64_t unscripted;
    int is_plain;
    if (!PyArg_ParseTupleAndKeywords(arguments, named, "y*$pO!OOOO:read_page", names, &html, &is_plain,
                                     &PyTuple_Type, &asked.kinds, &asked.paragraph, &asked.show, &asked.say,
                                     &asked.choose))
        return NULL;
    Page page = {.asked = &asked, .html = html.buf, .length = html.len};
    PyObject *found = read_once(page, is_plain, &guess, &unscripted);
    if (found && !guess.sure && !is_plain && unscripted >= ENOUGH_LOW)
        found = read_unscripted(page, found);
    PyBuffer_Release(&html);
    return found;
}
