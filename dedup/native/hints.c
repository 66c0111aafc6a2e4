/* What the authors of pages call their parts: class, id and role, as dedup.page.written reads them. What
   these say Python knows; it is asked once in a while for each hint, whatever the numbers in it. */

#include "tree.h"

enum { HINT_LIMIT = 200 }; /* octets, beyond which Python reads the tag */
enum { CLASS, ID, ROLE, TELLING };

static const char *const names[TELLING] = {"class", "id", "role"};

static bool is_around(octet c) { return (is_space(c) && c != '\v') || c == '"' || c == '\''; }

static void strip(Value *value)
{
    while (value->length && is_around(value->at[0]))
        value->at++, value->length--;
    while (value->length && is_around(value->at[value->length - 1]))
        value->length--;
}

/* Class, id and role in lower case with spaces between, all digits as 0; gives the octets of the first
   class without a number at its end, and puts it among the classes. */
static bool join_hint(Tree *tree, const Value *values, octet *hint, Part *part)
{
    octet *to = hint;
    for (int name = 0; name < TELLING; name++) {
        if (name)
            *to++ = ' ';
        for (size_t i = 0; i < values[name].length; i++) {
            octet c = lower(values[name].at[i]);
            *to++ = c >= '1' && c <= '9' ? '0' : c;
        }
    }
    const Value *class = &values[CLASS];
    size_t length = find(class->at, ' ', 0, class->length);
    while (length && class->at[length - 1] >= '0' && class->at[length - 1] <= '9')
        length--;
    part->class_at = tree->classes.length;
    part->class_length = length;
    if (!grow(&tree->classes, length))
        return false;
    for (size_t i = 0; i < length; i++)
        tree->classes.at[tree->classes.length++] = lower(class->at[i]);
    return true;
}

/* Ask Python what a tag says, as it is written. */
static bool ask_long(Tree *tree, Part *part, const Tag *tag)
{
    const char *written = (const char *)tree->page->html + tag->start;
    PyObject *said = PyObject_CallFunction(tree->rules->tell, "y#i", written,
                                           (Py_ssize_t)(tag->stop - tag->start), tag->name);
    PyObject *flags = said ? PyTuple_GetItem(said, 0) : NULL;
    PyObject *class = flags ? PyTuple_GetItem(said, 1) : NULL;
    bool done = class && PyBytes_Check(class);
    if (done) {
        part->flags = (int)PyLong_AsLong(flags);
        part->class_at = tree->classes.length;
        part->class_length = PyBytes_Size(class);
        done = append(&tree->classes, (const octet *)PyBytes_AsString(class), part->class_length);
    }
    Py_XDECREF(said);
    return done && !PyErr_Occurred();
}

/* Where what a hint says is remembered. */
static Saying *saying_of(const Rules *rules, octet name, const octet *hint, size_t length)
{
    uint64_t hash = name;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ hint[i]) * 0x100000001b3;
    return &rules->sayings[(hash ^ hash >> 32) % rules->saying_count];
}

/* What a hint says: Python is asked where that is not remembered. */
static bool read_saying(Tree *tree, Part *part, octet name, const octet *hint, size_t length)
{
    Saying *saying = saying_of(tree->rules, name, hint, length);
    if (saying->length == length && saying->name == name && !memcmp(saying->hint, hint, length)) {
        part->flags = saying->flags;
        return true;
    }
    PyObject *flags = PyObject_CallFunction(tree->rules->say, "iy#", name, (const char *)hint,
                                            (Py_ssize_t)length);
    part->flags = flags ? (int)PyLong_AsLong(flags) : 0;
    Py_XDECREF(flags);
    if (PyErr_Occurred())
        return false;
    if (length <= HINT_OCTETS) {
        *saying = (Saying){.length = length, .name = name, .flags = part->flags};
        memcpy(saying->hint, hint, length);
    }
    return true;
}

/* Read what a tag says of the part that it begins. */
static bool read_part(Tree *tree, Part *part, const Tag *tag)
{
    const octet *html = tree->page->html;
    Value values[TELLING] = {{0}};
    octet hint[HINT_LIMIT];
    part->flags = tree->rules->plain[tag->name];
    if (tag->stop - tag->start < SHORTEST_TAG)
        return true;
    if (tag->stop - tag->start > LONGEST_TAG)
        return ask_long(tree, part, tag);
    read_attributes(html, tag->start + 1, tag->stop, names, TELLING, values);
    size_t length = TELLING - 1;
    bool refers = false;
    for (int name = 0; name < TELLING; name++) {
        strip(&values[name]);
        length += values[name].length;
        refers |= find(values[name].at, '&', 0, values[name].length) < values[name].length;
    }
    if (length == TELLING - 1)
        return true;
    if (refers || length > HINT_LIMIT)
        return ask_long(tree, part, tag);
    return join_hint(tree, values, hint, part) && read_saying(tree, part, tag->name, hint, length);
}

/* Whether all the names of a part say something; read once a node. */
int told(Tree *tree, int32_t node, int flag)
{
    Part *part = &tree->parts[node];
    if (!part->told && !tree->failed) {
        int32_t element = tree->read->nodes[node].element;
        part->told = true;
        part->flags = tree->rules->plain[0];
        if (element >= 0)
            tree->failed = !read_part(tree, part, &tree->page->tags[tree->page->places[element]]);
    }
    return part->flags & flag;
}

bool has_class(Tree *tree, int32_t node)
{
    told(tree, node, 0);
    return tree->parts[node].class_length;
}

/* Whether two nodes, and so many around them, have the same elements and first classes. */
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
