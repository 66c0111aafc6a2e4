/* The standfirst: the paragraphs between the heading of an article and its body, in larger type on most
   sites. Many templates put them outside the container of the body, beside or below the heading. Some have
   several containers for one text; then these paragraphs are the text of the first ones. */

#include "trunk.h"

enum { MOST_TESTED = 16 }; /* Maximum paragraphs that are tested. */

/* The last <h1> before an element; if there is none, the last <h2>, or NOWHERE. */
static int32_t heading_before(const Page *page, int32_t element)
{
    int32_t heading = NOWHERE;
    for (int32_t place = element - 1; place >= 0; place--) {
        const Tag *tag = &page->tags[page->places[place]];
        if (tag->ends || tag->empty)
            continue;
        if (tag->name == E_h1)
            return place;
        if (tag->name == E_h2 && heading < 0)
            heading = place;
    }
    return heading;
}

/* Whether a block is in a part below the heading that is no part of the article by its name: a figure, a
   caption, a menu, a line about the author. Parts around the heading are not tested. */
static bool is_beside(Tree *tree, int32_t node, int32_t heading)
{
    for (; node >= 0 && tree->read->nodes[node].element > heading; node = tree->parts[node].parent)
        if (name_at(tree, node) == E_figure || told(tree, node, says_caption) ||
            (name_at(tree, node) != E_header && told(tree, node, says_low)))
            return true;
    return false;
}

/* Whether some blocks have one with a text. */
static bool has_text(const Blocks *blocks, const Nodes *some, const octet *at, size_t length)
{
    for (size_t i = 0; i < some->count; i++) {
        Text text = blocks->blocks[some->at[i]].text;
        if (text.length == length && !memcmp(blocks->texts.at + text.at, at, length))
            return true;
    }
    return false;
}

/* Whether the heading is in a part of the site's frame by its name: a consent notice, a sidebar, a
   footer, comments. Parts that contain the main text too are not tested, nor other low names: a banner may
   head an article. A heading that the title repeats heads the article, even in a breadcrumb trail. */
static bool heads_other(Tree *tree, int32_t heading, int32_t text)
{
    if (says_title(tree, 0))
        return false;
    int32_t around = smallest_around(tree->page, heading, text), node = tree->read->blocks[0].node;
    for (; node >= 0 && tree->read->nodes[node].element > around; node = tree->parts[node].parent)
        if (told(tree, node, says_notice | says_chrome | says_sidebar | says_comments))
            return true;
    return false;
}

/* Whether the first block heads the article: an <h1>, or another text that the title repeats, such as
   an <h2>. */
static bool heads_article(Tree *tree)
{
    const Block *block = tree->read->blocks;
    return level_of(tree->read, block) == 1 ? is_h1(tree, block) : says_title(tree, 0);
}

/* Find the paragraphs of the standfirst among the blocks between heading and main text. */
static void find_standfirst(Tree *tree, const Blocks *blocks, const Nodes *main, int32_t heading, int32_t text,
                            Nodes *found)
{
    int left = MOST_TESTED;
    if (!tree->blocks || !heads_article(tree) || heads_other(tree, heading, text))
        return;
    for (size_t i = 1; i < tree->blocks; i++) {
        const Block *block = &tree->read->blocks[i];
        const octet *at = tree->read->texts.at + block->text.at;
        if (tree->sizes[i] < LEAST_STANDFIRST || !is_running(tree, i) || is_entry(kind_of(tree->read, block)))
            continue;
        if (!left--)
            return;
        if (!is_beside(tree, block->node, heading) && !has_text(blocks, main, at, block->text.length) &&
            !has_text(tree->read, found, at, block->text.length))
            found->at[found->count++] = i;
    }
}

/* Copy the found paragraphs before the main text. */
static bool put_before(Blocks *blocks, const Blocks *read, const Nodes *found, Nodes *main)
{
    for (size_t i = 0; i < found->count; i++)
        if (!add(main, 0))
            return false;
    memmove(main->at + found->count, main->at, (main->count - found->count) * sizeof *main->at);
    for (size_t i = 0; i < found->count; i++) {
        const Block *block = &read->blocks[found->at[i]];
        Text text = block->text;
        text.at = blocks->texts.length;
        main->at[i] = blocks->block_count;
        if (!append(&blocks->texts, read->texts.at + block->text.at, text.length) ||
            !add_block(blocks, read->nodes[block->node].element, text, block->link_chars))
            return false;
    }
    return true;
}

/* Put the standfirst before a main text that lacks it. */
bool take_standfirst(Blocks *blocks, Title title, Nodes *main)
{
    const Page *page = blocks->page;
    int32_t first = main->count ? blocks->nodes[blocks->blocks[main->at[0]].node].element : NOWHERE;
    int32_t heading = heading_before(page, first), at[MOST_TESTED];
    if (heading < 0)
        return true;
    Blocks between = {0};
    Tree tree;
    Nodes found = {.at = at, .count = 0, .room = MOST_TESTED};
    bool done = read_range(&between, page, heading, first);
    if (done && between.block_count > 1) {
        done = grow_tree(&tree, &between, title);
        if (done)
            find_standfirst(&tree, blocks, main, heading, first, &found);
        done = done && !tree.failed && (!found.count || put_before(blocks, &between, &found, main));
        end_tree(&tree);
    }
    end_blocks(&between);
    return done;
}
