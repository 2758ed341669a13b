#include "stat/spans.h"

#include <math.h>

#include "base/error.h"
#include "base/hist.h"
#include "stat/weight.h"

uint64_t spans_edge(uint16_t edge)
{
	return hist_low(edge);
}

static uint16_t round_down(uint32_t edge, uint32_t coarse)
{
	return (uint16_t)(edge >> coarse << coarse);
}

static uint16_t round_up(uint32_t edge, uint32_t coarse)
{
	uint32_t up = (edge + (1u << coarse) - 1) >> coarse << coarse;
	return (uint16_t)(up < HIST_BINS ? up : HIST_BINS);
}

static struct spans_row rounded(struct spans_row row, uint32_t coarse)
{
	row.entry = round_down(row.entry, coarse);
	row.after = round_down(row.after, coarse);
	if (row.by != SPAN_OPEN)
		row.by = round_up(row.by, coarse);
	return row;
}

static uint64_t key_of(const struct spans_row *row)
{
	return (uint64_t)row->entry << 32 | (uint64_t)row->after << 16 | row->by;
}

static size_t place_of(const struct spans *s, uint64_t key)
{
	size_t lo = 0, hi = s->rows.count;
	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;
		if (key_of(&s->rows.at[middle]) < key)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

/* Adds to the row of the same triple, or makes it: room for it must have been reserved. */
static void put(struct spans *s, struct spans_row row)
{
	uint64_t key = key_of(&row);
	size_t i = place_of(s, key);
	if (i < s->rows.count && key_of(&s->rows.at[i]) == key) {
		mass_add(&s->rows.at[i].mass, row.mass);
		return;
	}
	for (size_t j = s->rows.count++; j > i; j--)
		s->rows.at[j] = s->rows.at[j - 1];
	s->rows.at[i] = row;
}

/* Doubles the bins, in place: what was read makes the room for what is put. */
static void coarsen(struct spans *s)
{
	size_t count = s->rows.count;
	s->coarse++;
	s->rows.count = 0;
	for (size_t i = 0; i < count; i++)
		put(s, rounded(s->rows.at[i], s->coarse));
}

/* Puts a row with at most SPANS_MAX rows after it. */
static void put_bounded(struct spans *s, struct spans_row row)
{
	while (s->rows.count >= SPANS_MAX)
		coarsen(s);
	put(s, rounded(row, s->coarse));
}

/* The lowest edge that is not below v. */
static uint16_t edge_above(uint64_t v)
{
	uint32_t bin = hist_bin(v);
	return (uint16_t)(hist_low(bin) < v ? bin + 1 : bin);
}

int spans_add(
	struct spans *s, enum fate fate, uint64_t entry, uint64_t after, uint64_t by, double weight)
{
	bool died = fate == FATE_DIED;
	if (entry > after || (died && by < after) || !weight_valid(weight))
		return ERR_USAGE;
	if (s->rows.count < SPANS_MAX && vec_reserve(&s->rows, 1))
		return ERR_NOMEM;
	struct spans_row row = {
		.entry = (uint16_t)hist_bin(entry),
		.after = (uint16_t)hist_bin(after),
		.by = died ? edge_above(by) : SPAN_OPEN,
		.mass = mass_of(weight),
	};
	/* A clock that stood still between two collections still leaves a span of one bin. */
	if (row.by <= row.after)
		row.by = (uint16_t)(row.after + 1);
	put_bounded(s, row);
	mass_add(&s->all, row.mass);
	s->heaviest = fmax(s->heaviest, weight_error(1, weight));
	return ERR_NONE;
}

/* Room for them was reserved. */
static void put_all(struct spans *s, const struct spans *more)
{
	if (!s->rows.count && s->coarse == more->coarse) {
		for (size_t i = 0; i < more->rows.count; i++)
			s->rows.at[s->rows.count++] = more->rows.at[i];
		return;
	}
	for (size_t i = 0; i < more->rows.count; i++)
		put_bounded(s, more->rows.at[i]);
}

int spans_merge(struct spans *s, const struct spans *more)
{
	size_t room = SPANS_MAX - s->rows.count;
	if (vec_reserve(&s->rows, more->rows.count < room ? more->rows.count : room))
		return ERR_NOMEM;
	while (s->coarse < more->coarse)
		coarsen(s);
	put_all(s, more);
	mass_add(&s->all, more->all);
	s->heaviest = fmax(s->heaviest, more->heaviest);
	return ERR_NONE;
}

void spans_clear(struct spans *s)
{
	s->rows.count = 0;
	s->all = (struct mass){0};
	s->heaviest = 0;
	s->coarse = 0;
}

void spans_release(struct spans *s)
{
	vec_release(&s->rows);
	*s = (struct spans){0};
}
