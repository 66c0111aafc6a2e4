#include "rules.h"

static void place_keys(Rules *rules)
{
    for (size_t i = 0; i < rules->key_count; i++) {
        size_t slot = slot_of(rules->keys[i]);
        while (rules->slots[slot])
            slot = (slot + 1) % SLOTS;
        rules->slots[slot] = i + 1;
    }
}

/* Take the rules in; all tables are as long as they are to be. */
bool take_rules(Rules *rules, PyObject *given)
{
    Py_buffer *b = rules->buffers;
    Names *n = &rules->names;
    if (!PyArg_ParseTuple(given, "y*y*y*y*y*y*y*y*y*y*y*y*(iiiiiiiiiiiiii)O!OOOOOOOw*", b, b + 1, b + 2, b + 3,
                          b + 4, b + 5, b + 6, b + 7, b + 8, b + 9, b + 10, b + 11, &n->link, &n->br, &n->hr,
                          &n->html, &n->body, &n->h1, &n->li, &n->form, &n->details, &n->header,
                          &n->article, &n->title, &n->svg, &n->noscript, &PyTuple_Type, &rules->kind,
                          &rules->paragraph, &rules->read_text, &rules->hides, &rules->leads,
                          &rules->say, &rules->tell, &rules->choose, b + 12))
        return false;
    rules->numbers = b[0].buf, rules->keys = b[1].buf, rules->by_key = b[2].buf;
    rules->lengths = b[3].buf, rules->traits = b[4].buf, rules->says = b[5].buf;
    rules->kinds = b[6].buf, rules->levels = b[7].buf, rules->of_kind = b[8].buf;
    rules->kind_weights = b[9].buf, rules->plain = b[10].buf, rules->voids = b[11].buf;
    rules->key_count = b[2].len, rules->name_count = b[3].len, rules->kind_count = b[7].len;
    rules->void_count = b[11].len / sizeof(uint64_t);
    rules->sayings = b[12].buf, rules->saying_count = b[12].len / sizeof(Saying);
    size_t names = rules->name_count, kinds = rules->kind_count;
    bool fits = b[0].len == NUMBERS * (Py_ssize_t)sizeof(double) &&
                (size_t)b[1].len == rules->key_count * sizeof(uint64_t) && names <= 256 &&
                rules->key_count < 256 &&
                (size_t)b[4].len == names * sizeof(uint16_t) && (size_t)b[5].len == names * names &&
                (size_t)b[6].len == names && (size_t)b[10].len == names && (size_t)b[8].len == kinds &&
                (size_t)b[9].len == kinds * sizeof(double) && PyTuple_Size(rules->kind) == (Py_ssize_t)kinds &&
                rules->saying_count &&
                PyType_Check(rules->paragraph) &&
                PyType_IsSubtype((PyTypeObject *)rules->paragraph, &PyTuple_Type);
    for (size_t i = 0; fits && i < rules->key_count; i++)
        fits = rules->by_key[i] < names;
    for (size_t i = 0; fits && i < names; i++)
        fits = rules->kinds[i] < kinds || rules->kinds[i] == INHERITED;
    if (!fits)
        PyErr_SetString(PyExc_ValueError, "these tables are not those of rules.h");
    else
        place_keys(rules);
    return fits;
}

void release_rules(Rules *rules)
{
    for (int i = 0; i < BUFFERS; i++)
        PyBuffer_Release(&rules->buffers[i]);
}
