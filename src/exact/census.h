/*
 * Who outlived one collection: by site and by how many collections survived, in the young
 * generation and just moved to the old one. Filled while the program stands, so nothing is
 * allocated: a site gets a row when its first survivor is met, and a cell for each age that it has,
 * of which most have one to three. What finds no room is counted as of no site.
 */
#ifndef EXACT_CENSUS_H
#define EXACT_CENSUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exact/accounts.h"
#include "exact/site_table.h"

/* While JRuby starts some 40 000 sites have survivors at once. */
enum { CENSUS_AGES = 16, CENSUS_ROWS = 1 << 17, CENSUS_CELLS = 1 << 19 };

struct census_cell {
	uint64_t objects, bytes;
};

/* Numbers of cells, 0 where nothing was counted. Index i: survived i + 1 collections; the last one:
 * or more. */
struct census_row {
	uint32_t site, young[CENSUS_AGES], promoted[CENSUS_AGES];
};

struct census {
	struct census_row *rows;    /* [CENSUS_ROWS] */
	struct census_cell *cells;  /* [CENSUS_CELLS]; the first is of nothing, and empty */
	uint32_t *row_of;           /* [SITE_NUMBERS]: the site's row, plus 1 */
	uint32_t first;             /* number of this recording: lesser ones are of earlier ones */
	uint32_t count;             /* of rows */
	uint32_t used;              /* of cells */
	struct census_cell unknown; /* of no site */
	uint64_t stacks;    /* of virtual threads: not in it, for no birth of one is counted */
	uint64_t landed[2]; /* of those that had jumped: still young, promoted */
	uint64_t unseen;    /* sites, objects and regions of which not all was seen */
};

/* What a collection shows of objects that jump over their ages. */
enum landing { LANDING_OPEN, LANDING_PROMOTED, LANDING_YOUNG };

/* Over all sites. */
struct census_sums {
	struct census_cell young, promoted;
};

/* 0 or ERR_NOMEM. */
int census_init(struct census *c);
void census_release(struct census *c);
void census_clear(struct census *c);
/* Adds what another one has counted, and empties that. */
void census_take(struct census *c, struct census *from);
struct census_sums census_sum(const struct census *c);
/* Cells that an account of the sites needs. */
uint64_t census_cells(const struct census *c);
/* The sites, into the account that is begun: there is room. */
void census_tell(const struct census *c, struct accounts *a);
/* Promoted: what jumped was, while all others that survived for the first time stayed young, so
 * that it was for their age. Young: something that jumped stayed so. Of a young or mixed collection
 * that moved all. */
enum landing census_landing(const struct census *c);
/* The site's row, made where it has none; NULL: no room, or no site. */
struct census_row *census_row(struct census *c, uint32_t site);
/* Has a row's cell made; NULL: no room. */
struct census_cell *census_cell_make(struct census *c, uint32_t *number);

/* An object that jumped, before it is counted like any other. */
static inline void census_land(struct census *c, bool promoted)
{
	c->landed[promoted]++;
}

static inline void census_cell_add(struct census_cell *cell, uint64_t bytes)
{
	cell->objects++;
	cell->bytes += bytes;
}

/* Where a site's objects are counted; NULL: nowhere. */
static inline struct census_cell *census_cell_at(
	struct census *c, uint32_t site, unsigned survived, bool promoted)
{
	uint32_t at = site < SITE_NUMBERS ? c->row_of[site] : 0;
	struct census_row *r = at ? &c->rows[at - 1] : census_row(c, site);
	if (!r || survived == 0)
		return NULL;
	unsigned i = survived > CENSUS_AGES ? CENSUS_AGES - 1 : survived - 1;
	uint32_t *number = promoted ? &r->promoted[i] : &r->young[i];
	return *number ? &c->cells[*number] : census_cell_make(c, number);
}

/* site 0, of another recording, or one that can't be: unknown. */
static inline void census_add(
	struct census *c, uint32_t site, unsigned survived, bool promoted, uint64_t bytes)
{
	struct census_cell *cell = census_cell_at(c, site, survived, promoted);
	census_cell_add(cell ? cell : &c->unknown, bytes);
}

#endif
