/* Octets that grow, and text with its white space folded. */

#include "native.h"

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

/* Fold white space to one space, none at the ends; the characters of it, or -1. */
Py_ssize_t fold(Octets *folded, const octet *text, size_t length)
{
    folded->length = 0;
    if (!grow(folded, length))
        return -1;
    octet *to = folded->at;
    Py_ssize_t characters = 0;
    bool behind_space = false;
    for (size_t at = 0; at < length;) {
        size_t white = white_space(text + at, length - at);
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
        characters += (text[at] & 0xc0) != 0x80;
        *to++ = text[at++];
    }
    folded->length = to - folded->at;
    return characters;
}
