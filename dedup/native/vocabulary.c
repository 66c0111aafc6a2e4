/* A hash table from keys to the names of elements. */

#include "vocabulary.h"

enum { SLOTS = 1024 }; /* About ten times the number of names, so that most have no collision. */

#define ROW_OF(name, kind, traits) {#name, sizeof #name - 1, kind, traits},
const Element elements[NAME_COUNT] = {{"", 0, INHERITED, ROOT}, {"!", 1, INHERITED, 0}, ELEMENTS(ROW_OF)};
#undef ROW_OF

static uint64_t keys[NAME_COUNT];
static octet slots[SLOTS]; /* Each name is in the slot of its key, or in the next free one. */

static size_t slot_of(uint64_t key) { return key * 0x9e3779b97f4a7c15 >> 54; }

/* Fill the table. This is called once, before any page is read. */
void place_names(void)
{
    memset(slots, 0, sizeof slots);
    for (int name = ODDITY + 1; name < NAME_COUNT; name++) {
        const char *at = elements[name].name;
        keys[name] = 0;
        for (int i = 0; at[i] && i < NAME_OCTETS; i++)
            keys[name] |= (uint64_t)((octet)at[i] | 0x20) << 8 * i;
        size_t slot = slot_of(keys[name]);
        while (slots[slot])
            slot = (slot + 1) % SLOTS;
        slots[slot] = name;
    }
}

/* The name of a key, or OTHER. */
octet name_of_key(uint64_t key)
{
    octet name;
    for (size_t slot = slot_of(key); (name = slots[slot]); slot = (slot + 1) % SLOTS)
        if (keys[name] == key)
            return name;
    return OTHER;
}
