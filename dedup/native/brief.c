/* A short main text: the only part that is named the text of an article, or the first prose below the heading
   of the page. */

#include "trunk.h"

/* Whether a block is running text: long enough, with clauses, hardly any links, and no notice. */
bool is_running(const Tree *tree, size_t i)
{
    const Block *block = &tree->read->blocks[i];
    return tree->sizes[i] >= BRIEF_PROSE && !tree->notices[i] &&
           block->link_chars <= BRIEF_LINKS * block->text.characters &&
           has_clause(tree->read, block->text);
}

/* Whether a block is running text below a heading. */
static bool is_prose(const Tree *tree, size_t i)
{
    return is_running(tree, i) && !level_of(tree->read, &tree->read->blocks[i]);
}

/* The rank of a block as heading of the page. An <h1> that the title repeats has the highest rank. */
static int heads(const Tree *tree, size_t i)
{
    const Block *block = &tree->read->blocks[i];
    int rank = says_title(tree, i) ? 2 : 0;
    if (!is_mostly_text(block))
        return 0;
    if (is_h1(tree, block))
        return rank + 2;
    return rank + (rank && level_of(tree->read, block));
}

/* The first block of the highest rank, or the number of all blocks. */
static size_t find_heading(const Tree *tree)
{
    size_t best = tree->blocks;
    int most = 0;
    for (size_t i = 0; i < tree->blocks; i++) {
        int rank = heads(tree, i);
        if (rank > most)
            best = i, most = rank;
    }
    return best;
}

/* The first prose within BRIEF_REACH blocks below a heading, or the number of all blocks. Parts with a
   low name are skipped. */
static size_t find_prose(const Tree *tree, size_t heading)
{
    int within = BRIEF_REACH;
    for (size_t i = heading + 1; i < tree->blocks && within; i++) {
        const Block *block = &tree->read->blocks[i];
        if (tree->parts[block->node].low)
            continue;
        if (is_prose(tree, i))
            return i;
        within--;
    }
    return tree->blocks;
}

/* Whether a text contains a year, as dates do: four digits that begin with 19 or 20. A long text is a
   sentence, and no date. */
static bool has_year(const octet *at, size_t length)
{
    size_t digits = 0;
    at = trim(at, &length);
    if (length > LONGEST_DATE)
        return false;
    for (size_t i = 0; i <= length; i++) {
        bool digit = i < length && is_digit(at[i]);
        if (!digit && digits == 4 && (!memcmp(at + i - 4, "19", 2) || !memcmp(at + i - 4, "20", 2)))
            return true;
        digits = digit ? digits + 1 : 0;
    }
    return false;
}

/* Whether an element stands below a heading and a date, as an article does: there is a year in the few
   runs of text between the two. */
bool is_dated(const Page *page, int32_t element)
{
    int within = DATED_REACH;
    bool found = false;
    for (int32_t tag = page->places[element]; tag-- > 0 && within;) {
        const Tag *at = &page->tags[tag];
        if (found && is_heading(at->name) && !at->ends)
            return true;
        size_t length;
        const octet *text = text_behind(page, tag, &length);
        if (is_blank_text(text, length) || (!at->ends && has_trait(at->name, INVISIBLE)))
            continue;
        found = found || has_year(text, length);
        within--;
    }
    return false;
}

static bool is_within(const Tree *tree, int32_t node, int32_t part)
{
    return part <= node && node < tree->parts[part].end;
}

/* Whether the text is the page's own, not the introduction to a list. There is a year between it and its
   heading, or it has the name of an article and there is any block between. */
static bool is_introduced(Tree *tree, size_t heading, size_t prose, int32_t trunk)
{
    for (size_t i = heading + 1; i < prose; i++) {
        Text text = tree->read->blocks[i].text;
        if (has_year(tree->read->texts.at + text.at, text.length))
            return true;
    }
    int32_t head = tree->read->blocks[heading].node;
    if (prose == heading + 1)
        return false;
    for (int32_t node = trunk; node > 0 && !is_within(tree, head, node); node = tree->parts[node].parent)
        if (told(tree, node, says_article))
            return true;
    return false;
}

/* The letters of running text in some blocks. */
static double sum_running(const Tree *tree, const Nodes *blocks)
{
    double running = 0;
    for (size_t i = 0; i < blocks->count; i++)
        running += is_prose(tree, blocks->at[i]) ? tree->sizes[blocks->at[i]] : 0;
    return running;
}

/* Whether a text that is not sure is likely the main text: nearly all of it is running text, it has a good
   share of the page's running text, and no low name. Right below a heading, the introduction to a list is
   as likely; at the very end of the page, a message or a banner. */
bool is_likely(const Tree *tree, const Guess *guess)
{
    const Nodes *blocks = &guess->blocks;
    double running = sum_running(tree, blocks), all = 0;
    if (!running || running < LIKELY_RUNNING * guess->size)
        return false;
    for (size_t i = 0; i < tree->blocks; i++)
        all += is_prose(tree, i) ? tree->sizes[i] : 0;
    int32_t first = blocks->at[0], last = blocks->at[blocks->count - 1];
    const Block *block = &tree->read->blocks[first];
    bool is_headed = first && level_of(tree->read, block - 1);
    return running >= LIKELY_HELD * all && !is_headed && (size_t)last + 1 < tree->blocks &&
           !tree->parts[block->node].low;
}

/* Take the short text below the heading, if there is any. */
bool take_brief(Tree *tree, Guess *guess)
{
    size_t heading = find_heading(tree);
    size_t prose = heading < tree->blocks ? find_prose(tree, heading) : tree->blocks;
    if (prose == tree->blocks)
        return true;
    int32_t trunk = tree->read->blocks[prose].node;
    while (trunk > 0 && is_named(tree, trunk, NO_TRUNK))
        trunk = tree->parts[trunk].parent;
    if (is_named(tree, trunk, ROOT) || in_frame(tree, trunk) || !is_introduced(tree, heading, prose, trunk))
        return true;
    if (!take(tree, trunk, guess))
        return false;
    guess->sure = 2 * sum_running(tree, &guess->blocks) >= guess->size && guess->size >= BRIEF &&
                  guess->size <= LONGEST_BRIEF;
    return true;
}

/* Whether a part is named the text of an article. The name of a whole page is that of its kind. */
bool is_body(Tree *tree, int32_t node) { return told(tree, node, says_body) && !is_named(tree, node, ROOT); }

/* The only part that is named the text of an article, or the description of a product, below the heading; 0 for
   none or several. Of parts in each other, the outermost counts; of descriptions, the first one: others may be of
   other products. */
static int32_t find_body(Tree *tree, bool describes)
{
    int32_t found = 0;
    for (int32_t node = 1; node < (int32_t)tree->count; node++) {
        const Part *part = &tree->parts[node];
        if (part->low || part->good <= 0)
            continue;
        if (!(describes ? part->beside_h1 && is_description(tree, node) : is_body(tree, node)))
            continue;
        if (describes)
            return node;
        if (found)
            return 0;
        found = node;
        node = part->end - 1;
    }
    return found;
}

/* Take the short text of the part that is named the text of its page: on the page of a product its description,
   if it has one. A description has a share of the running text, unlike one in a list of products. */
bool take_body(Tree *tree, Guess *guess)
{
    int32_t body = is_product(tree) ? find_body(tree, true) : 0;
    bool describes = body;
    if (!body)
        body = find_body(tree, false);
    if (!body)
        return true;
    bool done = take(tree, body, guess);
    guess->sure = done && guess->size >= BRIEF &&
                  !(describes && guess->size < HELD_MARKED * measure_running(tree, body));
    return done;
}
