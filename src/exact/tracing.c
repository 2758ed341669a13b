#include "exact/tracing.h"

#include <string.h>

#include "base/error.h"
#include "exact/chunk_cursor.h"
#include "exact/follow_checkpoint.h"
#include "hotspot/heap_walk.h"

enum {
	POOL_BYTES = 64 << 20,
	POOL_SHARE = 12,      /* percent of the young generation, on top */
	RESERVE_SHARE = 8,    /* one part in so many of the pool is kept for collections */
	BYTES_AN_OBJECT = 64, /* so many of the heap for one that is followed */
	LEAST_OBJECTS = 1 << 22,
};

static uint32_t pool_chunks(const struct tracing_bounds *b)
{
	uint64_t bytes = POOL_BYTES + b->young_bytes / 100 * POOL_SHARE;
	uint64_t chunks = bytes / (CHUNK_WORDS * sizeof(uint32_t));
	return chunks < UINT32_MAX ? (uint32_t)chunks : UINT32_MAX;
}

static struct follow_bounds bounds_of(const struct tracing *t, const struct tracing_bounds *b)
{
	uint64_t objects = t->layout->bytes / BYTES_AN_OBJECT;
	if (objects < LEAST_OBJECTS)
		objects = LEAST_OBJECTS;
	return (struct follow_bounds){.residents = objects,
		.identities = objects,
		.regions = b->regions,
		.base = t->layout->base};
}

static int open_parts(struct tracing *t, const struct vm_objects *objects,
	const struct tracing_bounds *b, uint64_t young)
{
	uint32_t chunks = pool_chunks(b);
	const struct follow_bounds follow = bounds_of(t, b);
	int err = witness_init(&t->witness, objects, t->births, t->layout);
	if (!err)
		err = chunk_pool_init(&t->pool, chunks, chunks / RESERVE_SHARE, CHUNK_WORDS);
	const struct follow_oracle oracle = witness_oracle(&t->witness);
	return err ? err : follow_init(&t->follow, &t->pool, &oracle, &follow, young);
}

int tracing_init(struct tracing *t, struct births *b, const struct heap_layout *layout,
	const struct vm_objects *objects, const struct tracing_bounds *bounds, uint64_t young)
{
	memset(t, 0, sizeof(*t));
	t->births = b;
	t->layout = layout;
	if (!layout->bytes || layout->bytes >> RESIDENT_SPAN_BITS)
		return ERR_UNSUPPORTED;
	int err = open_parts(t, objects, bounds, young);
	if (err) {
		tracing_release(t);
		return err;
	}
	return ERR_NONE;
}

void tracing_release(struct tracing *t)
{
	if (t->follow.pool)
		follow_release(&t->follow);
	if (t->pool.words)
		chunk_pool_release(&t->pool);
	if (t->witness.starts)
		witness_release(&t->witness);
	memset(t, 0, sizeof(*t));
}

void tracing_begin(struct tracing *t)
{
	t->began = t->fresh = true;
	births_log_outside(t->births, t->follow.meets);
	births_set(t->births, t->follow.meets ? BIRTHS_COUNTED : BIRTHS_LOGGED);
}

/* Where the births did not begin with the recording, or a pause came by just then, the clock they
 * are born at is known now. */
void tracing_start(struct tracing *t, uint64_t young)
{
	if (t->fresh)
		t->follow.young = young;
	t->fresh = false;
	t->untold = t->abandoned;
	witness_drop(&t->witness);
}

void tracing_want(struct tracing *t)
{
	atomic_store(&t->wanted, true);
}

void tracing_unwant(struct tracing *t)
{
	atomic_store(&t->wanted, false);
}

static void work(void *arg, uint32_t worker)
{
	follow_work(arg, worker);
}

static void take_log(void *arg, struct event_log *log)
{
	follow_log(arg, log);
}

static void take_logs(struct tracing *t)
{
	births_logs(t->births, take_log, &t->follow);
}

/* What stands where evacuation failed. 0 or ERR_CORRUPT. */
static int look_failed(struct tracing *t, enum heap_pause pause, const struct heap_regions *before,
	const struct heap_regions *after)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < after->count && !err; i++) {
		bool sure;
		if (heap_region_fate(t->layout, pause, before, after, i) != FATE_FAILED)
			continue;
		uintptr_t to = heap_region_written(t->layout, pause, before, after, i, &sure);
		err = witness_look(&t->witness, after->at[i].bottom, to);
	}
	return err;
}

static void forget(struct tracing *t, uint64_t young)
{
	follow_forget(&t->follow);
	follow_end(&t->follow, young);
}

/* In the first part of a pause nobody is met: its end sees them all. */
static void meet(struct tracing *t, bool last)
{
	if (!last)
		follow_unmet(&t->follow);
	else if (!t->meet || t->meet(t->meet_arg))
		follow_met(&t->follow);
}

static void evacuation(struct tracing *t, enum heap_pause pause, const struct heap_regions *before,
	const struct heap_regions *after, uint64_t young, bool last)
{
	if (look_failed(t, pause, before, after)) {
		forget(t, young);
	} else if (follow_evacuation(&t->follow, t->layout, pause, before, after)) {
		crew_work(t->crew, work, &t->follow);
		meet(t, last && pause != PAUSE_OTHER);
		follow_end(&t->follow, young);
	} else {
		follow_tick(&t->follow, young); /* G1 may evacuate nothing (doc/jvm.md, Pauses) */
	}
	witness_forget(&t->witness);
}

static void checkpoint(struct tracing *t)
{
	bool wanted = atomic_load_explicit(&t->checkpoint, memory_order_relaxed);
	if ((wanted || follow_checkpoint_due(&t->follow)) && follow_checkpoint(&t->follow))
		atomic_store_explicit(&t->checkpoint, false, memory_order_relaxed);
}

void tracing_want_checkpoint(struct tracing *t)
{
	atomic_store_explicit(&t->checkpoint, true, memory_order_relaxed);
}

void tracing_pause(struct tracing *t, enum heap_pause pause, const struct heap_regions *before,
	const struct heap_regions *after, uint64_t young)
{
	if (!t->began)
		return;
	if (pause != PAUSE_OTHER)
		take_logs(t);
	evacuation(t, pause, before, after, young, true);
	checkpoint(t);
}

/* Eden lies before the survivor spaces. */
static const struct region *last_young(const struct heap_regions *r)
{
	const struct region *last = NULL;
	for (size_t i = 0; i < r->count; i++)
		if (region_is_young(&r->at[i]) && (!last || r->at[i].end > last->end))
			last = &r->at[i];
	return last;
}

void tracing_shrinks(struct tracing *t, const struct heap_regions *before)
{
	const struct region *r = last_young(before);
	if (t->began && !t->witness.kept && r && r->top > r->bottom)
		witness_keep(&t->witness, r->bottom, r->top);
}

void tracing_part(
	struct tracing *t, const struct heap_regions *before, const struct heap_regions *now)
{
	if (!t->began)
		return;
	take_logs(t);
	evacuation(t, PAUSE_YOUNG, before, now, t->follow.young, false);
}

void tracing_full_begins(struct tracing *t, const struct heap_regions *before,
	const struct heap_regions *now, enum stamps_young young)
{
	if (!t->began)
		return;
	if (young == STAMPS_YOUNG_DONE)
		tracing_part(t, before, now);
	else
		take_logs(t);
	t->witness.failed = young == STAMPS_YOUNG_FAILED;
	follow_stamping(&t->follow, now);
	crew_work(t->crew, work, &t->follow);
	t->stamped = true;
}

/* The walk of all that is there behind a full collection, which the crew shares. */
struct search {
	struct tracing *tracing;
	const struct heap_regions *before, *after;
	const struct tlab_gaps *gaps;
	_Atomic size_t next; /* region */
	_Atomic int err;
};

/* Found, and not looked up yet. */
struct found {
	uint32_t hash; /* 0: none */
	uintptr_t address;
};
enum { FOUND_AHEAD = 16 }; /* a power of two */

/* In one region of it. */
struct sought {
	struct tracing *tracing;
	bool unborn; /* what has a site there was born since */
	struct found ahead[FOUND_AHEAD];
	size_t count; /* counted on */
};

/* Its place in the table is in no cache: it is looked up when that has had time to come. */
static void look_up(struct sought *s, const struct found *next)
{
	struct follow *f = &s->tracing->follow;
	struct found *oldest = &s->ahead[s->count++ & (FOUND_AHEAD - 1)];
	if (oldest->hash)
		follow_found(f, oldest->hash, oldest->address);
	if (next->hash)
		follow_will_find(f, next->hash);
	*oldest = *next;
}

static void look_up_rest(struct sought *s)
{
	for (size_t i = 0; i < FOUND_AHEAD; i++)
		look_up(s, &(struct found){.hash = 0});
}

/* An object with a monitor was given no identity. */
static void visit_found(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	struct sought *s = arg;
	struct tracing *t = s->tracing;
	uint64_t mark = object_mark(address);
	(void)klass, (void)bytes;
	uint32_t hash = (mark & 3) == MARK_MONITOR ? 0 : mark_hash(t->witness.objects, mark);
	if (s->unborn && mark_site(t->witness.objects, mark))
		return;
	if (hash && !witness_marked(&t->witness, address))
		look_up(s, &(struct found){hash, address});
}

/* From 16 to 19 G1 leaves the dead where they are in regions of which little is dead: it knows. */
static void find_g1(struct sought *s, const struct heap_regions *r, size_t i)
{
	const struct tracing *t = s->tracing;
	const struct region_walk w = {t->layout, t->witness.objects, t->g1_objects};
	uint64_t unread = 0;
	region_walk(&w, r, i, r->at[i].top, visit_found, s, &unread);
}

/* What came with an archive was never followed, and has hashes that it was given when that was
 * made: thousands, of which one or two a run would be taken for what died. */
static bool holds_objects(const struct region *r)
{
	return (r->kind == REGION_OLD && !r->archived) || region_is_young(r);
}

static int walk_region(const struct search *f, struct sought *s, size_t i)
{
	struct tracing *t = f->tracing;
	const struct region *r = &f->after->at[i];
	bool sure;
	if (r->kind == REGION_HUMONGOUS && r->bottom < r->top)
		visit_found(s, r->bottom, 0, 0);
	if (!holds_objects(r))
		return ERR_NONE;
	if (r->kind == REGION_OLD && t->layout->collector == HEAP_G1 && t->g1_objects) {
		find_g1(s, f->after, i);
		return ERR_NONE;
	}
	if (f->gaps)
		return r->bottom < r->top ? heap_walk_around(f->gaps, t->witness.objects, r->bottom,
						    r->top, visit_found, s, NULL)
					  : ERR_NONE;
	uintptr_t to = heap_region_written(t->layout, PAUSE_FULL, f->before, f->after, i, &sure);
	if (r->bottom >= to)
		return ERR_NONE;
	if (sure)
		return heap_walk(t->witness.objects, r->bottom, to, visit_found, s, NULL);
	heap_walk_checked(t->witness.objects, r->bottom, to, visit_found, s, NULL);
	return ERR_NONE;
}

static int find_region(const struct search *f, size_t i)
{
	const struct tracing *t = f->tracing;
	/* Behind a collection that nobody told of what was young before it has no site any more. */
	struct sought s = {.tracing = f->tracing,
		.unborn = f->gaps && t->follow.meets && region_is_young(&f->after->at[i])};
	int err = walk_region(f, &s, i);
	look_up_rest(&s);
	return err;
}

/* Takes regions until there are no more. */
static void find_some(void *arg, uint32_t worker)
{
	struct search *f = arg;
	size_t i;
	(void)worker;
	while ((i = atomic_fetch_add(&f->next, 1)) < f->after->count && !atomic_load(&f->err)) {
		int err = find_region(f, i);
		if (err)
			atomic_store(&f->err, err);
	}
}

static int find_all(struct tracing *t, const struct heap_regions *before,
	const struct heap_regions *after, const struct tlab_gaps *gaps)
{
	struct search f = {t, before, after, gaps, 0, ERR_NONE};
	crew_work(t->crew, find_some, &f);
	return atomic_load(&f.err);
}

/* What was born before a collection that has ended some time ago can't be met any more: the program
 * has run since. */
static void compaction(struct tracing *t, const struct heap_regions *before,
	const struct heap_regions *after, const struct tlab_gaps *gaps, uint64_t young)
{
	bool whole = find_all(t, before, after, gaps) == ERR_NONE;
	if (whole) {
		follow_compaction(&t->follow, after);
		crew_work(t->crew, work, &t->follow);
		if (!gaps)
			meet(t, true);
	}
	follow_end(&t->follow, young); /* in the stamping still: all is forgotten */
}

/* What was born since a collection that has ended some time ago. */
struct late {
	struct tracing *tracing;
	struct chunk *list; /* owned */
	uint64_t dropped;
};

static void take_late(void *arg, struct event_log *log)
{
	struct late *l = arg;
	struct chunk *list = event_log_take(log), *last = list;
	l->dropped += log->dropped;
	log->dropped = 0;
	while (last && last->next)
		last = last->next;
	if (last) {
		last->next = l->list;
		l->list = list;
	}
}

/* They are none of those that were there, though one may have the hash of one. */
static void mark_late(struct late *l)
{
	for (const struct chunk *c = l->list; c; c = c->next) {
		struct chunk_cursor cursor = chunk_cursor(c);
		struct event e;
		while (chunk_cursor_next(&cursor, &e))
			witness_mark(&l->tracing->witness, e.address);
	}
}

static void late_compaction(struct tracing *t, const struct heap_regions *before,
	const struct heap_regions *after, const struct tlab_gaps *gaps, uint64_t young)
{
	struct late late = {.tracing = t};
	births_logs(t->births, take_late, &late);
	mark_late(&late);
	compaction(t, before, after, gaps, young);
	witness_forget(&t->witness);
	follow_births(&t->follow, late.list, late.dropped);
}

void tracing_full_ends(struct tracing *t, const struct heap_regions *before,
	const struct heap_regions *after, const struct tlab_gaps *gaps, uint64_t young)
{
	if (!t->began)
		return;
	if (t->stamped && gaps) {
		late_compaction(t, before, after, gaps, young);
	} else if (t->stamped) {
		compaction(t, before, after, gaps, young);
	} else {
		take_logs(t);
		forget(t, young);
	}
	t->stamped = false;
	checkpoint(t);
}

void tracing_forget(struct tracing *t, uint64_t young)
{
	if (!t->began)
		return;
	if (t->stamped) /* what was known then; now what was born since */
		follow_end(&t->follow, young);
	t->stamped = false;
	take_logs(t);
	forget(t, young);
}

void tracing_lose(struct tracing *t, uint64_t young)
{
	if (t->stamped) { /* what was born before it is told apart */
		tracing_forget(t, young);
		return;
	}
	if (!t->began)
		return;
	take_logs(t);
	follow_lose(&t->follow);
	follow_end(&t->follow, young);
}

static void give_up(struct tracing *t, bool amid)
{
	take_logs(t);
	follow_abandon(&t->follow, amid);
	t->began = false;
	t->abandoned = true;
}

void tracing_abandon(struct tracing *t, bool amid)
{
	tracing_unwant(t);
	births_log_outside(t->births, false);
	births_set(t->births, BIRTHS_COUNTED);
	give_up(t, amid);
}

void tracing_shed(struct tracing *t)
{
	tracing_unwant(t);
	if (t->began)
		give_up(t, false);
}

uint64_t tracing_need(const struct tracing *t)
{
	return follow_need(&t->follow);
}

void tracing_untold(struct tracing *t)
{
	if (t->untold)
		follow_untold(&t->follow);
}

void tracing_end(struct tracing *t)
{
	tracing_unwant(t);
	if (!t->began)
		return;
	if (t->stamped) /* a collection's end was not told any more */
		follow_end(&t->follow, t->follow.young);
	take_logs(t);
	follow_close(&t->follow);
	t->began = false;
}
