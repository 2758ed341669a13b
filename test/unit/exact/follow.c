#include "exact/follow.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/error.h"
#include "exact/chunk_seal.h"
#include "exact/follow_checkpoint.h"
#include "support/sim_heap.h"
#include "support/tap.h"

/* Sites in the trace: some need more than 20 bits. */
enum { TRACE_SITE = 4099, SEEDS = 40, STEPS = 40, SURVIVED_SHIFT = 32 };

/* What a reader makes of the chunks alone, and the rig around it. */
struct range {
	uint64_t from, to;
};

struct reader {
	struct map here; /* address to site, survived */
	VEC(struct event) births, moves, stays;
	VEC(struct range) swept, forgotten;
	uint64_t interval, born, died, gone;
	uint64_t open; /* births not closed by a collection */
};

struct rig {
	struct sim_heap heap;
	struct chunk_pool pool;
	struct follow follow;
	struct reader reader;
	struct chunk *kept; /* by a slow writer */
	uint32_t slow;      /* it gives chunks back one time in so many; 0: at once */
	uint64_t young;
	uint64_t born; /* the clock when the interval began */
	uint32_t workers;
	uint64_t lost; /* births that the heap knows of */
};

struct setting {
	struct sim_rules rules;
	uint32_t chunks, reserve, words;
	uint64_t residents, identities;
	uint32_t workers, slow;
	bool leave; /* where a full collection begins, some may have moved away */
};

static void reader_release(struct reader *r)
{
	map_release(&r->here);
	vec_release(&r->births);
	vec_release(&r->moves);
	vec_release(&r->stays);
	vec_release(&r->swept);
	vec_release(&r->forgotten);
}

static uint64_t trace_site(void *arg, uint32_t site)
{
	(void)arg;
	return (uint64_t)site * TRACE_SITE;
}

static void keep(struct reader *r, const struct event_chunk *c, const struct event *e)
{
	const struct range range = {e->address, e->to};
	int err = 0;
	if (c->kind == EVENT_BIRTHS)
		err = vec_push(&r->births, *e);
	if (c->kind == EVENT_BIRTHS && !(c->flags & EVENTS_CLOSED))
		r->open++;
	if (c->kind == EVENT_MOVES)
		err = vec_push(&r->moves, *e);
	if (c->kind == EVENT_STAYS)
		err = vec_push(&r->stays, *e);
	if (c->kind == EVENT_SWEPT)
		err = vec_push(&r->swept, range);
	if (c->kind == EVENT_FORGOTTEN)
		err = vec_push(&r->forgotten, range);
	EXPECT_INT(0, err);
}

static void read_chunk(struct rig *rig, const struct chunk *chunk)
{
	struct buf out = {0};
	struct event_reader r;
	struct event e;
	uint32_t events = 0;
	chunk_seal(chunk, &(const struct chunk_sites){.ask = trace_site}, &out);
	EXPECT(!out.failed && out.len <= CHUNK_SEALED_MAX);
	EXPECT_INT(0, event_reader_begin(&r, buf_slice(&out), NULL));
	EXPECT_INT(rig->reader.interval, r.chunk.interval);
	EXPECT_INT(rig->born, r.chunk.young);
	EXPECT(r.chunk.flags & EVENTS_OF_GC ? r.chunk.thread == 0 : r.chunk.thread > 0);
	for (; event_reader_next(&r, &e, NULL) == 1; events++)
		keep(&rig->reader, &r.chunk, &e);
	EXPECT_INT(chunk->events, events);
	buf_release(&out);
}

static bool within(const struct range *ranges, size_t count, uint64_t address)
{
	for (size_t i = 0; i < count; i++)
		if (address >= ranges[i].from && address < ranges[i].to)
			return true;
	return false;
}

/* Takes out what moved or stays, and leaves where it is now in each event. */
static void take_out(struct reader *r, struct event *events, size_t count, bool moves)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t value = 0;
		EXPECT(map_take(&r->here, events[i].address, &value));
		EXPECT((uint32_t)value == events[i].site);
		bool most = value >> SURVIVED_SHIFT == RESIDENT_SURVIVED_MAX;
		events[i].site = value + ((uint64_t)!most << SURVIVED_SHIFT);
		events[i].address = moves ? events[i].to : events[i].address;
	}
}

static void put_back(struct reader *r, const struct event *events, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		EXPECT(!map_find(&r->here, events[i].address));
		EXPECT_INT(0, map_put(&r->here, events[i].address, events[i].site));
	}
}

static void apply_ranges(struct rig *rig)
{
	struct reader *r = &rig->reader;
	VEC(uint64_t) gone = {0};
	for (size_t i = 0; i < r->here.room; i++) {
		uint64_t address = r->here.slots[i].key;
		if (!r->here.slots[i].used)
			continue;
		bool forgotten = within(r->forgotten.at, r->forgotten.count, address);
		if (!forgotten && !within(r->swept.at, r->swept.count, address))
			continue;
		struct sim_object *o = sim_heap_before(&rig->heap, address);
		EXPECT(o && o->followed);
		if (!forgotten)
			EXPECT(o && !o->address); /* it is dead */
		if (o && forgotten) {
			o->followed = false;
			o->hash = 0; /* else it may be taken for one that is dead: identities.h */
		}
		r->gone += forgotten;
		r->died += !forgotten;
		EXPECT_INT(0, vec_push(&gone, address));
	}
	for (size_t i = 0; i < gone.count; i++)
		map_remove(&r->here, gone.at[i]);
	vec_release(&gone);
}

static void apply(struct rig *rig)
{
	struct reader *r = &rig->reader;
	put_back(r, r->births.at, r->births.count);
	take_out(r, r->moves.at, r->moves.count, true);
	take_out(r, r->stays.at, r->stays.count, false);
	apply_ranges(rig);
	put_back(r, r->moves.at, r->moves.count);
	put_back(r, r->stays.at, r->stays.count);
	r->born += r->births.count;
	r->births.count = r->moves.count = r->stays.count = 0;
	r->swept.count = r->forgotten.count = 0;
}

/* The writer: tells the reader at once, and gives chunks back when it pleases. */
static void write_all(struct rig *rig)
{
	for (struct chunk *c = chunk_pool_ready(&rig->pool), *next; c; c = next) {
		next = c->next;
		read_chunk(rig, c);
		c->next = rig->kept;
		rig->kept = c;
	}
	apply(rig);
	if (rig->slow && rng_below(&rig->heap.rng, rig->slow))
		return;
	chunk_pool_give(&rig->pool, rig->kept);
	rig->kept = NULL;
}

/* What the residents of a region say of themselves. */
static void check_region(struct rig *rig, size_t region)
{
	struct residents *r = &rig->follow.residents;
	const struct resident_block *b = r->regions[region].first;
	for (; b; b = b->next)
		for (uint64_t i = 0; i < b->used; i++) {
			struct resident is = resident_unpack(r, b->at[i]);
			const struct sim_object *o = sim_heap_at(&rig->heap, is.address);
			EXPECT(o && o->followed && o->site == is.site);
			EXPECT(o && o->survived == is.survived);
			EXPECT(heap_regions_find(&rig->heap.now, is.address) ==
				&rig->heap.now.at[region]);
		}
}

/* The reader has exactly what the heap has of those that are followed. */
static void compare(struct rig *rig)
{
	uint64_t followed = 0;
	for (size_t i = 0; i < rig->heap.all.count; i++) {
		const struct sim_object *o = &rig->heap.all.at[i];
		if (!o->followed || o->fresh)
			continue;
		followed++;
		const uint64_t *at = map_find(&rig->reader.here, o->address);
		EXPECT(at != NULL);
		if (!at)
			continue;
		EXPECT_INT(trace_site(NULL, o->site), (uint32_t)*at);
		uint32_t most = RESIDENT_SURVIVED_MAX;
		EXPECT_INT(o->survived < most ? o->survived : most, *at >> SURVIVED_SHIFT);
	}
	for (size_t i = 0; i < rig->heap.now.count; i++)
		check_region(rig, i);
	const struct follow_totals *t = &rig->follow.totals;
	EXPECT_INT(followed, rig->reader.here.count);
	EXPECT_INT(followed, follow_alive(&rig->follow));
	EXPECT_INT(followed, residents_count(&rig->follow.residents));
	EXPECT_INT(t->births, rig->reader.born);
	EXPECT_INT(t->deaths, rig->reader.died);
	EXPECT_INT(t->forgotten, rig->reader.gone);
	EXPECT_INT(t->lost, rig->lost);
	EXPECT_INT(t->forgotten,
		t->strays + t->refused + t->nameless + t->unreadable + t->unsure + t->untold);
}

/* What the pause says that it has lost is lost as a whole. */
static void unfollow(struct rig *rig, bool fresh)
{
	for (size_t i = 0; i < rig->heap.all.count; i++) {
		struct sim_object *o = &rig->heap.all.at[i];
		if (o->fresh != fresh)
			continue;
		rig->lost += fresh && o->followed;
		o->followed = false;
	}
}

static void logs(struct rig *rig)
{
	for (int i = 0; i < SIM_THREADS; i++)
		follow_log(&rig->follow, &rig->heap.threads[i].log);
}

struct helper {
	struct follow *follow;
	uint32_t worker;
};

static void *help(void *arg)
{
	struct helper *h = arg;
	follow_work(h->follow, h->worker);
	return NULL;
}

static void work(struct rig *rig)
{
	struct helper helpers[FOLLOW_WORKERS_MAX];
	pthread_t threads[FOLLOW_WORKERS_MAX];
	for (uint32_t i = 1; i < rig->workers; i++) {
		helpers[i] = (struct helper){&rig->follow, i};
		EXPECT_INT(0, pthread_create(&threads[i], NULL, help, &helpers[i]));
	}
	follow_work(&rig->follow, 0);
	for (uint32_t i = 1; i < rig->workers; i++)
		pthread_join(threads[i], NULL);
}

static void end(struct rig *rig, bool collection)
{
	uint64_t untold = rig->follow.totals.untold;
	rig->born = rig->young;
	rig->young += collection;
	rig->reader.interval = rig->follow.interval;
	follow_end(&rig->follow, rig->young);
	EXPECT_INT(rig->reader.interval + 1, rig->follow.interval);
	if (rig->follow.lost)
		unfollow(rig, true);
	write_all(rig);
	if (rig->follow.totals.untold != untold)
		unfollow(rig, false);
	sim_heap_settle(&rig->heap, collection);
	compare(rig);
}

static void young(struct rig *rig, bool mixed)
{
	sim_heap_young(&rig->heap, mixed);
	logs(rig);
	const struct heap_regions *before = &rig->heap.before, *after = &rig->heap.now;
	enum heap_pause pause = heap_pause_kind(&rig->heap.layout, before, after);
	EXPECT(pause == PAUSE_YOUNG || pause == PAUSE_MIXED);
	if (follow_evacuation(&rig->follow, &rig->heap.layout, pause, before, after)) {
		work(rig);
		end(rig, true);
	} else {
		sim_heap_settle(&rig->heap, true);
	}
}

static void cleanup(struct rig *rig)
{
	sim_heap_cleanup(&rig->heap);
	const struct heap_regions *before = &rig->heap.before, *after = &rig->heap.now;
	EXPECT_INT(PAUSE_OTHER, heap_pause_kind(&rig->heap.layout, before, after));
	if (follow_evacuation(&rig->follow, &rig->heap.layout, PAUSE_OTHER, before, after)) {
		work(rig);
		end(rig, false);
	} else {
		sim_heap_settle(&rig->heap, false);
	}
}

static void found(struct rig *rig)
{
	for (size_t i = 0; i < rig->heap.all.count; i++) {
		const struct sim_object *o = &rig->heap.all.at[i];
		if (o->address && o->hash)
			follow_found(&rig->follow, o->hash, o->address);
	}
}

static void full(struct rig *rig)
{
	sim_heap_mark(&rig->heap);
	logs(rig);
	follow_stamping(&rig->follow, &rig->heap.before);
	work(rig);
	sim_heap_compact(&rig->heap);
	found(rig);
	follow_compaction(&rig->follow, &rig->heap.now);
	work(rig);
	end(rig, true);
}

/* A full collection of which nothing was seen, or only its beginning. */
static void full_unseen(struct rig *rig, bool stamped)
{
	sim_heap_mark(&rig->heap);
	logs(rig);
	if (stamped) {
		follow_stamping(&rig->follow, &rig->heap.before);
		work(rig);
	} else {
		follow_forget(&rig->follow);
	}
	sim_heap_compact(&rig->heap);
	end(rig, true);
}

/* G1 may evacuate nothing: only the clock has moved, for what is born from then on. */
static void idle(struct rig *rig)
{
	const struct heap_regions *now = &rig->heap.now;
	if (follow_evacuation(&rig->follow, &rig->heap.layout, PAUSE_OTHER, now, now)) {
		work(rig); /* there is something to tell: of the one before */
		end(rig, false);
	}
	follow_tick(&rig->follow, ++rig->young);
}

static void step(struct rig *rig, uint64_t n)
{
	struct sim_heap *h = &rig->heap;
	bool g1 = h->layout.collector == HEAP_G1;
	sim_heap_run(h, 100 + (uint32_t)rng_below(&h->rng, 600));
	if (g1 && rng_below(&h->rng, 4) == 0) {
		cleanup(rig);
		sim_heap_run(h, 100);
	}
	if (n % 16 == 15)
		full_unseen(rig, n % 32 == 31);
	else if (h->crowded || !sim_heap_has_young(h) || rng_below(&h->rng, 8) == 0)
		full(rig);
	else
		young(rig, rng_below(&h->rng, 2));
	if (h->layout.collector == HEAP_PARALLEL && rng_below(&h->rng, 8) == 0)
		full(rig); /* asked for: right behind a young one */
	if (g1 && n % 8 == 7)
		idle(rig);
}

static bool may_have_left(void *arg, uint32_t site, uintptr_t address)
{
	(void)arg, (void)site;
	return address >> 3 & 1;
}

static void rig_init(struct rig *rig, const struct setting *s, uint64_t seed)
{
	memset(rig, 0, sizeof(*rig));
	const struct follow_oracle oracle = {&rig->heap, sim_heap_where, sim_heap_identify,
		sim_heap_same, sim_heap_skip, sim_heap_bytes, s->leave ? may_have_left : NULL,
		NULL};
	const struct follow_bounds bounds = {.residents = s->residents,
		.identities = s->identities,
		.regions = SIM_REGIONS,
		.base = SIM_BASE};
	rig->slow = s->slow;
	rig->workers = s->workers;
	sim_heap_init(&rig->heap, &s->rules, seed);
	EXPECT_INT(0, chunk_pool_init(&rig->pool, s->chunks, s->reserve, s->words));
	EXPECT_INT(0, follow_init(&rig->follow, &rig->pool, &oracle, &bounds, 0));
}

/* The end of the recording: what is open is told, and all of it lives. */
static void rig_close(struct rig *rig)
{
	sim_heap_run(&rig->heap, 50);
	logs(rig);
	rig->reader.open = 0;
	rig->reader.interval = rig->follow.interval;
	rig->born = rig->young;
	follow_close(&rig->follow);
	if (rig->follow.lost)
		unfollow(rig, true);
	uint64_t born = rig->reader.born;
	write_all(rig);
	EXPECT_INT(rig->reader.born - born, rig->reader.open);
	for (size_t i = 0; i < rig->heap.all.count; i++)
		rig->heap.all.at[i].fresh = false;
	EXPECT_INT(rig->follow.totals.births, rig->reader.born);
	EXPECT_INT(rig->heap.born, rig->reader.born + rig->follow.totals.lost);
	EXPECT_INT(follow_alive(&rig->follow), rig->reader.here.count);
	chunk_pool_give(&rig->pool, rig->kept);
	EXPECT_INT(rig->follow.spare ? 1 : 0, slab_held(&rig->pool.slab));
	residents_clear(&rig->follow.residents);
	EXPECT_INT(0, slab_held(&rig->follow.residents.blocks));
	reader_release(&rig->reader);
	follow_release(&rig->follow);
	chunk_pool_release(&rig->pool);
	sim_heap_release(&rig->heap);
}

static struct follow_totals run(const struct setting *s, uint64_t seed, bool unseen)
{
	static struct rig rig;
	rig_init(&rig, s, seed);
	sim_heap_run(&rig.heap, 200); /* older than the recording */
	rig.heap.pool = &rig.pool;
	for (uint64_t n = 0; n < STEPS; n++)
		step(&rig, unseen ? n : 0);
	struct follow_totals totals = rig.follow.totals;
	rig_close(&rig);
	return totals;
}

static const enum heap_collector collectors[] = {HEAP_SERIAL, HEAP_PARALLEL, HEAP_G1};

static void run_all(struct setting s, bool unseen, struct follow_totals *sum)
{
	*sum = (struct follow_totals){.births = 0};
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		s.rules.collector = collectors[seed % ARRAY_SIZE(collectors)];
		struct follow_totals t = run(&s, tap_seed() + seed, unseen);
		sum->births += t.births;
		sum->deaths += t.deaths;
		sum->forgotten += t.forgotten;
		sum->moves += t.moves;
		sum->stays += t.stays;
		sum->lost += t.lost;
		sum->strays += t.strays;
		sum->refused += t.refused;
		sum->nameless += t.nameless;
		sum->unreadable += t.unreadable;
		sum->unsure += t.unsure;
		sum->untold += t.untold;
		sum->doubtful += t.doubtful;
	}
}

static const struct setting ample = {.rules = {.fail = 5},
	.chunks = 4096,
	.words = 64,
	.residents = 1 << 20,
	.identities = 1 << 16,
	.workers = 1};

TEST(every_object_is_followed)
{
	struct follow_totals t;
	run_all(ample, false, &t);
	EXPECT(t.births > 100000 && t.deaths > 50000 && t.moves > 10000 && t.stays > 1000);
	EXPECT(t.doubtful > 100);
	EXPECT_INT(0, t.lost);
	/* Parallel has given the memory back. */
	EXPECT(t.unreadable > 0);
	EXPECT_INT(t.unreadable, t.forgotten);
}

TEST(by_several_threads)
{
	struct setting s = ample;
	struct follow_totals one, many;
	s.workers = 3;
	run_all(s, false, &many);
	run_all(ample, false, &one);
	EXPECT(memcmp(&one, &many, sizeof(one)) == 0);
}

TEST(who_can_not_be_told_apart_is_forgotten)
{
	struct setting s = ample;
	struct follow_totals t;
	s.rules.twins = true;
	s.rules.locked = 50;
	run_all(s, false, &t);
	EXPECT(t.unsure > 100 && t.nameless > 100);
	EXPECT_INT(t.unreadable + t.unsure + t.nameless, t.forgotten);
	EXPECT_INT(0, t.refused);
}

TEST(who_is_written_over_is_dead)
{
	struct setting s = ample;
	struct follow_totals t;
	s.rules.filled = 20;
	run_all(s, false, &t);
	EXPECT(t.deaths > 1000);
	EXPECT_INT(t.unreadable, t.forgotten);
}

TEST(who_may_have_left_and_is_not_found_is_forgotten)
{
	struct setting s = ample;
	struct follow_totals t, sure;
	s.leave = true;
	run_all(s, false, &t);
	run_all(ample, false, &sure);
	EXPECT(t.unsure > 100);
	EXPECT_INT(t.unreadable + t.unsure, t.forgotten);
	EXPECT_INT(sure.deaths, t.deaths + t.unsure);
	EXPECT_INT(sure.moves, t.moves);
}

TEST(collections_that_were_not_seen)
{
	struct follow_totals t;
	run_all(ample, true, &t);
	EXPECT(t.untold > 1000);
}

/* One that is noticed when it has ended: what was born since may stand where others had stood. */
static void full_late(struct rig *rig)
{
	sim_heap_mark(&rig->heap);
	sim_heap_compact(&rig->heap);
	sim_heap_run(&rig->heap, 100);
	logs(rig);
	follow_lose(&rig->follow);
	end(rig, true);
}

TEST(births_around_a_collection_that_is_noticed_late_are_lost)
{
	static struct rig rig;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct setting s = ample;
		s.rules.collector = collectors[seed % ARRAY_SIZE(collectors)];
		rig_init(&rig, &s, tap_seed() + seed);
		rig.heap.pool = &rig.pool;
		for (uint64_t n = 0; n < STEPS; n++) {
			step(&rig, 0);
			if (n % 4 == 3)
				full_late(&rig);
		}
		EXPECT(rig.follow.totals.lost > 100 && rig.follow.totals.births > 100);
		rig_close(&rig);
	}
}

TEST(a_heap_beyond_the_bound)
{
	struct setting s = ample;
	struct follow_totals t;
	s.residents = 8 * RESIDENT_BLOCK;
	s.identities = 500;
	run_all(s, true, &t);
	EXPECT(t.refused > 1000 && t.deaths > 1000);
	EXPECT_INT(0, t.lost);
}

TEST(a_writer_that_is_too_slow)
{
	struct setting s = ample;
	struct follow_totals t;
	s.slow = 4;
	s.chunks = 60;
	s.reserve = 10;
	for (s.workers = 1; s.workers < 4; s.workers += 2) {
		run_all(s, true, &t);
		EXPECT(t.lost > 1000 && t.births > 1000 && t.untold > 100);
	}
	s.reserve = 0;
	s.words = EVENT_WORDS_MAX;
	run_all(s, false, &t);
	EXPECT(t.lost > 1000 && t.untold > 100);
}

/* Half of a run. */
static struct follow *run_half(struct rig *rig)
{
	struct setting s = ample;
	s.rules.collector = HEAP_G1;
	rig_init(rig, &s, tap_seed());
	rig->heap.pool = &rig->pool;
	for (uint64_t n = 0; n < STEPS / 2; n++)
		step(rig, 0);
	return &rig->follow;
}

static void end_half(struct rig *rig)
{
	reader_release(&rig->reader);
	follow_release(&rig->follow);
	chunk_pool_release(&rig->pool);
	sim_heap_release(&rig->heap);
}

/* One step more, by which all that is known is forgotten; no interval is lost by it, but those are
 * behind it. */
TEST(nothing_is_followed_any_more)
{
	static struct rig rig;
	struct follow *f = run_half(&rig);
	uint64_t alive = follow_alive(f), interval = f->interval, lost = f->totals.lost_intervals;
	EXPECT(alive > 100);
	follow_abandon(f, false);
	EXPECT_INT(0, follow_alive(f));
	EXPECT_INT(lost, f->totals.lost_intervals);
	EXPECT_INT(alive, f->totals.untold);
	EXPECT_INT(0, slab_held(&f->residents.blocks));
	EXPECT_INT(0, f->residents.blocks.fresh);
	struct chunk *c = chunk_pool_ready(&rig.pool);
	EXPECT(c && !c->next && c->kind == EVENT_FORGOTTEN && c->events == 1);
	EXPECT_INT(interval, c->interval);
	EXPECT_INT(interval + 1, f->interval);
	chunk_pool_give(&rig.pool, c);
	follow_untold(f);
	EXPECT_INT(lost + 1, f->totals.lost_intervals);
	end_half(&rig);
}

/* Amid a pause those that it would have shown are lost. */
TEST(nothing_is_followed_from_amid_a_pause_on)
{
	static struct rig rig;
	struct follow *f = run_half(&rig);
	uint64_t interval = f->interval, lost = f->totals.lost_intervals, need = follow_need(f);
	EXPECT(need > follow_alive(f) * (24 + 16) && need < (follow_alive(f) + (1 << 20)) * 200);
	f->meets = true;
	follow_abandon(f, true);
	EXPECT_INT(0, follow_alive(f));
	EXPECT_INT(0, follow_need(f));
	EXPECT_INT(lost + 1, f->totals.lost_intervals);
	EXPECT_INT(interval + 1, f->interval);
	struct chunk *c = chunk_pool_ready(&rig.pool);
	EXPECT(c && !c->next && c->kind == EVENT_FORGOTTEN && c->events == 1);
	chunk_pool_give(&rig.pool, c);
	end_half(&rig);
}

/* Of all that is followed, in one go; nothing where births would lack the chunks. */
TEST(a_checkpoint_leaves_room_for_births)
{
	static struct rig rig;
	struct setting s = ample;
	uint64_t told = 0;
	s.rules.collector = HEAP_G1;
	rig_init(&rig, &s, tap_seed());
	rig.heap.pool = &rig.pool;
	EXPECT(!follow_checkpoint(&rig.follow)); /* nothing stands */
	for (uint64_t n = 0; n < STEPS / 2; n++)
		step(&rig, 0);
	uint64_t alive = follow_alive(&rig.follow);
	rig.follow.checkpoint = rig.follow.totals.births - alive * CHECKPOINT_BIRTHS + 1;
	EXPECT(alive > 100 && !follow_checkpoint_due(&rig.follow));
	rig.follow.checkpoint--;
	EXPECT(follow_checkpoint_due(&rig.follow));

	rig.pool.reserve = rig.pool.slab.count - 3;
	EXPECT(!follow_checkpoint(&rig.follow));
	EXPECT(!chunk_pool_ready(&rig.pool) && slab_held(&rig.pool.slab) == 1);
	rig.pool.reserve = 0;
	EXPECT(follow_checkpoint(&rig.follow));
	EXPECT(!follow_checkpoint_due(&rig.follow));
	struct chunk *list = chunk_pool_ready(&rig.pool);
	for (const struct chunk *c = list; c; c = c->next) {
		EXPECT_INT(alive, c->thread);
		EXPECT_INT(rig.follow.interval - 1, c->interval);
		EXPECT(chunk_block_kind(c) == BLOCK_CHECKPOINT);
		told += c->events;
	}
	EXPECT_INT(alive, told);
	chunk_pool_give(&rig.pool, list);
	rig_close(&rig);
}

/* Parallel has given the end of the young generation back to the system: nothing is read there. */
enum { GIVEN_BACK = 40, BYTES_EACH = 64 };

static uintptr_t where_readable(void *arg, enum region_fate fate, uint32_t site, uintptr_t address)
{
	(void)site;
	EXPECT(fate == FATE_EVACUATED && address < *(const uintptr_t *)arg);
	return 0;
}

static uint64_t skip_readable(void *arg, struct chunk_cursor *c, uintptr_t top)
{
	EXPECT_INT(*(const uintptr_t *)arg, top);
	(void)c;
	return 0;
}

static uintptr_t where_kept(void *arg, enum region_fate fate, uint32_t site, uintptr_t address)
{
	(void)arg, (void)site;
	EXPECT_INT(FATE_EVACUATED, fate);
	return address + 4096;
}

static bool all_kept(void *arg, uintptr_t from, uintptr_t to)
{
	EXPECT_INT(SIM_BASE, from);
	EXPECT_INT(SIM_BASE + 4096, to);
	return *(const bool *)arg;
}

static uint64_t skip_nothing(void *arg, struct chunk_cursor *c, uintptr_t top)
{
	(void)c, (void)top;
	EXPECT(!arg); /* memory that is gone is read */
	return 0;
}

/* One collection after which nothing of the region is there; or all of it by then. */
/* A young collection of what was born all over the first region. */
static struct follow_totals collect_births(const struct follow_oracle *oracle,
	const struct heap_regions *before, const struct heap_regions *after)
{
	const struct heap_layout layout = {.collector = HEAP_PARALLEL};
	const struct follow_bounds bounds = {
		.residents = 64, .identities = 8, .regions = before->count, .base = SIM_BASE};
	struct chunk_pool pool;
	static struct follow f;
	struct event_log log = {.thread = 1};
	EXPECT_INT(0, chunk_pool_init(&pool, 8, 0, 256));
	EXPECT_INT(0, follow_init(&f, &pool, oracle, &bounds, 0));
	for (uintptr_t at = SIM_BASE; at < before->at[0].top; at += BYTES_EACH)
		event_log_put(&log, &pool, 3, at);
	follow_log(&f, &log);
	EXPECT(follow_evacuation(&f, &layout, PAUSE_YOUNG, before, after));
	follow_work(&f, 0);
	follow_end(&f, 1);
	struct follow_totals totals = f.totals;
	chunk_pool_give(&pool, chunk_pool_ready(&pool));
	follow_release(&f);
	chunk_pool_release(&pool);
	return totals;
}

static struct follow_totals all_gone(const struct follow_oracle *oracle)
{
	const uintptr_t top = SIM_BASE + 4096;
	struct region was[] = {{SIM_BASE, top, top, .kind = REGION_SURVIVOR},
		{top, top, top + 4096, .kind = REGION_OLD}};
	struct region is[] = {{SIM_BASE, SIM_BASE, SIM_BASE, .kind = REGION_SURVIVOR},
		{top, top + 4096, top + 4096, .kind = REGION_OLD}};
	const struct heap_regions before = {.at = was, .count = 2};
	const struct heap_regions after = {.at = is, .count = 2, .collections = 1};
	return collect_births(oracle, &before, &after);
}

TEST(memory_that_was_given_back_and_kept)
{
	bool kept = true;
	const struct follow_oracle oracle = {
		.arg = &kept, .where = where_kept, .skip = skip_nothing, .kept = all_kept};
	struct follow_totals t = all_gone(&oracle);
	EXPECT(!t.unreadable && !t.deaths && !t.forgotten && t.births == 4096 / BYTES_EACH);
	kept = false;
	t = all_gone(&oracle);
	EXPECT_INT(4096 / BYTES_EACH, t.unreadable);
}

TEST(memory_that_was_given_back)
{
	const uintptr_t top = SIM_BASE + 4096;
	uintptr_t end = SIM_BASE + GIVEN_BACK * BYTES_EACH;
	struct region was = {SIM_BASE, top, top, .kind = REGION_EDEN}, is = was;
	const struct heap_regions before = {.at = &was, .count = 1};
	const struct heap_regions after = {.at = &is, .count = 1, .collections = 1};
	const struct follow_oracle oracle = {
		.arg = &end, .where = where_readable, .skip = skip_readable};
	is.top = SIM_BASE;
	is.end = end;
	struct follow_totals t = collect_births(&oracle, &before, &after);
	EXPECT_INT(GIVEN_BACK, t.deaths);
	EXPECT_INT(4096 / BYTES_EACH - GIVEN_BACK, t.unreadable);
}
