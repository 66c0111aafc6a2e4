/* Search the trunk, and the nodes that belong to the same main text: see main_text.c. */

#include "trunk.h"

enum { MOST_TABLES = 8 }; /* Tables beside the trunk that are searched for facts. */

bool add(Nodes *nodes, int32_t node)
{
    if (!make_room((void **)&nodes->at, &nodes->room, nodes->count, sizeof *nodes->at))
        return false;
    nodes->at[nodes->count++] = node;
    return true;
}

static bool is_good(const Tree *tree, int32_t node)
{
    const Part *part = &tree->parts[node];
    return part->good > 0 && part->good >= PRUNE * part->bad;
}

static bool is_leaf(const Tree *tree, int32_t node) { return tree->parts[node].end == node + 1; }

/* Whether a node is a paragraph or the like. It is never the container of an article. */
static bool is_text(const Tree *tree, int32_t node)
{
    return is_named(tree, node, NO_TRUNK) || (is_leaf(tree, node) && tree->parts[node].lines < 2);
}

static void fade(Tree *tree)
{
    for (size_t node = 0; node < tree->count; node++) {
        double share = name_at(tree, node) == E_li ? FADE_ITEM : FADE;
        bool whole = is_named(tree, node, NO_FADE) || (is_leaf(tree, node) && is_text(tree, node));
        tree->shares[node] = whole ? 1.0 : share;
    }
}

/* Whether a node repeats an earlier post: a <blockquote> that is named a quote. Some forums have whole posts
   in a <blockquote>. */
static bool is_quote(Tree *tree, int32_t node)
{
    return name_at(tree, node) == E_blockquote && told(tree, node, says_quote);
}

/* Sum up the weights in ``sums``; return the node with the best score outside of quotes. */
static int32_t best_of(Tree *tree)
{
    int32_t best = tree->within, end = tree->parts[best].end;
    double best_score = 0;
    sum_up(tree, true);
    for (int32_t node = best; node < end; node++) {
        if (is_quote(tree, node)) {
            node = tree->parts[node].end - 1;
            continue;
        }
        double score = tree->sums[node];
        if (tree->parts[node].beside_h1)
            score *= BESIDE_H1;
        if (score * HIGH <= best_score || is_text(tree, node))
            continue;
        if (told(tree, node, says_high))
            score *= HIGH;
        if (score > best_score)
            best = node, best_score = score;
    }
    return best;
}

/* The node with the best score. A part with a high name wins over comments. */
static int32_t best_node(Tree *tree)
{
    fade(tree);
    weigh_outside_low(tree, LOW);
    int32_t best = best_of(tree);
    if (!tree->parts[best].comments)
        return best;
    weigh_outside_low(tree, LOW);
    for (size_t node = 0; node < tree->count; node++)
        if (tree->parts[node].comments)
            tree->sums[node] = 0;
    int32_t beside = best_of(tree);
    bool stands = tree->parts[beside].good >= LEAST && told(tree, beside, says_high);
    return stands ? beside : best;
}

/* Widen the trunk to nodes around it that add text and almost nothing else. A trunk with a high name is
   complete, unless it stands in a part that is named the text of an article: blogs have the beginning of a
   post and its rest in two parts. */
static int32_t widen(Tree *tree, int32_t trunk)
{
    bool is_high = told(tree, trunk, says_high);
    int32_t widest = trunk;
    for (int32_t node = tree->parts[trunk].parent; node >= tree->within; node = tree->parts[node].parent) {
        const Part *around = &tree->parts[node], *part = &tree->parts[widest];
        if (tree->parts[trunk].beside_h1 && !around->beside_h1)
            break;
        if (is_high && !is_body(tree, node))
            continue;
        double gain = around->clean - part->clean;
        double total = around->good + around->bad - part->good - part->bad;
        if (gain >= WIDEN_GAIN * part->clean &&
            total - gain <= WIDEN_LOSS * gain)
            widest = node;
    }
    return widest;
}

int32_t find_trunk(Tree *tree) { return widen(tree, best_node(tree)); }

/* Whether one part is a further part of the text of the other. */
typedef bool Alike(Tree *tree, int32_t one, int32_t other);

static bool are_of_one_make(Tree *tree, int32_t one, int32_t other) { return same_make(tree, one, other, 3); }

/* Whether two parts are posts of one page. If they are named the text of an article, or in a discussion, their
   frames may differ: one around a question, another around an answer. A part with a low name is no post. */
static bool are_posts(Tree *tree, int32_t one, int32_t other)
{
    int32_t a = tree->parts[one].parent, b = tree->parts[other].parent;
    if (!same_make(tree, one, other, 1))
        return false;
    if (same_make(tree, a, b, 2))
        return true;
    if (a < 0 || b < 0 || tree->parts[one].low || tree->parts[other].low)
        return false;
    return tree->parts[one].class_length && (is_body(tree, one) || is_discussion(tree));
}

/* Add further parts of the same article: parts like the trunk, with no <h1> between. An <h1> separates
   nothing if the trunk has several, which head its sections, or if the page has answers, which may have an
   <h1> each. */
static bool add_alike(Tree *tree, int32_t trunk, Nodes *nodes, Alike *are_alike)
{
    if (!has_make(tree, trunk))
        return true;
    int32_t node = tree->within, last = tree->parts[node].end, from = node, end = last;
    size_t blocks = tree->parts[trunk].h1s < 2 ? tree->blocks : 0;
    for (size_t i = 0; i < blocks; i++) {
        const Block *block = &tree->read->blocks[i];
        if (!is_h1(tree, block) || tree->parts[block->node].listed)
            continue;
        if (block->node <= trunk && block->node > from)
            from = block->node;
        if (block->node > trunk && block->node < end)
            end = block->node;
    }
    while (node < last) {
        int32_t stop = tree->parts[node].end;
        bool same = node != trunk && name_at(tree, node) == name_at(tree, trunk) &&
                    is_good(tree, node) && !(node < trunk && trunk < stop) &&
                    are_alike(tree, node, trunk) && ((node >= from && stop <= end) || has_answers(tree));
        if (same && !add(nodes, node))
            return false;
        node = same || node == trunk ? stop : node + 1;
    }
    return true;
}

/* The heading right above a part, or NOWHERE. Between the two, only elements around the part begin. */
static int32_t heading_above(const Tree *tree, int32_t part)
{
    int32_t node = part - 1;
    while (node >= 0 && tree->parts[node].end > part)
        node--;
    if (node < 0)
        return NOWHERE;
    octet kind = tree->read->nodes[node].kind;
    bool is_heading = kind > 1 && kind <= DEEPEST_HEADING;
    return is_heading && tree->parts[node].linked <= MENU * tree->parts[node].letters ? node : NOWHERE;
}

/* Add the headings of the parts of an article, if each part has one, as questions have above answers. */
static bool add_headings(const Tree *tree, Nodes *nodes, size_t from)
{
    size_t last = nodes->count;
    if (from == last || heading_above(tree, nodes->at[0]) < 0)
        return true;
    for (size_t i = from; i < last; i++)
        if (heading_above(tree, nodes->at[i]) < 0)
            return true;
    bool done = add(nodes, heading_above(tree, nodes->at[0]));
    for (size_t i = from; done && i < last; i++)
        done = add(nodes, heading_above(tree, nodes->at[i]));
    return done;
}

/* Whether a node is named the ingredients or the preparation, on a page that declares itself a recipe. */
static bool is_of_recipe(Tree *tree, int32_t node)
{
    return !tree->parts[node].low && told(tree, node, says_recipe) && is_recipe(tree);
}

/* Whether a part of a recipe with text stands anywhere. Most pages have none, and are done with that. */
static bool has_recipe(Tree *tree)
{
    for (size_t node = 0; node < tree->count; node++)
        if (tree->parts[node].good > 0 && is_of_recipe(tree, node))
            return true;
    return false;
}

/* Add the ingredients and the preparation outside the trunk and the frame of the site: its menu may have the
   same names. */
static bool add_recipe(Tree *tree, int32_t trunk, Nodes *nodes)
{
    int32_t node = tree->within, end = has_recipe(tree) ? tree->parts[node].end : node;
    bool done = true;
    while (done && node < end) {
        bool is_around = node < trunk && trunk < tree->parts[node].end;
        bool is_out = !is_around && (node == trunk || is_named(tree, node, OF_SITE));
        bool found = !is_out && !is_around && is_of_recipe(tree, node);
        done = !found || add(nodes, node);
        node = found || is_out ? tree->parts[node].end : node + 1;
    }
    return done;
}

/* Whether a node is named the description of a product, on a page that declares itself one. */
bool is_description(Tree *tree, int32_t node)
{
    return !tree->parts[node].named_low && told(tree, node, says_description) && is_product(tree);
}

/* Add the description of a product, on a page that declares itself one: the first part of this name behind the
   trunk, outside the frame of the site, with enough text. The trunk is only a summary, below the heading. */
static bool add_description(Tree *tree, int32_t trunk, Nodes *nodes)
{
    int32_t node = tree->parts[trunk].end, end = tree->parts[tree->within].end;
    double least = LEAST_DESCRIPTION * tree->parts[trunk].good;
    while (node < end) {
        const Part *part = &tree->parts[node];
        bool is_out = part->good < least || is_named(tree, node, OF_SITE);
        if (!is_out && is_description(tree, node))
            return add(nodes, node);
        node = is_out ? part->end : node + 1;
    }
    return true;
}

/* Whether a node is a further <section> of the <article> whose text is in a <section>. It may be of short
   lines. */
static bool is_section(const Tree *tree, int32_t trunk, int32_t node)
{
    const Part *part = &tree->parts[node];
    return name_at(tree, node) == E_section && name_at(tree, trunk) == E_section &&
           name_at(tree, part->parent) == E_article && !part->low && is_good(tree, node);
}

/* Collect the trunk, the bare paragraphs, sections and tables of facts beside it, the parts of its make, and
   their headings; the parts of a recipe, and the description of a product. */
bool with_all_along(Tree *tree, int32_t trunk, Nodes *nodes)
{
    nodes->count = 0;
    if (!add(nodes, trunk))
        return false;
    int32_t parent = tree->parts[trunk].parent;
    int left = MOST_TABLES;
    if (parent >= 0)
        for (int32_t node = parent + 1; node < tree->parts[parent].end; node = tree->parts[node].end)
            if (node != trunk &&
                ((parent >= tree->within && is_named(tree, node, BARE_TEXT) && is_good(tree, node)) ||
                 is_section(tree, trunk, node) || has_facts(tree, node, &left)))
                if (!add(nodes, node))
                    return false;
    size_t from = nodes->count;
    return add_alike(tree, trunk, nodes, are_posts) && add_headings(tree, nodes, from) &&
           add_recipe(tree, trunk, nodes) && add_description(tree, trunk, nodes);
}

/* The smallest node around the trunk and all nodes of ``with_all_along``; -1 for an error. */
int32_t around_all(Tree *tree, int32_t trunk)
{
    Nodes all = {0};
    int32_t first = trunk, last = trunk, node = trunk;
    bool done = with_all_along(tree, trunk, &all);
    for (size_t i = 0; i < all.count; i++) {
        first = all.at[i] < first ? all.at[i] : first;
        last = all.at[i] > last ? all.at[i] : last;
    }
    while (node > first || last >= tree->parts[node].end)
        node = tree->parts[node].parent;
    PyMem_Free(all.at);
    return done ? node : -1;
}

/* Widen the trunk if the text is spread over several parts, as in a page of sections. It is never
   widened beyond an article. A part with the name of an article and less than ENOUGH text is only its lead. */
int32_t gather(Tree *tree, int32_t trunk)
{
    int32_t within = tree->within;
    if (tree->parts[trunk].clean >= SPREAD * tree->parts[within].clean)
        return trunk;
    for (int32_t node = 0; node < (int32_t)tree->count; node++)
        tree->shares[node] = name_at(tree, node) != E_li || is_leaf(tree, node);
    weigh_outside_low(tree, 0.0);
    sum_up(tree, true);
    const double *parts = tree->sums;
    double enough = SPREAD * parts[within], along = 0;
    Nodes same = {0};
    if (!add(&same, trunk) || !add_alike(tree, trunk, &same, are_of_one_make)) {
        tree->failed = true;
        PyMem_Free(same.at);
        return trunk;
    }
    for (size_t i = 0; i < same.count; i++)
        along += parts[same.at[i]];
    PyMem_Free(same.at);
    if (!(along > 0 && along < enough))
        return trunk;
    for (int32_t node = trunk; node >= within; node = tree->parts[node].parent) {
        bool may_be_whole = node == trunk ? parts[node] >= ENOUGH : tree->parts[node].h1s > 0;
        bool whole = may_be_whole && told(tree, node, says_article);
        if (is_named(tree, node, ROOT) || (whole && parts[node] < enough))
            break;
        if (parts[node] >= enough)
            return node;
    }
    return trunk;
}

/* Whether an <h1> begins behind an element, and none in it, but for boxes beside the text and the frame of the
   site. An <h1> right beside the element heads a section of the same text. */
static bool is_above_h1(const Page *page, int32_t element)
{
    int32_t end = end_of(page, element);
    for (int32_t place = element; place < page->count;) {
        const Tag *tag = &page->tags[page->places[place]];
        if (tag->name == E_h1 && !tag->ends)
            return place >= end && page->outer[place] != page->outer[element];
        bool is_beside = !tag->ends && (tag->name == E_aside || has_trait(tag->name, OF_SITE));
        place = is_beside ? end_of(page, place) : place + 1;
    }
    return false;
}

/* Whether an element is in a list with an <h1> behind it alone: in a menu that says much. */
static bool is_listed_above_h1(const Page *page, int32_t element)
{
    int32_t list = NOWHERE;
    for (; element != NOWHERE; element = page->outer[element])
        if (name_of(page, element) == E_ul || name_of(page, element) == E_ol)
            list = element;
    return list != NOWHERE && is_above_h1(page, list);
}

/* Whether a node is in a list above an <h1>, or is the <header> of the site, or is in it. Such a header has no
   <h1> and no title. */
bool in_frame(Tree *tree, int32_t node)
{
    if (is_listed_above_h1(tree->page, tree->read->nodes[node].element))
        return true;
    bool found = false;
    for (; node >= 0; node = tree->parts[node].parent) {
        const Part *part = &tree->parts[node];
        if (is_named(tree, node, HEADED))
            found = false; /* A <header> below this node belongs to this node. */
        else if (name_at(tree, node) == E_header && part->h1s == 0 && part->titles == 0)
            found = true;
    }
    return found;
}
