#include "exact/census.h"

#include <string.h>

#include "base/error.h"
#include "exact/pages.h"
#include "exact/site_table.h"

int census_init(struct census *c)
{
	*c = (struct census){0};
	c->rows = pages_map(CENSUS_ROWS * sizeof(*c->rows));
	c->row_of = pages_map(SITES_MAX * sizeof(*c->row_of));
	if (c->rows && c->row_of)
		return ERR_NONE;
	census_release(c);
	return ERR_NOMEM;
}

void census_release(struct census *c)
{
	pages_unmap(c->rows, CENSUS_ROWS * sizeof(*c->rows));
	pages_unmap(c->row_of, SITES_MAX * sizeof(*c->row_of));
	*c = (struct census){0};
}

void census_clear(struct census *c)
{
	for (uint32_t i = 0; i < c->count; i++)
		c->row_of[c->rows[i].site] = 0;
	c->count = 0;
	c->young = c->promoted = c->unknown = (struct census_cell){0};
}

static struct census_row *row(struct census *c, uint32_t site)
{
	if (site == 0 || site >= SITES_MAX)
		return NULL;
	if (!c->row_of[site]) {
		if (c->count == CENSUS_ROWS)
			return NULL;
		memset(&c->rows[c->count], 0, sizeof(*c->rows));
		c->rows[c->count].site = site;
		c->row_of[site] = ++c->count;
	}
	return &c->rows[c->row_of[site] - 1];
}

static void add(struct census_cell *cell, uint64_t bytes)
{
	cell->objects++;
	cell->bytes += bytes;
}

void census_add(struct census *c, uint32_t site, unsigned survived, bool promoted, uint64_t bytes)
{
	struct census_row *r = row(c, site);
	if (!r || survived == 0) {
		add(&c->unknown, bytes);
		return;
	}
	unsigned i = survived > CENSUS_AGES ? CENSUS_AGES - 1 : survived - 1;
	add(promoted ? &r->promoted[i] : &r->young[i], bytes);
	add(promoted ? &c->promoted : &c->young, bytes);
}
