/* The name someone probably meant: for "did you mean …?". */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

/*
 * Steps between two words: insertions, deletions, replacements and swaps of neighbours
 * (optimal string alignment). Words are compared by their first 32 bytes.
 */
unsigned nearest_distance(const char *a, const char *b);

/*
 * The name closest to the word, or NULL where none is close: at most a third of the longer of
 * the two (and at least one step) apart, or begun with the word. NULL names are passed over;
 * of equals the first wins.
 */
const char *nearest_find(const char *word, const char *const *names, size_t count);

#endif
