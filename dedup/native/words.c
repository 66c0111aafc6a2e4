/* Cut a run of Han characters into words, like jieba without its guesses (HMM). Of all ways to cut the
   run, the words with the largest product of probabilities are taken. A character that begins no word is
   a word. */

#include "dictionary.h"

#include <math.h>

/* The child of a node with a character, or 0. */
static int32_t find_longer(const Dictionary *dictionary, int32_t node, uint16_t character)
{
    const Node *nodes = dictionary->nodes, *at = nodes + nodes[node].longer, *end = nodes + nodes[node + 1].longer;
    for (size_t left = end - at; left > 1;) { /* There is no branch: it would be mispredicted. */
        size_t half = left / 2;
        at = at[half].character <= character ? at + half : at;
        left -= half;
    }
    return at < end && at->character == character ? (int32_t)(at - nodes) : 0;
}

/* Find the best words from a character to the end of its run; return the length of the first word. */
static uint32_t choose(const Dictionary *dictionary, const uint16_t *at, size_t left, double *path)
{
    int32_t node = at[0] - FIRST_HAN;
    uint32_t best = 0;
    double most = -INFINITY;
    for (uint32_t length = 1;; length++) {
        uint16_t word = dictionary->nodes[node].word;
        if (word) {
            double value = dictionary->weights[word] + path[length];
            best = value >= most ? length : best; /* If values are equal, the longer word is taken. */
            most = value >= most ? value : most;
        }
        if (length == left || !(node = find_longer(dictionary, node, at[length])))
            break;
    }
    path[0] = best ? most : dictionary->weights[0] + path[1];
    return best ? best : 1;
}

/* Append the words of a run, with a space before each and a space behind the last. */
bool put_words(Octets *to, const octet *run, size_t length, const Dictionary *dictionary, Scratch *scratch)
{
    size_t count = length / HAN_OCTETS, step;
    Octets *characters = &scratch->characters, *paths = &scratch->paths, *steps = &scratch->steps;
    if (!grow(characters, count * sizeof(uint16_t)) || !grow(paths, (count + 1) * sizeof(double)) ||
        !grow(steps, count * sizeof(uint32_t)) || !grow(to, length + count + 1))
        return false;
    uint16_t *at = (uint16_t *)characters->at;
    double *path = (double *)paths->at;
    uint32_t *words = (uint32_t *)steps->at;
    for (size_t i = 0; i < count; i++) { /* The looked-up nodes are seldom in a CPU cache. */
        at[i] = read_character(run + i * HAN_OCTETS, &step);
        __builtin_prefetch(&dictionary->nodes[at[i] - FIRST_HAN]);
    }
    for (size_t i = 0; i < count; i++) {
        const Node *node = &dictionary->nodes[at[i] - FIRST_HAN];
        __builtin_prefetch(&dictionary->nodes[(node[0].longer + node[1].longer) / 2]);
    }
    path[count] = 0;
    for (size_t i = count; i-- > 0;)
        words[i] = choose(dictionary, at + i, count - i, path + i);
    octet *end = to->at + to->length;
    *end++ = ' ';
    for (size_t i = 0; i < count; i += words[i]) {
        size_t octets = words[i] * HAN_OCTETS;
        memcpy(end, run + i * HAN_OCTETS, octets);
        end += octets;
        *end++ = ' ';
    }
    to->length = end - to->at;
    return true;
}

void end_scratch(Scratch *scratch)
{
    PyMem_Free(scratch->characters.at), PyMem_Free(scratch->paths.at), PyMem_Free(scratch->steps.at);
}
