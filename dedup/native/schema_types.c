/* Pages that declare themselves a discussion, a recipe or a product, by a type of schema.org in their markup.
   In a discussion the comments are the text. The word of a reader in the text of a page declares nothing. */

#include "tree.h"

enum { MOST_PLACES = 16 }; /* Maximum places of a type that are tested. */
enum { THREAD = 1, ANSWERS = 2, RECIPE = 4, PRODUCT = 8 };

static const struct {
    const char *type;
    int kind;
} types[] = {{"DiscussionForumPosting", THREAD},
             {"/QAPage", ANSWERS},
             {"\"QAPage", ANSWERS},
             {"/Recipe", RECIPE},
             {"\"Recipe\"", RECIPE},
             {"/Product", PRODUCT},
             {"\"Product\"", PRODUCT}};

/* Whether a place is in a script, or in a tag behind the name of an attribute of types. */
static bool is_in_markup(const Page *page, int32_t place)
{
    int32_t before = 0; /* The number of tags that end before the place. */
    while (before < page->tag_count && page->tags[before].stop <= place)
        before++;
    const Tag *around = before < page->tag_count ? &page->tags[before] : NULL;
    if (around && around->start < place)
        return memmem(page->html + around->start, place - around->start, "itemtype", 8);
    const Tag *last = before ? &page->tags[before - 1] : NULL;
    return last && last->name == E_script && !last->ends;
}

/* The first place of a type; NULL if there is none. Its capital letter is searched for, which is rarer than a
   slash or a quote. */
static const octet *find_type(const octet *at, const octet *end, const char *type, size_t length)
{
    size_t before = lower(type[0]) == type[0];
    while ((size_t)(end - at) >= length) {
        const octet *capital = memchr(at + before, type[before], end - at - length + 1);
        if (!capital)
            break;
        at = capital - before;
        if (!memcmp(at, type, length))
            return at;
        at++;
    }
    return NULL;
}

static bool declares(const Page *page, const char *type)
{
    const octet *at = page->html, *end = at + page->length;
    size_t length = strlen(type);
    for (int i = 0; i < MOST_PLACES && (at = find_type(at, end, type, length)); i++, at += length)
        if (is_in_markup(page, at - page->html))
            return true;
    return false;
}

/* Whether the page declares itself to be of one of these kinds. */
static bool is_of(Tree *tree, int kinds)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].kind & kinds & ~tree->tested && declares(tree->page, types[i].type))
            tree->declared |= types[i].kind;
    tree->tested |= kinds;
    return tree->declared & kinds;
}

bool is_discussion(Tree *tree) { return is_of(tree, THREAD | ANSWERS); }

/* Whether the page has one question with its answers. A thread may show other threads below it. */
bool has_answers(Tree *tree) { return is_of(tree, ANSWERS); }

bool is_recipe(Tree *tree) { return is_of(tree, RECIPE); }

bool is_product(Tree *tree) { return is_of(tree, PRODUCT); }
