/* Which line of a method in one build is which in another: doc/metrics.md, "Matching of places". */
#ifndef ANALYZE_ALIGN_H
#define ANALYZE_ALIGN_H

#include <stddef.h>
#include <stdint.h>

struct align_line {
	uint32_t line; /* rising; 0: unknown */
	double bytes;
};

enum { ALIGN_MAX = 1000 }; /* lines a side; beyond it only equal lines match */
#define ALIGN_NONE SIZE_MAX

/* match[i]: which of b is a[i]; ALIGN_NONE: none is. 0 or ERR_NOMEM. */
int align_lines(const struct align_line *a, size_t count_a, const struct align_line *b,
	size_t count_b, size_t *match);

#endif
