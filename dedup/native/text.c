/* Octets that grow, and are counted; text with its white space folded; whether octets are UTF-8. */

#include "native.h"

/* Room for one more in an array. */
bool make_room(void **array, size_t *room, size_t count, size_t size)
{
    if (count < *room)
        return true;
    size_t more = 2 * count + 64;
    void *at = PyMem_Realloc(*array, more * size);
    if (!at) {
        PyErr_NoMemory();
        return false;
    }
    *array = at;
    *room = more;
    return true;
}

bool grow(Octets *octets, size_t more)
{
    if (octets->room - octets->length >= more)
        return true;
    size_t room = 2 * (octets->length + more) + 256;
    octet *at = PyMem_Realloc(octets->at, room);
    if (!at) {
        PyErr_NoMemory();
        return false;
    }
    octets->at = at;
    octets->room = room;
    return true;
}

bool append(Octets *octets, const octet *from, size_t length)
{
    if (!length)
        return true;
    if (!grow(octets, length))
        return false;
    memcpy(octets->at + octets->length, from, length);
    octets->length += length;
    return true;
}

/* The length of the white space that begins somewhere, as str.split has it; 0 for none. */
static size_t white_space(const octet *at, size_t left)
{
    octet c = at[0];
    if (c < 0x80)
        return is_space(c) || (c >= 0x1c && c <= 0x1f);
    if (c == 0xc2)
        return left > 1 && (at[1] == 0x85 || at[1] == 0xa0) ? 2 : 0;
    if (left < 3)
        return 0;
    octet d = at[1], e = at[2];
    bool white = (c == 0xe1 && d == 0x9a && e == 0x80) || (c == 0xe3 && d == 0x80 && e == 0x80) ||
                 (c == 0xe2 && d == 0x81 && e == 0x9f) ||
                 (c == 0xe2 && d == 0x80 &&
                  ((e >= 0x80 && e <= 0x8a) || e == 0xa8 || e == 0xa9 || e == 0xaf));
    return white ? 3 : 0;
}

/* Append text with its white space folded to one space, none at the ends; its characters, or -1. */
int64_t fold(Octets *folded, const octet *text, size_t length)
{
    if (!length)
        return 0;
    if (!grow(folded, length))
        return -1;
    octet *to = folded->at + folded->length;
    int64_t characters = 0;
    bool behind_space = false;
    for (size_t at = 0; at < length;) {
        size_t white = text[at] > ' ' && text[at] < 0x80 ? 0 : white_space(text + at, length - at);
        if (white) {
            behind_space = true;
            at += white;
            continue;
        }
        if (behind_space && characters) {
            *to++ = ' ';
            characters++;
        }
        behind_space = false;
        do { /* letters, and what stands behind the first octet of a character */
            characters += (text[at] & 0xc0) != 0x80;
            *to++ = text[at++];
        } while (at < length && text[at] > ' ' && text[at] < 0xc0);
    }
    folded->length = to - folded->at;
    return characters;
}

/* The length of a character beyond ASCII, as UTF-8; 0 where there is none (Unicode, table 3-7). */
static size_t character(const octet *at, size_t left)
{
    octet c = at[0], least = 0x80, most = 0xbf;
    size_t length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
    if (c < 0xc2 || c > 0xf4 || left < length)
        return 0;
    if (c == 0xe0 || c == 0xf0)
        least = c == 0xe0 ? 0xa0 : 0x90;
    else if (c == 0xed || c == 0xf4)
        most = c == 0xed ? 0x9f : 0x8f;
    if (at[1] < least || at[1] > most)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

/* Behind the characters of three octets that begin somewhere, Han and kana among them. */
static const octet *skip_wide(const octet *at, const octet *end)
{
    while (end - at >= 3 && at[0] >= 0xe1 && at[0] <= 0xec && (at[1] & at[2] & 0xc0) == 0x80 &&
           ((at[1] | at[2]) & 0xc0) == 0x80)
        at += 3;
    return at;
}

PyObject *is_utf8(PyObject *module, PyObject *arguments)
{
    Py_buffer text;
    if (!PyArg_ParseTuple(arguments, "y*:is_utf8", &text))
        return NULL;
    const octet *at = text.buf, *end = at + text.len;
    bool valid = true;
    while (valid && at < end) {
        uint64_t eight;
        while (end - at >= 8 && (memcpy(&eight, at, 8), !(eight & 0x8080808080808080)))
            at += 8;
        while (at < end && *at < 0x80)
            at++;
        at = skip_wide(at, end);
        if (at < end && *at >= 0x80) {
            size_t length = character(at, end - at);
            valid = length;
            at += length;
        }
    }
    PyBuffer_Release(&text);
    return PyBool_FromLong(valid);
}

/* How often an octet stands among others: sums of one octet each, so that many are added at a time. */
size_t count_of(const octet *octets, size_t length, octet sign)
{
    size_t sum = 0;
    for (size_t at = 0; at < length;) {
        size_t stop = length - at > 255 ? at + 255 : length;
        octet part = 0;
        for (; at < stop; at++)
            part += octets[at] == sign;
        sum += part;
    }
    return sum;
}

PyObject *count_octet(PyObject *module, PyObject *arguments)
{
    Py_buffer octets;
    int sign;
    if (!PyArg_ParseTuple(arguments, "y*i:count_octet", &octets, &sign))
        return NULL;
    size_t sum = count_of(octets.buf, octets.len, sign);
    PyBuffer_Release(&octets);
    return PyLong_FromSize_t(sum);
}
