/* The text of a page without its chrome, the frame of the site: menus, footers, sidebars and banners.

   Chrome is recognised by its elements and names. Layouts have such names too, so there are exceptions. A
   part is no chrome if it contains the main element, or most of the text with the title and an <h1>, or all
   of the page but some links. A part with most of the text and more text than links is no menu. A part with
   an <h1> or with most of the text is no sidebar. */

#include "trunk.h"

enum { IN_CHROME = 1, STANDS_BESIDE = 2 };

/* The marks of a node.

   mark: bits, IN_CHROME and STANDS_BESIDE (a sidebar), of the node or a node around it.
   holds_main: it contains a main element; headed: a <header> in it belongs to an article or section. */
typedef struct {
    octet mark;
    bool holds_main, headed;
} Frame;

/* Whether a part with the name of a menu has most of the text, and more text than links. */
static bool is_no_menu(Tree *tree, int32_t node)
{
    const Part *part = &tree->parts[node];
    return 2 * part->good > tree->parts[0].good && part->good > part->bad && told(tree, node, says_menu);
}

/* Whether a part contains all text outside links, and three quarters of the links. */
static bool is_all(const Tree *tree, int32_t node)
{
    const Part *part = &tree->parts[node], *page = &tree->parts[0];
    return 4 * part->linked >= 3 * page->linked && page->letters - page->linked == part->letters - part->linked;
}

static bool is_chrome(Tree *tree, int32_t node, bool holds_main, bool is_headed)
{
    const Part *part = &tree->parts[node];
    bool is_around = holds_main || is_no_menu(tree, node) || is_layout(tree, node) || is_all(tree, node);
    if (is_named(tree, node, OF_SITE) || !is_around) {
        bool is_banner = name_at(tree, node) == E_header && !is_headed &&
                         part->h1s == 0 && part->titles == 0;
        return is_banner || told(tree, node, says_chrome) ||
               (part->named_low && told(tree, node, says_notice));
    }
    return false;
}

static void mark_nodes(Tree *tree, Frame *frames)
{
    for (size_t node = 0; node < tree->count; node++)
        tree->sums[node] = is_named(tree, node, IS_MAIN);
    sum_up(tree, false);
    for (size_t node = 0; node < tree->count; node++)
        frames[node].holds_main = tree->sums[node] > 0;
    frames[0].headed = is_named(tree, 0, HEADED);
    for (size_t node = 1; node < tree->count; node++) {
        const Part *part = &tree->parts[node];
        const Frame *around = &frames[part->parent];
        Frame *frame = &frames[node];
        frame->headed = is_named(tree, node, HEADED) || around->headed;
        frame->mark = around->mark;
        if (is_chrome(tree, node, frame->holds_main, frame->headed) || part->asks)
            frame->mark |= IN_CHROME;
        if (!frame->holds_main && part->h1s == 0 && 2 * part->good <= tree->parts[0].good &&
            told(tree, node, says_sidebar))
            frame->mark |= STANDS_BESIDE;
    }
}

/* The letters of running text outside low names and the site's frame. If a part stands in the frame, the
   frame does not count as such: its name is wrong. */
double measure_running(Tree *tree, int32_t part)
{
    Frame *frames = PyMem_Calloc(tree->count, sizeof *frames);
    if (!frames)
        return tree->failed = true, PyErr_NoMemory(), 0.0;
    mark_nodes(tree, frames);
    double letters = 0;
    octet unwanted = ~frames[part].mark;
    for (size_t i = 0; i < tree->blocks; i++) {
        const Block *block = &tree->read->blocks[i];
        bool within = block->node >= tree->within && block->node < tree->parts[tree->within].end;
        if (within && is_mostly_text(block) && !tree->parts[block->node].low &&
            !(frames[block->node].mark & unwanted))
            letters += tree->sizes[i];
    }
    PyMem_Free(frames);
    return letters;
}

/* All blocks of a page outside its menus, footers and sidebars. If none is left, sidebars are taken too. */
bool all_but_chrome(Tree *tree, Nodes *blocks)
{
    static const octet unwanted[] = {IN_CHROME | STANDS_BESIDE, IN_CHROME};
    Frame *frames = PyMem_Calloc(tree->count, sizeof *frames);
    if (!frames)
        return PyErr_NoMemory(), false;
    mark_nodes(tree, frames);
    bool done = true;
    blocks->count = 0;
    for (int i = 0; done && i < 2 && !blocks->count; i++)
        for (size_t block = 0; done && block < tree->blocks; block++)
            if (!(frames[tree->read->blocks[block].node].mark & unwanted[i]))
                done = add(blocks, block);
    PyMem_Free(frames);
    return done;
}
