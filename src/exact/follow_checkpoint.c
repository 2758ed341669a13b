#include "exact/follow_checkpoint.h"

bool follow_checkpoint_due(const struct follow *f)
{
	uint64_t births = f->totals.births - f->checkpoint;
	uint64_t least = follow_alive(f) * (f->checkpoint_most && births >= f->checkpoint_most
							   ? CHECKPOINT_LEAST
							   : CHECKPOINT_BIRTHS);
	return follow_alive(f) > 0 && births >= least;
}

/* Whether what the checkpoint takes leaves births as many chunks again, and the reserve. Most
 * events are three words; escapes, at a block's or a region's begin, five. */
static bool has_room(const struct follow *f)
{
	const struct chunk_pool *p = f->pool;
	uint64_t words = follow_alive(f) * 3;
	words += words / 8;
	uint64_t chunks = words / (p->words - (EVENT_WORDS_MAX - 1)) + 1;
	uint32_t held = slab_held(&p->slab);
	return held + 2 * chunks + p->reserve <= p->slab.count &&
	       held + chunks <= atomic_load(&p->bound);
}

/* Where the collector has written over a dead one nothing tells its size. */
static void put_resident(struct follow *f, struct gc_chunks *out, const struct resident *o)
{
	bool same = f->oracle.same(f->oracle.arg, o->site, o->address);
	uint64_t bytes = same ? follow_bytes(f, o->site, o->address) : 0;
	gc_chunks_put(out, EVENT_SIZED, o->site, o->address,
		bytes << EVENT_SURVIVED_BITS | (uint64_t)o->survived << 3);
}

static void put_residents(struct follow *f, struct gc_chunks *out, size_t region)
{
	const struct resident_block *b = f->residents.regions[region].first;
	for (; b; b = b->next)
		for (uint64_t i = 0; i < b->used; i++) {
			struct resident o = resident_unpack(&f->residents, b->at[i]);
			follow_ahead(f, b, i);
			put_resident(f, out, &o);
		}
}

/* Of the interval that the step has just ended. */
static void stamp_checkpoint(struct follow *f, struct chunk *list)
{
	for (struct chunk *c = list; c; c = c->next) {
		c->thread = follow_alive(f);
		c->interval = f->interval - 1;
		c->young = f->young_before;
	}
}

bool follow_checkpoint(struct follow *f)
{
	struct gc_chunks *out = &f->workers[0].out;
	if (!f->spare || !f->interval || !follow_alive(f) || !has_room(f))
		return false;
	for (size_t i = 0; i < f->residents.room && !out->failed; i++)
		put_residents(f, out, i);
	bool whole = !out->failed;
	struct chunk *list = gc_chunks_take(out);
	if (whole) {
		stamp_checkpoint(f, list);
		chunk_pool_hand(f->pool, list);
		f->checkpoint = f->totals.births;
	} else {
		chunk_pool_give(f->pool, list);
	}
	return whole;
}
