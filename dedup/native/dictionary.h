/* The words of jieba, as a trie in arrays, and how it cuts a run of Han characters into them. */

#ifndef DEDUP_DICTIONARY_H
#define DEDUP_DICTIONARY_H

#include "native.h"

enum { FIRST_HAN = 0x4e00, LAST_HAN = 0x9fd5, HAN_COUNT = LAST_HAN - FIRST_HAN + 1, HAN_OCTETS = 3 };

/* A node stands for what words begin with. The first nodes are the single characters, in order. The
   nodes that are longer by a character than another stand side by side, in the order of that character. */
typedef struct {
    int32_t longer;     /* where the nodes begin that are longer by one; they end where those of the next do */
    uint16_t character; /* the last */
    uint16_t word;      /* the number of its weight; 0 where it is no word */
} Node;

typedef struct {
    Node *nodes;     /* and one more */
    double *weights; /* logarithms of the probabilities of words; 0: of an unknown character */
} Dictionary;

/* What is kept while a run is cut, for the next. */
typedef struct {
    Octets characters, paths, steps;
} Scratch;

bool put_words(Octets *to, const octet *run, size_t length, const Dictionary *dictionary, Scratch *scratch);
void end_scratch(Scratch *scratch);
const Dictionary *dictionary_of(PyObject *capsule);

#endif
