#include "model/life.h"

static uint64_t since(uint64_t now, uint64_t birth)
{
	return now > birth ? now - birth : 0;
}

static ptrdiff_t later(ptrdiff_t a, ptrdiff_t b)
{
	return a > b ? a : b;
}

/* Index of the first collection after its birth. */
static ptrdiff_t first_of(const struct gcs *g, const struct object *o)
{
	return gcs_last(g, o->young, o->full) + 1;
}

/*
 * The last collection up to `to` that would have found the object, had it been dead: all of
 * them while it was young, then only those of the old generation. Below first_of: none.
 */
static ptrdiff_t last_look(
	const struct facts *f, const struct gcs *g, const struct object *o, ptrdiff_t to)
{
	ptrdiff_t first = first_of(g, o);
	if (f->deaths == DEATHS_NONE || to < first)
		return GCS_NONE;
	if (f->deaths == DEATHS_OLD)
		return gcs_last_full(g, to);
	return later(gcs_last_as_young(g, first, to, f->tenuring_max), gcs_last_full(g, to));
}

/* Sets how long it is known to have been alive: until the collection at `look`. */
static void set_after(
	struct life *life, const struct gcs *g, const struct object *o, ptrdiff_t look)
{
	if (look < 0 || look < first_of(g, o))
		return;
	life->bytes.after = since(g->list.at[look].alloc, o->alloc);
	life->ns.after = since(g->list.at[look].end, o->time);
}

static void set_by(struct life *life, const struct object *o, uint64_t alloc, uint64_t time)
{
	life->bytes.by = since(alloc, o->alloc);
	life->ns.by = since(time, o->time);
	if (life->bytes.by < life->bytes.after)
		life->bytes.by = life->bytes.after;
	if (life->ns.by < life->ns.after)
		life->ns.by = life->ns.after;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * The collection that found it dead, where the trace has it: GCS_NONE where it has not. Of several
 * in one pause any may have been it; the first tells which clocks they moved.
 */
static ptrdiff_t finder_of(const struct facts *f, const struct gcs *g, const struct moment *at)
{
	ptrdiff_t last = gcs_last(g, at->young, at->full);
	if (last < 0 || g->list.at[last].full != at->full)
		return GCS_NONE;
	if (f->deaths == DEATHS_OLD)
		return gcs_last_full(g, last);
	return g->list.at[last].young == at->young ? gcs_pause(g, last) : GCS_NONE;
}

/* Collections survived: all since the birth but the one that found it. */
static uint64_t survived(uint64_t now, uint64_t birth, bool found_by_one)
{
	uint64_t seen = since(now, birth);
	return seen && found_by_one ? seen - 1 : seen;
}

/* No collection before its finder took it out of the young generation. */
static bool stays_young(
	const struct facts *f, const struct gcs *g, const struct object *o, ptrdiff_t finder)
{
	ptrdiff_t first = first_of(g, o);
	return first >= finder || !gcs_leaves_young(g, first, finder - 1, f->tenuring_max);
}

static bool has_young_part(const struct gcs *g, ptrdiff_t first)
{
	return g->list.at[first].kind == GC_KIND_YOUNG || g->list.at[first].kind == GC_KIND_MIXED;
}

static void set_found(struct life *life, const struct facts *f, const struct gcs *g,
	const struct object *o, ptrdiff_t finder)
{
	life->full_found = true;
	if (finder < 0 || f->deaths == DEATHS_OLD)
		return;
	life->was_young = stays_young(f, g, o, finder);
	life->young_too = has_young_part(g, finder);
}

struct life life_of_death(const struct facts *f, const struct gcs *g, const struct object *o,
	const struct moment *at, struct odds *odds)
{
	ptrdiff_t finder = finder_of(f, g, at);
	const struct gc *gc = finder >= 0 ? &g->list.at[finder] : NULL;
	bool old = f->deaths == DEATHS_OLD;
	struct life life = {.died = true,
		.young = survived(at->young, o->young, gc ? gc->raised_young : !old),
		.full = survived(at->full, o->full, gc ? gc->raised_full : old),
		.full_clock = at->full};
	if (gc ? gc->raised_full : old)
		set_found(&life, f, g, o, finder);
	odd_if(odds, ODD_DEATH_UNCOLLECTED, at->young <= o->young && at->full <= o->full);
	ptrdiff_t before = gc ? finder - 1 : gcs_last(g, at->young, at->full);
	/* What a young collection finds was young, and all before looked at it. */
	bool was_young = gc && !gc->raised_full;
	set_after(&life, g, o, was_young ? before : last_look(f, g, o, before));
	set_by(&life, o, gc ? least(gc->alloc, at->alloc) : at->alloc,
		gc ? least(gc->end, at->time) : at->time);
	return life;
}

struct life life_so_far(
	const struct facts *f, const struct gcs *g, const struct object *o, const struct moment *at)
{
	struct life life = {.young = since(at->young, o->young),
		.full = since(at->full, o->full),
		.full_clock = at->full};
	set_after(&life, g, o, last_look(f, g, o, gcs_last(g, at->young, at->full)));
	return life;
}
