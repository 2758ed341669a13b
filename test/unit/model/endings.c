#include "model/endings.h"

#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "model/replay.h"
#include "support/event_trace.h"
#include "support/stretch_of.h"
#include "support/tap.h"
#include "trace/codec.h"

enum { SEEDS = 30, STEPS = 24, CLOCKS_MOST = 128, SITES = SIM_SITES + 1 };

/* Objects of a site that were born together, and then died, or were let go, together, by the clock.
 */
struct death {
	uint32_t site, born, young; /* young: when the interval in which they died began */
	struct quantity q;
};

/* By the simulated heap, which knows each object by itself. */
struct truth {
	struct quantity births[SITES][CLOCKS_MOST]; /* by the clock; of the trace's counts */
	struct quantity first[SITES][CLOCKS_MOST];  /* of these, what outlived their interval */
	struct quantity stood[SITES][CLOCKS_MOST];  /* after the last step, and followed */
	uint64_t outlived[SITES];                   /* a collection, followed or not */
	VEC(struct death) deaths;                   /* of those that outlived their interval */
	uint64_t young;
};

struct rig {
	struct event_trace trace;
	bool accounts; /* they tell what outlived its first collection */
	struct buf bytes;
	uint64_t ends[CLOCKS_MOST];  /* bytes of the trace by the step that ended there */
	uint64_t times[CLOCKS_MOST]; /* of the collection that brought that clock */
	struct truth truth;
	struct source source;
	struct model model;
	struct endings is;
};

static struct rig rig;

static void count(struct quantity stands[SITES][CLOCKS_MOST])
{
	const struct sim_heap *h = &rig.trace.sim.heap;
	for (size_t i = 0; i < h->all.count; i++) {
		const struct sim_object *o = &h->all.at[i];
		uint32_t site = o->site - EVENT_TRACE_SITE;
		EXPECT(o->young < CLOCKS_MOST && site < SITES);
		if (o->followed)
			quantity_add(&stands[site][o->young], (struct quantity){1, o->bytes});
	}
}

static void note_deaths(struct truth *t, struct quantity stands[SITES][CLOCKS_MOST])
{
	for (uint32_t s = 0; s < SITES; s++)
		for (uint32_t b = 0; b < t->young; b++) {
			struct death d = {s, b, (uint32_t)t->young,
				quantity_less(t->stood[s][b], stands[s][b])};
			if (d.q.objects)
				EXPECT_INT(0, vec_push(&t->deaths, d));
		}
}

static void count_outlived(struct truth *t)
{
	const struct sim_heap *h = &rig.trace.sim.heap;
	for (size_t i = 0; i < h->all.count; i++) {
		const struct sim_object *o = &h->all.at[i];
		t->outlived[o->site - EVENT_TRACE_SITE] += o->logged && o->young == t->young;
	}
}

static void on_step(void *arg, enum sim_step step)
{
	static struct quantity stands[SITES][CLOCKS_MOST];
	struct truth *t = &rig.truth;
	uint64_t now = rig.trace.sim.young;
	(void)arg;
	memset(stands, 0, sizeof(stands));
	count(stands);
	note_deaths(t, stands);
	EXPECT(now < CLOCKS_MOST);
	for (uint32_t s = 0; s < SITES && (now > t->young || step == SIM_CLOSED); s++)
		t->first[s][t->young] = stands[s][t->young];
	if (now > t->young)
		count_outlived(t);
	memcpy(t->stood, stands, sizeof(stands));
	EXPECT_INT(0, writer_flush(&rig.trace.writer));
	rig.ends[now] = rig.bytes.len;
	if (now > t->young)
		rig.times[now] = event_trace_time(rig.trace.gcs);
	t->young = now;
}

static void make(struct sim_follow_setting s, uint64_t seed)
{
	struct codec zstd;
	EXPECT_INT(0, codec_zstd_init(&zstd, 1));
	s.rules.fixed = true;
	s.rules.compact = true;
	rig.trace.step = on_step;
	rig.trace.accounted = true;
	event_trace_make(&rig.trace, &s, seed, STEPS, seed % 2 ? &zstd : NULL, &rig.bytes);
	codec_zstd_release(&zstd);
}

static void release(void)
{
	vec_release(&rig.truth.deaths);
	event_trace_release(&rig.trace);
	buf_release(&rig.bytes);
	memset(&rig, 0, sizeof(rig));
}

static void count_births(struct reader *r)
{
	struct record record;
	struct diag d = {""};
	memset(rig.truth.births, 0, sizeof(rig.truth.births));
	while (reader_next(r, &record, &d) > 0) {
		const struct record_site_births *b = &record.site_births;
		if (record.kind != RECORD_site_births)
			continue;
		EXPECT(b->young > 0 && b->young <= CLOCKS_MOST && b->site < SITES);
		quantity_add(&rig.truth.births[b->site][b->young - 1],
			(struct quantity){b->objects, b->bytes});
	}
}

static void put_accounts(struct counts *e)
{
	for (size_t i = 0; i < e->sites.count && rig.accounts; i++) {
		struct site_counts *s = &e->sites.at[i];
		if (s->ages.count)
			s->ages.at[0].survived.objects = rig.truth.outlived[s->site];
	}
}

/* The first so many bytes: what is told of them. */
static void read_first(uint64_t bytes)
{
	struct codec zstd;
	struct reader r;
	struct diag d = {""};
	EXPECT_INT(0, codec_zstd_init(&zstd, 1));
	EXPECT_INT(0, source_open_memory(&rig.source, slice(rig.bytes.at, bytes)));
	EXPECT_INT(0, reader_init(&r, &rig.source, &zstd, &d));
	const struct block_info first = {.offset = r.next, .sequence = r.next_sequence};
	EXPECT_INT(0, model_init(&rig.model));
	EXPECT_INT(0, replay_run(&rig.model, &r, NULL, &d));
	reader_seek(&r, &first);
	put_accounts(&rig.model.exact);
	EXPECT_INT(0, endings_read(&rig.is, &r, &rig.model, &d));
	EXPECT_STR("", d.text);
	reader_seek(&r, &first);
	count_births(&r);
	reader_release(&r);
	codec_zstd_release(&zstd);
}

static void close_first(void)
{
	endings_release(&rig.is);
	model_release(&rig.model);
	source_close(&rig.source);
}

enum { GONE, STANDS, KNOWN }; /* gone: dead or let go */

/* What became of the objects of a site by the clock at `end`, as one adds it up by hand. */
static void expect_site(uint32_t site, uint64_t end, struct quantity want[CLOCKS_MOST][KNOWN])
{
	const struct truth *t = &rig.truth;
	struct quantity alive[CLOCKS_MOST];
	for (uint32_t b = 0; b < CLOCKS_MOST; b++) {
		alive[b] = b < end ? t->first[site][b] : t->births[site][b];
		quantity_add(&want[0][GONE], quantity_less(t->births[site][b], alive[b]));
	}
	for (size_t i = 0; i < t->deaths.count; i++) {
		const struct death *d = &t->deaths.at[i];
		if (d->site != site || (d->young >= end && !rig.model.complete))
			continue;
		quantity_add(&want[d->young - d->born][GONE], d->q);
		alive[d->born] = quantity_less(alive[d->born], d->q);
	}
	for (uint32_t b = 0; b < CLOCKS_MOST; b++)
		quantity_add(&want[b < end ? end - b : 0][STANDS], alive[b]);
}

static void expect_quantity(struct quantity *want, struct quantity is)
{
	EXPECT_INT(want->objects, is.objects);
	if (!rig.is.mean.objects)
		EXPECT_INT(want->bytes, is.bytes);
	*want = (struct quantity){0, 0};
}

static void compare_site(uint32_t site, const struct site_endings *is)
{
	static struct quantity want[CLOCKS_MOST][KNOWN];
	memset(want, 0, sizeof(want));
	expect_site(site, rig.is.young, want);
	for (size_t i = 0; i < is->rows.count; i++) {
		const struct ending_row *row = &is->rows.at[i];
		struct quantity gone = row->of[ENDING_DIED];
		EXPECT(row->age < CLOCKS_MOST && (!i || is->rows.at[i - 1].age < row->age));
		quantity_add(&gone, row->of[ENDING_FORGOTTEN]);
		expect_quantity(&want[row->age][GONE], gone);
		expect_quantity(&want[row->age][STANDS], row->of[ENDING_ALIVE]);
	}
	for (int age = 0; age < CLOCKS_MOST; age++)
		for (int k = 0; k < KNOWN; k++)
			EXPECT_INT(0, want[age][k].objects);
}

/* Returns how many of the counted sites are told of. */
static uint64_t compare_all(void)
{
	uint64_t told = 0;
	for (size_t i = 0; i < rig.model.exact.sites.count; i++) {
		uint32_t site = rig.model.exact.sites.at[i].site;
		const struct site_endings *is = endings_of(&rig.is, site);
		told += is != NULL;
		if (is)
			compare_site(site, is);
	}
	return told;
}

static const enum heap_collector collectors[] = {HEAP_SERIAL, HEAP_PARALLEL, HEAP_G1};
static const struct sim_follow_setting ample = {
	.chunks = 4096, .words = 64, .residents = 1 << 20, .identities = 1 << 16, .checkpoint = 4};

static uint64_t let_go(void)
{
	return rig.trace.sim.follow.totals.forgotten + rig.trace.sim.lost;
}

/* Let go is what the agent let go, and no more; all in all that is little. */
static void expect_nearly_all(struct quantity *of, struct quantity *forgotten)
{
	const struct endings *e = &rig.is;
	struct quantity all = e->told;
	quantity_add(&all, e->untold);
	EXPECT_INT(ENDINGS_EVENTS, e->from);
	EXPECT_INT(rig.model.exact.births.objects, all.objects);
	EXPECT_INT(rig.model.exact.births.bytes, all.bytes);
	EXPECT(e->untold.objects <= all.objects / 50);
	EXPECT(e->forgotten.objects + e->untold.objects >= let_go());
	EXPECT(e->forgotten.objects <= let_go());
	quantity_add(of, all);
	quantity_add(forgotten, e->forgotten);
}

TEST(each_object_dies_when_it_did)
{
	struct quantity all = {0}, forgotten = {0};
	uint64_t deaths = 0, exact = 0;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct sim_follow_setting s = ample;
		s.rules.collector = collectors[seed % ARRAY_SIZE(collectors)];
		s.rules.fail = seed % 2 ? 5 : 0;
		make(s, tap_seed() + seed);
		read_first(rig.bytes.len);
		EXPECT(compare_all() > SITES / 2);
		expect_nearly_all(&all, &forgotten);
		deaths += rig.truth.deaths.count;
		exact += !rig.is.untold.objects && !rig.is.forgotten.objects;
		close_first();
		release();
	}
	EXPECT(deaths > SEEDS * STEPS);
	EXPECT(forgotten.objects <= all.objects / 50);
	EXPECT(exact > SEEDS / 3);
}

/* Births and objects are lost: what is told is right all the same, and of the rest nothing is. */
TEST(with_losses)
{
	uint64_t told = 0, untold = 0, forgotten = 0;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct sim_follow_setting s = ample;
		s.rules.collector = collectors[seed % ARRAY_SIZE(collectors)];
		s.rules.fail = 5;
		s.slow = 4;
		s.chunks = 150;
		s.reserve = 40;
		s.unseen = seed % 2 ? 8 : 0;
		make(s, tap_seed() + seed);
		read_first(rig.bytes.len);
		EXPECT_INT(ENDINGS_EVENTS, rig.is.from);
		told += compare_all();
		untold += rig.is.untold.objects;
		forgotten += rig.is.forgotten.objects;
		EXPECT_INT(0, rig.is.veiled); /* each birth is told */
		EXPECT(rig.is.untold.objects >= rig.trace.sim.lost);
		close_first();
		release();
	}
	EXPECT(told > 0 && untold > 1000 && forgotten > 1000);
}

/* Where those alone are told of that outlive a collection, all that is told is as true. */
TEST(of_survivors)
{
	struct quantity all = {0}, forgotten = {0};
	uint64_t deaths = 0, told = 0, lost = 0, veiled = 0, passed = 0;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct sim_follow_setting s = ample;
		s.rules.collector = collectors[seed % ARRAY_SIZE(collectors)];
		s.rules.fail = seed % 2 ? 5 : 0;
		s.rules.survivors = true;
		make(s, tap_seed() + seed);
		read_first(rig.bytes.len);
		EXPECT(compare_all() > SITES / 2);
		expect_nearly_all(&all, &forgotten);
		deaths += rig.truth.deaths.count;
		close_first();
		release();
	}
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct sim_follow_setting s = ample;
		s.rules.collector = collectors[seed % ARRAY_SIZE(collectors)];
		s.rules.fail = 5;
		s.rules.survivors = true;
		s.residents = seed % 4 ? s.residents : 130;
		s.unseen = seed % 2 ? 8 : 0;
		make(s, tap_seed() + seed);
		read_first(rig.bytes.len);
		EXPECT_INT(ENDINGS_EVENTS, rig.is.from);
		told += compare_all();
		passed += rig.trace.sim.follow.totals.refused;
		lost += rig.is.forgotten.objects;
		veiled += rig.is.veiled;
		EXPECT(rig.is.veiled <= rig.is.forgotten.objects);
		EXPECT(rig.is.forgotten.objects + rig.is.untold.objects >= rig.trace.sim.lost);
		close_first();
		release();
	}
	EXPECT(deaths > SEEDS * STEPS);
	EXPECT(forgotten.objects <= all.objects / 50);
	EXPECT(told > 0 && lost > 1000 && passed > 100);
	EXPECT(veiled > 100 && veiled < lost);
}

static uint64_t sum_from(const struct site_endings *is, uint32_t age, uint64_t *let_go)
{
	uint64_t objects = 0;
	for (size_t i = 0; i < is->rows.count; i++) {
		const struct ending_row *row = &is->rows.at[i];
		*let_go += row->age ? 0 : row->of[ENDING_FORGOTTEN].objects;
		for (int k = 0; k < ENDINGS && row->age >= age; k++)
			objects += row->of[k].objects;
	}
	return objects;
}

/* Returns how many were let go before a collection that is known of. */
static uint64_t compare_outlived(void)
{
	uint64_t let_go = 0;
	for (size_t i = 0; i < rig.model.exact.sites.count; i++) {
		const struct site_counts *s = &rig.model.exact.sites.at[i];
		const struct site_endings *is = endings_of(&rig.is, s->site);
		if (!is || !s->ages.count)
			continue;
		EXPECT_INT(rig.truth.outlived[s->site], sum_from(is, 1, &let_go));
		EXPECT_INT(s->births.objects, sum_from(is, 0, &let_go));
	}
	return let_go;
}

/* No memory to follow what outlives a collection: that it does is known all the same. */
TEST(let_go_as_it_outlived_a_collection)
{
	uint64_t let_go = 0, refused = 0;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct sim_follow_setting s = ample;
		s.rules.collector = collectors[seed % ARRAY_SIZE(collectors)];
		s.rules.survivors = seed % 2;
		s.residents = 130;
		rig.accounts = true;
		make(s, tap_seed() + seed);
		read_first(rig.bytes.len);
		EXPECT_INT(ENDINGS_EVENTS, rig.is.from);
		let_go += compare_outlived();
		refused += rig.trace.sim.follow.totals.refused;
		close_first();
		release();
	}
	EXPECT(refused > 1000);
	EXPECT(let_go < refused / 10);
}

/* Wherever it is cut: what is told is what was so at the last collection accounted for, and nobody
 * is dead of one that is not all there. */
/* Rates are over the time in which births are told, and never over none. */
static void compare_begin(struct model *m)
{
	uint64_t until = model_births_until(m);
	EXPECT_INT(0, model_births_from(m));
	m->facts.exact_from = until / 3 + m->begin.time;
	EXPECT_INT(until / 3, model_births_from(m));
	EXPECT_INT(until - until / 3, model_births_time(m));
	m->facts.exact_from = until + m->begin.time;
	EXPECT_INT(until, model_births_time(m));
	m->facts.exact_from = 0;
}

TEST(cut_anywhere)
{
	uint64_t cuts = 0, whole = 0;
	for (uint64_t seed = 0; seed < 3 * ARRAY_SIZE(collectors); seed++) {
		struct sim_follow_setting s = ample;
		s.rules.collector = collectors[seed % ARRAY_SIZE(collectors)];
		rig.trace.ahead = seed >= ARRAY_SIZE(collectors);
		s.rules.survivors = seed / ARRAY_SIZE(collectors) > 1;
		make(s, tap_seed() * 2 + seed);
		for (uint64_t i = 2; i < rig.truth.young; i++)
			for (uint64_t n = 1; n <= 4; n++, cuts++) {
				uint64_t from = rig.ends[i - 1], all = rig.ends[i] - from;
				read_first(from + all * n / 4);
				EXPECT(!rig.model.complete);
				EXPECT_INT(rig.times[rig.model.exact.young],
					model_births_until(&rig.model));
				EXPECT_INT(rig.model.exact.young, rig.is.young);
				compare_begin(&rig.model);
				EXPECT(compare_all() > 0);
				whole += !rig.is.untold.objects;
				close_first();
			}
		release();
	}
	EXPECT(cuts > 100 && whole > cuts / 3);
}

static void cut_the_end(bool survivors)
{
	struct sim_follow_setting s = ample;
	s.rules.survivors = survivors;
	make(s, tap_seed());
	for (uint64_t back = 1; back < 600; back += 20) {
		read_first(rig.bytes.len - back);
		EXPECT(compare_all() > SITES / 2);
		EXPECT(rig.is.untold.objects <= rig.is.told.objects / 50);
		close_first();
	}
	release();
}

/* Births that no collection came after are counted, and the end is not there. */
TEST(cut_at_the_end)
{
	cut_the_end(false);
	cut_the_end(true);
}

/* As of traces that were written before arrays told their size. */
TEST(of_arrays_without_sizes_nothing_is_told)
{
	uint64_t arrays = 0, others = 0;
	struct sim_follow_setting s = ample;
	s.sizeless = true;
	make(s, tap_seed());
	read_first(rig.bytes.len);
	for (uint32_t site = 1; site < SITES; site++) {
		const struct site_endings *e = endings_of(&rig.is, site);
		bool array = sim_heap_array(site + EVENT_TRACE_SITE), later = false;
		for (size_t i = 0; e && i < e->rows.count; i++)
			later |= e->rows.at[i].age || e->rows.at[i].of[ENDING_ALIVE].objects;
		arrays += array && e && later;
		others += !array && e;
	}
	EXPECT(arrays < SITES / 50); /* where it can be had all the same */
	EXPECT(others > SITES / 2);
	EXPECT(compare_all() >= others);
	close_first();
	release();
}

TEST(out_of_memory_at_every_allocation)
{
	struct reader r;
	struct diag d = {""};
	uint64_t n = 0;
	int err = ERR_NOMEM;
	make(ample, tap_seed() * 2);
	read_first(rig.bytes.len);
	EXPECT_INT(0, reader_init(&r, &rig.source, NULL, &d));
	const struct block_info first = {.offset = r.next, .sequence = r.next_sequence};
	while (err == ERR_NOMEM) {
		struct endings e;
		d.text[0] = '\0';
		reader_seek(&r, &first);
		mem_fail_at(n = n < 100 ? n + 1 : n + n / 16);
		err = endings_read(&e, &r, &rig.model, &d);
		EXPECT(err == 0 || (endings_of(&e, 1) == NULL && d.text[0]));
		mem_fail_at(0);
		endings_release(&e);
	}
	EXPECT_INT(0, err);
	EXPECT(n > 200);
	reader_release(&r);
	close_first();
	release();
}

TEST(of_a_stretch_nothing_is_told)
{
	struct stretch_of stretch;
	struct buf rest = {0};
	uint64_t seed = tap_seed() * 2, last = seed + SEEDS;
	make(ample, seed);
	while (!stretch_of_make(&stretch, buf_slice(&rig.bytes), NULL, 1, &rest) && seed < last) {
		release(); /* there is nowhere to cut it */
		make(ample, seed += 2);
	}
	EXPECT(rest.len > 0);
	buf_release(&rig.bytes);
	rig.bytes = rest;
	read_first(rig.bytes.len);
	EXPECT_INT(ENDINGS_STRETCH, rig.is.from);
	EXPECT_INT(0, compare_all());
	close_first();
	release();
}
