/* What a census has counted, for tests. */
#ifndef TEST_CENSUS_READ_H
#define TEST_CENSUS_READ_H

#include "exact/census.h"

/* Of a site's objects that have survived so many collections (CENSUS_AGES: or more). */
static inline struct census_cell census_read(
	const struct census *c, uint32_t site, unsigned survived, bool promoted)
{
	uint32_t at = c->row_of[site];
	const struct census_row *row = at ? &c->rows[at - 1] : NULL;
	const uint32_t *numbers = !row ? NULL : promoted ? row->promoted : row->young;
	return numbers ? c->cells[numbers[survived - 1]] : (struct census_cell){0};
}

#endif
