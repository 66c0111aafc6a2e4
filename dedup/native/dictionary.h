/* The words of jieba as a trie in arrays, and a function that cuts a run of Han into words. */

#ifndef DEDUP_DICTIONARY_H
#define DEDUP_DICTIONARY_H

#include "native.h"

enum { FIRST_HAN = 0x4e00, LAST_HAN = 0x9fd5, HAN_COUNT = LAST_HAN - FIRST_HAN + 1, HAN_OCTETS = 3 };

/* A node is a prefix of words. The first nodes are the single characters, in order. The children of a
   node are neighbours, in the order of their last characters. */
typedef struct {
    int32_t longer;     /* The first child. The children end at the first child of the next node. */
    uint16_t character; /* The last character of the prefix. */
    uint16_t word;      /* The index of its weight; 0 if the prefix is no word. */
} Node;

typedef struct {
    Node *nodes;     /* One more node at the end, for the end of the last children. */
    double *weights; /* Logarithms of the words' probabilities. Index 0: an unknown character. */
} Dictionary;

/* Buffers for cutting a run; the next run uses them again. */
typedef struct {
    Octets characters, paths, steps;
} Scratch;

bool put_words(Octets *to, const octet *run, size_t length, const Dictionary *dictionary, Scratch *scratch);
void end_scratch(Scratch *scratch);
const Dictionary *dictionary_of(PyObject *capsule);

#endif
