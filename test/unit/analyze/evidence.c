#include "analyze/evidence.h"

#include <math.h>

#include "base/error.h"
#include "base/rng.h"
#include "support/ledger_of.h"
#include "support/tap.h"

static const struct sim_site sites[] = {
	{"byte[]", {"a.B.c:1", "a.Main.main:2"}, 640, 60, 90, 1, 3},
	{"a.Order", {"a.b.C.d:3", "a.Main.main:2"}, 300000, 30, 20, 1, 30},
	{"a.Kept", {"a.b.K.k:4", "a.Main.main:5"}, 64, 10, 0, SIM_FOREVER, 0},
};
static const struct sim_text facts[] = {{"gc", "G1"}, {"follow.max", "262144"}, {NULL, NULL}};

static struct sim program(void)
{
	return (struct sim){.sites = sites,
		.count = 3,
		.facts = facts,
		.seed = tap_seed(),
		.samples = 5000,
		.interval = 50000,
		.gc_bytes = 2000000,
		.promote = 15,
		.young_role = ROLE_YOUNG,
		.full_role = ROLE_FULL,
		.full_every = 17,
		.bytes_per_s = 5000000,
		.threads = 3};
}

static int replay(struct slice trace, struct model *m, struct evidence_log *e)
{
	struct source source;
	struct reader reader;
	struct listener l = evidence_listener(e);
	EXPECT_INT(0, model_init(m));
	EXPECT_INT(0, source_open_memory(&source, trace));
	EXPECT_INT(0, reader_init(&reader, &source, NULL, NULL));
	int err = replay_run(m, &reader, &l, NULL);
	reader_release(&reader);
	source_close(&source);
	return err ? err : evidence_settle(e, m);
}

/* Everything once more, from the records alone. */
TEST(it_is_what_the_records_say)
{
	struct ledger_of l;
	struct sim sim = program();
	struct evidence_log e;
	struct model m;
	EXPECT_INT(0, ledger_and_records_of_sim(&l, &sim, false));
	evidence_init(&e, false);
	EXPECT_INT(0, replay(buf_slice(&l.bytes), &m, &e));
	double alive[4] = {0}, large = 0, proven = 0, threads[4] = {0}, objects[4][32] = {{0}};
	uint64_t end = m.now.time;
	for (size_t i = 0; i < l.records.count; i++) {
		const struct record_birth *b = &l.records.at[i].birth;
		if (l.records.at[i].kind != RECORD_birth)
			continue;
		double w = model_weight(&m, b->size, 1), bytes = w * (double)b->size;
		bool dead = false;
		for (size_t k = i; k < l.records.count && !dead; k++)
			dead = l.records.at[k].kind == RECORD_death &&
			       l.records.at[k].death.object == b->object;
		threads[b->thread] += bytes;
		large += b->size > 262144 ? bytes : 0;
		objects[b->site][(int)floor(log2((double)b->size))] += w;
		alive[b->site] += dead ? 0 : bytes;
		proven += !dead && m.now.full > b->full ? bytes : 0;
	}
	double sum = 0, all_proven = 0;
	for (uint32_t s = 1; s <= 3; s++) {
		const struct evidence_site *site = &e.sites.at[s];
		double here = 0;
		for (int p = 0; p < EVIDENCE_PARTS; p++)
			here += site->alive[p];
		for (int b = 0; b < EVIDENCE_SIZES; b++)
			EXPECT_NEAR(objects[s][b], site->objects[b], 1e-6 * (1 + objects[s][b]));
		EXPECT_NEAR(alive[s], here, 1e-6 * (1 + here));
		all_proven += site->proven;
		sum += site->large.bytes.sum;
		EXPECT(evidence_until(site, end) <= evidence_until(site, UINT64_MAX));
	}
	EXPECT_NEAR(large, sum, 1e-6 * (1 + large));
	EXPECT_NEAR(proven, all_proven, 1e-6 * (1 + proven));
	for (uint32_t t = 1; t <= 3; t++)
		EXPECT_NEAR(threads[t], e.threads.at[t].bytes.sum, 1e-6 * threads[t]);
	/* 500 births: each of 64 parts has some 8. */
	int parts = 0;
	for (int i = 0; i < EVIDENCE_BIRTHS; i++)
		parts += (int)(e.sites.at[3].births >> i & 1);
	EXPECT(parts >= 60);
	evidence_release(&e);
	model_release(&m);
	ledger_of_release(&l);
}

/* A collector that goes through the objects one by one, for each bound. */
TEST(copies_are_what_a_collector_makes)
{
	struct ledger_of l;
	struct sim sim = program();
	struct evidence_log e;
	struct model m;
	sim.full_every = 0;
	sim.gc_ns = 1000;
	sim.promote = 5;
	EXPECT_INT(0, ledger_and_records_of_sim(&l, &sim, false));
	/* Thresholds as a VM might choose them. */
	uint8_t held[4096] = {15};
	evidence_init(&e, false);
	EXPECT_INT(0, replay(buf_slice(&l.bytes), &m, &e));
	struct rng r = rng_init(tap_seed());
	for (size_t i = 0; i < e.thresholds.count; i++)
		e.thresholds.at[i] = held[i] = (uint8_t)rng_below(&r, 6);
	for (size_t birth = 0; birth < e.thresholds.count; birth++) {
		unsigned age = 0;
		bool old = false;
		for (size_t gc = birth; gc < e.thresholds.count && !old; gc++) {
			old = age >= held[gc];
			age += !old;
		}
		EXPECT_INT(age < 15 ? age : 15, evidence_promotion(&e, birth));
	}
	double copied[16] = {0}, promoted[16] = {0};
	for (uint32_t s = 1; s <= 3; s++)
		for (int t = 0; t <= TENURING_MOST; t++) {
			copied[t] += e.sites.at[s].copied[t];
			promoted[t] += e.sites.at[s].promoted[t];
			EXPECT(e.sites.at[s].early[t] <= e.sites.at[s].promoted[t]);
		}
	for (int t = 1; t <= TENURING_MOST; t++)
		EXPECT(copied[t] >= copied[t - 1] && promoted[t] <= promoted[t - 1]);
	EXPECT_NEAR(copied[0], promoted[0], 1e-6 * copied[0]);
	EXPECT_NEAR(0, e.sites.at[1].early[TENURING_MOST], 0);
	evidence_release(&e);
	model_release(&m);
	ledger_of_release(&l);
}

/* Whatever the order of widths, the sum up to a time is right but for the bin it falls into. */
TEST(bins_of_time_hold_what_was_put_in)
{
	struct rng r = rng_init(tap_seed());
	struct evidence_log e;
	struct model m;
	EXPECT_INT(0, model_init(&m));
	evidence_init(&e, false);
	struct listener l = evidence_listener(&e);
	enum { N = 3000 };
	uint64_t times[N], time = 0;
	for (int i = 0; i < N; i++) {
		time += rng_below(&r, i < N / 2 ? 1000 : 100000000);
		times[i] = time;
		struct sample s = {.time = time, .size = 8, .site = (uint32_t)(i % 2), .weight = 2};
		EXPECT_INT(0, l.on_sample(l.arg, &m, &s));
	}
	struct evidence_site all = e.sites.at[0];
	evidence_merge(&all, &e.sites.at[1]);
	EXPECT_NEAR(16.0 * N, evidence_until(&all, UINT64_MAX), 1e-6);
	EXPECT_NEAR(0, evidence_until(&all, 0), 1e-6);
	for (int i = 0; i < N; i += 10) {
		double before = 0, after = 0;
		for (int k = 0; k < N; k++) {
			before += times[k] + all.width <= times[i] ? 16 : 0;
			after += times[k] <= times[i] + all.width ? 16 : 0;
		}
		double got = evidence_until(&all, times[i]);
		EXPECT(before <= got + 1e-6 && got <= after + 1e-6);
	}
	evidence_release(&e);
	model_release(&m);
}

/* What is left of a cyclic trace begins with the program's GC clocks far on: parts and thresholds
 * are of what is left. */
TEST(a_forgotten_begin_counts_for_nothing)
{
	struct evidence_log e;
	struct model m;
	EXPECT_INT(0, model_init(&m));
	m.begin.young = m.now.young = 1000;
	m.facts.tenuring_max = 15;
	evidence_init(&e, false);
	struct listener l = evidence_listener(&e);
	for (uint64_t i = 0; i < EVIDENCE_BIRTHS; i++) {
		struct gc gc = {.young = ++m.now.young, .raised_young = true, .tenuring = 2};
		EXPECT_INT(0, l.on_gc(l.arg, &m, &gc));
	}
	EXPECT_INT(EVIDENCE_BIRTHS + 1, e.thresholds.count);
	EXPECT_INT(2, evidence_promotion(&e, 1));
	for (uint64_t i = 0; i < EVIDENCE_BIRTHS; i++) {
		struct object o = {.site = 1, .size = 8, .weight = 1, .young = 1000 + i};
		struct life life = {.young = m.now.young - o.young};
		EXPECT_INT(0, l.on_alive(l.arg, &m, &o, &life));
	}
	EXPECT(e.sites.at[1].births == UINT64_MAX >> 1); /* none in the last, which is just over */
	/* Each but the last two was copied twice and then promoted, a third copy. */
	EXPECT_NEAR(8 * (3 * EVIDENCE_BIRTHS - 2 - 1), e.sites.at[1].copied[TENURING_MOST], 1e-6);
	evidence_release(&e);
	model_release(&m);
}

/* With thresholds of 15 and 1 by turns: what is told of a G1 collection is what it had itself. */
TEST(whose_threshold_is_told)
{
	for (int first = 0; first < 2; first++) {
		struct evidence_log e;
		struct model m;
		EXPECT_INT(0, model_init(&m));
		m.facts.tenuring_max = 15;
		m.gcs.chooses_first = first;
		evidence_init(&e, false);
		struct listener l = evidence_listener(&e);
		for (uint64_t i = 1; i <= 8; i++) {
			struct gc gc = {
				.young = i, .raised_young = true, .tenuring = i % 2 ? 15 : 1};
			EXPECT_INT(0, l.on_gc(l.arg, &m, &gc));
		}
		/* Born behind the second: the third has 15 and the fourth 1; or 1 and then 15. */
		EXPECT_INT(first ? 1 : 2, evidence_promotion(&e, 2));
		EXPECT_INT(first ? 2 : 1, evidence_promotion(&e, 3));
		evidence_release(&e);
		model_release(&m);
	}
}

/* The latest time there is. */
TEST(time_may_be_as_late_as_can_be)
{
	struct evidence_log e;
	struct model m;
	EXPECT_INT(0, model_init(&m));
	evidence_init(&e, false);
	struct listener l = evidence_listener(&e);
	struct sample s = {.time = UINT64_MAX, .size = UINT64_MAX, .weight = 1};
	EXPECT_INT(0, l.on_sample(l.arg, &m, &s));
	EXPECT_NEAR(1.0, evidence_until(&e.sites.at[0], UINT64_MAX) / (double)UINT64_MAX, 1e-3);
	EXPECT_NEAR(0, evidence_until(&e.sites.at[0], UINT64_MAX / 2), 1e-3);
	evidence_release(&e);
	model_release(&m);
}

TEST(out_of_memory_is_told)
{
	struct ledger_of l;
	struct sim sim = program();
	sim.samples = 200;
	EXPECT_INT(0, ledger_and_records_of_sim(&l, &sim, false));
	int err = ERR_NOMEM;
	for (uint64_t n = 1; err; n += 7) {
		struct evidence_log e;
		struct model m;
		struct source source;
		struct reader reader;
		EXPECT_INT(0, model_init(&m));
		EXPECT_INT(0, source_open_memory(&source, buf_slice(&l.bytes)));
		EXPECT_INT(0, reader_init(&reader, &source, NULL, NULL));
		evidence_init(&e, false);
		struct listener listener = evidence_listener(&e);
		mem_fail_at(n);
		err = replay_run(&m, &reader, &listener, NULL);
		err = err ? err : evidence_settle(&e, &m);
		mem_fail_at(0);
		EXPECT(!err || err == ERR_NOMEM);
		evidence_release(&e);
		model_release(&m);
		reader_release(&reader);
		source_close(&source);
	}
	ledger_of_release(&l);
}
