/*
 * Rows of three words of 32 bits, side by side as columns: zstd takes half the time for moves of
 * objects then (doc/trace-format.md, 1.2, codec 2). The first bytes of a payload may stand before
 * the rows, and stay there; what is no whole row stands behind.
 */
#ifndef TRACE_COLUMNS_H
#define TRACE_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COLUMNS = 3, COLUMNS_BEFORE_MAX = 255, COLUMNS_MORE = 1 /* byte, for what is before */ };

/* Writes len + COLUMNS_MORE bytes. before: bytes before the rows, at most len and
 * COLUMNS_BEFORE_MAX. */
void columns_split(uint8_t *out, const uint8_t *in, size_t len, size_t before);
/* The way back: len bytes, of len + COLUMNS_MORE. False: they can't be what was split. */
bool columns_join(uint8_t *out, const uint8_t *in, size_t len);

#endif
