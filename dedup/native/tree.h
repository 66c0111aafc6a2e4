/* The tree of a page's nodes with their weights: WeightedTree in dedup.page.weighted_tree. */

#ifndef DEDUP_TREE_H
#define DEDUP_TREE_H

#include "builder.h"

/* The numbers of dedup.page.weights, in their order there. */
typedef enum {
    FAINT, CLEAR, NOTICE, CLEAR_OF_SHORT, FADE, FADE_ITEM, LOW, HIGH, BESIDE_H1, WIDEN_GAIN,
    WIDEN_LOSS, SPREAD, PRUNE, MISNAMED_WITHIN, ENOUGH_BESIDE, SURE_SHARE, LEAST, LEAST_TITLED,
    OUTWEIGHED, ENOUGH, ENOUGH_LOW, IDEOGRAPH, SCRAP, HEADING_LIMIT, LINK_SHARE, LINK_WEIGHT, ALL,
    TITLE_LEAST, LEAST_WITH_H1, NUMBERS
} Number;

/* What the name of an element says: bits of a trait. */
enum { NO_TRUNK = 1, NO_FADE = 2, BARE_TEXT = 4, OWN_FOOTER = 8, CHROME_TAG = 16, ROOT = 32,
       NAMELESS = 64, HEADED = 128 };

/* What all the names of a part say: bits of what Python tells of a tag. */
enum { IS_LOW = 1, IS_CHROME = 2, IS_NOTICE = 4, IS_COMMENTS = 8, IS_HIGH = 16, IS_ARTICLE = 32 };

/* The rules, as Python has them. */
typedef struct {
    Py_buffer numbers, kind_weights, kinds, traits, unread;
    PyObject *told, *paragraph, *read_heading; /* borrowed */
    int li, form, details, header, article, title, svg;
    long long least_octets, least_octets_wide, least;
} Rules;

enum { HEADING_KIND = 1, DETAIL_KIND = 2 }; /* what is said of a kind */

typedef struct {
    double own, good, bad, clean, titles, h1s;
    int32_t parent, end, lines;
    bool named_low, low, comments, boilerplate, beside_h1, in_article;
    PyObject *told; /* what Python says of its names */
    int flags;
} Part;

typedef struct {
    Builder *builder;
    const Rules *rules;
    const octet *title;
    size_t title_length;
    int64_t title_characters;
    Part *parts; /* parallel to the builder's nodes */
    double *sizes, *weights; /* of blocks */
    double *sums, *shares; /* to work with, one a node */
    size_t count, blocks;
    bool several; /* articles beside each other: for Python */
    bool failed;
} Tree;

bool grow_tree(Tree *tree, Builder *builder, const Rules *rules, const char *title, size_t length,
               int64_t characters);
void end_tree(Tree *tree);
void sum_up(Tree *tree, bool shared);
void weigh_outside_low(Tree *tree, double share);
int told(Tree *tree, int32_t node, int flag);
bool same_make(Tree *tree, int32_t one, int32_t other, int levels);
bool has_class(Tree *tree, int32_t node);
double size_of(const Tree *tree, int32_t node);
bool in_title(const Tree *tree, Text text);
bool is_h1(const Tree *tree, const Block *block);

static inline double number(const Tree *tree, Number number)
{
    return ((const double *)tree->rules->numbers.buf)[number];
}

static inline octet name_at(const Tree *tree, int32_t node) { return tree->builder->nodes[node].name; }

static inline bool has_trait(const Tree *tree, int32_t node, octet trait)
{
    return ((const octet *)tree->rules->traits.buf)[name_at(tree, node)] & trait;
}

static inline bool is_kind(const Tree *tree, const Block *block, octet what)
{
    return ((const octet *)tree->rules->kinds.buf)[tree->builder->nodes[block->node].kind] & what;
}

#endif
