/* The tree of a page's nodes with their weights. */

#ifndef DEDUP_TREE_H
#define DEDUP_TREE_H

#include "blocks.h"
#include "sayings.h"

typedef struct {
    double own, good, bad, clean, titles, h1s;
    double letters, linked; /* of all blocks, and in links */
    int32_t parent, end, lines;
    bool named_low, low, comments, boilerplate, beside_h1, in_article;
    bool other, listed, list; /* in an article beside the page's own, in one of a list; around these */
    bool told; /* whether it is known what its names say: flags, and its first class */
    int flags;
    size_t class_at, class_length;
} Part;

/* A title, kept apart from texts that are read anew. */
typedef struct {
    const octet *at;
    size_t length;
    int64_t characters;
} Title;

typedef struct {
    const Blocks *read;
    const Page *page;
    Title title;
    Part *parts; /* parallel to the nodes that were read */
    double *sizes, *weights; /* of blocks */
    Octets classes, hint;
    double *sums, *shares, *faded; /* to work with, one a node */
    size_t count, blocks;
    bool failed;
} Tree;

bool mark_articles(Tree *tree);
bool grow_tree(Tree *tree, const Blocks *read, Title title);
void end_tree(Tree *tree);
void sum_up(Tree *tree, bool shared);
void weigh_outside_low(Tree *tree, double share);
int told(Tree *tree, int32_t node, int flag);
bool same_make(Tree *tree, int32_t one, int32_t other, int levels);
bool has_make(Tree *tree, int32_t node);
double size_of(const Tree *tree, int32_t node);
bool in_title(const Tree *tree, Text text);
bool says_title(const Tree *tree, size_t block);
bool is_h1(const Tree *tree, const Block *block);

static inline octet name_at(const Tree *tree, int32_t node) { return tree->read->nodes[node].name; }

static inline bool is_named(const Tree *tree, int32_t node, uint32_t trait)
{
    return has_trait(name_at(tree, node), trait);
}

#endif
