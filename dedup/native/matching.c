/* Find the sentences of one text in another: the same as dedup.native.portable.matching. The constants
   are explained there. ``ours`` is the later text, ``theirs`` the earlier text. A line is a sentence. */

#include "native.h"

#include <math.h>

static const double OLD = 0.3, SURE = 0.6, WHOLE = 0.95;
static const int AHEAD[] = {1, 2, 0};
enum { UNIT = 1024, COMMON = 8, COMMON_SHARE = 8, MOST_COMMON = 64, CANDIDATES = 4, STEPS = 3 };
enum { MOST_WORDS = 1 << 24, ARRAYS = 32, NOWHERE = -1 };

/* Arrays that are freed together; ``failed``: whether memory ran out. */
typedef struct {
    void *all[ARRAYS];
    int count;
    bool failed;
} Arrays;

/* Allocate an array of zeros with one more entry than ``count``. If memory runs out, return NULL and set
   ``failed``. */
static void *take(Arrays *arrays, size_t count, size_t size)
{
    void *array = PyMem_Calloc(count + 1, size);
    arrays->failed |= !array;
    return arrays->all[arrays->count++] = array;
}

/* A hash table that gives each different run of bytes a number. */
typedef struct {
    const octet **starts;
    uint32_t *lengths, *slots, count; /* A slot contains a number plus 1; an empty slot contains 0. */
    size_t mask;
    uint64_t seed; /* It differs in each process, so that nobody can write a page with collisions. */
} Names;

static void make_names(Names *names, size_t most, uint64_t seed, Arrays *arrays)
{
    size_t room = 16;
    while (room < 2 * most)
        room *= 2;
    names->starts = take(arrays, most, sizeof *names->starts);
    names->lengths = take(arrays, most, sizeof *names->lengths);
    names->slots = take(arrays, room, sizeof *names->slots);
    names->mask = room - 1;
    names->seed = seed;
}

static uint32_t name_of(Names *names, const octet *at, uint32_t length)
{
    uint64_t hash = names->seed;
    for (uint32_t i = 0; i < length; i++)
        hash = (hash ^ at[i]) * 0x9e3779b97f4a7c15, hash ^= hash >> 29;
    size_t slot = hash & names->mask;
    for (; names->slots[slot]; slot = (slot + 1) & names->mask) {
        uint32_t name = names->slots[slot] - 1;
        if (names->lengths[name] == length && !memcmp(names->starts[name], at, length))
            return name;
    }
    names->starts[names->count] = at, names->lengths[names->count] = length;
    names->slots[slot] = ++names->count;
    return names->count - 1;
}

/* A text. ``names`` has the number of each line, ``words`` the numbers of its distinct words. The words
   of a line begin at its entry in ``starts`` and end at the next entry. */
typedef struct {
    size_t lines;
    uint32_t *names, *starts, *words;
    uint32_t *counts; /* The count of lines with each word. */
} Text;

/* The place where a sentence was found, and the share of it there. */
typedef struct {
    double share;
    int64_t at; /* -1 if it was not found. */
} Found;

typedef struct {
    Text ours, theirs;
    int64_t *weights;              /* The weight of each word. */
    uint32_t *post_starts, *posts; /* For each word, the lines of theirs that contain it. */
    int64_t *first;                /* For the number of a line, its first place in theirs, or -1. */
    octet *alone;                  /* Whether ours lacks a line of theirs. */
    uint32_t *asked, question;     /* asked[word] == question: the word is searched for now. */
    uint32_t *met, turn;           /* met[word] == turn: the word was met in this pass. */
    int64_t *scores;               /* The score of each line of theirs. */
    uint32_t *touched;             /* The lines of theirs with a score. */
    octet *scored;                 /* Whether a line of theirs has a score. */
} Finder;

/* Add the number of words in the lines to ``words``. Return false with an error if a line is not bytes,
   or if there are too many words. */
static bool count_words(PyObject *lines, size_t *words)
{
    for (Py_ssize_t i = 0; i < PyList_Size(lines); i++) {
        char *at;
        Py_ssize_t length;
        if (PyBytes_AsStringAndSize(PyList_GetItem(lines, i), &at, &length) < 0)
            return false;
        *words += count_of((const octet *)at, length, ' ') + 1;
    }
    if (*words <= MOST_WORDS)
        return true;
    PyErr_SetString(PyExc_ValueError, "these are too many words");
    return false;
}

static void read_text(Finder *finder, Text *text, PyObject *lines, Names *words, Names *names)
{
    uint32_t count = 0;
    for (size_t i = 0; i < text->lines; i++) {
        char *start;
        Py_ssize_t length;
        PyBytes_AsStringAndSize(PyList_GetItem(lines, i), &start, &length);
        const octet *line = (const octet *)start;
        text->names[i] = name_of(names, line, length);
        text->starts[i] = count;
        finder->turn++;
        for (size_t at = 0, end; at <= (size_t)length; at = end + 1) {
            end = find(line, ' ', at, length);
            uint32_t word = name_of(words, line + at, end - at);
            if (finder->met[word] != finder->turn)
                text->words[count++] = word, text->counts[word]++;
            finder->met[word] = finder->turn;
        }
    }
    text->starts[text->lines] = count;
}

/* The share of the lines that have a word; less than 1. */
static double share_of(const Text *text, uint32_t word)
{
    return (double)text->counts[word] / (double)(text->lines + 1);
}

/* Weigh each word by the text that has it in the larger share of its lines. */
static void weigh(Finder *finder, size_t words)
{
    for (size_t word = 0; word < words; word++) {
        double ours = share_of(&finder->ours, word), theirs = share_of(&finder->theirs, word);
        finder->weights[word] = (int64_t)rint(UNIT * -log(ours > theirs ? ours : theirs));
    }
}

/* Make the index from words to the lines of theirs. */
static void look_up(Finder *finder, size_t words)
{
    const Text *text = &finder->theirs;
    uint32_t *starts = finder->post_starts; /* Shifted by one while the index is filled. */
    for (uint32_t i = 0; i < text->starts[text->lines]; i++)
        starts[text->words[i] + 2]++;
    for (size_t word = 0; word < words; word++)
        starts[word + 2] += starts[word + 1];
    for (size_t line = 0; line < text->lines; line++)
        for (uint32_t i = text->starts[line]; i < text->starts[line + 1]; i++)
            finder->posts[starts[text->words[i] + 1]++] = line;
}

/* Set the words of a line as the words to search for; return their weight. */
static int64_t ask(Finder *finder, const Text *text, size_t line)
{
    int64_t weight = 0;
    for (uint32_t i = text->starts[line]; i < text->starts[line + 1]; i++) {
        finder->asked[text->words[i]] = finder->question;
        weight += finder->weights[text->words[i]];
    }
    return weight;
}

/* The weight of the searched words in a line of theirs. */
static int64_t shared_with(const Finder *finder, size_t line)
{
    const Text *text = &finder->theirs;
    int64_t weight = 0;
    for (uint32_t i = text->starts[line]; i < text->starts[line + 1]; i++)
        if (finder->asked[text->words[i]] == finder->question)
            weight += finder->weights[text->words[i]];
    return weight;
}

static uint32_t count_shared(const Finder *finder, size_t line)
{
    const Text *text = &finder->theirs;
    uint32_t count = 0;
    for (uint32_t i = text->starts[line]; i < text->starts[line + 1]; i++)
        count += finder->asked[text->words[i]] == finder->question;
    return count;
}

/* Whether a line has enough of the searched words to end the search. ``best`` gets the best result so
   far. */
static bool is_found_at(const Finder *finder, size_t place, int64_t weight, Found *best)
{
    double share = weight ? (double)shared_with(finder, place) / weight : 0.0;
    if (share > best->share)
        *best = (Found){share, place};
    return share >= SURE;
}

/* Find the lines of theirs with most words of a line of ours, best first; return their number. */
static size_t find_by_words(Finder *finder, size_t line, size_t *best)
{
    const Text *ours = &finder->ours;
    size_t most = finder->theirs.lines / COMMON_SHARE, touched = 0, count = 0;
    most = most < COMMON ? COMMON : most > MOST_COMMON ? MOST_COMMON : most;
    for (uint32_t i = ours->starts[line]; i < ours->starts[line + 1]; i++) {
        uint32_t word = ours->words[i], from = finder->post_starts[word], to = finder->post_starts[word + 1];
        for (uint32_t post = from; to - from <= most && post < to; post++) {
            uint32_t at = finder->posts[post];
            if (!finder->scored[at])
                finder->touched[touched++] = at;
            finder->scored[at] = true;
            finder->scores[at] += finder->weights[word];
        }
    }
    for (size_t i = 0; i < touched; i++) {
        size_t at = finder->touched[i], place = count;
        for (; place; place--) {
            size_t other = best[place - 1];
            int64_t more = finder->scores[at] - finder->scores[other];
            if (more < 0 || (more == 0 && at > other))
                break;
            if (place < CANDIDATES)
                best[place] = other;
        }
        if (place < CANDIDATES)
            best[place] = at;
        count += count < CANDIDATES;
    }
    for (size_t i = 0; i < touched; i++)
        finder->scores[finder->touched[i]] = 0, finder->scored[finder->touched[i]] = false;
    return count;
}

/* Search for a line of ours: the place with the largest share of its weight. ``last``: the place of the
   last match, or -1. */
static Found search(Finder *finder, size_t line, int64_t last)
{
    int64_t lines = finder->theirs.lines;
    finder->question++;
    int64_t weight = ask(finder, &finder->ours, line);
    Found best = {0.0, NOWHERE};
    for (int i = 0; i < STEPS; i++) {
        int64_t place = last + AHEAD[i];
        if (place >= 0 && place < lines && is_found_at(finder, place, weight, &best))
            return best;
    }
    size_t places[CANDIDATES], count = find_by_words(finder, line, places);
    for (size_t i = 0; i < count; i++)
        if (is_found_at(finder, places[i], weight, &best))
            return best;
    return best;
}

/* Find a line of ours in theirs, with the share of its words there: less than 1, because the lines are
   not identical. */
static Found find_line(Finder *finder, size_t line, int64_t last)
{
    Found best = search(finder, line, last);
    if (best.share < OLD)
        return (Found){0.0, NOWHERE};
    uint32_t words = finder->ours.starts[line + 1] - finder->ours.starts[line];
    uint32_t shared = count_shared(finder, best.at);
    return (Found){(double)(shared < words ? shared : words - 1) / words, best.at};
}

/* Whether the lines of ours that were found in a line of theirs contain that line as a whole. */
static bool is_whole(Finder *finder, size_t at, const uint32_t *heads, const uint32_t *nexts)
{
    const Text *text = &finder->theirs;
    finder->question++;
    for (uint32_t line = heads[at]; line; line = nexts[line - 1])
        ask(finder, &finder->ours, line - 1);
    uint32_t words = text->starts[at + 1] - text->starts[at];
    return heads[at] && count_shared(finder, at) >= WHOLE * words;
}

/* Make the result of match_sentences. */
static PyObject *match(Finder *finder, uint32_t *heads, uint32_t *nexts)
{
    PyObject *found = PyList_New(0), *alone = PyList_New(0), *gone = PyList_New(0), *broken = PyList_New(0);
    bool done = found && alone && gone && broken;
    int64_t last = NOWHERE;
    for (size_t line = 0; done && line < finder->ours.lines; line++) {
        int64_t at = finder->first[finder->ours.names[line]];
        if (at == NOWHERE) {
            Found one = find_line(finder, line, last);
            done = append_object(found, Py_BuildValue("(ndn)", line, one.share, (Py_ssize_t)one.at));
            at = one.at;
            if (at != NOWHERE)
                nexts[line] = heads[at], heads[at] = line + 1;
        }
        last = at == NOWHERE ? last : at;
    }
    for (size_t at = 0; done && at < finder->theirs.lines; at++) {
        if (!finder->alone[at])
            continue;
        done = append_object(alone, PyLong_FromSize_t(at)) &&
               (heads[at] || append_object(gone, PyLong_FromSize_t(at))) &&
               (is_whole(finder, at, heads, nexts) || append_object(broken, PyLong_FromSize_t(at)));
    }
    PyObject *matching = done ? Py_BuildValue("(OOOO)", found, alone, gone, broken) : NULL;
    Py_XDECREF(found), Py_XDECREF(alone), Py_XDECREF(gone), Py_XDECREF(broken);
    return matching;
}

static void make_text(Text *text, size_t lines, size_t words, Arrays *arrays)
{
    text->lines = lines;
    text->names = take(arrays, lines, sizeof *text->names);
    text->starts = take(arrays, lines, sizeof *text->starts);
    text->words = take(arrays, words, sizeof *text->words);
    text->counts = take(arrays, words, sizeof *text->counts);
}

static PyObject *match_lines(PyObject *ours, PyObject *theirs, size_t words, uint64_t seed, Arrays *arrays)
{
    Finder finder = {0};
    Names word_names = {0}, line_names = {0};
    size_t our_lines = PyList_Size(ours), lines = PyList_Size(theirs), all = our_lines + lines;
    make_names(&word_names, words, seed, arrays);
    make_names(&line_names, all, seed, arrays);
    make_text(&finder.ours, our_lines, words, arrays);
    make_text(&finder.theirs, lines, words, arrays);
    finder.weights = take(arrays, words, sizeof *finder.weights);
    finder.post_starts = take(arrays, words + 2, sizeof *finder.post_starts);
    finder.posts = take(arrays, words, sizeof *finder.posts);
    finder.first = take(arrays, all, sizeof *finder.first);
    finder.alone = take(arrays, lines, 1);
    finder.asked = take(arrays, words, sizeof *finder.asked);
    finder.met = take(arrays, words, sizeof *finder.met);
    finder.scores = take(arrays, lines, sizeof *finder.scores);
    finder.touched = take(arrays, lines, sizeof *finder.touched);
    finder.scored = take(arrays, lines, 1);
    uint32_t *heads = take(arrays, lines, sizeof *heads), *nexts = take(arrays, our_lines, sizeof *nexts);
    if (arrays->failed)
        return PyErr_NoMemory();
    read_text(&finder, &finder.ours, ours, &word_names, &line_names);
    uint32_t in_ours = line_names.count;
    read_text(&finder, &finder.theirs, theirs, &word_names, &line_names);
    for (size_t name = 0; name < line_names.count; name++)
        finder.first[name] = NOWHERE;
    for (size_t at = lines; at-- > 0;) {
        finder.first[finder.theirs.names[at]] = at;
        finder.alone[at] = finder.theirs.names[at] >= in_ours;
    }
    weigh(&finder, word_names.count);
    look_up(&finder, word_names.count);
    return match(&finder, heads, nexts);
}

/* Find the lines of one text in another. Each line is bytes: words in UTF-8 with one space between.

   Return four lists. First, for each line of ours that theirs lacks: its place, the share of its words
   that was found, and the place there or -1. Second, the places of lines of theirs that ours lacks.
   Third, the lines among these in which no line of ours was found. Fourth, the lines among these that
   ours does not contain as a whole. */
PyObject *match_sentences(PyObject *module, PyObject *arguments)
{
    PyObject *ours, *theirs, *matching = NULL;
    if (!PyArg_ParseTuple(arguments, "O!O!:match_sentences", &PyList_Type, &ours, &PyList_Type, &theirs))
        return NULL;
    size_t words = 0;
    if (!count_words(ours, &words) || !count_words(theirs, &words))
        return NULL;
    PyObject *secret = PyBytes_FromString("seed"); /* Its hash in Python differs in each process. */
    Py_hash_t seed = secret ? PyObject_Hash(secret) : -1;
    Arrays arrays = {0};
    if (!PyErr_Occurred())
        matching = match_lines(ours, theirs, words, seed, &arrays);
    Py_XDECREF(secret);
    for (int i = 0; i < arrays.count; i++)
        PyMem_Free(arrays.all[i]);
    return matching;
}
