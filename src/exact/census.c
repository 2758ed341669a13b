#include "exact/census.h"

#include <string.h>

#include "base/error.h"
#include "exact/pages.h"

int census_init(struct census *c)
{
	*c = (struct census){0};
	c->rows = pages_map(CENSUS_ROWS * sizeof(*c->rows));
	c->cells = pages_map(CENSUS_CELLS * sizeof(*c->cells));
	c->row_of = pages_map(SITE_NUMBERS * sizeof(*c->row_of));
	c->used = 1;
	if (c->rows && c->cells && c->row_of)
		return ERR_NONE;
	census_release(c);
	return ERR_NOMEM;
}

void census_release(struct census *c)
{
	pages_unmap(c->rows, CENSUS_ROWS * sizeof(*c->rows));
	pages_unmap(c->cells, CENSUS_CELLS * sizeof(*c->cells));
	pages_unmap(c->row_of, SITE_NUMBERS * sizeof(*c->row_of));
	*c = (struct census){0};
}

void census_clear(struct census *c)
{
	for (uint32_t i = 0; i < c->count; i++)
		c->row_of[c->rows[i].site] = 0;
	c->count = 0;
	c->used = 1;
	c->unknown = (struct census_cell){0};
	c->stacks = 0;
	c->landed[false] = c->landed[true] = 0;
	c->unseen = 0;
}

struct census_row *census_row(struct census *c, uint32_t site)
{
	if (!site_is_of(c->first, site))
		return NULL;
	if (!c->row_of[site]) {
		if (c->count == CENSUS_ROWS) {
			c->unseen++;
			return NULL;
		}
		memset(&c->rows[c->count], 0, sizeof(*c->rows));
		c->rows[c->count].site = site;
		c->row_of[site] = ++c->count;
	}
	return &c->rows[c->row_of[site] - 1];
}

struct census_cell *census_cell_make(struct census *c, uint32_t *number)
{
	if (c->used == CENSUS_CELLS) {
		c->unseen++;
		return NULL;
	}
	*number = c->used++;
	c->cells[*number] = (struct census_cell){0};
	return &c->cells[*number];
}

static void add_cell(struct census_cell *to, const struct census_cell *cell)
{
	to->objects += cell->objects;
	to->bytes += cell->bytes;
}

static void add(struct census_cell *to, const struct census *c, const uint32_t *numbers)
{
	for (int i = 0; i < CENSUS_AGES; i++)
		add_cell(to, &c->cells[numbers[i]]);
}

static void take_cells(struct census *c, uint32_t site, bool promoted, const struct census *from,
	const uint32_t *numbers)
{
	for (unsigned i = 0; i < CENSUS_AGES; i++) {
		if (!numbers[i])
			continue;
		struct census_cell *to = census_cell_at(c, site, i + 1, promoted);
		add_cell(to ? to : &c->unknown, &from->cells[numbers[i]]);
	}
}

void census_take(struct census *c, struct census *from)
{
	for (uint32_t i = 0; i < from->count; i++) {
		const struct census_row *row = &from->rows[i];
		take_cells(c, row->site, false, from, row->young);
		take_cells(c, row->site, true, from, row->promoted);
	}
	add_cell(&c->unknown, &from->unknown);
	c->stacks += from->stacks;
	c->landed[false] += from->landed[false];
	c->landed[true] += from->landed[true];
	c->unseen += from->unseen;
	census_clear(from);
}

struct census_sums census_sum(const struct census *c)
{
	struct census_sums sums = {{0}, {0}};
	for (uint32_t i = 0; i < c->count; i++) {
		add(&sums.young, c, c->rows[i].young);
		add(&sums.promoted, c, c->rows[i].promoted);
	}
	return sums;
}

enum landing census_landing(const struct census *c)
{
	uint64_t young = 0, promoted = 0; /* that survived for the first time */
	if (c->landed[false])
		return LANDING_YOUNG;
	for (uint32_t i = 0; i < c->count && c->landed[true]; i++) {
		young += c->cells[c->rows[i].young[0]].objects;
		promoted += c->cells[c->rows[i].promoted[0]].objects;
	}
	return young && promoted == c->landed[true] ? LANDING_PROMOTED : LANDING_OPEN;
}

uint64_t census_cells(const struct census *c)
{
	return c->used - 1;
}

static void tell_cell(const struct census *c, const struct census_row *r, unsigned age,
	enum account_what what, struct accounts *a)
{
	const struct census_cell *cell =
		&c->cells[what == ACCOUNT_PROMOTED ? r->promoted[age] : r->young[age]];
	accounts_count(a, r->site, what, age + 1, cell->objects, cell->bytes);
}

void census_tell(const struct census *c, struct accounts *a)
{
	for (uint32_t i = 0; i < c->count; i++)
		for (unsigned age = 0; age < CENSUS_AGES; age++) {
			tell_cell(c, &c->rows[i], age, ACCOUNT_YOUNG, a);
			tell_cell(c, &c->rows[i], age, ACCOUNT_PROMOTED, a);
		}
}
