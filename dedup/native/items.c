/* The fields that identify an item: the same as dedup.items.identity. */

#include "native.h"

enum { LONGEST_AMOUNT = 30 }; /* Maximum characters of a text whose numbers get one form. */
enum { IGNORED, CHANGING, COUNTER, FACT, URL, TEASER, MONEY }; /* Places in the tuple for the name of a field. */
enum { SHORTEST_MOMENT = 14 }; /* Bytes of a date with a time of day. */
static const long long MOST_SURE = 1000000000; /* Numbers up to this are short, and are no timestamps. */

typedef struct {
    PyObject *read, *changes, *is_stamp; /* Functions of Python, for rare cases. */
    PyObject *page_url;
    bool has_url;    /* Whether the item has its own URL. */
    Py_ssize_t most; /* Maximum characters of a short text. */
    bool has_teaser; /* Result: whether a teaser was left out, of an item with a URL. */
} Telling;

/* Whether a byte is white space for str.split. */
static inline bool parts_words(octet c) { return is_space(c) || (c >= 0x1c && c <= 0x1f); }

static bool has_digit(const octet *at, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (is_digit(at[i]))
            return true;
    return false;
}

/* Write ASCII in lower case, with one space between words; return its length. */
static size_t space_words(octet *to, const octet *at, size_t length)
{
    size_t written = 0;
    for (size_t i = 0; i < length;) {
        for (; i < length && parts_words(at[i]); i++)
            ;
        if (i < length && written)
            to[written++] = ' ';
        for (; i < length && !parts_words(at[i]); i++)
            to[written++] = lower(at[i]);
    }
    return written;
}

/* The place behind a point and digits; ``at`` if there are none. */
static size_t skip_decimals(const octet *text, size_t at, size_t end)
{
    if (at + 1 < end && text[at] == '.' && is_digit(text[at + 1]))
        for (at++; at < end && is_digit(text[at]); at++)
            ;
    return at;
}

/* The end of a number with groups of digits or with decimals; 0 for none. */
static size_t skip_number(const octet *text, size_t from, size_t end)
{
    size_t at = from, stop = 0;
    while (at < end && is_digit(text[at]))
        at++;
    size_t whole = at;
    if (whole > from && whole <= from + 3)
        while (at + 3 < end && text[at] == ',' && is_digit(text[at + 1]) && is_digit(text[at + 2]) &&
               is_digit(text[at + 3])) {
            at += 4;
            size_t next = skip_decimals(text, at, end);
            if (next == end || !is_digit(text[next]))
                stop = next;
        }
    if (!stop && whole > from)
        stop = skip_decimals(text, whole, end);
    return stop > whole ? stop : 0;
}

/* Whether zeros at the end of an amount, with a point before its decimals, may count: 1.500 is 1500 in
   Europe, and 1.20.1 is a version. */
static bool keeps_zeros(const octet *text, size_t from, size_t point, size_t end, size_t length)
{
    bool is_group = text[from] != '0' && point - from <= 3 && end - point == 4;
    return is_group || (end + 1 < length && text[end] == '.' && is_digit(text[end + 1]));
}

/* Rewrite the numbers of a text in place, without commas between groups. In amounts of money, leave out
   zeros at the end of the decimals. Return the new length, or -1 if the text is not known to be about
   money, and such zeros may count. */
static Py_ssize_t plain_numbers(octet *text, size_t length, bool is_money)
{
    size_t written = 0;
    for (size_t i = 0, end; i < length; i = end) {
        if (!(end = skip_number(text, i, length))) {
            text[written++] = text[i];
            end = i + 1;
            continue;
        }
        size_t point = i;
        while (point < end && text[point] != '.')
            point++;
        bool has_zeros = point < end && text[end - 1] == '0' && !keeps_zeros(text, i, point, end, length);
        if (has_zeros && !is_money)
            return -1;
        for (; i < end; i++)
            if (text[i] != ',')
                text[written++] = text[i];
        while (has_zeros && text[written - 1] == '0')
            written--;
        written -= has_zeros && text[written - 1] == '.';
    }
    return written;
}

static bool says(PyObject *field, int place) { return PyTuple_GetItem(field, place) == Py_True; }

/* The bytes of a string in ASCII; NULL without an error for other strings. */
static const octet *ascii_of(PyObject *string, Py_ssize_t *length)
{
    const char *at = PyUnicode_AsUTF8AndSize(string, length);
    if (!at)
        PyErr_Clear(); /* The string has a lone surrogate. */
    return at && *length == PyUnicode_GetLength(string) ? (const octet *)at : NULL;
}

/* A string in the form for comparison. Python does this for strings beyond ASCII, and finds currencies. */
static PyObject *text_of_string(const Telling *telling, PyObject *field, PyObject *value)
{
    Py_ssize_t length;
    const octet *at = ascii_of(value, &length);
    octet *text = at ? PyMem_Malloc(length + 1) : NULL;
    Py_ssize_t written = -1;
    if (text) {
        written = space_words(text, at, length);
        if (written <= LONGEST_AMOUNT)
            written = plain_numbers(text, written, says(field, MONEY));
    }
    PyObject *made = written >= 0 ? as_str(text, written)
                                  : PyObject_CallFunctionObjArgs(telling->read, field, value, NULL);
    PyMem_Free(text);
    return made;
}

/* The result of a Python function as 0 or 1; -1 for an error. */
static int ask(PyObject *function, PyObject *one, PyObject *other)
{
    PyObject *answer = PyObject_CallFunctionObjArgs(function, one, other, NULL);
    int is_so = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    return is_so;
}

/* Whether the value of a field changes with every visit; -1 for an error. */
static int changes(const Telling *telling, PyObject *field, PyObject *value)
{
    bool is_steady = !says(field, IGNORED) && !says(field, CHANGING) && !says(field, COUNTER);
    if (PyLong_CheckExact(value)) {
        int overflow;
        long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
        if (!overflow && number >= 0 && number <= MOST_SURE)
            return !is_steady;
    } else if (is_steady && PyUnicode_Check(value)) {
        Py_ssize_t length;
        const octet *at = ascii_of(value, &length);
        if (at && !(length >= SHORTEST_MOMENT && is_digit(at[0])))
            return 0;
    }
    return ask(telling->changes, field, value);
}

/* Whether a field is part of the identity of the item; -1 for an error. */
static int counts(Telling *telling, PyObject *field, PyObject *value, PyObject *text)
{
    Py_ssize_t length = PyUnicode_GetLength(text), octets;
    if (!length)
        return 0;
    int found = PyUnicode_Check(value) ? PyObject_RichCompareBool(value, telling->page_url, Py_EQ) : 0;
    if (!found)
        found = changes(telling, field, value);
    if (found || !telling->has_url)
        return found < 0 ? -1 : !found;
    if (says(field, URL))
        return 0;
    if (length > telling->most) {
        telling->has_teaser |= says(field, TEASER);
        return !says(field, TEASER);
    }
    const octet *at = ascii_of(text, &octets);
    if (says(field, FACT) || (at && !has_digit(at, octets)))
        return 1;
    found = ask(telling->is_stamp, text, NULL);
    return found < 0 ? -1 : !found;
}

/* Add a field to all texts and, if it counts, to the identity; return false for an error. */
static bool tell_field(Telling *telling, PyObject *field, PyObject *name, PyObject *value,
                       PyObject *texts, PyObject *told)
{
    PyObject *text = PyUnicode_Check(value)      ? text_of_string(telling, field, value)
                     : PyLong_CheckExact(value)
                         ? PyObject_Str(value)
                         : PyObject_CallFunctionObjArgs(telling->read, field, value, NULL);
    PyObject *pair = text ? PyTuple_Pack(2, name, text) : NULL;
    int does_count = pair && !PyList_Append(texts, pair) ? counts(telling, field, value, text) : -1;
    bool done = does_count == 0 || (does_count > 0 && !PyList_Append(told, pair));
    Py_XDECREF(pair);
    Py_XDECREF(text);
    return done;
}

/* Whether a value has a type that is handled here. */
static bool is_plain(PyObject *value)
{
    return PyUnicode_CheckExact(value) || PyLong_CheckExact(value) || PyFloat_CheckExact(value) ||
           value == Py_None;
}

/* The identity of a plain item: names with texts, a hash of all fields, and whether a teaser was left
   out. None if a field has another type, or if its name is not in ``known``. */
PyObject *tell_item(PyObject *module, PyObject *arguments)
{
    PyObject *fields, *known, *name, *value, *result = NULL;
    Telling telling = {0};
    int has_url;
    if (!PyArg_ParseTuple(arguments, "O!O!UpnOOO:tell_item", &PyDict_Type, &fields, &PyDict_Type, &known,
                          &telling.page_url, &has_url, &telling.most, &telling.read, &telling.changes,
                          &telling.is_stamp))
        return NULL;
    telling.has_url = has_url;
    PyObject *texts = PyList_New(0), *told = PyList_New(0);
    Py_ssize_t at = 0;
    bool good = texts && told, plain = true;
    while (good && plain && PyDict_Next(fields, &at, &name, &value)) {
        PyObject *field = PyUnicode_CheckExact(name) ? PyDict_GetItemWithError(known, name) : NULL;
        plain = field && PyTuple_Check(field) && is_plain(value);
        if (!plain)
            break;
        Py_INCREF(name), Py_INCREF(value), Py_INCREF(field);
        good = tell_field(&telling, field, name, value, texts, told);
        Py_DECREF(name), Py_DECREF(value), Py_DECREF(field);
    }
    if (good && !plain && !PyErr_Occurred()) {
        result = Py_NewRef(Py_None);
    } else if (good && plain) {
        PyObject *all = PyFrozenSet_New(texts);
        Py_hash_t whole = all ? PyObject_Hash(all) : -1;
        if (whole != -1)
            result = Py_BuildValue("(OnO)", told, (Py_ssize_t)whole,
                                   telling.has_teaser ? Py_True : Py_False);
        Py_XDECREF(all);
    }
    Py_XDECREF(texts);
    Py_XDECREF(told);
    return result;
}
