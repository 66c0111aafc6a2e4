/* The tree of a page's parts, with their weights.

   The weight of a block is its number of letters, adjusted by its kind and its links. Text has good
   weight, navigation has bad weight. The good and the bad weight of a part are sums of its subtree. */

#include "tree.h"

/* Sum up the subtrees, in place. If ``shared``, each parent gets only a share of a node's sum. */
void sum_up(Tree *tree, bool shared)
{
    for (int32_t node = tree->count - 1; node > 0; node--) {
        double total = tree->sums[node];
        if (total != 0)
            tree->sums[tree->parts[node].parent] += shared ? tree->shares[node] * total : total;
    }
}

#define SUM_UP(tree, from, to)                                                                        \
    do {                                                                                              \
        for (size_t node = 0; node < (tree)->count; node++)                                           \
            (tree)->sums[node] = (from);                                                              \
        sum_up(tree, false);                                                                          \
        for (size_t node = 0; node < (tree)->count; node++)                                           \
            (tree)->parts[node].to = (tree)->sums[node];                                              \
    } while (0)

/* Copy a mark to all nodes below marked nodes. */
#define HAND_DOWN(tree, mark)                                                                         \
    do {                                                                                              \
        for (size_t node = 1; node < (tree)->count; node++)                                           \
            (tree)->parts[node].mark |= (tree)->parts[(tree)->parts[node].parent].mark;               \
    } while (0)

/* Set ``sums`` to the good weight directly in each node, without notices outside an article. Parts with a low
   name get only a share of it, and boilerplate gets 0. */
void weigh_outside_low(Tree *tree, double share)
{
    for (size_t node = 0; node < tree->count; node++) {
        const Part *part = &tree->parts[node];
        double own = part->in_article ? part->own : part->own - part->noticed;
        tree->sums[node] = !part->low ? own : part->boilerplate ? 0.0 : share * own;
    }
}

bool in_title(const Tree *tree, Text text)
{
    return memmem(tree->title.at, tree->title.length, tree->read->texts.at + text.at, text.length);
}

double size_of(const Tree *tree, int32_t node)
{
    double size = 0;
    for (size_t i = 0; i < tree->blocks; i++) {
        int32_t home = tree->read->blocks[i].node;
        if (node <= home && home < tree->parts[node].end)
            size += tree->sizes[i];
    }
    return size;
}

static double measure(const Tree *tree, Text text)
{
    const octet *at = tree->read->texts.at + text.at;
    if (text.length == (size_t)text.characters)
        return text.characters;
    int64_t wide = 0;
    for (size_t i = 0; i < text.length; i++)
        wide += at[i] >= 0xe3 && at[i] <= 0xed;
    return text.characters + (IDEOGRAPH - 1) * wide;
}

static double weigh(const Tree *tree, const Block *block, double size)
{
    double links = block->link_chars ? (double)block->link_chars / block->text.characters : 0.0;
    if (links > LINK_SHARE)
        return is_linked_prose(tree->read, block, size) ? 0.0 : -LINK_WEIGHT * links * size;
    if (level_of(tree->read, block))
        return size < HEADING_LIMIT ? size : HEADING_LIMIT;
    double kind_weight = KIND_WEIGHTS[kind_of(tree->read, block)];
    double weight = size * (1 - links) * kind_weight - SCRAP;
    return weight > 0 ? weight : 0.0;
}

/* Whether a block repeats at least half of the title, and is mostly outside links. */
bool says_title(const Tree *tree, size_t i)
{
    const Block *block = &tree->read->blocks[i];
    return tree->sizes[i] >= TITLE_LEAST && 2 * block->text.characters >= tree->title.characters &&
           is_mostly_text(block) && in_title(tree, block->text);
}

/* Whether an <h1> is the name of the site: the title has more text, and ends with it. A long end with at
   least half of the title is the heading; then the name stands before it. */
bool is_site_name(const Tree *tree, Text text)
{
    const Title *title = &tree->title;
    bool is_long = text.characters > LONGEST_NAME && 2 * text.characters >= title->characters;
    return !is_long && text.characters < title->characters && text.length <= title->length &&
           !memcmp(title->at + title->length - text.length, tree->read->texts.at + text.at, text.length);
}

/* Whether a block is an <h1> that heads a part of its page. Logos and names of sites are excluded. A
   logo is mostly link. */
bool is_h1(const Tree *tree, const Block *block)
{
    return level_of(tree->read, block) == 1 && is_mostly_text(block) && !is_site_name(tree, block->text);
}

/* Whether a part with a low name contains the main text. It has most of the page's text, and the title or a
   <main>. With the name of a menu or footer, it has the title, an <h1>, and most of the page's links and text
   together. */
bool is_layout(Tree *tree, int32_t node)
{
    const Part *part = &tree->parts[node], *page = &tree->parts[0];
    if (2 * part->good < page->good)
        return false;
    if (told(tree, node, says_chrome))
        return part->titles > 0 && part->h1s > 0 && 2 * part->letters > page->letters;
    return part->titles > 0 || part->has_main;
}

/* Whether some <h1> has most of the title, and a text before the next one; the name of a blog has none. Then
   another <h1>, which has none of the title, heads no text of the page: anybody may have written it in a
   comment. */
static bool has_titled_h1(const Tree *tree)
{
    bool titled = false;
    double good = 0;
    for (size_t i = 0; i < tree->blocks; i++) {
        if (is_h1(tree, &tree->read->blocks[i]))
            titled = says_title(tree, i);
        else if (titled && tree->weights[i] > 0 && !tree->parts[tree->read->blocks[i].node].low)
            good += tree->weights[i];
        if (good >= LEAST_WITH_H1)
            return true;
    }
    return false;
}

static void mark_parts_with_h1(Tree *tree, bool *climbed)
{
    bool titled = has_titled_h1(tree);
    for (size_t i = 0; i < tree->blocks; i++) {
        const Block *block = &tree->read->blocks[i];
        if (!is_h1(tree, block) || tree->parts[block->node].listed)
            continue;
        if (titled && !in_title(tree, block->text) && !tree->parts[block->node].other)
            continue;
        int32_t node = block->node;
        while (tree->parts[node].good < LEAST_WITH_H1 && node > 0 && !climbed[node]) {
            climbed[node] = true;
            node = tree->parts[node].parent;
        }
        tree->parts[node].beside_h1 = !is_named(tree, node, ROOT) && !climbed[node];
    }
    for (size_t node = 0; node < tree->count; node++)
        if (tree->parts[node].list)
            tree->parts[node].beside_h1 = !is_named(tree, node, ROOT);
    HAND_DOWN(tree, beside_h1);
}

static void weigh_blocks(Tree *tree)
{
    for (size_t i = 0; i < tree->blocks; i++) {
        const Block *block = &tree->read->blocks[i];
        Part *part = &tree->parts[block->node];
        double size = tree->sizes[i] = measure(tree, block->text);
        double weight = tree->weights[i] = part->other ? 0.0 : weigh(tree, block, size);
        part->lines++;
        part->letters += block->text.characters;
        part->linked += block->link_chars;
        if (weight > 0)
            part->own += weight;
        else
            part->bad -= weight;
        tree->notices[i] = weight > 0 && is_notice(tree, block->text);
        if (tree->notices[i])
            part->noticed += weight;
        if (says_title(tree, i))
            part->titles += 1;
    }
}

static void name_parts(Tree *tree)
{
    for (size_t node = 0; node < tree->count; node++) {
        Part *part = &tree->parts[node];
        part->named_low = part->good > 0 && told(tree, node, says_low) && !is_layout(tree, node);
        part->low = part->named_low;
        part->in_article = is_named(tree, node, IS_MAIN);
        part->comments = part->named_low && told(tree, node, says_comments);
    }
    HAND_DOWN(tree, low);
    HAND_DOWN(tree, comments);
    HAND_DOWN(tree, in_article);
    for (size_t node = 0; node < tree->count; node++) {
        Part *part = &tree->parts[node];
        part->boilerplate =
            part->named_low && (told(tree, node, says_notice) ||
                                (is_named(tree, node, OF_SITE) && !part->in_article));
    }
    HAND_DOWN(tree, boilerplate);
}

/* Mark the forms for a comment. What they say to their readers stands on every page of the site. A form with an
   <h1> or with more text contains the page. */
static void mark_forms(Tree *tree)
{
    bool found = false;
    for (size_t node = 0; node < tree->count; node++) {
        tree->parts[node].asks = name_at(tree, node) == E_form && told(tree, node, says_comments);
        found |= tree->parts[node].asks;
    }
    if (!found)
        return;
    for (size_t node = 0; node < tree->count; node++)
        tree->sums[node] = 0;
    for (size_t i = 0; i < tree->blocks; i++)
        tree->sums[tree->read->blocks[i].node] += measure(tree, tree->read->blocks[i].text);
    sum_up(tree, false);
    for (size_t node = 0; node < tree->count; node++) {
        Part *part = &tree->parts[node];
        part->asks = part->asks && part->h1s == 0 && tree->sums[node] < LONGEST_FORM;
        part->other |= part->asks;
    }
}

bool grow_tree(Tree *tree, const Blocks *read, Title title)
{
    size_t count = read->node_count, blocks = read->block_count;
    *tree = (Tree){.read = read, .page = read->page, .title = title,
                   .count = count, .blocks = blocks};
    tree->parts = PyMem_Calloc(count, sizeof *tree->parts);
    tree->sizes = PyMem_Malloc((2 * blocks + 3 * count) * sizeof(double) + blocks);
    bool *climbed = PyMem_Calloc(count, sizeof *climbed);
    if (!tree->parts || !tree->sizes || !climbed) {
        PyMem_Free(climbed);
        PyErr_NoMemory();
        return false;
    }
    tree->weights = tree->sizes + blocks;
    tree->sums = tree->weights + blocks;
    tree->shares = tree->sums + count;
    tree->faded = tree->shares + count;
    tree->notices = (bool *)(tree->faded + count);
    for (size_t node = 0; node < count; node++)
        tree->parts[node].parent = read->nodes[node].parent, tree->parts[node].end = node + 1;
    for (size_t node = count - 1; node > 0; node--) {
        Part *parent = &tree->parts[tree->parts[node].parent];
        if (parent->end < tree->parts[node].end)
            parent->end = tree->parts[node].end;
    }
    if (!mark_articles(tree)) {
        PyMem_Free(climbed);
        return false;
    }
    SUM_UP(tree, name_at(tree, node) == E_h1, h1s);
    mark_forms(tree);
    HAND_DOWN(tree, other);
    HAND_DOWN(tree, listed);
    weigh_blocks(tree);
    SUM_UP(tree, tree->parts[node].own, good);
    SUM_UP(tree, tree->parts[node].bad, bad);
    for (size_t node = count - 1; node > 0; node--) {
        Part *part = &tree->parts[node], *around = &tree->parts[part->parent];
        around->letters += part->letters, around->linked += part->linked;
        around->has_main |= part->has_main || name_at(tree, node) == E_main;
    }
    SUM_UP(tree, tree->parts[node].titles, titles);
    name_parts(tree);
    weigh_outside_low(tree, 0.0);
    sum_up(tree, false);
    for (size_t node = 0; node < count; node++)
        tree->parts[node].clean = tree->sums[node];
    mark_parts_with_h1(tree, climbed);
    PyMem_Free(climbed);
    return !tree->failed;
}

void end_tree(Tree *tree)
{
    PyMem_Free(tree->parts), PyMem_Free(tree->sizes);
    PyMem_Free(tree->classes.at), PyMem_Free(tree->hint.at);
}
