/* The ends of clauses and sentences. Running text has them, rows and menus have not. */

#include "tree.h"

/* Signs at the end of a clause, in UTF-8: full stops, commas, marks. */
static const char *const wide_signs[] = {"。", "，", "！", "？", "；", "、", "،", "؟",
                                         "۔", "।", "։", "።", "፣", "။", "၊"};
enum { WIDE_SIGNS = sizeof wide_signs / sizeof *wide_signs };

/* Whether a clause or a sentence ends at a place in a text. */
static bool ends_clause(const octet *at, size_t left)
{
    if (at[0] < 0x80)
        return strchr(".,!?;", at[0]) && at[0] && (left == 1 || is_space(at[1]));
    for (int i = 0; i < WIDE_SIGNS; i++) {
        size_t length = strlen(wide_signs[i]);
        if (left >= length && !memcmp(at, wide_signs[i], length))
            return true;
    }
    return false;
}

bool has_clause(const Blocks *blocks, Text text)
{
    const octet *at = blocks->texts.at + text.at;
    for (size_t i = 0; i < text.length; i++)
        if ((at[i] < 0x40 || at[i] >= 0xc0) && ends_clause(at + i, text.length - i))
            return true;
    return false;
}

/* Whether a block that is mostly link is part of a text all the same: a paragraph that says more than its
   links. ``size``: its letters. */
bool is_linked_prose(const Blocks *blocks, const Block *block, double size)
{
    double links = (double)block->link_chars / block->text.characters;
    return kind_of(blocks, block) == PARAGRAPH && (1 - links) * size >= LEAST_LETTERS &&
           has_clause(blocks, block->text);
}
