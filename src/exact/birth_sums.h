/*
 * Births by site, since somebody asked last: a row for each site that has had some, in the order of
 * their coming. So what lies idle costs nothing in a pause, and of the sites that were ever met
 * only those at work take memory.
 *
 * Protected by its owner's lock.
 */
#ifndef EXACT_BIRTH_SUMS_H
#define EXACT_BIRTH_SUMS_H

#include <stdint.h>

/* What one thread, or the table, held of a site since it was last asked. */
struct birth_sum {
	uint32_t site;
	uint64_t objects, bytes, outside_objects, outside_bytes;
};

struct birth_sums {
	struct birth_sum *rows; /* [SITE_NUMBERS]; owned, as are these */
	uint32_t *row_of;       /* [SITE_NUMBERS]: the site's row, plus 1; 0: it has none */
	uint32_t count;         /* of rows */
};

/* 0 or ERR_NOMEM. */
int birth_sums_init(struct birth_sums *s);
void birth_sums_release(struct birth_sums *s);
/* Adds to what the site has; of no objects nothing. */
void birth_sums_add(struct birth_sums *s, const struct birth_sum *more);
/* What the site has. */
struct birth_sum birth_sums_of(const struct birth_sums *s, uint32_t site);
/* All have none. */
void birth_sums_clear(struct birth_sums *s);

#endif
