/* Which element is in which: as dedup.page.nesting has it, whose tables say what ends what. */

#include "native.h"

enum { ENDED = 1, STOPS = 2, CLOSED = 4, STAYS_IN = 8 }; /* what a name says of another */
enum { FARTHEST = 100 };                                  /* levels up that a tag ends an element */

typedef struct {
    const octet *names, *says;
    size_t known;      /* names in the tables */
    int64_t *open;     /* the elements that are open; the first is the place around all */
    size_t depth;
} Nest;

static octet name_of(const Nest *nest, int64_t element)
{
    return element < 0 ? 0 : nest->names[element];
}

static octet says(const Nest *nest, octet name, int64_t element)
{
    return nest->says[name * nest->known + name_of(nest, element)];
}

/* How many levels up the innermost of the elements wanted is; 0 for none. */
static size_t depth_of(const Nest *nest, octet name, octet wanted, octet stops)
{
    size_t least = nest->depth > FARTHEST ? nest->depth - FARTHEST : 0;
    for (size_t depth = nest->depth - 1; depth > least; depth--) {
        octet said = says(nest, name, nest->open[depth]);
        if (said & wanted)
            return depth;
        if (said & stops)
            return 0;
    }
    return 0;
}

static void nest_all(Nest *nest, const octet *ends, size_t count, octet html, octet body,
                     int64_t *inner, int64_t *outer)
{
    nest->open[0] = -1;
    nest->depth = 1;
    for (size_t place = 0; place < count; place++) {
        octet name = nest->names[place];
        inner[place] = place;
        outer[place] = -1;
        if (!ends[place]) {
            if (name == body) { /* whatever the head left open */
                size_t left = nest->names[0] == html && nest->depth > 1 ? 2 : 1;
                nest->depth = nest->depth < left ? nest->depth : left;
            }
            size_t depth;
            while (!(says(nest, name, nest->open[nest->depth - 1]) & STOPS) &&
                   (depth = depth_of(nest, name, ENDED, STOPS)))
                nest->depth = depth;
            outer[place] = nest->open[nest->depth - 1];
            nest->open[nest->depth++] = place;
            continue;
        }
        if (nest->depth > 1 && name_of(nest, nest->open[nest->depth - 1]) == name) {
            nest->depth--;
        } else {
            size_t depth = depth_of(nest, name, CLOSED, STAYS_IN);
            if (depth)
                nest->depth = depth;
        }
        inner[place] = nest->open[nest->depth - 1];
    }
}

PyObject *nest(PyObject *module, PyObject *arguments)
{
    Py_buffer names, ends, table;
    int known, html, body;
    if (!PyArg_ParseTuple(arguments, "y*y*y*iii:nest", &names, &ends, &table, &known, &html, &body))
        return NULL;
    size_t count = names.len;
    PyObject *inner = PyBytes_FromStringAndSize(NULL, count * sizeof(int64_t));
    PyObject *outer = PyBytes_FromStringAndSize(NULL, count * sizeof(int64_t));
    Nest nest = {names.buf, table.buf, known, PyMem_Malloc((count + 1) * sizeof(int64_t)), 0};
    PyObject *result = NULL;
    bool fits = ends.len == names.len && table.len == (Py_ssize_t)known * known;
    for (size_t place = 0; fits && place < count; place++)
        fits = nest.names[place] < known;
    if (!fits)
        PyErr_SetString(PyExc_ValueError, "names beyond the table, or not as many ends as names");
    else if (!nest.open)
        PyErr_NoMemory();
    else if (inner && outer) {
        nest_all(&nest, ends.buf, count, html, body, (int64_t *)PyBytes_AsString(inner),
                 (int64_t *)PyBytes_AsString(outer));
        result = PyTuple_Pack(2, inner, outer);
    }
    PyMem_Free(nest.open);
    Py_XDECREF(inner), Py_XDECREF(outer);
    PyBuffer_Release(&names), PyBuffer_Release(&ends), PyBuffer_Release(&table);
    return result;
}
