#include "tenure/snapshot.h"

#include <string.h>

#include "base/error.h"
#include "base/mem.h"

#define MOST_LEFT 0.5 /* for each collection */

int snapshot_init(struct snapshot *s, size_t room)
{
	*s = (struct snapshot){.rows = mem_zalloc(room, sizeof(*s->rows)), .room = room};
	return s->rows || !room ? ERR_NONE : ERR_NOMEM;
}

void snapshot_release(struct snapshot *s)
{
	mem_free(s->rows);
	memset(s, 0, sizeof(*s));
}

const struct snapshot_row *snapshot_find(const struct snapshot *s, const struct place_context *at)
{
	for (size_t i = 0; i < s->count; i++)
		if (place_context_same(&s->rows[i].at, at))
			return &s->rows[i];
	return NULL;
}

struct passage_curve snapshot_curve(const struct snapshot *s, const struct snapshot_row *row)
{
	return curve_fit_apply(&s->fit, &row->passage);
}

void snapshot_fit(struct snapshot *s, const struct age_tables *a)
{
	s->fit = curve_fit_of(a);
	for (size_t i = 0; s->fit.known && i < s->places; i++)
		curve_fit_add(&s->fit, &s->rows[i].passage);
	curve_fit_end(&s->fit);
}

double held_mean(const struct held *h)
{
	double sum = 0, all = 0;
	for (uint32_t t = 0; t <= THRESHOLD_MOST; t++) {
		sum += t * h->share[t];
		all += h->share[t];
	}
	return all > 0 ? sum / all : THRESHOLD_MOST;
}

const struct held *snapshot_held(const struct snapshot *s)
{
	return s->left < MOST_LEFT ? &s->held : &s->stayed;
}

struct held held_known(const struct held *h)
{
	double all = 0;
	for (uint32_t t = 0; t <= THRESHOLD_MOST; t++)
		all += h->share[t];
	struct held full = {.share[THRESHOLD_MOST] = 1};
	return all > 0 ? *h : full;
}
