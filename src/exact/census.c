#include "exact/census.h"

#include <string.h>

#include "base/error.h"
#include "exact/pages.h"

int census_init(struct census *c)
{
	*c = (struct census){0};
	c->rows = pages_map(CENSUS_ROWS * sizeof(*c->rows));
	c->row_of = pages_map(SITE_NUMBERS * sizeof(*c->row_of));
	if (c->rows && c->row_of)
		return ERR_NONE;
	census_release(c);
	return ERR_NOMEM;
}

void census_release(struct census *c)
{
	pages_unmap(c->rows, CENSUS_ROWS * sizeof(*c->rows));
	pages_unmap(c->row_of, SITE_NUMBERS * sizeof(*c->row_of));
	*c = (struct census){0};
}

void census_clear(struct census *c)
{
	for (uint32_t i = 0; i < c->count; i++)
		c->row_of[c->rows[i].site] = 0;
	c->count = 0;
	c->unknown = (struct census_cell){0};
	c->landed[false] = c->landed[true] = 0;
}

struct census_row *census_row(struct census *c, uint32_t site)
{
	if (!site_is_of(c->first, site))
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

static void add_cell(struct census_cell *to, const struct census_cell *cell)
{
	to->objects += cell->objects;
	to->bytes += cell->bytes;
}

static void add(struct census_cell *to, const struct census_cell *cells)
{
	for (int i = 0; i < CENSUS_AGES; i++)
		add_cell(to, &cells[i]);
}

static void take_row(struct census *c, const struct census_row *from)
{
	struct census_row *to = census_row(c, from->site);
	for (int i = 0; i < CENSUS_AGES; i++) {
		add_cell(to ? &to->young[i] : &c->unknown, &from->young[i]);
		add_cell(to ? &to->promoted[i] : &c->unknown, &from->promoted[i]);
	}
}

void census_take(struct census *c, struct census *from)
{
	for (uint32_t i = 0; i < from->count; i++)
		take_row(c, &from->rows[i]);
	add_cell(&c->unknown, &from->unknown);
	c->landed[false] += from->landed[false];
	c->landed[true] += from->landed[true];
	census_clear(from);
}

struct census_sums census_sum(const struct census *c)
{
	struct census_sums sums = {{0}, {0}};
	for (uint32_t i = 0; i < c->count; i++) {
		add(&sums.young, c->rows[i].young);
		add(&sums.promoted, c->rows[i].promoted);
	}
	return sums;
}

enum landing census_landing(const struct census *c)
{
	uint64_t young = 0, promoted = 0; /* that survived for the first time */
	if (c->landed[false])
		return LANDING_YOUNG;
	for (uint32_t i = 0; i < c->count && c->landed[true]; i++) {
		young += c->rows[i].young[0].objects;
		promoted += c->rows[i].promoted[0].objects;
	}
	return young && promoted == c->landed[true] ? LANDING_PROMOTED : LANDING_OPEN;
}

static unsigned row_cells(const struct census_row *r)
{
	unsigned count = 0;
	for (unsigned i = 0; i < CENSUS_AGES; i++)
		count += (r->young[i].objects ? 1u : 0) + (r->promoted[i].objects ? 1u : 0);
	return count;
}

uint64_t census_cells(const struct census *c)
{
	uint64_t count = 0;
	for (uint32_t i = 0; i < c->count; i++)
		count += row_cells(&c->rows[i]);
	return count;
}

static void tell_row(const struct census_row *r, struct accounts *a)
{
	for (unsigned i = 0; i < CENSUS_AGES; i++) {
		accounts_count(
			a, r->site, ACCOUNT_YOUNG, i + 1, r->young[i].objects, r->young[i].bytes);
		accounts_count(a, r->site, ACCOUNT_PROMOTED, i + 1, r->promoted[i].objects,
			r->promoted[i].bytes);
	}
}

void census_tell(const struct census *c, struct accounts *a)
{
	for (uint32_t i = 0; i < c->count; i++)
		tell_row(&c->rows[i], a);
}
