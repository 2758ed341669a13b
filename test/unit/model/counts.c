#include "model/counts.h"

#include "base/error.h"
#include "model/replay.h"
#include "support/exact_sim.h"
#include "support/tap.h"

enum { OBJECTS = 20000 };

#define MAIN "com.acme.Main.main:1"
static const struct sim_site sites[] = {
	{"byte[]", {"com.acme.Pool.get:1", "com.acme.A.a:2", MAIN}, 64, 50, 90, 1, 20},
	{"byte[]", {"com.acme.Pool.get:1", "com.acme.B.b:3", MAIN}, 128, 30, 0, 2, 3},
	{"java.lang.String", {"com.acme.C.c:4", MAIN}, 24, 40, 100, 0, 0},
	{"com.acme.Kept", {"com.acme.D.d:5", MAIN}, 48, 10, 0, SIM_FOREVER, 0},
	{"long[]", {NULL}, 128, 4, 50, 1, 30},
};
static const struct sim_text facts[] = {
	{"engine", "exact"}, {"exact", "header"}, {"deaths", "collection"}, {NULL, NULL}};

static struct exact_sim program(uint64_t seed)
{
	return (struct exact_sim){.sim = {.sites = sites,
					  .count = ARRAY_SIZE(sites),
					  .facts = facts,
					  .seed = seed,
					  .samples = OBJECTS,
					  .interval = 64,
					  .gc_bytes = OBJECTS * 64 / 30,
					  .promote = 15,
					  .young_role = 1,
					  .full_role = 2,
					  .bytes_per_s = 100000},
		.interval = 4096};
}

/* A recording, replayed. */
struct played {
	struct model model;
	struct exact_truth truth;
	struct buf bytes;
};

static int play(struct played *p, const struct exact_sim *x)
{
	struct source source;
	struct reader reader;
	*p = (struct played){0};
	int err = model_init(&p->model);
	err = err ? err : exact_sim_write(x, &p->bytes, &p->truth);
	err = err ? err : source_open_memory(&source, buf_slice(&p->bytes));
	if (err)
		return err;
	err = reader_init(&reader, &source, NULL, NULL);
	err = err ? err : replay_run(&p->model, &reader, NULL, NULL);
	reader_release(&reader);
	source_close(&source);
	return err;
}

static void release(struct played *p)
{
	model_release(&p->model);
	exact_truth_release(&p->truth);
	buf_release(&p->bytes);
}

/* -- The same, from the objects themselves -- */

static bool tells(const struct exact_truth *t, uint64_t gc)
{
	return t->gcs.at[gc - 1] == 1 && (gc == 1 || t->gcs.at[gc - 2] != 0);
}

/* Whether its site is known after collection `gc`: no full one came since its birth. */
static bool is_marked(const struct exact_truth *t, const struct exact_object *o, uint64_t gc)
{
	for (uint64_t i = o->born; i < gc; i++)
		if (t->gcs.at[i] == 2)
			return false;
	return true;
}

static void count_one(struct quantity *q, const struct exact_object *o)
{
	quantity_add(q, (struct quantity){1, o->size});
}

/* What should stand of one site. */
struct expected {
	struct quantity births, died, promoted, young, risk[COUNTS_AGES], survived[COUNTS_AGES];
};

/* What one collection does to an object that survived k before. */
static void look(
	struct expected *e, const struct exact_truth *t, const struct exact_object *o, uint64_t gc)
{
	uint64_t k = gc - o->born - 1;
	bool lives = o->age > k, moved = lives && k == t->promote;
	if (o->age < k || k > t->promote || !is_marked(t, o, gc - 1))
		return;
	if (moved && t->gcs.at[gc - 1] == 1)
		count_one(&e->promoted, o);
	if (!tells(t, gc) || k >= COUNTS_AGES)
		return;
	count_one(&e->risk[k], o);
	if (lives && !moved)
		count_one(&e->survived[k], o);
	if (!lives)
		count_one(&e->died, o);
}

static void expect(struct expected *e, const struct exact_truth *t, uint64_t site)
{
	size_t gcs = t->gcs.count;
	*e = (struct expected){0};
	for (size_t i = 0; i < t->objects.count; i++) {
		const struct exact_object *o = &t->objects.at[i];
		if (o->site != site)
			continue;
		count_one(&e->births, o);
		for (uint64_t gc = o->born + 1; gc <= gcs; gc++)
			look(e, t, o, gc);
		uint64_t seen = gcs - o->born;
		bool last = !gcs || t->gcs.at[gcs - 1] != 0; /* missed: nothing is known */
		if (o->age >= seen && seen <= t->promote && last && is_marked(t, o, gcs))
			count_one(&e->young, o);
	}
}

static void expect_quantity(struct quantity want, struct quantity got)
{
	EXPECT_INT(want.objects, got.objects);
	EXPECT_INT(want.bytes, got.bytes);
}

static void expect_site(const struct expected *want, const struct site_counts *s)
{
	struct quantity known = s->died;
	expect_quantity(want->births, s->births);
	expect_quantity(want->died, s->died);
	expect_quantity(want->promoted, s->promoted);
	expect_quantity(want->young, counts_young(s));
	for (size_t k = 0; k < COUNTS_AGES; k++) {
		const struct age_counts none = {0};
		const struct age_counts *age = k < s->ages.count ? &s->ages.at[k] : &none;
		expect_quantity(want->risk[k], age->risk);
		expect_quantity(want->survived[k], age->survived);
	}
	quantity_add(&known, s->promoted);
	quantity_add(&known, counts_young(s));
	quantity_add(&known, quantity_less(s->lost, s->found));
	expect_quantity(s->births, known);
}

static void expect_all(const struct played *p)
{
	const struct counts *e = &p->model.exact;
	struct expected *want = mem_zalloc(1, sizeof(*want));
	EXPECT(want != NULL);
	for (size_t i = 0; i < e->sites.count && want; i++) {
		expect(want, &p->truth, e->sites.at[i].site);
		expect_site(want, &e->sites.at[i]);
	}
	mem_free(want);
}

static void check_program(const struct exact_sim *x, uint64_t unaccounted)
{
	struct played p;
	EXPECT_INT(0, play(&p, x));
	EXPECT_INT(OBJECTS, p.model.exact.births.objects);
	EXPECT_INT(unaccounted, p.model.exact.unaccounted);
	EXPECT_INT(0, p.model.odds.count[ODD_EXACT_SURVIVORS]);
	EXPECT(p.truth.gcs.count > 20);
	expect_all(&p);
	release(&p);
}

TEST(counts_are_those_of_the_objects_themselves)
{
	struct exact_sim x = program(tap_seed());
	check_program(&x, 0);
	x.inlined = 2;
	x.dark = 10;
	check_program(&x, 0);
}

TEST(early_promotion_ends_what_is_known)
{
	struct exact_sim x = program(tap_seed());
	x.sim.promote = 2;
	check_program(&x, 0);
}

TEST(full_collections_make_sites_unknown)
{
	struct exact_sim x = program(tap_seed());
	x.sim.full_every = 7;
	check_program(&x, 0);
}

TEST(collections_that_are_missed_take_what_stood_out_of_sight)
{
	struct exact_sim x = program(tap_seed());
	struct played p;
	x.miss_every = 5;
	EXPECT_INT(0, play(&p, &x));
	size_t gcs = p.truth.gcs.count;
	release(&p);
	check_program(&x, gcs / 5);
}

/* A trace that gives them up is what its samples say, whatever its accounts said before. */
TEST(counts_that_were_given_up_are_none)
{
	struct exact_sim x = program(tap_seed());
	struct played p;
	x.disowned = true;
	EXPECT_INT(0, play(&p, &x));
	EXPECT(p.model.tallies.exact > p.truth.gcs.count);
	EXPECT(model_disowned(&p.model) && !counts_any(&p.model.exact));
	EXPECT_INT(0, p.model.exact.sites.count);
	EXPECT_INT(0, p.model.exact.audit.count);
	EXPECT_INT(p.model.now.time, model_births_until(&p.model));
	release(&p);
}

TEST(audits_and_collections_are_summed_up)
{
	struct exact_sim x = program(tap_seed());
	struct played p;
	x.dark = 25;
	EXPECT_INT(0, play(&p, &x));
	const struct counts *e = &p.model.exact;
	EXPECT_INT(p.truth.gcs.count, e->collections);
	EXPECT_INT(p.truth.gcs.count, e->audit.count);
	EXPECT_INT(e->told.objects, e->audit.walked);
	EXPECT_INT(e->told.bytes, e->audit.walked_bytes);
	EXPECT_INT(e->told.objects, e->audit.seen);
	EXPECT(e->audit.attributed < e->audit.seen);
	EXPECT_INT(p.truth.gcs.count * 1500000, e->cost);
	EXPECT_INT(1500000, e->cost_most);
	release(&p);
}

TEST(more_survivors_than_there_were_are_taken_as_new)
{
	struct counts e = {0};
	struct odds odds = {{0}};
	struct record_site_births births = {.young = 1, .objects = 3, .bytes = 30};
	struct record_site_ages ages = {.young = 1};
	struct record_exact_gc gc = {.young = 1};
	ages.objects = (struct record_list){1, {5}};
	ages.bytes = (struct record_list){1, {50}};
	EXPECT_INT(0, counts_births(&e, 0, &births));
	EXPECT_INT(0, counts_ages(&e, 0, &ages));
	counts_gc(&e, &gc, &odds);
	EXPECT_INT(1, odds.count[ODD_EXACT_SURVIVORS]);
	EXPECT_INT(2, e.sites.at[0].found.objects);
	EXPECT_INT(5, e.sites.at[0].ages.at[0].risk.objects);
	EXPECT_INT(0, e.sites.at[0].died.objects);
	EXPECT_INT(5, counts_young(&e.sites.at[0]).objects);
	counts_release(&e);
}

/* After an attach: births since the fifth collection, and survivors of which some are older. */
TEST(births_that_begin_late)
{
	struct counts e = {0};
	struct odds odds = {{0}};
	struct record_site_births births = {.young = 6, .objects = 10, .bytes = 100};
	struct record_site_ages ages = {.young = 6};
	struct record_exact_gc gc = {.young = 6};
	ages.objects = (struct record_list){3, {4, 3, 2}};
	ages.bytes = (struct record_list){3, {40, 30, 20}};
	ages.promoted_objects = (struct record_list){3, {0, 0, 1}};
	ages.promoted_bytes = (struct record_list){3, {0, 0, 10}};
	EXPECT_INT(0, counts_births(&e, 0, &births));
	EXPECT_INT(0, counts_ages(&e, 0, &ages));
	counts_begin(&e, 5);
	counts_gc(&e, &gc, &odds);
	const struct site_counts *s = &e.sites.at[0];
	EXPECT_INT(0, e.unaccounted);
	EXPECT_INT(0, odds.count[ODD_EXACT_SURVIVORS]);
	EXPECT_INT(10, s->ages.at[0].risk.objects);
	EXPECT_INT(4, s->ages.at[0].survived.objects);
	EXPECT_INT(6, s->died.objects);
	EXPECT_INT(3 + 2 + 1, s->found.objects);
	EXPECT_INT(1, s->promoted.objects);
	EXPECT_INT(0, s->lost.objects);
	EXPECT_INT(4 + 3 + 2, counts_young(s).objects);
	counts_begin(&e, 7); /* the fact is told once for each segment */
	ages.young = gc.young = 7;
	EXPECT_INT(0, counts_ages(&e, 0, &ages));
	counts_gc(&e, &gc, &odds);
	EXPECT_INT(0, e.unaccounted);
	EXPECT_INT(1, odds.count[ODD_EXACT_SURVIVORS]); /* nothing was born that is 1 now */
	counts_release(&e);
}

/* One that is missing behind the begin is missing. */
TEST(a_gap_behind_a_late_begin)
{
	struct counts e = {0};
	struct odds odds = {{0}};
	struct record_site_births births = {.young = 7, .objects = 10, .bytes = 100};
	struct record_exact_gc gc = {.young = 7};
	counts_begin(&e, 5);
	EXPECT_INT(0, counts_births(&e, 0, &births));
	counts_gc(&e, &gc, &odds);
	EXPECT_INT(1, e.unaccounted);
	EXPECT_INT(10, e.sites.at[0].lost.objects);
	EXPECT_INT(0, e.sites.at[0].died.objects);
	counts_release(&e);
}

/* Serial and Parallel can keep objects past 15 where the VM is told never to promote. */
TEST(sixteen_and_more_are_one_age)
{
	struct counts e = {0};
	struct odds odds = {{0}};
	struct record_site_births births = {.young = 1, .objects = 10, .bytes = 100};
	EXPECT_INT(0, counts_births(&e, 0, &births));
	for (uint32_t n = 1; n <= 20; n++) {
		struct record_site_ages ages = {.young = n};
		uint32_t last = n < 16 ? n : 16;
		ages.objects.count = ages.bytes.count = last;
		ages.objects.at[last - 1] = n < 18 ? 10 : 4;
		ages.bytes.at[last - 1] = n < 18 ? 100 : 40;
		EXPECT_INT(0, counts_ages(&e, 0, &ages));
		counts_gc(&e, &(struct record_exact_gc){.young = n}, &odds);
	}
	const struct site_counts *s = &e.sites.at[0];
	EXPECT_INT(0, odds.count[ODD_EXACT_SURVIVORS]);
	EXPECT_INT(10, s->ages.at[15].survived.objects);
	EXPECT_INT(6, s->died.objects);
	EXPECT_INT(4, counts_young(s).objects);
	counts_release(&e);
}

/* Without a site: first what is older than the recording, then what has lost its mark. */
TEST(marks_that_were_taken_are_told_from_what_is_old)
{
	struct counts e = {0};
	struct odds odds = {{0}};
	for (uint64_t n = 1; n <= 60; n++)
		counts_gc(&e,
			&(struct record_exact_gc){.young = n,
				.kind = n == 30 ? COUNTS_FULL : 0,
				.unknown = 1,
				.unknown_bytes = 8},
			&odds);
	EXPECT_INT(60, e.unknown.objects);
	EXPECT_INT(13 + 14, e.astray.objects); /* 17 … 29 and 47 … 60 */
	counts_release(&e);
}

/* A mixed collection moves what is old too, some of which never had a site. What had one is told of
 * the same collections. */
TEST(mixed_collections_move_what_is_older)
{
	for (int late = 0; late < 2; late++) {
		struct counts e = {0};
		struct odds odds = {{0}};
		if (late)
			counts_begin(&e, 2);
		for (uint64_t n = 3; n <= 40; n++)
			counts_gc(&e,
				&(struct record_exact_gc){.young = n,
					.kind = n % 4 ? COUNTS_YOUNG : COUNTS_MIXED,
					.unknown = 1,
					.survivors = 3,
					.promoted = 2},
				&odds);
		/* Of 17 … 40, late of 19 … 40, those that are not mixed. */
		EXPECT_INT(late ? 22 - 6 : 24 - 6, e.astray.objects);
		EXPECT_INT(5 * e.astray.objects, e.sited.objects);
		counts_release(&e);
	}
}

/* What was alive has no site any more, and is not among the dead. */
TEST(what_a_heap_walk_took_the_sites_of_is_lost_from_sight)
{
	struct counts e = {0};
	struct odds odds = {{0}};
	struct record_site_births births = {.young = 1, .objects = 10, .bytes = 100};
	struct record_exact_gc gc = {
		.young = 1, .flags = COUNTS_WALKED, .unknown = 6, .unknown_bytes = 60};
	EXPECT_INT(0, counts_births(&e, 0, &births));
	counts_gc(&e, &gc, &odds);
	births.young = 2;
	EXPECT_INT(0, counts_births(&e, 0, &births));
	gc = (struct record_exact_gc){.young = 2, .unknown = 6, .unknown_bytes = 60};
	counts_gc(&e, &gc, &odds);
	const struct site_fates fates = counts_fates(&e.sites.at[0]);
	EXPECT_INT(10, fates.lost.objects);
	EXPECT_INT(10, fates.died.objects);
	EXPECT_INT(10, e.sites.at[0].ages.at[0].risk.objects);
	EXPECT_INT(1, e.walked);
	EXPECT_INT(0, e.astray.objects);
	for (gc.young = 3; gc.young <= 18; gc.young++)
		counts_gc(&e, &gc, &odds);
	EXPECT_INT(6, e.astray.objects); /* of the 18th */
	counts_release(&e);
}

TEST(full_collections_behind_a_failed_one_are_no_regions)
{
	static const enum counts_kind kinds[] = {0, COUNTS_FOLLOWED, COUNTS_FULL, COUNTS_FOLLOWED};
	struct counts e = {0};
	struct odds odds = {{0}};
	for (uint64_t n = 0; n < 4; n++)
		counts_gc(&e,
			&(struct record_exact_gc){
				.young = n + 1, .kind = kinds[n], .failed = n < 3 ? 1 : 0},
			&odds);
	EXPECT_INT(1, e.failed);
	EXPECT_INT(2, e.behind);
	counts_release(&e);
}

/* However long ago the last full collection was, and whatever else is without a site. */
TEST(what_could_not_be_evacuated_may_have_lost_its_site)
{
	static const enum counts_kind kinds[] = {
		COUNTS_FULL, COUNTS_YOUNG, COUNTS_MIXED, COUNTS_YOUNG};
	struct counts e = {0};
	struct odds odds = {{0}};
	for (uint64_t n = 0; n < 40; n++)
		counts_gc(&e,
			&(struct record_exact_gc){.young = n + 1,
				.kind = n < 4 ? kinds[n] : COUNTS_YOUNG,
				.failed = n < 3 || n == 30 ? 2 : 0,
				.births = 1000,
				.unknown = 1,
				.unknown_bytes = 16,
				.survivors = 1},
			&odds);
	EXPECT_INT(6, e.failed);
	EXPECT_INT(3, e.stuck.objects);
	EXPECT_INT(3 * 16, e.stuck.bytes);
	EXPECT_INT(0, e.stripped);
	EXPECT_INT(22, e.astray.objects); /* 18 … 40, but for the 31st */
	EXPECT_INT(22, e.sited.objects);
	counts_release(&e);
}

TEST(where_nothing_was_moved_what_was_born_still_stands)
{
	struct counts e = {0};
	struct odds odds = {{0}};
	struct record_site_births births = {.young = 1, .objects = 10, .bytes = 100};
	struct record_exact_gc cleanup = {.young = 0, .kind = COUNTS_OTHER}, gc = {.young = 1};
	EXPECT_INT(0, counts_births(&e, 3, &births));
	counts_gc(&e, &cleanup, &odds);
	EXPECT_INT(10, counts_young(&e.sites.at[0]).objects);
	EXPECT_INT(0, counts_births(&e, 3, &births));
	counts_gc(&e, &gc, &odds);
	EXPECT_INT(20, e.sites.at[0].died.objects);
	EXPECT_INT(0, e.unaccounted);
	counts_release(&e);
}

/* The engine was refused before it had counted anything: what it named is no count. */
TEST(names_are_no_counts)
{
	struct counts e = {0};
	EXPECT_INT(0, counts_old(&e, 1, &(const struct record_site_old){0}));
	EXPECT(e.sites.count > 0 && !counts_any(&e));
	counts_release(&e);
}

TEST(sums_stop_where_they_would_overflow)
{
	struct quantity q = {UINT64_MAX, 1};
	quantity_add(&q, (struct quantity){UINT64_MAX, COUNTS_MOST});
	EXPECT(q.objects == COUNTS_MOST && q.bytes == COUNTS_MOST);
}

/* -- The begin was forgotten -- */

static void tell_births(struct counts *c, uint64_t young, uint64_t n)
{
	EXPECT_INT(0, counts_births(c, 1,
			      &(const struct record_site_births){
				      .young = young, .objects = n, .bytes = 8 * n}));
}

static void tell_lived(struct counts *c, uint64_t n, uint64_t older)
{
	const struct record_site_ages r = {
		.objects = {2, {n, older}}, .bytes = {2, {8 * n, 8 * older}}};
	EXPECT_INT(0, counts_ages(c, 1, &r));
}

static void tell_gc(struct counts *c, uint64_t young, struct odds *odds)
{
	counts_gc(c, &(const struct record_exact_gc){.young = young, .births = 100}, odds);
}

/* A hundred are born, and of a collection that could not evacuate all thirty stand, and some more
 * without a site. */
static void strip(struct counts *c, enum counts_kind kind, uint64_t found, bool keeps)
{
	struct odds odds = {{0}};
	const struct record_site_ages r = {.young = 1, .objects = {1, {30}}, .bytes = {1, {240}}};
	*c = (struct counts){.keeps_marks = keeps};
	tell_births(c, 1, 100);
	EXPECT_INT(0, counts_ages(c, 1, &r));
	counts_gc(c,
		&(const struct record_exact_gc){
			.young = 1, .kind = kind, .births = 100, .failed = 2, .unknown = found},
		&odds);
}

TEST(what_died_where_sites_were_taken_is_lost_from_sight)
{
	struct counts c;
	strip(&c, COUNTS_YOUNG, 1, false);
	EXPECT_INT(70, c.sites.at[0].died.objects);
	EXPECT_INT(0, c.stripped);
	counts_release(&c);
	static const enum counts_kind kinds[] = {COUNTS_YOUNG, COUNTS_MIXED};
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		strip(&c, kinds[i], 2, false);
		struct site_fates f = counts_fates(&c.sites.at[0]);
		EXPECT_INT(0, f.died.objects);
		EXPECT_INT(30, f.young.objects);
		EXPECT_INT(70, f.lost.objects);
		EXPECT_INT(0, c.sites.at[0].ages.at[0].risk.objects);
		EXPECT_INT(1, c.stripped);
		counts_release(&c);
	}
	strip(&c, COUNTS_FULL, 2, false);
	EXPECT_INT(0, c.stripped);
	counts_release(&c);
	strip(&c, COUNTS_YOUNG, 2, true); /* they were without one before */
	EXPECT_INT(70, c.sites.at[0].died.objects);
	EXPECT_INT(0, c.stripped);
	EXPECT_INT(0, c.stuck.objects);
	counts_release(&c);
}

/* Of the first account only what stood after it counts; torn: not even that. births = died +
 * promoted + young + lost - found, of the rest alone. */
TEST(the_begin_was_forgotten)
{
	for (int torn = 0; torn < 2; torn++) {
		struct counts c = {.young = 0};
		struct odds odds = {{0}};
		counts_forgotten(&c, 70, torn);
		EXPECT(counts_opens(&c, 100));
		for (uint64_t young = 69; young <= 70 - (uint64_t)torn; young++) {
			tell_births(&c, young, 40);
			tell_lived(&c, 10, 5);
			tell_gc(&c, young, &odds);
		}
		c.young = 70;
		EXPECT(!counts_opens(&c, 71));
		EXPECT_INT(0, c.births.objects);
		EXPECT_INT(0, c.collections);
		tell_births(&c, 71, 30);
		tell_lived(&c, 7, 8);
		tell_gc(&c, 71, &odds);
		const struct site_counts *s = &c.sites.at[0];
		EXPECT_INT(30, c.births.objects);
		EXPECT_INT(1, c.collections);
		EXPECT_INT(0, c.unaccounted);
		EXPECT_INT(15, counts_young(s).objects);
		/* 23 of 30, 2 of 10 and all 5 that had survived two. */
		EXPECT_INT(torn ? 0 : 30, s->died.objects);
		EXPECT_INT(s->births.objects + s->found.objects,
			s->died.objects + s->promoted.objects + s->lost.objects +
				counts_young(s).objects);
		tell_births(&c, 72, 10);
		tell_gc(&c, 72, &odds);
		EXPECT_INT(torn ? 25 : 55, s->died.objects);
		EXPECT_INT(0, odds.count[ODD_EXACT_SURVIVORS]);
		counts_release(&c);
	}
}
