/* Several articles on one page, each with its <h1>.

   Some sites put the next articles below the requested one, and lists of posts show whole posts. Such
   articles are neighbours. Each <h1> stands in an <article>, or they have the same make and the name of
   an article. dedup.page.articles finds the page's own article by the title. */

#include "tree.h"

enum {
    MOST_H1 = 64, /* Maximum <h1>s of a page that are tested. */
    DEEPEST = 100 /* Maximum levels from an <h1> up to its article. */
};

/* An article and its <h1>. */
typedef struct {
    int32_t node;
    const Block *h1;
} Article;

typedef struct {
    Article at[2 * MOST_H1];
    int count;
} Articles;

/* Find the innermost node around two nodes, and the two children of it that contain them. If it is too
   far up, both results are ``one``. */
static void find_beside(const Tree *tree, int32_t one, int32_t other, int32_t *first, int32_t *second)
{
    *first = *second = one;
    for (int up = 0; up < DEEPEST && other > 0; up++, other = tree->parts[other].parent) {
        int32_t node = one;
        for (int depth = 0; node >= 0 && depth < DEEPEST; depth++, node = tree->parts[node].parent)
            if (tree->parts[node].parent == tree->parts[other].parent) {
                *first = node, *second = other;
                return;
            }
    }
}

/* Whether an <article> stands around an <h1>, inside a neighbour or as this neighbour itself. */
static bool stands_in_article(const Tree *tree, int32_t h1, int32_t neighbour)
{
    for (int32_t node = h1; node >= neighbour; node = tree->parts[node].parent)
        if (name_at(tree, node) == E_article)
            return true;
    return false;
}

/* Whether two neighbours that contain an <h1> each are articles. */
static bool are_articles(Tree *tree, int32_t first, int32_t one, int32_t second, int32_t other)
{
    if (stands_in_article(tree, one, first) && stands_in_article(tree, other, second))
        return true;
    if (!same_make(tree, first, second, 1))
        return false;
    for (int32_t node = first; node < tree->parts[first].end; node++)
        if (name_at(tree, node) == E_article)
            return true;
    return told(tree, first, says_high);
}

static void add_article(Articles *articles, int32_t node, const Block *h1)
{
    for (int i = 0; i < articles->count; i++)
        if (articles->at[i].node == node)
            return;
    articles->at[articles->count++] = (Article){node, h1};
}

/* Collect the <h1>s that head a part of the page; return their number. */
static int find_h1s(const Tree *tree, const Block **h1s)
{
    int count = 0;
    for (size_t i = 0; i < tree->blocks && count < MOST_H1; i++)
        if (is_h1(tree, &tree->read->blocks[i]))
            h1s[count++] = &tree->read->blocks[i];
    return count;
}

static void find_articles(Tree *tree, const Block **h1s, int count, Articles *articles)
{
    for (int i = 1; i < count; i++) {
        int32_t one = h1s[i - 1]->node, other = h1s[i]->node, first, second;
        find_beside(tree, one, other, &first, &second);
        if (first == one || second == other || !are_articles(tree, first, one, second, other))
            continue;
        add_article(articles, first, h1s[i - 1]);
        add_article(articles, second, h1s[i]);
    }
}

static bool stands_in_one(const Tree *tree, const Articles *articles, int32_t node)
{
    for (int i = 0; i < articles->count; i++) {
        int32_t article = articles->at[i].node;
        if (article <= node && node < tree->parts[article].end)
            return true;
    }
    return false;
}

/* Call dedup.page.articles.choose. It returns the articles beside the page's own, and listed ones. */
static PyObject *ask(const Tree *tree, const Articles *articles, const Block **h1s, int count)
{
    PyObject *parts = PyList_New(0), *heads = PyList_New(0), *said = NULL;
    bool done = parts && heads;
    for (int i = 0; done && i < articles->count; i++) {
        const Article *one = &articles->at[i];
        done = append_object(parts, Py_BuildValue("(iiN)", one->node, tree->parts[one->node].parent,
                                        as_string(tree->read, one->h1->text)));
    }
    for (int i = 0; done && i < count; i++)
        if (!stands_in_one(tree, articles, h1s[i]->node))
            done = append_object(heads, as_string(tree->read, h1s[i]->text));
    if (done)
        said = PyObject_CallFunction(tree->page->asked->choose, "OON", parts, heads,
                                     as_str(tree->title.at, tree->title.length));
    Py_XDECREF(parts), Py_XDECREF(heads);
    return said;
}

/* Mark the articles that Python returned. */
static bool mark(Tree *tree, const Articles *articles, PyObject *said)
{
    PyObject *others = PyTuple_GetItem(said, 0), *listed = PyTuple_GetItem(said, 1);
    for (int i = 0; others && listed && i < articles->count; i++) {
        Part *part = &tree->parts[articles->at[i].node];
        PyObject *node = PyLong_FromLong(articles->at[i].node);
        int is_other = node ? PySequence_Contains(others, node) : -1;
        int is_listed = node ? PySequence_Contains(listed, node) : -1;
        Py_XDECREF(node);
        if (is_other < 0 || is_listed < 0)
            return false;
        part->other = is_other, part->listed = is_listed;
        tree->parts[part->parent].list |= is_listed;
    }
    return others && listed;
}

/* Mark the articles beside the page's own article, and the articles of a list. */
bool mark_articles(Tree *tree)
{
    const Block *h1s[MOST_H1];
    Articles articles = {.count = 0};
    int count = find_h1s(tree, h1s);
    find_articles(tree, h1s, count, &articles);
    if (tree->failed || !articles.count)
        return !tree->failed;
    PyObject *said = ask(tree, &articles, h1s, count);
    bool done = said && mark(tree, &articles, said);
    Py_XDECREF(said);
    return done;
}
