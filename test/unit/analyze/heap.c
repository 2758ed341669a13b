#include "analyze/heap.h"

#include <math.h>

#include "base/error.h"
#include "support/ledger_of.h"
#include "support/tap.h"

#define MB 1000000u

static const struct sim_site sites[] = {
	{"byte[]", {"a.B.c:1", "a.Main.main:2"}, 640, 60, 90, 1, 3},
	{"a.Order", {"a.b.C.d:3", "a.Main.main:2"}, 320, 30, 20, 1, 30},
	{"a.Kept", {"a.b.K.k:4", "a.Main.main:5"}, 64, 10, 0, SIM_FOREVER, 0},
};

static struct sim program(uint64_t seed)
{
	return (struct sim){.sites = sites,
		.count = 3,
		.seed = seed,
		.samples = 5000,
		.interval = 1000,
		.gc_bytes = MB / 4,
		.promote = 15,
		.young_role = ROLE_YOUNG,
		.full_role = ROLE_FULL,
		.full_every = 7,
		.bytes_per_s = MB};
}

/* By the records alone: born by then, and no death by a collection that had ended by then. */
struct oracle {
	double bytes;
	uint64_t objects;
};

static struct oracle oracle_at(const struct ledger_of *l, uint64_t time)
{
	struct oracle o = {0};
	for (size_t i = 0; i < l->records.count; i++) {
		const struct record *b = &l->records.at[i];
		if (b->kind != RECORD_birth || b->birth.time > time)
			continue;
		uint64_t end = UINT64_MAX, gc = 0;
		for (size_t k = i; k < l->records.count && end == UINT64_MAX; k++) {
			const struct record *r = &l->records.at[k];
			if (r->kind == RECORD_gc)
				gc = r->gc.end;
			if (r->kind == RECORD_death && r->death.object == b->birth.object)
				end = gc;
		}
		o.objects += end > time;
		o.bytes += end > time ? (double)b->birth.size : 0;
	}
	return o;
}

static int replay(struct slice trace, struct model *m, const struct listener *l)
{
	struct source source;
	struct reader reader;
	EXPECT_INT(0, model_init(m));
	EXPECT_INT(0, source_open_memory(&source, trace));
	EXPECT_INT(0, reader_init(&reader, &source, NULL, NULL));
	int err = replay_run(m, &reader, l, NULL);
	reader_release(&reader);
	source_close(&source);
	return err;
}

/* Samples of one object each, so that totals can be counted by hand. */
TEST(it_is_what_the_records_say)
{
	struct ledger_of l;
	struct sim sim = program(tap_seed());
	sim.interval = 1;
	sim.samples = 2000;
	sim.gc_bytes = 90;
	sim.bytes_per_s = 400;
	EXPECT_INT(0, ledger_and_records_of_sim(&l, &sim, false));
	struct heap h;
	struct model m;
	heap_init(&h, false);
	uint64_t end = l.model.now.time;
	for (uint64_t i = 0; i <= 10; i++)
		EXPECT_INT(0, heap_add_moment(&h, i * end / 10));
	struct listener listener = heap_listener(&h);
	EXPECT_INT(0, replay(buf_slice(&l.bytes), &m, &listener));
	EXPECT_INT(0, heap_settle(&h, &m));
	for (size_t i = 0; i < h.moments.count; i++) {
		struct oracle o = oracle_at(&l, h.moments.at[i].time);
		EXPECT_INT(o.objects, h.moments.at[i].live.n);
		EXPECT_NEAR(o.bytes, h.moments.at[i].live.bytes.sum, 1e-6);
	}
	struct total alive = {0};
	for (size_t a = 0; a < h.alive.accounts.count; a++)
		total_merge(&alive, &h.alive.accounts.at[a].tally.alive);
	EXPECT_INT(h.moments.at[10].live.n, alive.n);
	EXPECT_NEAR(h.moments.at[10].live.bytes.sum, alive.bytes.sum, 1e-6);
	heap_release(&h);
	model_release(&m);
	ledger_of_release(&l);
}

static struct life life_of(uint64_t young, uint64_t ns, bool died)
{
	return (struct life){.young = young, .ns = {ns, ns}, .died = died};
}

static void collect(struct heap *h, struct model *m, uint64_t young)
{
	struct gc gc = {.end = 100 * young, .young = m->begin.young + young, .raised_young = true};
	struct listener l = heap_listener(h);
	EXPECT_INT(0, vec_push(&m->gcs.list, gc));
	EXPECT_INT(0, l.on_gc(l.arg, m, &gc));
	m->now = (struct moment){.time = gc.end, .young = gc.young};
}

/* Of 500 that are followed the second collection finds 450 dead; 500 were let go before it. So 50
 * of these live on, whatever each stands for, and the sum has the error of a count of so many. */
static void let_500_go(bool by_thread)
{
	struct heap h;
	struct model m;
	EXPECT_INT(0, model_init(&m));
	m.begin.young = 1000; /* of a last stretch */
	heap_init(&h, by_thread);
	EXPECT_INT(0, heap_add_moment(&h, 50));
	EXPECT_INT(0, heap_add_moment(&h, 250));
	struct listener l = heap_listener(&h);
	struct object o = {.site = 1, .size = 8, .weight = 1, .time = 1, .young = 1000};
	struct life let_go = life_of(1, 149, false), dead = life_of(1, 199, true),
		    alive = life_of(3, 299, false);
	collect(&h, &m, 1);
	m.now.time = 150;
	for (o.id = 1; o.id <= 500; o.id++, o.thread = 1 + (o.id > 800))
		EXPECT_INT(0, l.on_untrack(l.arg, &m, &o, &let_go, UNTRACK_EVICTED));
	collect(&h, &m, 2);
	for (; o.id <= 950; o.id++, o.thread = 1 + (o.id > 800))
		EXPECT_INT(0, l.on_death(l.arg, &m, &o, &dead));
	collect(&h, &m, 3);
	for (; o.id <= 1000; o.id++, o.thread = 1 + (o.id > 800))
		EXPECT_INT(0, l.on_alive(l.arg, &m, &o, &alive));
	EXPECT_INT(0, heap_settle(&h, &m));
	EXPECT_NEAR(8000, h.moments.at[0].live.bytes.sum, 1e-6);
	EXPECT_NEAR(0, h.moments.at[0].live.bytes.variance, 0);
	EXPECT_NEAR(8 * 50, h.moments.at[1].guessed, 8 * 2);
	EXPECT_NEAR(8 * 100, h.moments.at[1].live.bytes.sum, 8 * 2);
	EXPECT_NEAR(64 * 50, h.moments.at[1].live.bytes.variance, 64 * 2);
	heap_release(&h);
	model_release(&m);
}

TEST(objects_let_go_of_a_census_count_with_their_chance)
{
	let_500_go(false);
	let_500_go(true); /* a site has one curve, of all its threads */
}

/* Objects let go stand for what would have lived on: the estimate meets the truth. */
TEST(objects_let_go_are_made_up_for)
{
	struct ledger_of kept, gone;
	struct sim sim = program(tap_seed());
	sim.samples = 20000;
	EXPECT_INT(0, ledger_and_records_of_sim(&kept, &sim, false));
	sim.untrack = 30;
	EXPECT_INT(0, ledger_and_records_of_sim(&gone, &sim, false));
	double live[2], sigma = 0;
	for (int k = 0; k < 2; k++) {
		struct heap h;
		struct model m;
		heap_init(&h, false);
		EXPECT_INT(0, heap_add_moment(&h, 9 * kept.model.now.time / 10));
		struct listener listener = heap_listener(&h);
		EXPECT_INT(0, replay(buf_slice(k ? &gone.bytes : &kept.bytes), &m, &listener));
		EXPECT_INT(0, heap_settle(&h, &m));
		live[k] = h.moments.at[0].live.bytes.sum;
		sigma = sqrt(h.moments.at[0].live.bytes.variance);
		EXPECT(k ? h.moments.at[0].guessed > 0 : h.moments.at[0].guessed <= 0);
		heap_release(&h);
		model_release(&m);
	}
	EXPECT_NEAR(live[0], live[1], 6 * sqrt(2) * sigma);
	ledger_of_release(&kept);
	ledger_of_release(&gone);
}
