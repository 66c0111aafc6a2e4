/* The nodes and blocks of a page, while it is read. */

#ifndef DEDUP_BLOCKS_H
#define DEDUP_BLOCKS_H

#include "numbers.h"
#include "page.h"

/* In place of a node: not made yet; invisible. */
enum { UNKNOWN = -2, HIDDEN = -1 };

/* A visible element with blocks: its element, its parent node, its name, the kind of its text. */
typedef struct {
    int32_t element, parent;
    octet name, kind;
} Node;

/* A text with folded white space: its place in ``texts``, its bytes, its characters. */
typedef struct {
    size_t at, length;
    int64_t characters;
} Text;

/* A block: its text, the number of its characters in links, and its node. */
typedef struct {
    Text text;
    int64_t link_chars;
    int32_t node;
} Block;

/* The node of an element. It is valid only if ``reading`` is the number of the current reading. */
typedef struct {
    uint32_t reading;
    int32_t node;
} Seat;

/* One reading of a page: of the whole page, of its outline, or of one element. */
typedef struct {
    const Page *page;
    Node *nodes;
    Block *blocks;
    Seat *seats; /* One per element, from NOWHERE on: element e has index e + 1. */
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
bool read_range(Blocks *blocks, const Page *page, int32_t first, int32_t last);
bool read_element(Blocks *blocks, const Page *page, int32_t element);
bool read_outline(Blocks *blocks, const Page *page);

static inline octet kind_of(const Blocks *blocks, const Block *block)
{
    return blocks->nodes[block->node].kind;
}

/* Whether the list or table around decides about a block of this kind. */
static inline bool is_entry(octet kind) { return kind == LIST_ITEM || kind == CELL; }

/* Whether a block is text, not navigation. */
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
