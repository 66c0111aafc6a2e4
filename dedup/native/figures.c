/* The numbers of a text, of normalised words: the same as dedup.native.portable.texts. */

#include "native.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef struct {
    const octet *text, *line, *line_end; /* The line of the last number. */
    const octet *end;
    Py_ssize_t shortest;                 /* A line of so many bytes counts without a question. */
    bool counts;                         /* Whether the numbers of the line count. */
    PyObject *is_left_out, *found;
} Numbers;

/* The next digit, or the end. */
static const octet *next_digit(const octet *at, const octet *end)
{
#ifdef __SSE2__
    const __m128i nine = _mm_set1_epi8(9), zero = _mm_set1_epi8('0');
    for (; end - at >= 16; at += 16) {
        __m128i some = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)at), zero);
        unsigned digits = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(some, nine), some));
        if (digits)
            return at + __builtin_ctz(digits);
    }
#endif
    while (at < end && !is_digit(*at))
        at++;
    return at;
}

/* Go to the line of a number. Python is asked whether the numbers of a short one are left out. */
static bool go_to_line(Numbers *numbers, const octet *at)
{
    const octet *after = memchr(at, '\n', numbers->end - at);
    numbers->line_end = after ? after : numbers->end;
    for (numbers->line = at; numbers->line > numbers->text && numbers->line[-1] != '\n';)
        numbers->line--;
    size_t length = numbers->line_end - numbers->line;
    numbers->counts = length >= (size_t)numbers->shortest;
    if (numbers->counts)
        return true;
    PyObject *said = PyObject_CallFunction(numbers->is_left_out, "N", as_bytes(numbers->line, length));
    int is_left_out = said ? PyObject_IsTrue(said) : -1;
    Py_XDECREF(said);
    numbers->counts = !is_left_out;
    return is_left_out >= 0;
}

/* Note a run of digits, without zeros at its start. */
static bool note(Numbers *numbers, const octet *at, const octet *behind)
{
    if (!numbers->counts || (at > numbers->line && at[-1] != ' '))
        return true;
    while (at < behind && *at == '0')
        at++;
    PyObject *number = as_bytes(at, behind - at);
    bool done = number && !PySet_Add(numbers->found, number);
    Py_XDECREF(number);
    return done;
}

/* Return the set of the runs of digits that begin a word, without zeros at their start; of the first ``most`` runs.
   ``is_left_out`` is asked for each line with one of fewer than ``shortest`` bytes. */
PyObject *find_numbers(PyObject *module, PyObject *arguments)
{
    Py_buffer lines;
    Py_ssize_t most;
    Numbers numbers = {0};
    if (!PyArg_ParseTuple(arguments, "y*nnO:find_numbers", &lines, &most, &numbers.shortest, &numbers.is_left_out))
        return NULL;
    numbers.text = lines.buf, numbers.end = numbers.text + lines.len;
    numbers.found = PySet_New(NULL);
    bool done = numbers.found;
    const octet *at = next_digit(numbers.text, numbers.end), *behind;
    for (; done && at < numbers.end && most > 0; most--, at = next_digit(behind, numbers.end)) {
        for (behind = at; behind < numbers.end && is_digit(*behind);)
            behind++;
        done = ((numbers.line && at < numbers.line_end) || go_to_line(&numbers, at)) && note(&numbers, at, behind);
    }
    if (!done)
        Py_CLEAR(numbers.found);
    PyBuffer_Release(&lines);
    return numbers.found;
}
