/* The tree of a page's nodes, with their weights. */

#ifndef DEDUP_TREE_H
#define DEDUP_TREE_H

#include "blocks.h"
#include "sayings.h"

/* A node with its subtree.

   own: the good weight of the blocks directly in the node; noticed: the part of it in legal notices.
   good, bad: the weights of the subtree; clean: its good weight without parts with a low name.
   titles, h1s: the number of blocks that repeat the title, and of <h1> nodes, in the subtree.
   end: the number behind the last node of the subtree.
   lines: the number of blocks directly in the node.
   named_low: the node itself has a low name.
   low, comments, boilerplate, in_article: the node or a node around it has this mark.
   beside_h1: the node is in the part that an <h1> of the page heads.
   has_main: a <main> is below the node. */
typedef struct {
    double own, noticed, good, bad, clean, titles, h1s;
    double letters, linked; /* Characters in the subtree: all, and in links. */
    int32_t parent, end, lines;
    bool named_low, low, comments, boilerplate, beside_h1, in_article, has_main;
    bool other, listed, list; /* In another article than the page's own, or in a form for a comment; in a listed
                                 article; its parent. */
    bool asks;                /* Whether the node is a form for a comment. */
    bool told;                /* Whether the hints are read: the flags and the first class. */
    int flags;                /* The hints, as bits of sayings.h. */
    size_t class_at, class_length;
} Part;

/* The title. It is stored outside the texts of Blocks, which are read again. */
typedef struct {
    const octet *at;
    size_t length;
    int64_t characters;
} Title;

typedef struct {
    const Blocks *read;
    const Page *page;
    Title title;
    Part *parts;             /* One per node of Blocks, in the same order. */
    double *sizes, *weights; /* The letters and the weight of each block. */
    bool *notices;           /* Whether each block with good weight is a legal notice. */
    Octets classes, hint;
    double *sums, *shares, *faded; /* Work space, one number per node. */
    size_t count, blocks;
    int32_t within; /* The trunk is this node, or in it. */
    int tested, declared; /* Kinds of pages: tested, and found in what the page declares. See schema_types.c. */
    bool failed;
} Tree;

bool mark_articles(Tree *tree);
bool grow_tree(Tree *tree, const Blocks *read, Title title);
void end_tree(Tree *tree);
void sum_up(Tree *tree, bool shared);
void weigh_outside_low(Tree *tree, double share);
int told(Tree *tree, int32_t node, int flag);
bool same_make(Tree *tree, int32_t one, int32_t other, int levels);
bool is_discussion(Tree *tree);
bool has_answers(Tree *tree);
bool is_recipe(Tree *tree);
bool is_product(Tree *tree);
bool has_make(Tree *tree, int32_t node);
bool is_notice(const Tree *tree, Text text);
bool has_clause(const Blocks *blocks, Text text);
bool is_linked_prose(const Blocks *blocks, const Block *block, double size);
double size_of(const Tree *tree, int32_t node);
bool in_title(const Tree *tree, Text text);
bool is_site_name(const Tree *tree, Text text);
bool says_title(const Tree *tree, size_t block);
bool is_layout(Tree *tree, int32_t node);
bool is_h1(const Tree *tree, const Block *block);

static inline octet name_at(const Tree *tree, int32_t node) { return tree->read->nodes[node].name; }

static inline bool is_named(const Tree *tree, int32_t node, uint32_t trait)
{
    return has_trait(name_at(tree, node), trait);
}

#endif
