/* Tables of facts beside the container of an article: the date and the place of an event, a price. They
   are part of the main text. Without a date, a time or an amount of money in it, a table is none: it may
   show the weather, or what else the site has. */

#include "trunk.h"

enum {
    DEEPEST_FACTS = 2,   /* Maximum elements that contain nothing but the table. */
    LONGEST_FACTS = 600, /* Maximum characters of a table. */
    LONGEST_TABLE = 9600 /* Maximum bytes of a table with its tags. */
};

static const char *const months[] = {
    "jan", "feb", "mar", "mär", "apr", "avr", "may", "mai", "jun", "jul", "aug", "aoû",
    "sep", "oct", "okt", "nov", "dec", "dez", "déc", "янв", "фев", "мар", "апр", "мая",
    "июн", "июл", "авг", "сен", "окт", "ноя", "дек",
};
static const char *const money[] = {"$", "€", "£", "¥", "￥", "₽", "₹", "元", "円", "eur", "usd", "cny", "rmb"};
enum { MONTHS = sizeof months / sizeof *months, MONEY = sizeof money / sizeof *money };

static bool is_figure(const octet *at, const octet *end) { return at < end && *at >= '0' && *at <= '9'; }

static bool is_letter(octet sign) { return sign >= 0x80 || ((sign | 32) >= 'a' && (sign | 32) <= 'z'); }

/* The length of the first of some words that a text begins with here, or 0. */
static size_t word_at(const octet *at, const octet *end, const char *const *words, int count)
{
    for (int i = 0; i < count; i++)
        if (begins_with(at, end, words[i]))
            return strlen(words[i]);
    return 0;
}

/* Whether the name of a month begins here, with a number before or behind it. */
static bool is_month(const octet *first, const octet *at, const octet *end, bool after_number)
{
    size_t length = at > first && is_letter(at[-1]) ? 0 : word_at(at, end, months, MONTHS);
    if (!length)
        return false;
    const octet *behind = at + length;
    while (behind < end && is_letter(*behind))
        behind++;
    behind += behind < end && *behind == '.';
    behind += behind < end && *behind == ' ';
    return after_number || is_figure(behind, end);
}

/* Whether a text has a date, a time of day or an amount of money. */
static bool tells_fact(const octet *first, size_t length)
{
    const octet *end = first + length;
    int figures = 0;           /* The length of the run of figures before this place. */
    bool after_number = false; /* Whether only spaces and full stops stand behind a number. */
    for (const octet *at = first; at < end; at++) {
        if (is_figure(at, end)) {
            figures++, after_number = true;
            continue;
        }
        bool goes_on = figures && is_figure(at + 1, end);
        if (goes_on && *at == ':' && is_figure(at + 2, end))
            return true;
        if (goes_on && (*at == '/' || (figures == 4 && (*at == '-' || *at == '.'))))
            return true;
        if (figures && (begins_with(at, end, "月") || begins_with(at, end, "年")))
            return true;
        if (is_letter(*at) && is_month(first, at, end, after_number))
            return true;
        if (word_at(at, end, money, MONEY))
            return true;
        figures = 0;
        after_number = after_number && (*at == ' ' || *at == '.');
    }
    return false;
}

/* Whether an element shows a table, or begins with one, that may be a table of facts. */
static bool begins_with_facts(const Page *page, int32_t element, int32_t end)
{
    const Tag *first = &page->tags[page->places[element]];
    int32_t behind = page->places[end];
    if (page->tags[behind].start - first->start > LONGEST_TABLE)
        return false;
    for (int level = 0; level <= DEEPEST_FACTS; level++, element++) {
        if (is_hidden(page, page->places[element]))
            return false;
        if (has_trait(name_of(page, element), OF_FACTS))
            return tells_fact(page->html + first->stop, page->tags[behind].start - first->stop);
        if (element + 1 >= end || page->outer[element + 1] != element)
            return false;
    }
    return false;
}

/* The element around an element, if it has tables of facts beside it, or is an <article> around a <section>. An
   outline leaves out short text. */
int32_t with_beside(const Page *page, int32_t element)
{
    int32_t around = page->outer[element];
    if (around == NOWHERE || has_trait(name_of(page, around), ROOT))
        return element;
    int32_t end = end_of(page, around);
    if (name_of(page, around) == E_article && name_of(page, element) == E_section)
        return around;
    for (int32_t place = around + 1, next; place < end; place = next) {
        next = end_of(page, place);
        if (place != element && page->outer[place] == around && begins_with_facts(page, place, next))
            return around;
    }
    return element;
}

/* Whether a node is a table of facts, or contains nothing else. It is in an article or below the page's
   <h1>, and is no menu. ``left``: how many more tables are searched. */
bool has_facts(Tree *tree, int32_t node, int *left)
{
    const Part *part = &tree->parts[node];
    if (!(part->beside_h1 || part->in_article) || part->low || part->letters > LONGEST_FACTS ||
        part->linked > MENU * part->letters)
        return false;
    int32_t inner = node;
    for (int level = 0; level < DEEPEST_FACTS && !is_named(tree, inner, OF_FACTS); level++, inner++)
        if (tree->parts[inner].lines || tree->parts[inner].end == inner + 1 ||
            tree->parts[inner + 1].end != part->end || told(tree, inner, says_low))
            return false;
    if (!is_named(tree, inner, OF_FACTS) || told(tree, inner, says_low) || (*left)-- <= 0)
        return false;
    for (size_t i = 0; i < tree->blocks; i++) {
        const Block *block = &tree->read->blocks[i];
        if (block->node > inner && block->node < part->end &&
            tells_fact(tree->read->texts.at + block->text.at, block->text.length))
            return true;
    }
    return false;
}
