/* Nodes and blocks of a page in the making. */

#ifndef DEDUP_BLOCKS_H
#define DEDUP_BLOCKS_H

#include "numbers.h"
#include "page.h"

enum { UNKNOWN = -2, HIDDEN = -1 }; /* in place of a node */

typedef struct {
    int32_t element, parent;
    octet name, kind;
} Node;

/* Text with its white space folded: where among all texts, octets, characters. */
typedef struct {
    size_t at, length;
    int64_t characters;
} Text;

typedef struct {
    Text text;
    int64_t link_chars;
    int32_t node;
} Block;

/* The node of an element, as long as its reading is the present one. */
typedef struct {
    uint32_t reading;
    int32_t node;
} Seat;

/* What is read of a page: all of it, its outline, an element. */
typedef struct {
    const Page *page;
    Node *nodes;
    Block *blocks;
    Seat *seats; /* of each element, from NOWHERE on */
    size_t node_count, node_room, block_count, block_room;
    uint32_t reading;
    Octets texts, chain;
} Blocks;

bool begin_reading(Blocks *blocks, const Page *page, int32_t root);
void end_blocks(Blocks *blocks);
bool add_block(Blocks *blocks, int32_t element, Text text, int64_t link_chars);
bool show_text(const Page *page, Octets *texts, const octet *from, size_t length, Text *text);
PyObject *as_string(const Blocks *blocks, Text text);

bool read_whole(Blocks *blocks, const Page *page);
bool read_element(Blocks *blocks, const Page *page, int32_t element);
bool read_outline(Blocks *blocks, const Page *page);

static inline octet kind_of(const Blocks *blocks, const Block *block)
{
    return blocks->nodes[block->node].kind;
}

/* Whether a kind is judged with the list or table around. */
static inline bool is_entry(octet kind) { return kind == LIST_ITEM || kind == CELL; }

/* Whether a block is no navigation. */
static inline bool is_mostly_text(const Block *block)
{
    return block->link_chars <= LINK_SHARE * block->text.characters;
}

/* The level of a heading; 0 for other blocks. */
static inline octet level_of(const Blocks *blocks, const Block *block)
{
    octet kind = kind_of(blocks, block);
    return kind <= DEEPEST_HEADING ? kind : 0;
}

#endif
