#include "exact/birth_sums.h"

#include "base/error.h"
#include "exact/pages.h"
#include "exact/site_table.h"

int birth_sums_init(struct birth_sums *s)
{
	*s = (struct birth_sums){.rows = pages_map(SITE_NUMBERS * sizeof(*s->rows)),
		.row_of = pages_map(SITE_NUMBERS * sizeof(*s->row_of))};
	if (s->rows && s->row_of)
		return ERR_NONE;
	birth_sums_release(s);
	return ERR_NOMEM;
}

void birth_sums_release(struct birth_sums *s)
{
	pages_unmap(s->rows, SITE_NUMBERS * sizeof(*s->rows));
	pages_unmap(s->row_of, SITE_NUMBERS * sizeof(*s->row_of));
	*s = (struct birth_sums){.rows = NULL};
}

void birth_sums_add(struct birth_sums *s, const struct birth_sum *more)
{
	uint32_t *row = &s->row_of[more->site];
	if (!more->objects)
		return;
	if (!*row) {
		*row = ++s->count;
		s->rows[*row - 1] = *more;
		return;
	}
	struct birth_sum *to = &s->rows[*row - 1];
	to->objects += more->objects;
	to->bytes += more->bytes;
	to->outside_objects += more->outside_objects;
	to->outside_bytes += more->outside_bytes;
}

struct birth_sum birth_sums_of(const struct birth_sums *s, uint32_t site)
{
	uint32_t row = s->row_of[site];
	return row ? s->rows[row - 1] : (struct birth_sum){.site = site};
}

void birth_sums_clear(struct birth_sums *s)
{
	for (uint32_t i = 0; i < s->count; i++)
		s->row_of[s->rows[i].site] = 0;
	s->count = 0;
}
