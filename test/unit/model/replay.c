#include "model/replay.h"

#include <math.h>

#include "base/error.h"
#include "base/rng.h"
#include "support/sim.h"
#include "support/tap.h"
#include "trace/writer.h"

enum { ROUNDS = 12, OBJECTS = 3000 };

/* What the listener was told of an object, and what is true. */
struct told {
	struct object object;
	struct life life;
	uint32_t truth;
	enum { UNTOLD, BORN, DIED, UNTRACKED, ALIVE } fate;
	unsigned times;
};

struct recorder {
	VEC(struct record) records; /* as written; texts are the simulation's */
	struct told told[OBJECTS + 1];
	uint64_t samples;
	struct writer writer;
};

static int put(void *arg, const struct record *r)
{
	struct recorder *rec = arg;
	int err = vec_push(&rec->records, *r);
	return err ? err : writer_put(&rec->writer, r);
}

static void truth(void *arg, uint64_t id, uint32_t age)
{
	((struct recorder *)arg)->told[id].truth = age;
}

static int tell(struct recorder *rec, const struct object *o, const struct life *l, int fate)
{
	struct told *t = &rec->told[o->id];
	t->object = *o;
	t->times += fate != BORN;
	t->fate = (unsigned)fate;
	if (l)
		t->life = *l;
	return 0;
}

static int on_sample(void *arg, const struct model *m, const struct sample *s)
{
	(void)m;
	EXPECT(s->weight >= 1);
	((struct recorder *)arg)->samples++;
	return 0;
}

static int on_birth(void *arg, const struct model *m, const struct object *o)
{
	(void)m;
	return tell(arg, o, NULL, BORN);
}

static int on_death(void *arg, const struct model *m, const struct object *o, const struct life *l)
{
	(void)m;
	return tell(arg, o, l, DIED);
}

static int on_untrack(void *arg, const struct model *m, const struct object *o,
	const struct life *l, uint64_t reason)
{
	(void)m;
	(void)reason;
	return tell(arg, o, l, UNTRACKED);
}

static int on_alive(void *arg, const struct model *m, const struct object *o, const struct life *l)
{
	(void)m;
	return tell(arg, o, l, ALIVE);
}

static int replay_bytes(struct slice bytes, struct model *m, const struct listener *l)
{
	struct source source;
	struct reader reader;
	struct diag d = {""};
	int err = source_open_memory(&source, bytes);
	if (err)
		return err;
	err = reader_init(&reader, &source, NULL, &d);
	if (!err)
		err = replay_run(m, &reader, l, &d);
	reader_release(&reader);
	source_close(&source);
	return err;
}

static const struct sim_site sites[] = {
	{"byte[]", {"a.B.c:1", "a.Main.main:2"}, 64, 5, 90, 1, 4},
	{"a.Order", {"a.B.d:3", "a.Main.main:2"}, 32, 3, 10, 1, 9},
	{"a.Cache", {"a.B.e:4"}, 48, 1, 0, SIM_FOREVER, 0},
};
static const struct sim_text facts[] = {
	{"deaths", "collection"}, {"tenuring.max", "5"}, {NULL, NULL}};

/* The position of the object's record of this kind, or -1: a plain search. */
static ptrdiff_t find(const struct recorder *rec, uint8_t kind, uint64_t id)
{
	for (size_t i = 0; i < rec->records.count; i++) {
		const struct record *r = &rec->records.at[i];
		if (r->kind == kind && (kind == RECORD_birth          ? r->birth.object
					       : kind == RECORD_death ? r->death.object
								      : r->untrack.object) == id)
			return (ptrdiff_t)i;
	}
	return -1;
}

/* Collections of a kind that stand between two records. */
static uint64_t between(const struct recorder *rec, ptrdiff_t from, ptrdiff_t to, bool whole,
	const struct record **last)
{
	uint64_t count = 0, full = 0;
	*last = NULL;
	for (ptrdiff_t i = 0; i < to; i++) {
		const struct record *r = &rec->records.at[i];
		if (r->kind != RECORD_gc)
			continue;
		bool raised = r->gc.full > full;
		full = r->gc.full;
		if (i > from) {
			count += !whole || raised;
			*last = r;
		}
	}
	return count;
}

/* The clock at the n-th collection after a record; 0: itself. */
static uint64_t alloc_at(const struct recorder *rec, ptrdiff_t birth, uint64_t n)
{
	if (n == 0)
		return rec->records.at[birth].birth.alloc;
	for (size_t i = (size_t)birth; i < rec->records.count; i++)
		if (rec->records.at[i].kind == RECORD_gc && --n == 0)
			return rec->records.at[i].gc.alloc;
	return UINT64_MAX;
}

static void check_object(const struct recorder *rec, uint64_t id)
{
	const struct told *t = &rec->told[id];
	ptrdiff_t birth = find(rec, RECORD_birth, id), death = find(rec, RECORD_death, id);
	ptrdiff_t untrack = find(rec, RECORD_untrack, id);
	EXPECT_INT(1, t->times);
	EXPECT_INT(death >= 0 ? DIED : untrack >= 0 ? UNTRACKED : ALIVE, t->fate);
	const struct record *last;
	ptrdiff_t end = death >= 0 ? death : untrack >= 0 ? untrack : (ptrdiff_t)rec->records.count;
	uint64_t young = between(rec, birth, end, false, &last);
	EXPECT_INT(death >= 0 ? young - 1 : young, t->life.young);
	/* Alive at `after`, dead at `by`: never more than is true. */
	uint64_t at = rec->records.at[birth].birth.alloc, survived = alloc_at(rec, birth, t->truth);
	EXPECT(t->truth == SIM_FOREVER || t->life.bytes.after <= survived - at);
	if (death >= 0)
		EXPECT(t->life.bytes.by >= alloc_at(rec, birth, (uint64_t)t->truth + 1) - at);
	if (death >= 0 && t->truth <= 5 && young == (uint64_t)t->truth + 1 &&
		last->gc.collector == 1)
		EXPECT_INT(survived - at, t->life.bytes.after);
}

static struct sim random_sim(struct rng *rng, uint64_t samples)
{
	return (struct sim){.sites = sites,
		.count = ARRAY_SIZE(sites),
		.facts = facts,
		.seed = rng_u64(rng),
		.samples = samples,
		.interval = 1000,
		.track = 1 + rng_below(rng, 3),
		.gc_bytes = 5000 + rng_below(rng, 100000),
		.full_every = rng_below(rng, 3) * 7,
		.promote = 5,
		.young_role = ROLE_YOUNG,
		.full_role = ROLE_FULL,
		.bytes_per_s = 1000000,
		.untrack = (unsigned)rng_below(rng, 20),
		.truth = truth};
}

static const struct listener all = {.on_sample = on_sample,
	.on_birth = on_birth,
	.on_death = on_death,
	.on_untrack = on_untrack,
	.on_alive = on_alive};

TEST(agrees_with_a_search_through_all_records)
{
	struct rng rng = rng_init(tap_seed());
	for (int round = 0; round < ROUNDS; round++) {
		struct recorder *rec = mem_zalloc(1, sizeof(*rec));
		struct model m;
		struct buf bytes = {0};
		struct sim s = random_sim(&rng, 50 + rng_below(&rng, 300));
		EXPECT_INT(0, writer_init(&rec->writer, sink_buf(&bytes), NULL, (struct ns){1}));
		EXPECT_INT(0, sim_run(&s, put, rec));
		EXPECT_INT(0, writer_release(&rec->writer));
		EXPECT_INT(0, model_init(&m));
		struct listener l = all;
		l.arg = rec;
		EXPECT_INT(0, replay_bytes(buf_slice(&bytes), &m, &l));
		EXPECT_INT(s.samples, rec->samples);
		EXPECT_INT(m.tallies.born, m.tallies.died + m.tallies.untracked + m.tallies.alive);
		EXPECT(m.complete && !m.cut);
		for (uint64_t id = 1; id <= m.tallies.born; id++)
			check_object(rec, id);
		for (int i = 0; i < ODD_COUNT; i++)
			EXPECT_INT(0, m.odds.count[i]);
		model_release(&m);
		vec_release(&rec->records);
		buf_release(&bytes);
		mem_free(rec);
	}
}

/* One record in a trace of its own, after a site, a thread and a configuration. */
static void replay_rows(const struct record *rows, size_t count, struct model *m)
{
	struct buf bytes = {0};
	struct writer w;
	struct record r = {.kind = RECORD_config, .config = {.id = 1, .walk = 1, .track = 1}};
	EXPECT_INT(0, writer_init(&w, sink_buf(&bytes), NULL, (struct ns){1}));
	EXPECT_INT(0, writer_put(&w, &r));
	for (size_t i = 0; i < count; i++)
		EXPECT_INT(0, writer_put(&w, &rows[i]));
	EXPECT_INT(0, writer_release(&w));
	EXPECT_INT(0, model_init(m));
	EXPECT_INT(0, replay_bytes(buf_slice(&bytes), m, NULL));
	buf_release(&bytes);
}

struct weighed {
	double sample[64], object[64];
	size_t samples, objects;
};

static int weigh_sample(void *arg, const struct model *m, const struct sample *s)
{
	struct weighed *w = arg;
	(void)m;
	w->sample[w->samples++] = s->weight;
	return 0;
}

static int weigh_object(void *arg, const struct model *m, const struct object *o)
{
	struct weighed *w = arg;
	(void)m;
	w->object[w->objects++] = o->weight;
	return 0;
}

/* Each by the config that it names, be that the last or an earlier one, and by the formulas of
 * doc/trace-format.md. */
TEST(samples_are_weighed_by_their_own_config)
{
	static const struct record_config configs[] = {
		{.id = 1, .interval = 1 << 19, .walk = 1, .track = 1},
		{.id = 2, .interval = 1 << 24, .walk = 4, .track = 2},
		{.id = 3, .interval = 1 << 19, .walk = 4, .track = 8},
		{.id = 4, .interval = 1 << 17, .walk = 1, .track = 8},
	};
	struct buf bytes = {0};
	struct writer w;
	struct model m;
	struct weighed weighed = {.samples = 0};
	const struct listener listener = {
		.arg = &weighed, .on_sample = weigh_sample, .on_birth = weigh_object};
	struct rng rng = rng_init(tap_seed());
	double sample[64], object[32];
	EXPECT_INT(0, writer_init(&w, sink_buf(&bytes), NULL, (struct ns){1}));
	for (size_t i = 0; i < ARRAY_SIZE(sample); i++) {
		size_t known = i / 16;
		const struct record_config *c = &configs[rng_below(&rng, known + 1)];
		uint64_t size = 16 + rng_below(&rng, 100000);
		struct record r = {.kind = RECORD_config, .config = configs[known]};
		if (i % 16 == 0)
			EXPECT_INT(0, writer_put(&w, &r));
		if (i % 2)
			r = (struct record){
				.kind = RECORD_alloc, .alloc = {.size = size, .config = c->id}};
		else
			r = (struct record){.kind = RECORD_birth,
				.birth = {.object = i + 1, .size = size, .config = c->id}};
		EXPECT_INT(0, writer_put(&w, &r));
		sample[i] = (double)c->walk / (1 - exp(-(double)size / (double)c->interval));
		object[i / 2] = i % 2 ? object[i / 2] : sample[i] * (double)c->track;
	}
	EXPECT_INT(0, writer_release(&w));
	EXPECT_INT(0, model_init(&m));
	EXPECT_INT(0, replay_bytes(buf_slice(&bytes), &m, &listener));
	EXPECT_INT(ARRAY_SIZE(sample), weighed.samples);
	EXPECT_INT(ARRAY_SIZE(object), weighed.objects);
	for (size_t i = 0; i < weighed.samples; i++)
		EXPECT_NEAR(sample[i], weighed.sample[i], 1e-6 * sample[i]);
	for (size_t i = 0; i < weighed.objects; i++)
		EXPECT_NEAR(object[i], weighed.object[i], 1e-6 * object[i]);
	model_release(&m);
	buf_release(&bytes);
}

/* Large ones from 64 kB on, and of less than 8 intervals of the config that they name. */
TEST(bytes_of_large_objects_are_told_apart)
{
	static const struct {
		uint64_t size, config;
		bool large;
	} rows[] = {{(64 << 10) - 1, 2, false}, {64 << 10, 2, true}, {300000, 2, true},
		{(8 << 19) - 1, 2, true}, {8 << 19, 2, false}, {64 << 10, 1, false},
		{24, 2, false}};
	struct record r[1 + ARRAY_SIZE(rows)] = {{.kind = RECORD_config,
		.config = {.id = 2, .interval = 1 << 19, .walk = 4, .track = 1}}};
	struct model m;
	double large = 0;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		double size = (double)rows[i].size;
		r[i + 1] = (struct record){.kind = RECORD_alloc,
			.alloc = {.size = rows[i].size, .config = rows[i].config}};
		large += rows[i].large ? size * 4 / (1 - exp(-size / (1 << 19))) : 0;
	}
	replay_rows(r, ARRAY_SIZE(r), &m);
	EXPECT_INT(ARRAY_SIZE(rows), m.tallies.samples);
	EXPECT_NEAR(large, m.tallies.large, 1e-6 * large);
	EXPECT(m.tallies.large < m.tallies.sampled);
	model_release(&m);
}

TEST(what_does_not_belong_is_counted)
{
	const struct record birth = {
		.kind = RECORD_birth, .birth = {.object = 7, .size = 8, .config = 1}};
	const struct record death = {.kind = RECORD_death, .death = {.object = 7, .young = 1}};
	const struct record untrack = {.kind = RECORD_untrack, .untrack = {.object = 9}};
	struct record lost = birth, far = birth, weightless = birth;
	lost.birth.object = 8;
	lost.birth.site = 3;
	lost.birth.thread = 4;
	weightless.birth.object = 10;
	weightless.birth.config = 5;
	far.birth.object = 11;
	far.birth.size = UINT64_MAX;
	struct record weightless_death = death;
	weightless_death.death.object = 10;
	const struct record rows[] = {
		birth, birth, death, death, untrack, lost, weightless, weightless_death, far};
	struct model m;
	replay_rows(rows, ARRAY_SIZE(rows), &m);
	EXPECT_INT(1, m.odds.count[ODD_DOUBLE_BIRTH]);
	EXPECT_INT(1, m.odds.count[ODD_DEATH_UNBORN]);
	EXPECT_INT(1, m.odds.count[ODD_UNTRACK_UNBORN]);
	EXPECT_INT(1, m.odds.count[ODD_UNDEFINED_SITE]);
	EXPECT_INT(1, m.odds.count[ODD_UNDEFINED_THREAD]);
	EXPECT_INT(2, m.odds.count[ODD_WEIGHTLESS]);
	EXPECT_INT(2, m.tallies.born);
	EXPECT_INT(1, m.tallies.died);
	EXPECT_INT(1, m.tallies.alive);
	EXPECT(!m.complete);
	model_release(&m);
}

/* An attach that ends before a collection came behind the one from which its births are told: what
 * was born stands, and the collections before are no gap. One behind it that has no account is. */
/* The third collection says that the second had not been told of. */
TEST(what_was_seen_of_deaths_that_are_late)
{
	static const struct {
		uint64_t flags, deaths;
	} cases[] = {{0, 0}, {GC_NOTHING, 0}, {GC_WAITED, 1}, {GC_WAITED | GC_MIXED, 1}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct record rows[] = {
			{.kind = RECORD_gc, .gc = {.number = 1, .young = 1}},
			{.kind = RECORD_birth,
				.birth = {.young = 1, .object = 5, .size = 16, .config = 1}},
			{.kind = RECORD_gc, .gc = {.number = 2, .young = 2}},
			{.kind = RECORD_gc,
				.gc = {.number = 3, .young = 3, .flags = cases[i].flags}},
			{.kind = RECORD_death, .death = {.object = 5, .young = 3}},
		};
		struct model m;
		replay_rows(rows, ARRAY_SIZE(rows), &m);
		EXPECT_INT(cases[i].deaths, m.late.deaths);
		EXPECT_INT(cases[i].deaths, m.late.collections);
		model_release(&m);
	}
}

TEST(births_that_begin_late_and_meet_no_collection)
{
	for (uint64_t young = 2; young <= 3; young++) {
		const struct record rows[] = {
			{.kind = RECORD_fact,
				.fact = {slice_str("exact.from.young"), slice_str("2")}},
			{.kind = RECORD_tick, .tick = {.young = young}},
			{.kind = RECORD_site_births,
				.site_births = {.young = 2, .site = 1, .objects = 10, .bytes = 80}},
		};
		struct model m;
		replay_rows(rows, ARRAY_SIZE(rows), &m);
		EXPECT_INT(1, m.exact.sites.count);
		struct site_fates f = counts_fates(&m.exact.sites.at[0]);
		EXPECT_INT(young - 2, m.exact.unaccounted);
		EXPECT_INT(young == 2 ? 10 : 0, f.young.objects);
		EXPECT_INT(young == 2 ? 0 : 10, f.lost.objects);
		model_release(&m);
	}
}

TEST(out_of_memory_at_every_allocation)
{
	struct rng rng = rng_init(tap_seed());
	struct recorder *rec = mem_zalloc(1, sizeof(*rec));
	struct buf bytes = {0};
	struct sim s = random_sim(&rng, 60);
	EXPECT_INT(0, writer_init(&rec->writer, sink_buf(&bytes), NULL, (struct ns){1}));
	EXPECT_INT(0, sim_run(&s, put, rec));
	EXPECT_INT(0, writer_release(&rec->writer));
	int err = ERR_NOMEM;
	uint64_t n = 0;
	while (err == ERR_NOMEM) {
		struct model m;
		mem_fail_at(++n);
		err = model_init(&m);
		if (!err) {
			err = replay_bytes(buf_slice(&bytes), &m, NULL);
			model_release(&m);
		}
		mem_fail_at(0);
	}
	EXPECT_INT(0, err);
	EXPECT(n > 20);
	vec_release(&rec->records);
	buf_release(&bytes);
	mem_free(rec);
}
