/* Pages that declare themselves a discussion, by a type of schema.org in their markup. There the comments are
   the text. The word of a reader in the text of a page declares nothing. */

#include "tree.h"

enum { MOST_PLACES = 16 }; /* Maximum places of a type that are tested. */
enum { UNTESTED, NO, YES };

static const char *const types[] = {"DiscussionForumPosting", "/QAPage", "\"QAPage"};

/* Whether a place is in a tag or in a script. */
static bool is_in_markup(const Page *page, int32_t place)
{
    int32_t tag = 0;
    while (tag < page->tag_count && page->tags[tag].stop <= place)
        tag++;
    const Tag *at = &page->tags[tag];
    return at->start < place || (tag && at[-1].name == E_script && !at[-1].ends);
}

static bool declares(const Page *page, const char *type)
{
    const octet *at = page->html, *end = at + page->length;
    size_t length = strlen(type);
    for (int i = 0; i < MOST_PLACES && (at = memmem(at, end - at, type, length)); i++, at += length)
        if (is_in_markup(page, at - page->html))
            return true;
    return false;
}

bool is_discussion(Tree *tree)
{
    if (tree->discussion == UNTESTED) {
        tree->discussion = NO;
        for (size_t i = 0; i < sizeof types / sizeof *types; i++)
            if (declares(tree->page, types[i]))
                tree->discussion = YES;
    }
    return tree->discussion == YES;
}
