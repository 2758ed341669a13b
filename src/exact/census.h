/*
 * Who outlived one collection: by site and by how many collections survived, in the young
 * generation and just moved to the old one. Filled while the program stands, so nothing is
 * allocated: a site gets a row when its first survivor is met, and what finds no row is counted as
 * of no site.
 */
#ifndef EXACT_CENSUS_H
#define EXACT_CENSUS_H

#include <stdbool.h>
#include <stdint.h>

enum { CENSUS_AGES = 16, CENSUS_ROWS = 1 << 15 };

struct census_cell {
	uint64_t objects, bytes;
};

/* Index i: survived i + 1 collections; the last one: or more. */
struct census_row {
	uint32_t site;
	struct census_cell young[CENSUS_AGES], promoted[CENSUS_AGES];
};

struct census {
	struct census_row *rows;
	uint32_t *row_of; /* [SITES_MAX]: the site's row, plus 1 */
	uint32_t count;
	struct census_cell young, promoted, unknown; /* sums; unknown: of no site */
};

/* 0 or ERR_NOMEM. */
int census_init(struct census *c);
void census_release(struct census *c);
void census_clear(struct census *c);
/* site 0, or one that can't be: unknown. */
void census_add(struct census *c, uint32_t site, unsigned survived, bool promoted, uint64_t bytes);

#endif
