#include "trace/event_check.h"

#include <inttypes.h>

#include "base/error.h"

void event_check_release(struct event_check *e)
{
	heap_image_release(&e->image);
	vec_release(&e->told);
}

void event_check_forgotten(struct event_check *e)
{
	heap_image_await(&e->image);
}

static int tell(struct event_check *e, uint64_t young, uint64_t births)
{
	size_t n = e->told.count;
	if (n == e->taken || e->told.at[n - 1].young != young) {
		if (vec_push(&e->told, ((struct told_births){young, 0})))
			return ERR_NOMEM;
		n++;
	}
	e->told.at[n - 1].births += births;
	return ERR_NONE;
}

static void note_odds(struct event_check *e)
{
	for (int i = 0; i < IMAGE_ODDS; i++)
		if (e->image.odds[i] && !e->first_odd[i])
			e->first_odd[i] = e->at;
}

static int take_block(struct event_check *e, bool checkpoint, struct slice payload)
{
	if (checkpoint)
		return heap_image_compare(&e->image, payload);
	uint64_t before = e->image.totals.births;
	e->closed = false;
	int err = heap_image_chunk(&e->image, payload);
	uint64_t births = e->image.totals.births - before;
	return err || !births ? err : tell(e, e->image.young, births);
}

int event_check_block(
	struct event_check *e, bool checkpoint, struct slice payload, const struct ids *ids)
{
	e->image.site_ids = ids->table[ID_SITE].contents.count;
	e->image.thread_ids = ids->table[ID_THREAD].contents.count;
	int err = take_block(e, checkpoint, payload);
	note_odds(e);
	return err;
}

/* Takes the births of intervals that began before the clock stood there. Those that are taken go
 * when none is left: many accounts of a trace may have none, and many intervals may stay. */
static uint64_t take_told(struct event_check *e, uint64_t young)
{
	uint64_t births = 0;
	for (; e->taken < e->told.count && e->told.at[e->taken].young < young; e->taken++)
		births += e->told.at[e->taken].births;
	if (e->taken == e->told.count)
		e->taken = e->told.count = 0;
	return births;
}

static int check_births(struct event_check *e, const struct record_exact_gc *gc, struct diag *d)
{
	uint64_t told = take_told(e, gc->young);
	/* Of what the checkpoint's own collection counts the events were before it. */
	bool before = e->image.totals.given && gc->young <= e->image.began_young + 1;
	bool lacks = told < gc->births && !before && !e->survivors;
	if (lacks && !e->lacking++)
		e->first_lacking = e->at;
	if (told <= gc->births)
		return ERR_NONE;
	return diag_set(d, ERR_FORMAT,
		"exact_gc with young %" PRIu64 ": it has %" PRIu64 " births, the events %" PRIu64,
		gc->young, gc->births, told);
}

int event_check_take(struct event_check *e, const struct record *r, struct diag *d)
{
	if (r->kind == RECORD_fact && slice_equal(r->fact.key, slice_str("exact")))
		e->survivors = slice_equal(r->fact.value, slice_str("survivors"));
	if (r->kind == RECORD_lost && r->lost.what == LOST_INTERVALS)
		e->lost += r->lost.count;
	if (r->kind != RECORD_exact_gc || !e->image.totals.chunks)
		return ERR_NONE;
	e->closed |= r->exact_gc.young > e->image.young;
	return check_births(e, &r->exact_gc, d);
}

int event_check_end(struct event_check *e, bool complete)
{
	bool left;
	int err = complete || e->closed ? heap_image_end(&e->image)
					: heap_image_abandon(&e->image, &left);
	note_odds(e);
	return err;
}

static bool conserved(const struct heap_image *h)
{
	uint64_t count = 0;
	for (size_t i = 0; i < h->pages.list.count; i++)
		count += h->pages.list.at[i].objects.count;
	return count == heap_image_standing(h);
}

bool event_check_problem(const struct event_check *e, int n, uint64_t *offset, struct diag *d)
{
	const struct heap_image *h = &e->image;
	for (int i = 0; i < IMAGE_ODDS; i++)
		if (h->odds[i] && n-- == 0)
			return *offset = e->first_odd[i],
			       diag_set(d, 0, "%" PRIu64 " %s", h->odds[i],
				       image_odd_text((enum image_odd)i, h->odds[i])),
			       true;
	if (e->lacking > e->lost && n-- == 0)
		return *offset = e->first_lacking,
		       diag_set(d, 0,
			       "collections with more births than the events tell: %" PRIu64
			       ", intervals lost: %" PRIu64,
			       e->lacking, e->lost),
		       true;
	if (!conserved(h) && n-- == 0)
		return *offset = e->at,
		       diag_set(d, 0,
			       "the births that events tell are not the sum of those that died, "
			       "were let go and stand"),
		       true;
	return false;
}
