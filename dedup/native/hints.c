/* Hints: the names of elements, and their class, id and role. */

#include "tree.h"

enum { HINT_LIMIT = 200 }; /* Characters of a hint that are tested. */
enum { CLASS, ID, ROLE, TELLING };

static const char *const names[TELLING] = {"class", "id", "role"};

/* The meaning of an element's name alone. */
static int say_by_name(octet name)
{
    switch (name) {
    case E_nav:
    case E_footer:
        return says_low | says_chrome;
    case E_aside:
        return says_low | says_sidebar;
    case E_header:
    case E_form:
    case E_address:
        return says_low;
    case E_main:
        return says_high;
    case E_article:
        return says_high | says_article;
    default:
        return 0;
    }
}

/* Append a value in lower case, with its character references decoded. */
static bool append_value(const Page *page, Octets *hint, const Value *value)
{
    size_t from = hint->length;
    if (find(value->at, '&', 0, value->length) < value->length) {
        Text text;
        if (!show_text(page, hint, value->at, value->length, &text))
            return false;
    } else if (!append(hint, value->at, value->length)) {
        return false;
    }
    for (; from < hint->length; from++)
        hint->at[from] = lower(hint->at[from]);
    return true;
}

/* The bytes of the first ``characters`` characters. */
static size_t cut_off(const octet *at, size_t length, size_t characters)
{
    size_t end = 0;
    if (length <= characters)
        return length;
    for (; end < length; end++)
        if ((at[end] & 0xc0) != 0x80 && !characters--)
            break;
    return end;
}

/* Make the hint: class, id and role in lower case, with spaces between. */
static bool join_hint(const Page *page, Octets *hint, const Value *values)
{
    hint->length = 0;
    for (int name = 0; name < TELLING; name++)
        if ((name && !append(hint, (const octet *)" ", 1)) || !append_value(page, hint, &values[name]))
            return false;
    hint->length = cut_off(hint->at, hint->length, HINT_LIMIT);
    return true;
}

/* Store the first class, without digits at its end: WordPress numbers its articles. If there is no class,
   the numbered id of a post, such as "post_message_123", stands in its place. The hint has at least the two
   spaces between its values. */
static bool keep_class(Tree *tree, Part *part, const Octets *hint)
{
    size_t from = hint->at[0] == ' ', end = find(hint->at, ' ', from, hint->length), last = end;
    while (end > from && is_digit(hint->at[end - 1]))
        end--;
    if (from && (end == last || !memmem(hint->at, end, "post", 4)))
        return true;
    part->class_at = tree->classes.length;
    part->class_length = end - from;
    return append(&tree->classes, hint->at + from, end - from);
}

static bool is_role(const Value *role, const char *name)
{
    return role->length == strlen(name) && begins_with(role->at, role->at + role->length, name);
}

/* Whether a role is that of a window: it opens at a click, and every page of the site may have it. */
static bool is_window(const Value *role) { return is_role(role, "dialog") || is_role(role, "alertdialog"); }

/* Read the meaning of class, id and role of the part that a tag begins. */
static bool read_hint(Tree *tree, Part *part, const Tag *tag)
{
    Value values[TELLING] = {{0}};
    read_attributes(tree->page->html, tag->start + 1, tag->stop, names, TELLING, values);
    size_t length = 0;
    for (int name = 0; name < TELLING; name++) {
        strip(&values[name]);
        if (name == ID && is_heading(tag->name))
            values[name].length = 0; /* Made of the words of the heading. */
        length += values[name].length;
    }
    if (!length)
        return true;
    Octets *hint = &tree->hint;
    if (!join_hint(tree->page, hint, values) || !keep_class(tree, part, hint))
        return false;
    int flags = say_by_class(hint->at, hint->length);
    if (flags & says_comments && is_discussion(tree))
        flags &= ~(says_low | says_comments);
    if (is_window(&values[ROLE]))
        flags |= says_low | says_notice;
    if (has_trait(tag->name, NEVER_LOW))
        flags &= says_high | says_article | says_body | says_menu | says_caption;
    part->flags |= flags;
    return true;
}

/* Whether a part has a flag, by all its names. The names are read at the first call for a node. */
int told(Tree *tree, int32_t node, int flag)
{
    Part *part = &tree->parts[node];
    if (!part->told && !tree->failed) {
        int32_t element = tree->read->nodes[node].element;
        const Tag *tag = element < 0 ? NULL : &tree->page->tags[tree->page->places[element]];
        part->told = true;
        part->flags = tag ? say_by_name(tag->name) : 0;
        if (tag && tag->stop - tag->start >= SHORTEST_TAG)
            tree->failed = !read_hint(tree, part, tag);
    }
    return part->flags & flag;
}

/* Whether the make of a node distinguishes it: a <div> without a class is like any other. */
bool has_make(Tree *tree, int32_t node)
{
    told(tree, node, 0);
    return !is_named(tree, node, NAMELESS) || tree->parts[node].class_length;
}

/* Whether two nodes have the same make: the same element and first class (see keep_class) on this number
   of levels, upwards from the nodes. */
bool same_make(Tree *tree, int32_t one, int32_t other, int levels)
{
    for (; levels; levels--) {
        if (one < 0 || other < 0)
            return one == other;
        if (name_at(tree, one) != name_at(tree, other))
            return false;
        told(tree, one, 0), told(tree, other, 0);
        const Part *a = &tree->parts[one], *b = &tree->parts[other];
        if (a->class_length != b->class_length ||
            (a->class_length && memcmp(tree->classes.at + a->class_at, tree->classes.at + b->class_at,
                                       a->class_length)))
            return false;
        one = a->parent;
        other = b->parent;
    }
    return true;
}
