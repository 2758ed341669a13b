#include "report/glyph.h"

#include <stdlib.h>

#include "base/compiler.h"

struct range {
	uint32_t first, last;
	uint8_t columns;
};

static const struct range ranges[] = {
#define MARK(first, last) {first, last, 0},
#define WIDE(first, last) {first, last, 2},
#include "report/glyph.def"
#undef WIDE
#undef MARK
};

static int compare(const void *code, const void *range)
{
	uint32_t c = *(const uint32_t *)code;
	const struct range *r = range;
	return c < r->first ? -1 : c > r->last;
}

size_t glyph_columns(uint32_t code)
{
	if (code < ranges[0].first)
		return 1;
	const struct range *r =
		bsearch(&code, ranges, ARRAY_SIZE(ranges), sizeof(ranges[0]), compare);
	return r ? r->columns : 1;
}
