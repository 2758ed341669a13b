/*
 * The golden traces: v1/ are traces that every later version must read as it does now, bad/ are
 * files that must be refused or complained of in just these words. Each NAME.mfly has beside it
 * NAME.txt, what a reader and check make of it. `golden_make` writes all of them; the test
 * builds them again in memory, so that a change of the format or of a sentence shows.
 */
#ifndef GOLDEN_CASES_H
#define GOLDEN_CASES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "trace/codec.h"

struct golden {
	const char *name; /* without .mfly, relative to test/golden */
	/* Appends the file's bytes. Failure stays in the buffer. */
	void (*build)(struct buf *out);
	bool inexact; /* compressed: other versions of the library may give other bytes */
};

extern const struct golden goldens[];
extern const size_t golden_count;

/* Appends what a reader and check make of the bytes, as lines of text. */
void golden_dump(struct buf *text, struct slice bytes);

#endif
