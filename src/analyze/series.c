#include "analyze/series.h"

#include "base/error.h"

#define SECOND       1000000000u
#define STEP_LONGEST (12.0 * SECOND) /* on average, for collections to divide a run */

void marks_release(struct marks *m)
{
	vec_release(&m->list);
}

int marks_add(struct marks *m, uint64_t time, uint64_t alloc)
{
	const struct mark none = {0},
			  *last = m->list.count ? &m->list.at[m->list.count - 1] : &none;
	struct mark mark = {
		time > last->time ? time : last->time, alloc > last->alloc ? alloc : last->alloc};
	return vec_push(&m->list, mark);
}

/* The first mark after the time. */
static size_t mark_after(const struct marks *m, uint64_t time)
{
	size_t lo = 0, hi = m->list.count;
	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;
		if (m->list.at[middle].time <= time)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

double marks_at(const struct marks *m, uint64_t time)
{
	size_t i = mark_after(m, time);
	if (i == m->list.count)
		return i ? (double)m->list.at[i - 1].alloc : 0;
	struct mark none = {0}, a = i ? m->list.at[i - 1] : none, b = m->list.at[i];
	double part = (double)(time - a.time) / (double)(b.time - a.time);
	return (double)a.alloc + part * (double)(b.alloc - a.alloc);
}

void series_release(struct series *s)
{
	vec_release(&s->steps);
}

const struct account_mark *account_marks_at(const struct account_marks *a, uint64_t young)
{
	size_t lo = 0, hi = a->list.count;
	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;
		if (a->list.at[middle].young < young)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo < a->list.count && a->list.at[lo].young == young ? &a->list.at[lo] : NULL;
}

static double allocated(
	const struct account_marks *accounts, const struct gc *a, const struct gc *b)
{
	bool next = accounts && b->young == a->young + 1 && account_marks_at(accounts, a->young);
	const struct account_mark *counted = next ? account_marks_at(accounts, b->young) : NULL;
	return counted ? (double)counted->bytes : (double)b->alloc - (double)a->alloc;
}

/* What was allocated from the end of one collection to that of the other, less what the heap grew
 * by. */
static double garbage(struct series *s, const struct account_marks *accounts, const struct gc *a,
	const struct gc *b)
{
	double bytes = allocated(accounts, a, b);
	if (a->heap_after && b->heap_after)
		bytes += (double)a->heap_after - (double)b->heap_after;
	else
		s->heap_unknown = true;
	return bytes > 0 ? bytes : 0;
}

static int by_collections(
	struct series *s, const struct gcs *gcs, const struct account_marks *accounts)
{
	const struct gc *last = NULL;
	for (size_t i = 0; i < gcs->list.count; i++) {
		const struct gc *gc = &gcs->list.at[i];
		if (!gc->raised_young)
			continue;
		if (last && gc->end > last->end &&
			vec_push(&s->steps, ((struct series_step){last->end, gc->end,
						    garbage(s, accounts, last, gc)})))
			return ERR_NOMEM;
		if (!last || gc->end > last->end)
			last = gc;
	}
	return ERR_NONE;
}

static bool divides(const struct series *s)
{
	size_t n = s->steps.count;
	return n >= SERIES_LEAST &&
	       (double)(s->steps.at[n - 1].to - s->steps.at[0].from) <= STEP_LONGEST * (double)n;
}

/* A second; of a run with more than SERIES_MOST of them, so many that there are no more steps. */
static uint64_t step_of(uint64_t end)
{
	return SECOND * (1 + end / SECOND / SERIES_MOST);
}

static int by_seconds(struct series *s, uint64_t end, const struct marks *marks)
{
	uint64_t step = step_of(end);
	for (uint64_t from = 0; end - from >= step; from += step) {
		double bytes = marks_at(marks, from + step) - marks_at(marks, from);
		if (vec_push(&s->steps, ((struct series_step){from, from + step, bytes})))
			return ERR_NOMEM;
	}
	return ERR_NONE;
}

int series_of(struct series *out, const struct model *m, const struct marks *marks,
	const struct account_marks *accounts)
{
	*out = (struct series){.basis = SERIES_COLLECTIONS};
	int err = by_collections(out, &m->gcs, accounts);
	if (err || divides(out))
		return err;
	*out = (struct series){
		.basis = SERIES_SECONDS, .steps = {.at = out->steps.at, .room = out->steps.room}};
	err = by_seconds(out, m->now.time, marks);
	if (out->steps.count < SERIES_LEAST)
		out->basis = SERIES_NONE;
	return err;
}

static double overlap(const struct series_step *s, uint64_t from, uint64_t to)
{
	uint64_t a = s->from > from ? s->from : from, b = s->to < to ? s->to : to;
	return a < b ? (double)(b - a) / (double)(s->to - s->from) : 0;
}

double series_bytes(const struct series *s, uint64_t from, uint64_t to)
{
	double bytes = 0;
	for (size_t i = 0; i < s->steps.count; i++)
		bytes += overlap(&s->steps.at[i], from, to) * s->steps.at[i].bytes;
	return bytes;
}
