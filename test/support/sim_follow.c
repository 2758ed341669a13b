#include "support/sim_follow.h"

#include <string.h>

#include "exact/chunk_seal.h"
#include "exact/follow_checkpoint.h"
#include "support/tap.h"

static uint64_t same_site(void *arg, uint32_t site)
{
	(void)arg;
	return site;
}

void sim_follow_init(struct sim_follow *s, const struct sim_follow_setting *setting, uint64_t seed)
{
	const struct follow_oracle oracle = {&s->heap, sim_heap_where, sim_heap_identify,
		sim_heap_same, sim_heap_skip, setting->sizeless ? NULL : sim_heap_bytes, NULL,
		NULL};
	const struct follow_bounds bounds = {.residents = setting->residents,
		.identities = setting->identities,
		.regions = SIM_REGIONS,
		.base = SIM_BASE};
	memset(s, 0, sizeof(*s));
	s->setting = *setting;
	s->site = same_site;
	sim_heap_init(&s->heap, &setting->rules, seed);
	EXPECT_INT(0, chunk_pool_init(&s->pool, setting->chunks, setting->reserve, setting->words));
	EXPECT_INT(0, follow_init(&s->follow, &s->pool, &oracle, &bounds, 0));
	s->follow.meets = setting->rules.survivors;
	sim_heap_run(&s->heap, 200); /* older than the recording */
	s->heap.pool = &s->pool;
}

void sim_follow_release(struct sim_follow *s)
{
	chunk_pool_give(&s->pool, s->kept);
	map_release(&s->survivors);
	vec_release(&s->forgotten);
	follow_release(&s->follow);
	chunk_pool_release(&s->pool);
	sim_heap_release(&s->heap);
}

static void pass(struct sim_follow *s, uintptr_t address)
{
	struct sim_object *o = sim_heap_at(&s->heap, address);
	EXPECT(o && o->followed && o->fresh);
	if (!o)
		return;
	o->followed = false;
	o->hash = 0;
}

/* What the heap has to know of what was told: who survived, who is forgotten. */
static void read_events(struct sim_follow *s, struct slice payload)
{
	struct event_reader r;
	struct event e;
	EXPECT_INT(0, event_reader_begin(&r, payload, NULL));
	enum event_kind kind = r.chunk.kind;
	while (event_reader_next(&r, &e, NULL) == 1)
		if (kind == EVENT_MOVES || kind == EVENT_STAYS)
			EXPECT_INT(0, map_put(&s->survivors, e.address, 1));
		else if (kind == EVENT_FORGOTTEN)
			EXPECT_INT(0, vec_push(&s->forgotten, e));
		else if (kind == EVENT_PASSED)
			pass(s, e.address);
}

static void write_chunk(struct sim_follow *s, const struct chunk *c)
{
	struct buf out = {0};
	chunk_seal(c, &(const struct chunk_sites){.ask = s->site, .arg = s->arg}, &out);
	EXPECT(!out.failed && out.len <= CHUNK_SEALED_MAX);
	read_events(s, buf_slice(&out));
	if (s->chunk)
		s->chunk(s->arg, chunk_block_kind(c), c->events, buf_slice(&out));
	buf_release(&out);
}

static void write_all(struct sim_follow *s)
{
	for (struct chunk *c = chunk_pool_ready(&s->pool), *next; c; c = next) {
		next = c->next;
		write_chunk(s, c);
		c->next = s->kept;
		s->kept = c;
	}
	if (s->setting.slow && rng_below(&s->heap.rng, s->setting.slow))
		return;
	chunk_pool_give(&s->pool, s->kept);
	s->kept = NULL;
}

/* Born in the interval, and told of by nobody before its end. */
static bool is_met(const struct sim_follow *s, const struct sim_object *o)
{
	return s->setting.rules.survivors && o->fresh && !sim_heap_outside(o);
}

static bool is_forgotten(const struct sim_follow *s, uintptr_t was)
{
	for (size_t i = 0; i < s->forgotten.count; i++)
		if (was >= s->forgotten.at[i].address && was < s->forgotten.at[i].to)
			return !map_find(&s->survivors, was);
	return false;
}

/* Births that the step did not take in are none of what it forgets. */
static void forget(struct sim_follow *s, enum sim_step step)
{
	for (size_t i = 0; i < s->heap.all.count && s->forgotten.count; i++) {
		struct sim_object *o = &s->heap.all.at[i];
		if (!is_forgotten(s, step == SIM_CLOSED ? o->address : o->was) ||
			(step == SIM_CLEANUP && o->fresh) || is_met(s, o))
			continue;
		o->followed = false;
		o->hash = 0; /* else it may be taken for one that is dead: identities.h */
	}
	s->forgotten.count = 0;
	map_release(&s->survivors);
}

/* What the pause says that it has lost is lost as a whole. */
static void unfollow(struct sim_follow *s, bool fresh)
{
	for (size_t i = 0; i < s->heap.all.count; i++) {
		struct sim_object *o = &s->heap.all.at[i];
		if (o->fresh != fresh)
			continue;
		bool known =
			s->setting.rules.survivors && sim_heap_outside(o); /* told, and let go */
		s->lost += fresh && o->followed && !known;
		o->followed = false;
	}
}

static void logs(struct sim_follow *s)
{
	for (int i = 0; i < SIM_THREADS; i++)
		follow_log(&s->follow, &s->heap.threads[i].log);
}

static void told(struct sim_follow *s, enum sim_step step)
{
	if (s->step)
		s->step(s->arg, step);
}

static void end(struct sim_follow *s, enum sim_step step)
{
	uint64_t untold = s->follow.totals.untold;
	bool collection = step != SIM_CLEANUP;
	s->young += collection;
	s->heap.young = s->young;
	follow_end(&s->follow, s->young);
	if (s->setting.checkpoint && rng_below(&s->heap.rng, s->setting.checkpoint) == 0)
		s->checkpoints += follow_checkpoint(&s->follow);
	if (s->follow.lost)
		unfollow(s, true);
	write_all(s);
	if (s->follow.totals.untold != untold)
		unfollow(s, false);
	forget(s, step);
	sim_heap_settle(&s->heap, collection);
	told(s, step);
}

uint64_t sim_follow_thread(const struct sim_follow *s, const struct sim_object *o)
{
	return s->setting.rules.survivors && !sim_heap_outside(o) ? 0 : o->thread;
}

/* Those of the young generation that were born in the interval and outlived it. */
static void meet(struct sim_follow *s)
{
	const struct sim_heap *h = &s->heap;
	for (size_t i = 0; i < h->all.count && s->follow.meets; i++) {
		const struct sim_object *o = &h->all.at[i];
		const struct region *r = heap_regions_find(&h->now, o->address);
		if (o->address && o->followed && is_met(s, o))
			follow_meet(&s->follow, 0, (size_t)(r - h->now.at), o->site, o->address);
	}
	follow_rest(&s->follow, 0);
	follow_met(&s->follow);
}

static void evacuate(struct sim_follow *s, enum heap_pause pause, enum sim_step step)
{
	const struct heap_regions *before = &s->heap.before, *after = &s->heap.now;
	if (follow_evacuation(&s->follow, &s->heap.layout, pause, before, after)) {
		follow_work(&s->follow, 0);
		if (step == SIM_CLEANUP)
			follow_unmet(&s->follow);
		else
			meet(s);
		end(s, step);
	} else {
		sim_heap_settle(&s->heap, step != SIM_CLEANUP);
	}
}

static void young(struct sim_follow *s)
{
	sim_heap_young(&s->heap, rng_below(&s->heap.rng, 2));
	logs(s);
	evacuate(s, heap_pause_kind(&s->heap.layout, &s->heap.before, &s->heap.now), SIM_YOUNG);
}

static void tell_unborn(struct sim_follow *s)
{
	for (size_t i = 0; i < s->heap.all.count && s->follow.meets; i++) {
		const struct sim_object *o = &s->heap.all.at[i];
		if (o->hash && is_met(s, o))
			follow_unborn(&s->follow, o->hash, o->site, o->address);
	}
}

static void full(struct sim_follow *s, bool seen)
{
	sim_heap_mark(&s->heap);
	logs(s);
	if (seen) {
		follow_stamping(&s->follow, &s->heap.before);
		follow_work(&s->follow, 0);
		tell_unborn(s);
	} else {
		follow_forget(&s->follow);
	}
	sim_heap_compact(&s->heap);
	for (size_t i = 0; i < s->heap.all.count && seen; i++) {
		const struct sim_object *o = &s->heap.all.at[i];
		if (o->address && o->hash)
			follow_found(&s->follow, o->hash, o->address);
	}
	if (seen) {
		follow_compaction(&s->follow, &s->heap.now);
		follow_work(&s->follow, 0);
		meet(s);
	}
	end(s, SIM_FULL);
}

static bool one_in(struct sim_follow *s, uint32_t n)
{
	return n && rng_below(&s->heap.rng, n) == 0;
}

void sim_follow_step(struct sim_follow *s)
{
	struct sim_heap *h = &s->heap;
	sim_heap_run(h, 100 + (uint32_t)rng_below(&h->rng, 600));
	if (h->layout.collector == HEAP_G1 && one_in(s, 4)) {
		sim_heap_cleanup(h);
		evacuate(s, PAUSE_OTHER, SIM_CLEANUP);
		sim_heap_run(h, 100);
	}
	if (one_in(s, s->setting.unseen))
		full(s, false);
	else if (h->crowded || !sim_heap_has_young(h) || one_in(s, 8))
		full(s, true);
	else
		young(s);
	if (h->layout.collector == HEAP_PARALLEL && one_in(s, 8))
		full(s, true); /* asked for: right behind a young one */
}

void sim_follow_close(struct sim_follow *s)
{
	sim_heap_run(&s->heap, 50);
	logs(s);
	follow_close(&s->follow);
	if (s->follow.lost)
		unfollow(s, true);
	write_all(s);
	forget(s, SIM_CLOSED);
	for (size_t i = 0; i < s->heap.all.count; i++) {
		s->heap.all.at[i].followed &= !is_met(s, &s->heap.all.at[i]); /* too late for it */
		s->heap.all.at[i].fresh = false;
	}
	told(s, SIM_CLOSED);
}
