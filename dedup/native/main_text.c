/* Main text by the weighted DOM tree.

   The score of a part is the weight of its text (tree.c). The weight of a block fades with every level
   between it and the part. So a part near the root loses against the part that really contains the
   article. A low name (comments, footer and so on) lowers the weight of the text below it. A high name
   (article and so on) raises the score of a part, and so does a place in the part that the <h1> heads
   (hints.c, trunk.c). This follows Arc90's Readability, where a paragraph scores for its parent in full
   and for its grandparent by half. Here all levels count.

   The part with the best score is the trunk. It widens to a part around it that adds much text and almost
   nothing else (the sections of a manual). If it has little of the page's text, it widens to the part that
   has enough (a page of sections). Bare paragraphs, sections and tables of facts (facts.c) beside the trunk
   are added, and so are the parts of a recipe and the description of a product, wherever they stand. Further
   parts of the same make are added too, unless an <h1> separates them from the trunk (it may stand in an
   answer, or head a section). The make is the element and the first class of the part and of two parts around
   it; these may differ between posts, such as a question and its answers. Without a class, the numbered id of
   a post takes its place. If several articles are neighbours, only the page's own article counts, or all of
   them count (articles.c). Inside, parts with a low name and menus are pruned (pruning.c). The remaining
   blocks are joined in document order, without the title, because some templates put the title inside the
   article and some outside.

   If that is less than half of the running text, and the page does not mark it as an article, nothing stands
   out as main text: an index page, a list of links, a page of few words. The same holds for a list of teasers
   with neither the heading of the page nor a <main>: it may stand on all pages of a site. Then all visible
   text outside the site's frame is taken (chrome.c), and the result is not sure. A wrong guess there would be
   the site's footer, which is equal on every page. So a page that is all frame has no text. A short text is
   sure in the only part that is named the text of an article, or below the heading and a date (brief.c).
   Beside it is returned what is likely the main text, for readers; no verdict depends on it (brief.c).
   Browsers show a <noscript> where scripts do not run. If a page without a sure main text has a long
   <noscript> with one, that text is taken. If a page has no text at all but what a style takes out of sight, a
   script will bring that into sight, and it is taken. */

#include "trunk.h"

enum { MOST_H1S = 4 }; /* Maximum <h1>s that are read as the title of a page without one. */

/* The bytes of text in runs too short for an outline, outside an element and outside links. */
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

/* Read the <title> of the page. The <title> of an <svg> in it does not count. */
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

/* Read the first <h1>s as one text; returns their number, or -1 for an error. */
static int read_h1s(Blocks *blocks, Text *all)
{
    Octets joined = {0};
    int count = 0;
    *all = (Text){blocks->texts.length, 0, 0};
    for (size_t i = 0; count >= 0 && count < MOST_H1S && i < blocks->block_count; i++) {
        const Block *block = &blocks->blocks[i];
        if (level_of(blocks, block) != 1)
            continue;
        bool done = (!count || append(&joined, (const octet *)" ", 1)) &&
                    append(&joined, blocks->texts.at + block->text.at, block->text.length);
        all->characters += block->text.characters + (count > 0);
        count = done ? count + 1 : -1;
    }
    all->length = joined.length;
    if (!append(&blocks->texts, joined.at, joined.length))
        count = -1;
    PyMem_Free(joined.at);
    return count;
}

static bool same_text(const Blocks *blocks, Text one, Text other)
{
    const octet *texts = blocks->texts.at;
    return one.length == other.length && !memcmp(texts + one.at, texts + other.at, one.length);
}

/* Read two texts: the title, or else the first <h1>; and the first <h1> with text outside links. An <h1> that
   is all link is a logo. ``all``: the first <h1>s, if they are several and there is no title; else empty.
   ``lacks_h1``: there is none, or only one with the words of the <title>, which may be the name of the site. */
static bool read_titles(Blocks *blocks, Text *title, Text *heading, Text *all, bool *lacks_h1)
{
    *heading = *all = (Text){0, 0, 0};
    *lacks_h1 = true;
    if (!read_title(blocks, title))
        return false;
    bool titled = title->characters;
    int count = titled ? 0 : read_h1s(blocks, all);
    for (size_t i = 0; i < blocks->block_count; i++) {
        const Block *block = &blocks->blocks[i];
        if (level_of(blocks, block) != 1)
            continue;
        if (!title->characters)
            *title = block->text;
        if (!heading->characters && block->link_chars < block->text.characters)
            *heading = block->text;
        bool is_logo = block->link_chars >= block->text.characters;
        if (!(titled || is_logo) || !same_text(blocks, block->text, *title))
            *lacks_h1 = false;
    }
    if (count < 2)
        *all = (Text){0, 0, 0};
    return count >= 0;
}

/* The bytes in the longest <noscript>. */
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

/* Whether a part is marked as the text of its page: by the name of an article, by a heading and a date
   above it, or as a discussion. */
static bool is_marked(Tree *tree, int32_t part)
{
    int32_t element = tree->read->nodes[part].element;
    return told(tree, part, says_article) || (element != NOWHERE && is_dated(tree->page, element)) ||
           is_discussion(tree);
}

/* Find the element with the main text by the outline, or NOWHERE. */
static int32_t find_part(Tree *tree)
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
        in_frame(tree, trunk))
        return NOWHERE;
    int32_t element = tree->read->nodes[part].element;
    double share = weight / (tree->faded[0] + count_short_outside(tree->page, element));
    if (share < HELD && !(share >= HELD_MARKED && is_marked(tree, part)))
        return NOWHERE;
    return element;
}

/* Whether a block is the text of a teaser in a list: the block above it, in a part of the list around both, is
   all link. The name of a person is too short for a headline. */
static bool is_teaser(const Tree *tree, int32_t list, int32_t at)
{
    const Block *above = &tree->read->blocks[at - (at > 0)];
    if (tree->sizes[at - (at > 0)] < LEAST_LETTERS || above->link_chars < above->text.characters)
        return false;
    int32_t part = tree->read->blocks[at].node;
    while (part > above->node)
        part = tree->parts[part].parent;
    return part > list;
}

static bool is_of_teasers(const Tree *tree, int32_t list, const Nodes *blocks)
{
    size_t teasers = 0;
    for (size_t i = 0; i < blocks->count; i++)
        teasers += is_teaser(tree, list, blocks->at[i]);
    return teasers >= MANY_TEASERS && blocks->count <= BLOCKS_OF_TEASER * teasers;
}

/* Whether a part is a <main> or <article>, or in one, or has the heading of the page: in it, around it, or right
   above it. */
static bool is_headed(const Tree *tree, int32_t node)
{
    const Part *part = &tree->parts[node];
    if (part->in_article || part->beside_h1 || part->h1s > 0 || part->titles > 0)
        return true;
    size_t first = 0;
    while (first < tree->blocks && tree->read->blocks[first].node < node)
        first++;
    return first > 0 && (is_h1(tree, &tree->read->blocks[first - 1]) || says_title(tree, first - 1));
}

/* Take the main text of the tree. */
static bool take_main(Tree *tree, Guess *guess)
{
    int32_t trunk = find_trunk(tree);
    if (!take(tree, trunk, guess))
        return false;
    int32_t around = guess->sure ? gather(tree, trunk) : trunk;
    if (around != trunk && !take(tree, around, guess))
        return false;
    if (guess->sure) {
        double all = measure_running(tree, around), held = 0;
        for (size_t i = 0; i < guess->blocks.count; i++)
            held += tree->sizes[guess->blocks.at[i]];
        bool stands_out = held >= HELD * all || (held >= HELD_MARKED * all && is_marked(tree, around));
        guess->sure = stands_out && (is_headed(tree, around) || !is_of_teasers(tree, around, &guess->blocks));
    }
    return true;
}

/* Make a Paragraph, a named tuple. tuple.__new__ makes it; the Python function of the class is not
   called. */
static PyObject *as_paragraph(PyObject *type, PyObject *fields)
{
    newfunc make = (newfunc)PyType_GetSlot(&PyTuple_Type, Py_tp_new);
    PyObject *arguments = fields ? PyTuple_Pack(1, fields) : NULL;
    PyObject *one = arguments ? make((PyTypeObject *)type, arguments, NULL) : NULL;
    Py_XDECREF(arguments), Py_XDECREF(fields);
    return one;
}

/* The blocks as Paragraphs. The section of each is the level of the last heading before it. */
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

/* Whether a block is link, no heading, and too short for the headline of a story. */
static bool is_short_link(const Tree *tree, int32_t at)
{
    const Block *block = &tree->read->blocks[at];
    return tree->sizes[at] < LEAST_LETTERS && !is_mostly_text(block) && !level_of(tree->read, block);
}

/* Take as likely all text but rows of short links: menus that no name marks. If there are none, take nothing. */
static bool leave_out_menus(const Tree *tree, Guess *guess)
{
    const Nodes *all = &guess->blocks;
    bool done = true;
    for (size_t i = 0, end; done && i < all->count; i = end) {
        for (end = i; end < all->count && is_short_link(tree, all->at[end]); end++)
            ;
        if (end - i < MANY_TEASERS)
            for (end += end == i; done && i < end; i++)
                done = add(&guess->likely, all->at[i]);
    }
    if (guess->likely.count == all->count)
        guess->likely.count = 0;
    return done;
}

/* Without a sure text: take the short text below the heading, or all text outside the frame. Beside all
   of it, keep the text that is likely: a short one, or all but menus, or that of a page that is all frame. */
static bool take_brief_or_all(Tree *tree, Guess *guess)
{
    if (is_likely(tree, guess))
        for (size_t i = 0; i < guess->blocks.count; i++)
            if (!add(&guess->likely, guess->blocks.at[i]))
                return false;
    if (!take_body(tree, guess) || (!guess->sure && !take_brief(tree, guess)))
        return false;
    if (guess->sure) {
        guess->likely.count = 0;
        return true;
    }
    if (!all_but_chrome(tree, &guess->blocks))
        return false;
    if (guess->blocks.count && !guess->likely.count)
        return leave_out_menus(tree, guess);
    bool done = true, is_frame = !guess->blocks.count && !guess->likely.count;
    for (size_t i = 0; done && is_frame && i < tree->blocks; i++)
        done = add(&guess->likely, i);
    return done;
}

/* The node of an element; the root if no node has it. */
static int32_t node_at(const Tree *tree, int32_t element)
{
    for (size_t node = 0; node < tree->count; node++)
        if (tree->read->nodes[node].element == element)
            return node;
    return 0;
}

/* Find the main text: by the outline and the part that it shows, or else by the whole page. */
static bool find_main(Blocks *blocks, Title title, Guess *guess)
{
    Tree tree;
    bool done = grow_tree(&tree, blocks, title);
    int32_t element = done ? find_part(&tree) : NOWHERE;
    done = done && !tree.failed;
    end_tree(&tree);
    if (!done)
        return false;
    int32_t around = element == NOWHERE ? NOWHERE : with_beside(blocks->page, element);
    if (around != NOWHERE && read_element(blocks, blocks->page, around) && blocks->block_count) {
        done = grow_tree(&tree, blocks, title);
        tree.within = done && element != around ? node_at(&tree, element) : 0;
        done = done && take_main(&tree, guess);
        done = done && !tree.failed;
        end_tree(&tree);
        if (!done || (guess->sure && guess->size >= ENOUGH))
            return done;
    }
    guess->blocks.count = 0;
    guess->sure = false;
    if (PyErr_Occurred() || !read_whole(blocks, blocks->page) || !blocks->block_count)
        return !PyErr_Occurred();
    done = grow_tree(&tree, blocks, title) && take_main(&tree, guess) &&
           (guess->sure || take_brief_or_all(&tree, guess)) && !tree.failed;
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

/* The result for Python: the title, the <h1>, the heading in its place, the paragraphs, whether they are
   sure, the target of the heading above them, whether there are more such headings, and the likely
   paragraphs if they are not sure. */
static PyObject *as_found(const Blocks *blocks, PyObject *title, Text heading, Text head, HeadingLink link,
                          const Guess *guess)
{
    PyObject *headed = as_string(blocks, heading);
    PyObject *above = headed ? as_string(blocks, head) : NULL;
    PyObject *leads = above ? as_string(blocks, link.target) : NULL;
    PyObject *paragraphs = leads ? as_paragraphs(blocks, &guess->blocks) : NULL;
    PyObject *likely = paragraphs ? as_paragraphs(blocks, &guess->likely) : NULL;
    PyObject *sure = guess->sure ? Py_True : Py_False;
    PyObject *several = link.several ? Py_True : Py_False;
    PyObject *found =
        likely ? PyTuple_Pack(8, title, headed, above, paragraphs, sure, leads, several, likely) : NULL;
    Py_XDECREF(headed), Py_XDECREF(above), Py_XDECREF(leads), Py_XDECREF(paragraphs), Py_XDECREF(likely);
    return found;
}

/* Add the <h1> of a main text to the text of the first <h1>, unless they have the same. */
static bool add_head(const Blocks *blocks, Octets *first, Text *heading, Text head)
{
    const octet *text = blocks->texts.at + head.at;
    if (!head.length || memmem(first->at, first->length, text, head.length))
        return true;
    heading->length += 1 + head.length;
    heading->characters += 1 + head.characters;
    return append(first, (const octet *)" ", 1) && append(first, text, head.length);
}

/* Whether something of a page is out of sight. */
static bool has_unseen(const Page *page)
{
    for (int32_t tag = 0; tag < page->tag_count; tag++)
        if (!page->tags[tag].ends && is_out_of_sight(page, tag))
            return true;
    return false;
}

/* Read a page with its tags found; return the result, or NULL for an error. */
static PyObject *read_found(const Page *page, bool is_plain, Guess *guess)
{
    Blocks blocks = {0};
    Text title, heading, all, head = {0};
    bool lacks_h1;
    octet level = 0;
    HeadingLink link = {0};
    PyObject *found = NULL, *shown = NULL, *octets = NULL, *named = NULL;
    if (read_outline(&blocks, page) && read_titles(&blocks, &title, &heading, &all, &lacks_h1)) {
        shown = as_string(&blocks, title);
        octets = shown ? PyUnicode_AsUTF8String(shown) : NULL;
        /* The first <h1> may head a sidebar, the same on all pages. */
        named = octets ? as_string(&blocks, all.characters ? all : title) : NULL;
        heading = all.characters ? all : heading;
    }
    Octets kept = {0}; /* The next reading clears the texts. */
    if (octets && named && append(&kept, blocks.texts.at + heading.at, heading.length)) {
        Title titled = {(const octet *)PyBytes_AsString(octets), PyBytes_Size(octets), PyUnicode_GetLength(shown)};
        bool done = is_plain ? all_blocks(&blocks, guess) : find_main(&blocks, titled, guess);
        if (guess->sure && !is_plain)
            done = done && read_heading_link(&blocks, &guess->blocks, titled, &link) &&
                   take_standfirst(&blocks, titled, &guess->blocks);
        if (!is_plain)
            done = done && read_head(&blocks, &guess->blocks, &head, &level);
        if (level == 1 && heading.characters) /* The first <h1> may be the name of the site. */
            done = done && add_head(&blocks, &kept, &heading, head);
        if (!lacks_h1)
            head.length = head.characters = 0;
        heading.at = blocks.texts.length;
        if (done && append(&blocks.texts, kept.at, kept.length))
            found = as_found(&blocks, named, heading, head, link, guess);
    }
    Py_XDECREF(shown), Py_XDECREF(octets), Py_XDECREF(named);
    PyMem_Free(kept.at), PyMem_Free(guess->blocks.at), PyMem_Free(guess->likely.at);
    guess->blocks = guess->likely = (Nodes){0};
    end_blocks(&blocks);
    return found;
}

/* Whether a result has no paragraphs, neither sure nor likely ones. */
static bool is_empty(PyObject *found)
{
    return PyTuple_Size(PyTuple_GetItem(found, 3)) == 0 && PyTuple_Size(PyTuple_GetItem(found, 7)) == 0;
}

/* Read a page; return the result. ``unscripted``: the bytes in its longest <noscript>. */
static PyObject *read_once(Page page, bool is_plain, Guess *guess, int64_t *unscripted)
{
    PyObject *found = NULL;
    *guess = (Guess){0};
    if (find_tags(&page) && nest(&page)) {
        page.shows_all = is_staged(&page);
        found = read_found(&page, is_plain, guess);
        if (found && !page.shows_all && is_empty(found) && has_unseen(&page)) {
            page.shows_all = true;
            Py_DECREF(found);
            *guess = (Guess){0};
            found = read_found(&page, is_plain, guess);
        }
    }
    *unscripted = found ? longest_unscripted(&page) : 0;
    end_page(&page);
    return found;
}

/* Copy the page as a browser without scripts sees it: each <noscript> becomes a <div>. */
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

/* Read the page again without scripts. Without a long, sure main text there, return ``found``. */
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

/* Read a page in UTF-8 without NUL. Return the result, as ``as_found``. */
PyObject *read_page(PyObject *module, PyObject *arguments, PyObject *named)
{
    static char *names[] = {"page", "plain", "kinds", "paragraph", "show", "choose", NULL};
    Py_buffer html;
    Asked asked;
    Guess guess;
    int64_t unscripted;
    int is_plain;
    if (!PyArg_ParseTupleAndKeywords(arguments, named, "y*$pO!OOO:read_page", names, &html, &is_plain,
                                     &PyTuple_Type, &asked.kinds, &asked.paragraph, &asked.show,
                                     &asked.choose))
        return NULL;
    Page page = {.asked = &asked, .html = html.buf, .length = html.len};
    PyObject *found = read_once(page, is_plain, &guess, &unscripted);
    if (found && !guess.sure && !is_plain && unscripted >= ENOUGH_LOW)
        found = read_unscripted(page, found);
    PyBuffer_Release(&html);
    return found;
}
