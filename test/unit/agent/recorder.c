#include "agent/recorder.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "agent/recorder_names.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "stat/weight.h"
#include "support/agent_trace.h"
#include "support/tap.h"

static struct recorder recorder;

static struct options some_options(void)
{
	struct options o;
	options_init(&o);
	o.seed = tap_seed();
	return o;
}

static struct recorder *begin(const struct options *o, uint32_t capacity)
{
	EXPECT_INT(0, recorder_init(&recorder, o, capacity, clock_now(), NULL));
	return &recorder;
}

static void add_methods(struct recorder *r, uint64_t count)
{
	for (uint64_t i = 1; i <= count; i++) {
		char name[32];
		snprintf(name, sizeof(name), "m%d", (int)i);
		struct method_facts facts = {.vm_id = i,
			.class_signature = "Lcom/acme/Shop;",
			.name = name,
			.descriptor = "()V"};
		EXPECT_INT(0, recorder_add_method(r, &facts));
	}
}

static enum sample_outcome sample(struct recorder *r, uint64_t size, bool follow, int64_t *tag)
{
	struct stack_frame stack[] = {{1 + size % 5, 0}, {1, (int32_t)(size % 7)}};
	struct sample s = {.class_id = recorder_class(r, size % 2 ? "[B" : "Lcom/acme/Order;"),
		.thread = 0,
		.size = size,
		.stack = stack,
		.depth = 2,
		.follow = follow,
		.asked = true, /* those methods that it tells of are there */
		.interval = recorder_interval(r, 0),
		.config = recorder_sieve(r).config};
	recorder_clock(r, size, recorder_interval(r, 0));
	return recorder_sample(r, &s, tag);
}

/* What happened, counted beside the recorder. */
struct model {
	uint64_t samples, recorded, followed, lost, died, evicted, untagged, gcs;
	int64_t tags[4096]; /* of objects alive, for all the VM knows */
	size_t alive;
	uint64_t stale; /* deaths told of tags that meant nobody */
};

static int64_t take_random(struct model *m, struct rng *r)
{
	size_t i = rng_below(r, m->alive);
	int64_t tag = m->tags[i];
	m->tags[i] = m->tags[--m->alive];
	return tag;
}

static void drop_tag(struct model *m, int64_t tag)
{
	for (size_t i = 0; i < m->alive; i++) {
		if (m->tags[i] == tag) {
			m->tags[i] = m->tags[--m->alive];
			return;
		}
	}
	tap_check(false, __FILE__, __LINE__, "a tag was chosen that is not alive");
}

static void step_sample(struct model *m, struct recorder *r, struct rng *rng)
{
	int64_t tag = 0;
	m->samples++;
	switch (sample(r, 16 + rng_below(rng, 5000), rng_below(rng, 2), &tag)) {
	case OUTCOME_FOLLOWED:
		m->followed++;
		m->tags[m->alive++] = tag;
		break;
	case OUTCOME_RECORDED:
		m->recorded++;
		break;
	case OUTCOME_LOST:
		m->lost++;
		break;
	case OUTCOME_UNWANTED:
	case OUTCOME_UNKNOWN:
		tap_check(false, __FILE__, __LINE__, "no filter is set");
	}
}

static void step_evict(struct model *m, struct recorder *r)
{
	int64_t tags[LIVE_BATCH], again[LIVE_BATCH];
	uint32_t count = recorder_choose(r, tags);
	if (!count)
		return;
	EXPECT_INT(0, recorder_choose(r, again)); /* one at a time */
	/* Of three or more the first dies on its way out, and the last is not found: its death is
	 * to come. */
	uint32_t first = count > 2, last = count - (count > 2);
	if (first) {
		recorder_death(r, tags[0]);
		drop_tag(m, tags[0]);
		m->died++;
	}
	recorder_evicted(r, tags, count, tags, last);
	for (uint32_t i = first; i < last; i++) {
		recorder_death(r, tags[i]); /* too late */
		drop_tag(m, tags[i]);
		m->evicted++;
	}
}

static void step_collection(struct model *m, struct recorder *r)
{
	struct collection c = {.begin = clock_now(), .end = clock_now(), .cause = "System.gc()"};
	atomic_fetch_add(&r->young, 1);
	c.gc.young = atomic_load(&r->young);
	c.gc.full = atomic_load(&r->full);
	recorder_collection(r, &c);
	recorder_pause(r, c.begin, c.end, 0);
	m->gcs++;
}

static void step(struct model *m, struct recorder *r, struct rng *rng)
{
	switch (rng_below(rng, 16)) {
	default:
		step_sample(m, r, rng);
		break;
	case 8:
	case 9:
	case 10:
		if (m->alive) {
			recorder_death(r, take_random(m, rng));
			m->died++;
		}
		break;
	case 11:
		if (m->alive && rng_below(rng, 8) == 0) {
			recorder_untagged(r, take_random(m, rng));
			m->untagged++;
		}
		break;
	case 12:
		step_evict(m, r);
		break;
	case 13:
		recorder_death(r, (int64_t)(rng_u64(rng) >> 1));
		recorder_untagged(r, (int64_t)(rng_u64(rng) >> 1));
		break;
	case 14:
		step_collection(m, r);
		break;
	case 15:
		recorder_tick(r, 1, 2);
	}
}

static void expect_counts(const struct model *m, struct recorder *r, const struct agent_totals *n)
{
	EXPECT_INT(m->samples, n->end.samples);
	EXPECT_INT(m->followed, n->births);
	EXPECT_INT(m->recorded, n->allocs);
	EXPECT_INT(m->lost, n->end.lost);
	EXPECT_INT(m->died, n->deaths + n->lost_deaths);
	EXPECT_INT(m->evicted + m->untagged, n->untracks + n->lost_untracks);
	EXPECT_INT(m->gcs, n->gcs);
	EXPECT_INT(m->alive + n->lost_deaths + n->lost_untracks, n->end.alive);
	struct recorder_counts c = recorder_counts(r);
	EXPECT_INT(m->alive, c.alive);
	EXPECT_INT(m->samples, c.samples);
	EXPECT_INT(m->followed + m->recorded, c.walked);
}

TEST(agrees_with_a_model)
{
	for (uint64_t seed = 0; seed < 8; seed++) {
		static struct model m;
		struct agent_trace t = {0};
		struct options o = some_options();
		struct rng rng = rng_init(tap_seed() + seed);
		memset(&m, 0, sizeof(m));
		struct recorder *r = begin(&o, (uint32_t)(16 << seed % 5));
		add_methods(r, 5);
		for (int i = 0; i < 12000; i++) {
			step(&m, r, &rng);
			if (rng_below(&rng, 500) == 0)
				agent_trace_drain(&t, r, rng_below(&rng, 2));
		}
		recorder_end(r, END_STOPPED);
		agent_trace_drain(&t, r, true);
		struct agent_totals n = agent_trace_verify(&t, true);
		EXPECT_INT(0, m.lost);
		EXPECT(m.evicted > 0 && m.died > 0);
		expect_counts(&m, r, &n);
		agent_trace_release(&t);
		recorder_release(r);
	}
}

/* The writer sleeps: samples are lost and counted, deaths and collections still find room. */
TEST(a_writer_that_cannot_keep_up)
{
	static struct model m;
	struct agent_trace t = {0};
	struct options o = some_options();
	struct rng rng = rng_init(tap_seed());
	memset(&m, 0, sizeof(m));
	struct recorder *r = begin(&o, 4096);
	add_methods(r, 5);
	while (m.lost < 1000)
		step_sample(&m, r, &rng);
	agent_trace_drain(&t, r, false);
	for (int i = 0; i < 5000; i++)
		step(&m, r, &rng);
	recorder_tick(r, 0, 0);
	recorder_end(r, END_STOPPED);
	agent_trace_drain(&t, r, true);
	struct agent_totals n = agent_trace_verify(&t, true);
	EXPECT_INT(m.lost, n.lost);
	expect_counts(&m, r, &n);
	agent_trace_release(&t);
	recorder_release(r);
}

/* Nothing is ever taken: even the reserve is used up. What was written is sound, and nothing is
 * told twice. */
TEST(the_reserve_used_up)
{
	static struct model m;
	struct agent_trace t = {0};
	struct options o = some_options();
	struct rng rng = rng_init(tap_seed());
	memset(&m, 0, sizeof(m));
	struct recorder *r = begin(&o, 4096);
	add_methods(r, 5);
	for (int i = 0; i < 4000; i++)
		step_sample(&m, r, &rng);
	while (journal_has_room(&r->journal))
		step_collection(&m, r);
	while (r->journal.free_count)
		step_collection(&m, r);
	for (int i = 0; i < 20000; i++)
		step_collection(&m, r);
	EXPECT(r->untold[LOST_GCS].count > 0);
	while (m.alive > 300) {
		recorder_death(r, take_random(&m, &rng));
		m.died++;
	}
	while (m.alive > 100) {
		recorder_untagged(r, take_random(&m, &rng));
		m.untagged++;
	}
	agent_trace_drain(&t, r, true);
	recorder_end(r, END_STOPPED);
	agent_trace_drain(&t, r, true);
	struct agent_totals n = agent_trace_verify(&t, true);
	EXPECT(n.lost_deaths > 0 && n.lost_untracks > 0);
	EXPECT_INT(m.died, n.deaths + n.lost_deaths);
	EXPECT_INT(m.untagged, n.untracks + n.lost_untracks);
	EXPECT_INT(100 + n.lost_deaths + n.lost_untracks, n.end.alive);
	agent_trace_release(&t);
	recorder_release(r);
}

TEST(times_begin_with_the_recording)
{
	struct agent_trace t = {0};
	struct options o = some_options();
	struct recorder *r = begin(&o, 16);
	struct collection c = {
		.begin = {0}, .end = {1}, .cause = ""}; /* a pause that was on already */
	recorder_collection(r, &c);
	recorder_end(r, END_STOPPED);
	agent_trace_drain(&t, r, true);
	struct agent_totals n = agent_trace_verify(&t, true);
	EXPECT(n.end.time < 60000000000ull);
	agent_trace_release(&t);
	recorder_release(r);
}

static void keep_clock(void *arg, const struct record *r)
{
	uint64_t *last = arg;
	if (r->kind == RECORD_alloc)
		*last = r->alloc.alloc;
}

/* The allocation clock is the sum of what the samples stand for. */
TEST(the_allocation_clock)
{
	struct agent_trace t = {0};
	struct options o = some_options();
	struct recorder *r = begin(&o, 16);
	uint64_t want = 0, last = 0;
	int64_t tag;
	for (uint64_t i = 0; i < 1000; i++) {
		uint64_t size = (uint64_t)16 << i % 20;
		want += (uint64_t)weight_bytes(size, o.interval);
		sample(r, size, false, &tag);
	}
	recorder_end(r, END_VM);
	agent_trace_drain(&t, r, true);
	EXPECT(agent_trace_each(&t, keep_clock, &last) > 1000);
	EXPECT_INT(want, last);
	EXPECT_INT(want, agent_trace_verify(&t, true).end.alloc);
	agent_trace_release(&t);
	recorder_release(r);
}

/* Intervals that JVMTI's jint can't hold are thinned by us; the product is what was asked for. */
TEST(intervals)
{
	static const uint64_t intervals[] = {
		0, 1, 512 << 10, INT32_MAX, 1ull << 31, 5ull << 30, 1ull << 40};
	for (size_t i = 0; i < ARRAY_SIZE(intervals); i++) {
		struct agent_trace t = {0};
		struct options o = some_options();
		o.interval = intervals[i];
		struct recorder *r = begin(&o, 16);
		struct sieve s = recorder_sieve(r);
		EXPECT(recorder_interval(r, 0) <= INT32_MAX);
		EXPECT_INT(intervals[i], recorder_interval(r, 0) << s.walk_shift);
		recorder_end(r, END_VM);
		agent_trace_drain(&t, r, true);
		struct agent_totals n = agent_trace_verify(&t, true);
		EXPECT_INT(recorder_interval(r, 0), n.config.interval);
		EXPECT_INT(1ull << s.walk_shift, n.config.walk);
		EXPECT_INT(1, n.config.track);
		EXPECT_INT(16, n.config.capacity);
		agent_trace_release(&t);
		recorder_release(r);
	}
}

/* As if a second had passed with that many samples. */
static void second(struct recorder *r, uint64_t samples)
{
	atomic_fetch_add(&r->samples, samples);
	r->configs.thinning.window_start.v -= 1000000000u;
	recorder_tick(r, 0, 0);
}

/* The sieve in force is what the config record that samples name says. */
TEST(configs_follow_the_sieve)
{
	struct agent_trace t = {0};
	struct options o = some_options();
	o.max_walks = 100;
	struct recorder *r = begin(&o, 16);
	EXPECT_INT(1, recorder_sieve(r).config);
	second(r, 350);
	EXPECT_INT(2, recorder_sieve(r).config);
	EXPECT(recorder_sieve(r).walk_shift >= 1);
	second(r, 400000);
	struct sieve s = recorder_sieve(r);
	EXPECT(s.walk_shift >= 8);
	recorder_end(r, END_VM);
	agent_trace_drain(&t, r, true);
	struct agent_totals n = agent_trace_verify(&t, true);
	EXPECT_INT(s.config, n.configs);
	EXPECT_INT(1ull << s.walk_shift, n.config.walk);
	agent_trace_release(&t);
	recorder_release(r);
}

/* No room for the config record: the old sieve stays, and the new one comes when there is room. */
TEST(a_config_that_found_no_room)
{
	static struct model m;
	struct agent_trace t = {0};
	struct options o = some_options();
	o.max_walks = 100;
	memset(&m, 0, sizeof(m));
	struct recorder *r = begin(&o, 16);
	struct rng rng = rng_init(1);
	while (journal_has_room(&r->journal))
		step_sample(&m, r, &rng);
	while (r->untold[LOST_GCS].count < 100)
		step_collection(&m, r);
	struct sieve before = recorder_sieve(r);
	second(r, 1 << 20);
	EXPECT_INT(before.config, recorder_sieve(r).config);
	EXPECT_INT(before.walk_shift, recorder_sieve(r).walk_shift);
	agent_trace_drain(&t, r, true);
	second(r, 1 << 20);
	EXPECT(recorder_sieve(r).walk_shift > 8);
	recorder_end(r, END_VM);
	agent_trace_drain(&t, r, true);
	agent_trace_verify(&t, true);
	agent_trace_release(&t);
	recorder_release(r);
}

static struct agent_totals name_threads(const struct options *o, uint32_t count, uint32_t named)
{
	struct agent_trace t = {0};
	struct recorder *r = begin(o, 16);
	for (uint32_t i = 1; i <= count; i++) {
		char name[32];
		snprintf(name, sizeof(name), "pool-12-thread-%u", i);
		EXPECT_INT(i <= named ? i : 0, recorder_thread(r, name, 0));
		if (i % 100 == 0) {
			agent_trace_drain(&t, r, false);
			recorder_tick(r, 0, 0);
		}
	}
	recorder_end(r, END_VM);
	agent_trace_drain(&t, r, true);
	struct agent_totals n = agent_trace_verify(&t, true);
	agent_trace_release(&t);
	recorder_release(r);
	return n;
}

/* What each segment begins with stays well under half of a cyclic trace, however many come. */
TEST(threads_of_a_cyclic_trace)
{
	enum { BYTES = 1 << 20, NAMED = BYTES / 128, MANY = 3 * NAMED };
	struct options o = some_options();
	EXPECT_INT(0, name_threads(&o, MANY, MANY).notes);
	o.cyclic.ns = 1;
	EXPECT_INT(0, name_threads(&o, MANY, MANY).notes);
	o.cyclic = (struct option_stretch){.bytes = BYTES};
	struct agent_totals n = name_threads(&o, MANY, NAMED);
	EXPECT_INT(1, n.notes);
	EXPECT_INT(NAMED, n.threads);
}

static void find_note(void *arg, const struct record *r)
{
	bool *found = arg;
	*found = *found ||
		 (r->kind == RECORD_note && strstr((const char *)r->note.text.at, "memory bound"));
}

TEST(the_memory_bound_is_told_once)
{
	struct agent_trace t = {0};
	struct options o = some_options();
	o.memory = 1 << 20;
	struct recorder *r = begin(&o, 16);
	for (int i = 0; i < 24000; i++) {
		char signature[64];
		snprintf(signature, sizeof(signature), "Lcom/acme/Class%d;", i);
		recorder_class(r, signature);
		if (i % 100 == 0) {
			agent_trace_drain(&t, r, false);
			recorder_tick(r, 0, 0);
		}
	}
	EXPECT(r->catalog.full);
	recorder_end(r, END_VM);
	agent_trace_drain(&t, r, true);
	bool found = false;
	agent_trace_each(&t, find_note, &found);
	EXPECT(found);
	EXPECT_INT(1, agent_trace_verify(&t, true).notes);
	agent_trace_release(&t);
	recorder_release(r);
}

TEST(unwanted_samples_are_neither_walked_nor_lost)
{
	struct agent_trace t = {0};
	struct options o = some_options();
	snprintf(o.include, sizeof(o.include), "org.*");
	struct recorder *r = begin(&o, 16);
	int64_t tag;
	add_methods(r, 5);
	EXPECT_INT(OUTCOME_UNWANTED, sample(r, 100, true, &tag));
	recorder_end(r, END_VM);
	agent_trace_drain(&t, r, true);
	struct agent_totals n = agent_trace_verify(&t, true);
	EXPECT_INT(1, n.end.samples);
	EXPECT_INT(0, n.end.walked);
	EXPECT_INT(0, n.end.lost);
	agent_trace_release(&t);
	recorder_release(r);
}

static void add_lost(void *arg, const struct record *r)
{
	uint64_t *bytes = arg;
	if (r->kind == RECORD_lost && r->lost.what == LOST_SAMPLES && r->lost.reason < LOST_REASONS)
		bytes[r->lost.reason] += r->lost.bytes;
}

TEST(samples_are_lost_for_a_reason)
{
	struct agent_trace t = {0};
	struct options o = some_options();
	uint64_t bytes[LOST_REASONS] = {0};
	struct recorder *r = begin(&o, 16);
	for (int i = 0; i < 3; i++)
		recorder_clock(r, 300, 512);
	recorder_lose(r, 300, LOST_MEMORY);
	recorder_lose(r, 20, LOST_BUFFERS);
	recorder_lose(r, 400, LOST_MEMORY);
	recorder_end(r, END_VM);
	agent_trace_drain(&t, r, true);
	agent_trace_each(&t, add_lost, bytes);
	EXPECT_INT(700, bytes[LOST_MEMORY]);
	EXPECT_INT(20, bytes[LOST_BUFFERS]);
	EXPECT_INT(3, agent_trace_verify(&t, true).end.lost);
	agent_trace_release(&t);
	recorder_release(r);
}

/* The writer is woken once for the full blocks, and again after it has looked. */
TEST(waking)
{
	struct agent_trace t = {0};
	struct options o = some_options();
	struct waker waker;
	EXPECT_INT(0, waker_open(&waker));
	EXPECT_INT(0, recorder_init(&recorder, &o, 16, clock_now(), &waker));
	for (uint64_t round = 0; round < 3; round++) {
		int64_t tag;
		while (recorder.journal.full_count < 2)
			sample(&recorder, 100, false, &tag);
		EXPECT_INT(1, waker_heed(&waker));
		agent_trace_drain(&t, &recorder, false);
	}
	agent_trace_release(&t);
	recorder_release(&recorder);
	waker_close(&waker);
}

/* What is not in blocks has its own to say: it counts though the writer was told of blocks. */
TEST(waking_at_once)
{
	struct options o = some_options();
	struct waker waker;
	EXPECT_INT(0, waker_open(&waker));
	int64_t tag;
	EXPECT_INT(0, recorder_init(&recorder, &o, 16, clock_now(), &waker));
	recorder_wake(&recorder);
	recorder_wake(&recorder);
	EXPECT_INT(2, waker_heed(&waker));
	while (recorder.journal.full_count < 2)
		sample(&recorder, 100, false, &tag);
	EXPECT_INT(1, waker_heed(&waker));
	recorder_wake(&recorder);
	EXPECT_INT(1, waker_heed(&waker));
	recorder_release(&recorder);
	waker_close(&waker);
	EXPECT_INT(0, recorder_init(&recorder, &o, 16, clock_now(), NULL));
	recorder_wake(&recorder);
	recorder_release(&recorder);
}

TEST(out_of_memory)
{
	uint64_t held = mem_held();
	struct options o = some_options();
	int failed = 0, err;
	do {
		mem_fail_at((uint64_t)++failed);
		err = recorder_init(&recorder, &o, 16, clock_now(), NULL);
		mem_fail_at(0);
		EXPECT(err == 0 || err == ERR_NOMEM);
		recorder_release(&recorder);
		EXPECT_INT(held, mem_held());
	} while (err);
	EXPECT(failed > 10);
}

/* Threads that sample, collect and drain at once; a stop in the middle of it. */
enum { THREADS = 4, EACH = 6000 };

struct worker {
	pthread_t thread;
	struct recorder *recorder;
	uint64_t seed;
	_Atomic bool *stop;
	uint64_t outcomes[OUTCOME_LOST + 1], died;
};

static void *work(void *arg)
{
	struct worker *w = arg;
	struct rng rng = rng_init(w->seed);
	int64_t mine[64];
	size_t count = 0;
	for (int i = 0; i < EACH && !atomic_load(w->stop); i++) {
		int64_t tag = 0, tags[LIVE_BATCH];
		uint32_t chosen = recorder_choose(w->recorder, tags);
		if (chosen)
			recorder_evicted(w->recorder, tags, chosen, tags, chosen);
		enum sample_outcome outcome =
			sample(w->recorder, 16 + rng_below(&rng, 4096), true, &tag);
		w->outcomes[outcome]++;
		if (outcome == OUTCOME_FOLLOWED)
			mine[count++] = tag;
		if (count == ARRAY_SIZE(mine)) {
			while (count)
				recorder_death(w->recorder, mine[--count]);
		}
	}
	return NULL;
}

TEST(threads)
{
	struct agent_trace t = {0};
	struct options o = some_options();
	struct recorder *r = begin(&o, 128);
	struct worker workers[THREADS];
	_Atomic bool stop = false;
	uint64_t outcomes[OUTCOME_LOST + 1] = {0};
	add_methods(r, 5);
	/* They live to the end: so one thread alone already has to let objects go, in whatever
	 * order they run. */
	for (int i = 0; i < 100; i++) {
		int64_t tag;
		outcomes[sample(r, 100, true, &tag)]++;
	}
	for (uint64_t i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){.recorder = r, .seed = tap_seed() + i, .stop = &stop};
		pthread_create(&workers[i].thread, NULL, work, &workers[i]);
	}
	for (int i = 0; recorder_counts(r).samples < THREADS * EACH / 2; i++) {
		struct collection c = {.begin = clock_now(), .end = clock_now(), .cause = "x"};
		atomic_fetch_add(&r->young, 1);
		c.gc.young = atomic_load(&r->young);
		recorder_collection(r, &c);
		recorder_tick(r, 0, 0);
		agent_trace_drain(&t, r, i % 2);
	}
	atomic_store(&stop, true);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		for (int k = 0; k < 4; k++)
			outcomes[k] += workers[i].outcomes[k];
	}
	agent_trace_drain(&t, r, false);
	recorder_end(r, END_STOPPED);
	agent_trace_drain(&t, r, true);
	struct agent_totals n = agent_trace_verify(&t, true);
	EXPECT_INT(outcomes[OUTCOME_FOLLOWED], n.births);
	EXPECT_INT(outcomes[OUTCOME_RECORDED], n.allocs);
	EXPECT_INT(outcomes[OUTCOME_LOST], n.end.lost);
	EXPECT(n.deaths > 0 && n.untracks > 0);
	agent_trace_release(&t);
	recorder_release(r);
}
