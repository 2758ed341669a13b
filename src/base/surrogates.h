/*
 * Characters beyond U+FFFF as Java writes them (modified UTF-8): two halves of three bytes each,
 * where UTF-8 has four bytes.
 */
#ifndef BASE_SURROGATES_H
#define BASE_SURROGATES_H

#include <stdbool.h>

#include "base/buf.h"

/* Puts the character that the pair at the start means, and returns the pair's bytes; 0: there is
 * none, nothing is put. */
size_t surrogates_put(struct buf *out, const uint8_t *at, size_t left);
/* Whether there may be one: no other text of Java's names has such a byte, but for Hangul. */
bool surrogates_may(struct slice text);
/* Puts all of a text, its pairs as what they mean. */
void surrogates_plain(struct buf *out, struct slice text);

#endif
