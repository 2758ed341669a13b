/* Numbers as text, fast: millions of them make an export. */
#ifndef EXPORT_DIGITS_H
#define EXPORT_DIGITS_H

#include "base/buf.h"

/* "1234" */
void digits_count(struct buf *out, uint64_t value);
/* A millionth of it, exactly and without trailing zeros: ns as ms. "12.5" of 12500000. */
void digits_millionth(struct buf *out, uint64_t value);
/* The last numbers written, by value: most repeat, and printf takes its time. Zero is valid and
 * empty. */
struct digits_memo {
	struct {
		double value;
		uint8_t len; /* 0: none */
		char text[27];
	} of[256];
};

/* As %.15g; finite. memo: NULL where none is kept. */
void digits_number(struct buf *out, double value, struct digits_memo *memo);

#endif
