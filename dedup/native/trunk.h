/* The trunk: the node of a tree that contains the main text. See main_text.c. */

#ifndef DEDUP_TRUNK_H
#define DEDUP_TRUNK_H

#include "tree.h"

typedef struct {
    int32_t *at;
    size_t count, room;
} Nodes;

/* A main text: the numbers of its blocks, its letters, and whether it is sure.
   likely: the short text that is probably the main text of a page without a sure one; may be empty. */
typedef struct {
    Nodes blocks, likely;
    double size;
    bool sure;
} Guess;

/* The link of the heading above a main text: its target, and whether the text has more such headings. */
typedef struct {
    Text target;
    bool several;
} HeadingLink;

int32_t find_trunk(Tree *tree);
int32_t gather(Tree *tree, int32_t trunk);
int32_t around_all(Tree *tree, int32_t trunk);
bool in_frame(Tree *tree, int32_t node);
bool with_all_along(Tree *tree, int32_t trunk, Nodes *nodes);
bool add(Nodes *nodes, int32_t node);
int32_t with_beside(const Page *page, int32_t element);
bool has_facts(Tree *tree, int32_t node, int *left);
bool take(Tree *tree, int32_t trunk, Guess *guess);
void strip_credits(const Tree *tree, Nodes *blocks);
bool is_likely(const Tree *tree, const Guess *guess);
bool is_running(const Tree *tree, size_t block);
bool take_standfirst(Blocks *blocks, Title title, Nodes *main);
bool is_dated(const Page *page, int32_t element);
bool take_brief(Tree *tree, Guess *guess);
bool take_body(Tree *tree, Guess *guess);
bool is_description(Tree *tree, int32_t node);
bool is_body(Tree *tree, int32_t node);
double measure_running(Tree *tree, int32_t part);
bool all_but_chrome(Tree *tree, Nodes *blocks);
bool read_head(Blocks *blocks, const Nodes *main, Text *head, octet *level);
bool read_heading_link(Blocks *blocks, const Nodes *main, Title title, HeadingLink *link);

#endif
