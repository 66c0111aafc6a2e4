/* Read a dictionary of jieba into a trie. Each line has a word, its count, and its part of speech.

   lines -> words of Han characters, by their first -> each in order -> nodes, level by level */

#include "dictionary.h"

#include <math.h>
#include <stdlib.h>

static const char *const CAPSULE = "dedup.native.core.dictionary";
enum { MOST_OFTEN = 1 << 24 }; /* Maximum count of a word; an array has an entry for each count. */

typedef struct {
    const uint16_t *at;
    uint32_t length, often;
} Word;

/* The state while a dictionary is read. */
typedef struct {
    const octet *text;
    size_t length, word_count, word_room;
    Word *words;
    uint16_t *characters; /* The characters of all words. */
    double total;         /* The sum of all counts. */
    uint32_t most;        /* The highest count. */
} Source;

/* The words that begin with the prefix of a node, and the length of the prefix. */
typedef struct {
    int32_t first, last, depth;
} Range;

static bool is_odd(size_t line)
{
    PyErr_Format(PyExc_ValueError, "line %zu of the dictionary is not a word and a number", line);
    return false;
}

/* Read the count of a word. It ends at white space or at the end of the line. */
static bool read_number(const octet *text, size_t at, size_t end, uint32_t *number)
{
    size_t start = at;
    for (*number = 0; at < end && text[at] >= '0' && text[at] <= '9'; at++)
        if ((*number = *number * 10 + (text[at] - '0')) > MOST_OFTEN)
            return false;
    return at > start && (at == end || is_space(text[at]));
}

/* Read the characters of a word; return 0 if any is outside FIRST_HAN to LAST_HAN. */
static uint32_t read_han(const octet *text, size_t at, size_t end, uint16_t *to)
{
    uint32_t length = 0;
    for (size_t step; at < end; at += step) {
        if (text[at] < 0xe4 || text[at] > 0xe9 || end - at < HAN_OCTETS)
            return 0;
        uint32_t character = read_character(text + at, &step);
        if (character < FIRST_HAN || character > LAST_HAN)
            return 0;
        to[length++] = character;
    }
    return length;
}

static bool read_words(Source *source)
{
    uint16_t *to = source->characters;
    size_t line = 1;
    for (size_t at = 0, end; at < source->length; at = end + 1, line++) {
        uint32_t often;
        end = find(source->text, '\n', at, source->length);
        size_t behind = find(source->text, ' ', at, end);
        if (behind == end || !read_number(source->text, behind + 1, end, &often))
            return is_odd(line);
        source->total += often;
        uint32_t length = read_han(source->text, at, behind, to);
        if (!length)
            continue; /* A word of no count stays: it takes back an earlier line of the same word. */
        if (!make_room((void **)&source->words, &source->word_room, source->word_count, sizeof(Word)))
            return false;
        source->words[source->word_count++] = (Word){to, length, often};
        source->most = often > source->most ? often : source->most;
        to += length;
    }
    return source->total > 0 || is_odd(line);
}

/* Compare words by their characters. Equal words keep the order of their lines; the last line counts. */
static int compare(const void *one, const void *other)
{
    const Word *a = one, *b = other;
    for (uint32_t i = 0; i < a->length && i < b->length; i++)
        if (a->at[i] != b->at[i])
            return a->at[i] < b->at[i] ? -1 : 1;
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* Sort the words: first by their first characters. After that most groups are in order already. */
static bool order(Source *source, int32_t *firsts)
{
    Word *ordered = PyMem_Calloc(source->word_count + 1, sizeof(Word));
    if (!ordered)
        return PyErr_NoMemory(), false;
    for (size_t i = 0; i < source->word_count; i++)
        firsts[source->words[i].at[0] - FIRST_HAN + 1]++;
    for (int i = 0; i < HAN_COUNT; i++)
        firsts[i + 1] += firsts[i];
    for (size_t i = 0; i < source->word_count; i++) /* This moves each first to the start of the next. */
        ordered[firsts[source->words[i].at[0] - FIRST_HAN]++] = source->words[i];
    memmove(firsts + 1, firsts, HAN_COUNT * sizeof *firsts);
    firsts[0] = 0;
    for (int i = 0; i < HAN_COUNT; i++)
        for (int32_t word = firsts[i]; word + 1 < firsts[i + 1]; word++)
            if (compare(&ordered[word], &ordered[word + 1]) > 0) {
                qsort(ordered + firsts[i], firsts[i + 1] - firsts[i], sizeof(Word), compare);
                break;
            }
    PyMem_Free(source->words);
    source->words = ordered;
    return true;
}

/* Number the different counts of words, from 1 on. The weight of each is its logarithm minus the
   logarithm of the total. */
static uint16_t *weigh(const Source *source, Dictionary *made)
{
    uint16_t *numbers = PyMem_Calloc(source->most + 1, sizeof(uint16_t));
    size_t room = 0, count = 1;
    bool done = numbers && make_room((void **)&made->weights, &room, 0, sizeof(double));
    if (done)
        made->weights[0] = log(1) - log(source->total);
    for (size_t i = 0; done && i < source->word_count; i++) {
        uint32_t often = source->words[i].often;
        if (!often || numbers[often])
            continue;
        done = count <= UINT16_MAX && make_room((void **)&made->weights, &room, count, sizeof(double));
        if (!done)
            break;
        made->weights[count] = log(often) - log(source->total);
        numbers[often] = count++;
    }
    if (done)
        return numbers;
    if (!numbers)
        PyErr_NoMemory();
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "a dictionary has at most 65535 different counts of words");
    PyMem_Free(numbers);
    return NULL;
}

/* Make the children of a node, from its words that are longer than its prefix. */
static int32_t make_longer(const Source *source, const Range *range, int32_t word, Range *to, Node *nodes)
{
    int32_t count = 0;
    while (word < range->last) {
        uint16_t character = source->words[word].at[range->depth];
        int32_t first = word;
        while (word < range->last && source->words[word].at[range->depth] == character)
            word++;
        nodes[count].character = character;
        to[count++] = (Range){first, word, range->depth + 1};
    }
    return count;
}

static bool make_nodes(const Source *source, const int32_t *firsts, const uint16_t *numbers, Dictionary *made)
{
    size_t most = HAN_COUNT + 1;
    for (size_t i = 0; i < source->word_count; i++)
        most += source->words[i].length - 1;
    Range *ranges = PyMem_Malloc(most * sizeof *ranges);
    Node *nodes = made->nodes = PyMem_Calloc(most, sizeof *made->nodes);
    bool done = most < INT32_MAX && ranges && nodes;
    int32_t count = done ? HAN_COUNT : 0;
    for (int32_t i = 0; i < count && i < HAN_COUNT; i++) {
        nodes[i].character = FIRST_HAN + i;
        ranges[i] = (Range){firsts[i], firsts[i + 1], 1};
    }
    int32_t node = 0;
    for (; node < count; node++) {
        int32_t word = ranges[node].first;
        for (; word < ranges[node].last && source->words[word].length == (uint32_t)ranges[node].depth; word++)
            nodes[node].word = numbers[source->words[word].often];
        nodes[node].longer = count;
        count += make_longer(source, &ranges[node], word, ranges + count, nodes + count);
    }
    if (done)
        nodes[node].longer = count;
    else
        PyErr_NoMemory();
    PyMem_Free(ranges);
    return done;
}

static void end_dictionary(Dictionary *made)
{
    PyMem_Free(made->nodes), PyMem_Free(made->weights), PyMem_Free(made);
}

static void end_capsule(PyObject *capsule) { end_dictionary(PyCapsule_GetPointer(capsule, CAPSULE)); }

/* The dictionary in a result of ``read_dictionary``; NULL with an error for any other object. */
const Dictionary *dictionary_of(PyObject *capsule) { return PyCapsule_GetPointer(capsule, CAPSULE); }

/* Read a dictionary of jieba. */
PyObject *read_dictionary(PyObject *module, PyObject *arguments)
{
    Py_buffer text;
    if (!PyArg_ParseTuple(arguments, "y*:read_dictionary", &text))
        return NULL;
    Source source = {.text = text.buf, .length = text.len};
    Dictionary *made = PyMem_Calloc(1, sizeof *made);
    int32_t *firsts = PyMem_Calloc(HAN_COUNT + 1, sizeof *firsts);
    source.characters = PyMem_Malloc(source.length / HAN_OCTETS * sizeof(uint16_t) + 1);
    uint16_t *numbers = NULL;
    bool done = made && firsts && source.characters;
    if (!done)
        PyErr_NoMemory();
    done = done && read_words(&source) && order(&source, firsts) && (numbers = weigh(&source, made)) &&
           make_nodes(&source, firsts, numbers, made);
    PyMem_Free(numbers), PyMem_Free(firsts), PyMem_Free(source.characters), PyMem_Free(source.words);
    PyBuffer_Release(&text);
    PyObject *capsule = done ? PyCapsule_New(made, CAPSULE, end_capsule) : NULL;
    if (!capsule && made)
        end_dictionary(made);
    return capsule;
}
