/* Prune a main text, and test whether it is sure: see main_text.c. */

#include "trunk.h"

enum { FIGURE_WITHIN = 8 }; /* Maximum levels from a caption up to its figure. */

/* Whether the name of a part inside the article excludes it from the article. */
static bool is_none_of_it(Tree *tree, int32_t node, bool is_small)
{
    if (is_named(tree, node, OF_SITE))
        return true;
    return is_small && name_at(tree, node) != E_header && told(tree, node, says_low);
}

/* Whether a node is the caption of a picture: its figure says hardly anything else. A listing or a table in a
   figure says more than its caption, and then the caption is part of the text. */
static bool captions_picture(const Tree *tree, int32_t node)
{
    if (name_at(tree, node) != E_figcaption)
        return false;
    double letters = tree->parts[node].letters;
    for (int up = 0; up < FIGURE_WITHIN && node >= 0; up++, node = tree->parts[node].parent)
        if (name_at(tree, node) == E_figure)
            return tree->parts[node].letters <= 2 * letters;
    return false;
}

/* Whether a node is a caption. The class of a table may name the place of its caption. */
static bool is_caption(Tree *tree, int32_t node)
{
    return (told(tree, node, says_caption) && name_at(tree, node) != E_table) || captions_picture(tree, node);
}

/* Whether all captions together are less than a limit; in a gallery, they are the text. ``sum``: their good
   weight; negative if it is not measured yet. */
static bool are_captions(Tree *tree, const Nodes *roots, double *sum, double limit)
{
    if (*sum >= 0)
        return *sum < limit;
    *sum = 0;
    for (size_t i = 0; i < roots->count; i++)
        for (int32_t node = roots->at[i]; node < tree->parts[roots->at[i]].end;) {
            bool found = is_caption(tree, node);
            *sum += found ? tree->parts[node].good : 0;
            node = found ? tree->parts[node].end : node + 1;
        }
    return *sum < limit;
}

/* Whether a part inside the article is a menu or a group of teasers: mostly links, by its weight and by
   its letters. List items and table cells are not tested alone; their list or table is tested. Nor are
   headings, which may be headlines. */
static bool is_menu(const Tree *tree, int32_t node)
{
    const Part *part = &tree->parts[node];
    if (part->good >= PRUNE * part->bad || part->linked <= MENU * part->letters)
        return false;
    octet kind = tree->read->nodes[node].kind;
    return part->end > node + 1 || !(is_entry(kind) || (kind > 1 && kind <= DEEPEST_HEADING));
}

static void keep_nodes(Tree *tree, const Nodes *roots, octet *kept)
{
    double good = 0, clean = 0, in_captions = -1;
    for (size_t i = 0; i < roots->count; i++) {
        good += tree->parts[roots->at[i]].good;
        clean += tree->parts[roots->at[i]].clean;
    }
    double limit = MISNAMED_WITHIN * good, captions = CAPTIONS_WITHIN * good;
    bool beside = clean >= ENOUGH_BESIDE;
    for (size_t i = 0; i < roots->count; i++) {
        int32_t root = roots->at[i], node = root;
        while (node < tree->parts[root].end) {
            const Part *part = &tree->parts[node];
            bool is_small = part->good < limit || (beside && part->comments);
            bool out = part->other || part->boilerplate ||
                       (is_caption(tree, node) && are_captions(tree, roots, &in_captions, captions)) ||
                       (node != root && (is_menu(tree, node) || is_none_of_it(tree, node, is_small)));
            if (!out)
                kept[node] = 1;
            node = out ? part->end : node + 1;
        }
    }
}

/* Whether a block is a heading right above text in the same part, maybe all link. The name of a person is too
   short for a headline. */
static bool is_headline(const Tree *tree, size_t i)
{
    const Block *block = &tree->read->blocks[i];
    if (level_of(tree->read, block) < 2 || tree->sizes[i] < LEAST_LETTERS || i + 1 == tree->blocks)
        return false;
    return tree->weights[i + 1] > 0 && !level_of(tree->read, block + 1) &&
           tree->parts[block->node].parent == tree->parts[block[1].node].parent;
}

/* Whether a block without good weight is still content: an entry of a list or table, text, a headline, or a
   sentence with long links. */
static bool is_detail(const Tree *tree, size_t i)
{
    const Block *block = &tree->read->blocks[i];
    return is_entry(kind_of(tree->read, block)) || is_mostly_text(block) ||
           is_headline(tree, i) || is_linked_prose(tree->read, block, tree->sizes[i]);
}

static bool is_title(const Tree *tree, const Block *block)
{
    return level_of(tree->read, block) == 1 ||
           (level_of(tree->read, block) && in_title(tree, block->text));
}

/* Collect the blocks in the nodes, without pruned parts and without the title. */
static bool prune(Tree *tree, const Nodes *roots, Nodes *blocks)
{
    octet *kept = PyMem_Calloc(tree->count, 1);
    bool done = kept != NULL, titled = false;
    size_t place = 0;
    blocks->count = 0;
    if (!done)
        PyErr_NoMemory();
    else
        keep_nodes(tree, roots, kept);
    for (size_t i = 0; done && i < tree->blocks; i++) {
        const Block *block = &tree->read->blocks[i];
        if (!kept[block->node] || !(tree->weights[i] > 0 || is_detail(tree, i)))
            continue;
        if (place++ < 3 && !titled && is_title(tree, block))
            titled = !is_site_name(tree, block->text); /* The title stands below the name of the site. */
        else
            done = add(blocks, i);
    }
    PyMem_Free(kept);
    return done;
}

/* Whether the blocks are a large enough share of the smallest part around them with the title. */
static bool is_titled(const Tree *tree, int32_t trunk, const Nodes *blocks)
{
    double size = 0;
    for (size_t i = 0; i < blocks->count; i++)
        if (!tree->parts[tree->read->blocks[blocks->at[i]].node].low)
            size += tree->sizes[blocks->at[i]];
    if (size < LEAST_TITLED || OUTWEIGHED * size > size_of(tree, tree->within))
        return false;
    int32_t part = trunk;
    while (part > tree->within && tree->parts[part].titles == 0)
        part = tree->parts[part].parent;
    return !is_named(tree, part, ROOT) && size >= SURE_SHARE * size_of(tree, part);
}

/* Whether the blocks are enough: by their size, or as a share of the part with the <h1> or the title. */
static bool is_sure(const Tree *tree, int32_t trunk, const Nodes *blocks, double size)
{
    bool headed = tree->parts[trunk].beside_h1, is_low = false;
    int32_t last = trunk;
    for (int32_t node = trunk; node >= tree->within && tree->parts[node].beside_h1 == headed;
         node = tree->parts[node].parent) {
        is_low |= tree->parts[node].named_low;
        last = node;
    }
    if (is_low)
        return size >= ENOUGH_LOW;
    if (headed && size >= SURE_SHARE * size_of(tree, last))
        return size >= LEAST;
    return size >= ENOUGH || is_titled(tree, trunk, blocks);
}

/* The letters of a main text. If it is mostly legal notices, and not below the <h1> or in an article, it
   counts without them. */
static double measure_blocks(const Tree *tree, int32_t trunk, const Nodes *blocks)
{
    double size = 0, notices = 0;
    for (size_t i = 0; i < blocks->count; i++) {
        size += tree->sizes[blocks->at[i]];
        notices += tree->notices[blocks->at[i]] ? tree->sizes[blocks->at[i]] : 0;
    }
    bool is_own = tree->parts[trunk].beside_h1 || tree->parts[trunk].in_article;
    return is_own || 2 * notices <= size ? size : size - notices;
}

/* Take the main text of a trunk. */
bool take(Tree *tree, int32_t trunk, Guess *guess)
{
    Nodes roots = {0};
    bool done = with_all_along(tree, trunk, &roots) && prune(tree, &roots, &guess->blocks);
    PyMem_Free(roots.at);
    guess->size = measure_blocks(tree, trunk, &guess->blocks);
    guess->sure = is_sure(tree, trunk, &guess->blocks, guess->size) && !in_frame(tree, trunk);
    strip_credits(tree, &guess->blocks);
    return done;
}
