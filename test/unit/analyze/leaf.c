#include "analyze/leaf.h"

#include <math.h>
#include <stdio.h>

#include "analyze/leaf_share.h"
#include "analyze/lifetime.h"
#include "base/error.h"
#include "base/mem.h"
#include "support/endings_of.h"
#include "support/tap.h"
#include "trace/reader.h"

enum { OBJECTS = 30000, LABEL = 256 };

#define MAIN "com.acme.Main.main:1"
#define GROW "java.util.Arrays.copyOf:3", "java.util.List.grow:2"
static const struct sim_site sites[] = {
	{"byte[]", {"com.acme.Pool.get:1", "com.acme.A.a:2", MAIN}, 1024, 50, 95, 1, 12},
	{"byte[]", {"com.acme.Pool.get:1", "com.acme.B.b:3", MAIN}, 512, 30, 5, 2, 3},
	{"byte[]", {"com.acme.Pool.put:9", "com.acme.B.b:4", MAIN}, 64, 20, 5, 2, 3},
	{"java.lang.String", {"com.acme.C.c:4", MAIN}, 24, 40, 100, 0, 0},
	{"com.acme.Kept", {"com.acme.D.d:5", MAIN}, 48, 10, 0, SIM_FOREVER, 0},
	{"java.lang.Object[]", {GROW, "com.acme.E.e:6", MAIN}, 256, 20, 100, 0, 0},
	{"java.lang.Object[]", {GROW, "com.acme.F.f:7", MAIN}, 256, 20, 10, 6, 9},
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
					  .interval = 300,
					  .gc_bytes = OBJECTS * 300 / 40,
					  .promote = 15,
					  .young_role = 1,
					  .full_role = 2,
					  .threads = 3,
					  .bytes_per_s = 1000000},
		.interval = 4096};
}

/* A recording, replayed into a ledger, with the counts laid over it. */
struct laid {
	struct model model;
	struct ledger ledger;
	struct exact_truth truth;
	struct endings endings;
	struct buf bytes;
};

static int replay(struct laid *l)
{
	struct source source;
	struct reader reader;
	int err = source_open_memory(&source, buf_slice(&l->bytes));
	if (err)
		return err;
	struct listener listener = ledger_listener(&l->ledger);
	err = reader_init(&reader, &source, NULL, NULL);
	err = err ? err : replay_run(&l->model, &reader, &listener, NULL);
	reader_release(&reader);
	source_close(&source);
	return err;
}

/* told: events tell of each object. */
static int lay_told(struct laid *l, const struct exact_sim *x, bool by_thread, bool told)
{
	*l = (struct laid){.ledger = {.by_thread = by_thread, .clocks = CLOCKS_ALL}};
	int err = model_init(&l->model);
	err = err ? err : exact_sim_write(x, &l->bytes, &l->truth);
	err = err ? err : replay(l);
	err = err ? err : ledger_settle(&l->ledger, &l->model);
	err = err || !told ? err : endings_of_truth(&l->endings, &l->truth);
	l->ledger.endings = told ? &l->endings : NULL;
	return err ? err : leaves_lay(&l->ledger, &l->model);
}

static int lay(struct laid *l, const struct exact_sim *x, bool by_thread)
{
	return lay_told(l, x, by_thread, false);
}

static void release(struct laid *l)
{
	endings_release(&l->endings);
	model_release(&l->model);
	ledger_release(&l->ledger);
	exact_truth_release(&l->truth);
	buf_release(&l->bytes);
}

/* -- Memory -- */

enum { PLACES = 100, MEMORY_MOST = 2800 /* bytes for each, the account with it */ };

static struct exact_sim many_places(void)
{
	static struct sim_site many[PLACES];
	static char names[PLACES][32];
	struct exact_sim x = program(3);
	for (int i = 0; i < PLACES; i++) {
		snprintf(names[i], sizeof(names[i]), "com.acme.Place%d.make:1", i);
		many[i] = (struct sim_site){"byte[]", {names[i], MAIN}, 64, 1, 90, 1, 2};
	}
	x.sim.sites = many;
	x.sim.count = PLACES;
	x.interval = 1 << 20;
	return x;
}

/* A large program has tens of thousands of places, nine of ten without a sample, and `churn` lays
 * out seven ledgers for each of its windows. */
TEST(places_without_samples_take_little)
{
	struct exact_sim x = many_places();
	struct laid l = {.ledger = {.clocks = CLOCKS_ALL}};
	EXPECT_INT(0, model_init(&l.model));
	EXPECT_INT(0, exact_sim_write(&x, &l.bytes, &l.truth));
	EXPECT_INT(0, replay(&l));
	EXPECT_INT(0, ledger_settle(&l.ledger, &l.model));
	uint64_t before = mem_held();
	EXPECT_INT(0, leaves_lay(&l.ledger, &l.model));
	uint64_t each = (mem_held() - before) / PLACES;
	EXPECT_INT(PLACES, l.ledger.leaves.list.count);
	tap_check(each < MEMORY_MOST, __FILE__, __LINE__, "%llu bytes each",
		(unsigned long long)each);
	release(&l);
}

/* -- Rows against the objects -- */

/* The label that an object has: that of the exact engine's site, or of its samples'. */
static void label_of(const struct laid *l, const struct exact_object *o, enum by by, bool sampled,
	struct buf *out)
{
	buf_clear(out);
	if (by == BY_SITE) {
		label_put(out, &l->model, (uint32_t)o->site, 0, BY_CLASS);
		buf_put_u8(out, ' ');
	}
	label_put(out, &l->model, (uint32_t)(sampled ? o->sampled : o->site), 0, by);
}

static void label_of_row(const struct laid *l, const struct row *r, struct buf *out)
{
	buf_clear(out);
	if (r->by == BY_SITE) {
		label_put(out, &l->model, r->context.site, 0, BY_CLASS);
		buf_put_u8(out, ' ');
	}
	buf_put_str(out, r->label);
}

/* What the objects of a row did. */
struct deeds {
	double objects, bytes;   /* born */
	double died, died_bytes; /* that a collection found dead */
	double met, outlived[6]; /* objects: met a collection; outlived k + 1 of those they met */
	double at_risk[6];
};

static void add_deeds(struct deeds *d, const struct exact_truth *t, const struct exact_object *o)
{
	uint64_t seen = t->gcs.count - o->born;
	d->objects++;
	d->bytes += (double)o->size;
	d->died += o->age < seen;
	d->died_bytes += o->age < seen ? (double)o->size : 0;
	d->met += seen > 0;
	for (uint64_t k = 0; k < 6; k++) {
		d->at_risk[k] += seen > k && o->age >= k;
		d->outlived[k] += seen > k && o->age > k;
	}
}

static struct deeds deeds_of(const struct laid *l, const struct row *r, const struct where *w)
{
	struct deeds d = {0};
	struct buf want = {0}, label = {0}, scratch = {0};
	label_of_row(l, r, &want);
	for (size_t i = 0; i < l->truth.objects.count; i++) {
		const struct exact_object *o = &l->truth.objects.at[i];
		label_of(l, o, r->by, false, &label);
		if (strcmp(buf_text(&label), buf_text(&want)) == 0 &&
			where_account(w, &l->model, (uint32_t)o->site, 0, &scratch))
			add_deeds(&d, &l->truth, o);
	}
	buf_release(&want);
	buf_release(&label);
	buf_release(&scratch);
	return d;
}

static void expect_totals(const struct row *r, const struct deeds *d)
{
	struct estimate e = estimate_ratio(total_bytes(&r->tally.alloc));
	EXPECT_NEAR(d->objects, r->tally.alloc.objects.sum, 1e-6 * d->objects);
	EXPECT_NEAR(d->bytes, r->tally.alloc.bytes.sum, 1e-6 * d->bytes);
	EXPECT_NEAR(1, e.lo, 1e-9);
	EXPECT_NEAR(1, e.hi, 1e-9);
	EXPECT_NEAR(d->objects, r->tally.born.objects.sum, 1e-6 * d->objects);
	EXPECT_NEAR(d->outlived[0], r->tally.outlived.objects.sum, 1e-6 * d->objects);
	EXPECT_NEAR(d->met - d->outlived[0], r->tally.infant.objects.sum, 1e-6 * d->objects);
	/* As many are alive or let go as are not dead. */
	EXPECT(r->tally.died.objects.sum <= d->objects * (1 + 1e-9));
}

/* All that met a collection is counted, so that the first is exact; later hazards too, and only who
 * is there to be looked at is by chance. */
static void expect_curve(const struct row *r, const struct deeds *d)
{
	const struct curve *c = &r->curves[CLOCK_YOUNG];
	double p = 1;
	for (uint64_t k = 0; k < 6 && d->at_risk[k] > 0 && p > 0; k++) {
		struct curve_point at = curve_at(c, k + 1);
		p *= d->outlived[k] / d->at_risk[k];
		EXPECT_NEAR(p, at.p, 1e-9);
		EXPECT(at.lo <= at.p + 1e-12 && at.p <= at.hi + 1e-12);
		if (k == 0)
			EXPECT(at.hi - at.lo < 1e-9);
	}
}

/* Who died, and who lives: all of it. */
static void expect_fates(const struct row *r, const struct deeds *d)
{
	const struct tally *t = &r->tally;
	EXPECT(counted_known(&t->counted));
	EXPECT_NEAR(d->died, t->died.objects.sum, 1e-6);
	EXPECT_NEAR(d->died_bytes, t->died.bytes.sum, 1e-6);
	EXPECT_NEAR(d->objects - d->died, t->alive.objects.sum, 1e-6);
	EXPECT_NEAR(d->bytes - d->died_bytes, t->alive.bytes.sum, 1e-6);
	EXPECT_NEAR(0, t->untracked.objects.sum, 1e-6);
}

static void check_rows_told(const struct exact_sim *x, enum by by, bool told)
{
	struct laid l;
	struct lifetimes found;
	struct query q = {.by = by, .clocks = CLOCKS_ALL};
	double objects = 0;
	EXPECT_INT(0, lay_told(&l, x, false, told));
	EXPECT_INT(0, lifetimes_find(&found, &l.model, &l.ledger, &q));
	EXPECT(found.rows.count > 2);
	for (size_t i = 0; i < found.rows.count; i++) {
		struct deeds d = deeds_of(&l, &found.rows.at[i], &q.where);
		expect_totals(&found.rows.at[i], &d);
		expect_curve(&found.rows.at[i], &d);
		if (told)
			expect_fates(&found.rows.at[i], &d);
		objects += found.rows.at[i].tally.alloc.objects.sum;
	}
	EXPECT_NEAR(OBJECTS, objects, 1e-3);
	EXPECT_NEAR(OBJECTS, found.alloc.objects.sum, 1e-3);
	EXPECT(!(found.alloc.bytes.variance > 0));
	lifetimes_release(&found);
	release(&l);
}

static void check_rows(const struct exact_sim *x, enum by by)
{
	check_rows_told(x, by, false);
}

TEST(rows_of_whole_leaves_are_the_truth)
{
	static const enum by groupings[] = {BY_SITE, BY_CLASS, BY_METHOD, BY_PACKAGE};
	for (size_t i = 0; i < ARRAY_SIZE(groupings); i++) {
		struct exact_sim x = program(tap_seed());
		check_rows(&x, groupings[i]);
		x.inlined = 2;
		check_rows(&x, groupings[i]);
		x.dark = 5;
		check_rows(&x, groupings[i]);
		x.alone = 4;
		check_rows(&x, groupings[i]);
		x.alone = 50;
		check_rows(&x, groupings[i]);
	}
}

/* Collections have told of objects whose births they did not: they stand, were promoted, or died.
 */
static void add_older(struct counts *e)
{
	const struct quantity some = {1000, 48000};
	for (size_t i = 0; i < e->sites.count; i++) {
		struct site_counts *s = &e->sites.at[i];
		if (s->ages.count < 3)
			continue;
		struct quantity *to[] = {&s->ages.at[2].young, &s->promoted, &s->died};
		quantity_add(&s->found, some);
		quantity_add(to[i % ARRAY_SIZE(to)], some);
	}
}

TEST(what_was_born_before_births_were_told_is_none_of_them)
{
	struct exact_sim x = program(tap_seed());
	struct laid l = {.ledger = {.clocks = CLOCKS_ALL}};
	double births = 0, ends = 0, most = 0;
	EXPECT_INT(0, model_init(&l.model));
	EXPECT_INT(0, exact_sim_write(&x, &l.bytes, &l.truth));
	EXPECT_INT(0, replay(&l));
	EXPECT_INT(0, ledger_settle(&l.ledger, &l.model));
	add_older(&l.model.exact);
	EXPECT_INT(0, leaves_lay(&l.ledger, &l.model));
	for (size_t i = 0; i < l.ledger.accounts.count; i++) {
		const struct tally *t = &l.ledger.accounts.at[i].tally;
		double all = t->died.objects.sum + t->alive.objects.sum + t->untracked.objects.sum;
		most = fmax(most, fabs(all - t->alloc.objects.sum));
		births += t->alloc.objects.sum;
		ends += all;
	}
	EXPECT_NEAR(OBJECTS, births, 1e-3);
	EXPECT_NEAR(OBJECTS, ends, 1e-3);
	EXPECT_NEAR(0, most, 1e-3);
	release(&l);
}

/* Promoted or not, and whether there are samples of those that lived long or not. */
TEST(where_events_tell_of_each_so_is_who_died)
{
	static const enum by groupings[] = {BY_SITE, BY_CLASS, BY_METHOD, BY_PACKAGE};
	for (size_t i = 0; i < ARRAY_SIZE(groupings); i++) {
		struct exact_sim x = program(tap_seed());
		x.sim.promote = 4;
		check_rows_told(&x, groupings[i], true);
		x.interval = 1u << 20;
		check_rows_told(&x, groupings[i], true);
		x.exact_only = true;
		check_rows_told(&x, groupings[i], true);
	}
}

TEST(without_any_sample_rows_are_the_truth_too)
{
	struct exact_sim x = program(tap_seed());
	x.exact_only = true;
	check_rows(&x, BY_SITE);
	check_rows(&x, BY_CLASS);
}

/* The sampler says 1 in some 1000: many leaves have no sample. */
TEST(leaves_without_samples_have_rows)
{
	struct exact_sim x = program(tap_seed());
	x.interval = 1u << 20;
	check_rows(&x, BY_SITE);
	check_rows(&x, BY_METHOD);
}

/* -- Parts of leaves -- */

/* The row of this caller (the frame after the leaf), or NULL. */
static const struct row *row_by_caller(
	const struct lifetimes *found, const struct model *m, const char *caller)
{
	for (size_t i = 0; i < found->rows.count; i++) {
		const struct row *r = &found->rows.at[i];
		struct buf label = {0};
		for (uint32_t k = 1; k < r->context.frames; k++) {
			buf_clear(&label);
			label_frame(&label, m, row_frame(r, m, k));
			if (strcmp(buf_text(&label), caller) == 0) {
				buf_release(&label);
				return r;
			}
		}
		buf_release(&label);
	}
	return NULL;
}

static double bytes_born(const struct exact_truth *t, uint64_t sampled)
{
	double bytes = 0;
	for (size_t i = 0; i < t->objects.count; i++)
		if (t->objects.at[i].sampled == sampled)
			bytes += (double)t->objects.at[i].size;
	return bytes;
}

/* Two callers of a line: their sum is exact, their intervals hold the truth. */
TEST(the_split_among_callers_is_an_estimate_whose_sum_is_exact)
{
	int runs = 60, held = 0, split = 0;
	double width = 0;
	for (int i = 0; i < runs; i++) {
		struct exact_sim x = program(tap_seed() + (uint64_t)i * 100);
		struct laid l;
		struct lifetimes found;
		struct query q = {.by = BY_SITE, .split = true};
		x.inlined = 1;
		EXPECT_INT(0, lay(&l, &x, false));
		EXPECT_INT(0, lifetimes_find(&found, &l.model, &l.ledger, &q));
		const struct row *a = row_by_caller(&found, &l.model, "com.acme.A.a:2");
		const struct row *b = row_by_caller(&found, &l.model, "com.acme.B.b:3");
		if (a && b) {
			double want = bytes_born(&l.truth, 1),
			       both = want + bytes_born(&l.truth, 2);
			struct estimate e = total_bytes(&a->tally.alloc);
			split++;
			held += e.lo <= want && want <= e.hi;
			width += (e.hi - e.lo) / e.value;
			EXPECT_NEAR(both, a->tally.alloc.bytes.sum + b->tally.alloc.bytes.sum,
				1e-6 * both);
		}
		lifetimes_release(&found);
		release(&l);
	}
	EXPECT(split > runs / 2);
	EXPECT(held >= split * 85 / 100);
	/* Scaled alone, without what the whole tells, it would be 0.11 wide. */
	EXPECT(width / split < 0.07 && width / split > 0.01);
}

/* Where the compiler's inlining tells the caller, so is the split. */
TEST(callers_that_inlining_tells_are_exact)
{
	struct exact_sim x = program(tap_seed());
	struct laid l;
	struct lifetimes found;
	struct query q = {.by = BY_SITE, .split = true};
	x.inlined = 2;
	EXPECT_INT(0, lay(&l, &x, false));
	EXPECT_INT(0, lifetimes_find(&found, &l.model, &l.ledger, &q));
	const struct row *a = row_by_caller(&found, &l.model, "com.acme.A.a:2");
	EXPECT(a != NULL);
	if (a) {
		struct estimate e = estimate_ratio(total_bytes(&a->tally.alloc));
		EXPECT_NEAR(bytes_born(&l.truth, 1), a->tally.alloc.bytes.sum, 0.5);
		EXPECT_NEAR(1, e.lo, 1e-9);
		EXPECT_NEAR(1, e.hi, 1e-9);
		EXPECT(counted_whole(&a->tally.counted));
	}
	lifetimes_release(&found);
	release(&l);
}

static const struct sim_text facts_all[] = {{"engine", "exact"}, {"exact", "header"},
	{"every", "1"}, {"deaths", "collection"}, {NULL, NULL}};
static const struct sim_text facts_some[] = {{"engine", "exact"}, {"exact", "header"},
	{"every", "5"}, {"deaths", "collection"}, {NULL, NULL}};

/* What went through a method. */
static struct estimate bytes_through(struct laid *l, const char *where, bool *whole)
{
	struct lifetimes found;
	struct diag d;
	struct query q = {.by = BY_CLASS};
	struct estimate e = {0};
	EXPECT_INT(0, where_add(&q.where, "class=byte[]", &d));
	EXPECT_INT(0, where_add(&q.where, where, &d));
	EXPECT_INT(0, lifetimes_find(&found, &l->model, &l->ledger, &q));
	if (found.rows.count == 1) {
		e = total_bytes(&found.rows.at[0].tally.alloc);
		*whole = counted_whole(&found.rows.at[0].tally.counted);
	}
	lifetimes_release(&found);
	return e;
}

/* Where each path was walked, each is exact, with samples and without. */
TEST(walked_paths_are_exact)
{
	for (int bare = 0; bare < 2; bare++) {
		struct exact_sim x = program(tap_seed());
		struct laid l;
		bool whole = false;
		x.sim.facts = facts_all;
		x.every = 1;
		x.exact_only = bare;
		EXPECT_INT(0, lay(&l, &x, false));
		struct estimate e = bytes_through(&l, "stack=com.acme.A.*", &whole);
		EXPECT_NEAR(bytes_born(&l.truth, 1), e.value, 0.5);
		EXPECT_NEAR(e.value, e.lo, 1e-6 * e.value);
		EXPECT_NEAR(e.value, e.hi, 1e-6 * e.value);
		EXPECT(whole);
		release(&l);
	}
}

/* Where some were, the split of their line is an estimate: it holds the truth as often as it says,
 * and the sum stays exact. */
TEST(some_paths_walked_tell_the_split)
{
	int runs = 100, held = 0, low = 0, right = 0;
	double width = 0;
	for (int i = 0; i < runs; i++) {
		struct exact_sim x = program(tap_seed() + (uint64_t)i * 100);
		struct laid l;
		bool whole;
		x.sim.facts = facts_some;
		x.sim.samples = OBJECTS / 10;
		x.every = 5;
		x.exact_only = i & 1;
		x.inlined = 1;
		EXPECT_INT(0, lay(&l, &x, false));
		struct estimate a = bytes_through(&l, "stack=com.acme.A.*", &whole);
		struct estimate b = bytes_through(&l, "site=*Pool.get*", &whole);
		double want = bytes_born(&l.truth, 1), both = want + bytes_born(&l.truth, 2);
		right += fabs(both - b.value) < 1e-6 * both && b.hi - b.lo < 1e-6 * both;
		width += (a.hi - a.lo) / a.value / runs;
		held += a.lo <= want && want <= a.hi;
		low += a.value < want;
		release(&l);
	}
	EXPECT_INT(runs, right);
	EXPECT(held >= 88);
	EXPECT(low > 25 && low < 75);
	EXPECT(width > 0.01 && width < 0.2);
}

/* What the callers of Pool.get gave their objects to live: 95 % and 5 % of them die at once. */
/* An account that is a row has the error of the row. */
TEST(a_site_alone_has_the_error_of_its_row)
{
	struct exact_sim x = program(tap_seed());
	struct laid l;
	struct lifetimes found;
	struct query q = {.by = BY_SITE, .split = true};
	int same = 0;
	x.every = 5;
	x.exact_only = true;
	x.sim.facts = facts_some;
	EXPECT_INT(0, lay(&l, &x, false));
	EXPECT_INT(0, lifetimes_find(&found, &l.model, &l.ledger, &q));
	const struct row *row = row_by_caller(&found, &l.model, "com.acme.A.a:2");
	EXPECT(row != NULL);
	for (uint32_t i = 0; row && i < l.ledger.accounts.count; i++) {
		const struct total *alloc = &l.ledger.accounts.at[i].tally.alloc;
		if (fabs(alloc->bytes.sum - row->tally.alloc.bytes.sum) > 0.5)
			continue;
		struct total alone = leaves_alloc(&l.ledger, &i, 1);
		struct estimate want = total_bytes(&row->tally.alloc), e = total_bytes(&alone);
		EXPECT(e.hi - e.lo > 1);
		EXPECT_NEAR(want.lo, e.lo, 1e-6 * want.lo);
		EXPECT_NEAR(want.hi, e.hi, 1e-6 * want.hi);
		same++;
	}
	EXPECT_INT(1, same);
	lifetimes_release(&found);
	release(&l);
}

static void expect_told_apart(const struct laid *l, const struct lifetimes *found, double near)
{
	static const struct {
		const char *caller;
		uint64_t site;
		double outlives;
	} callers[] = {{"com.acme.A.a:2", 1, 0.05}, {"com.acme.B.b:3", 2, 0.95}};
	for (size_t i = 0; i < ARRAY_SIZE(callers); i++) {
		const struct row *r = row_by_caller(found, &l->model, callers[i].caller);
		EXPECT(r != NULL);
		if (!r)
			continue;
		EXPECT(r->context.split && !r->context.callers && r->context.effect > 0.8);
		EXPECT(counted_whole(&r->tally.counted));
		EXPECT_NEAR(callers[i].outlives, curve_at(&r->curves[CLOCK_YOUNG], 1).p, 0.03);
		double want = bytes_born(&l->truth, callers[i].site);
		EXPECT_NEAR(want, r->tally.alloc.bytes.sum, near * want);
	}
}

/* Callers that live differently are told apart by what was counted of each, where nothing was
 * sampled. What was not walked has a row of neither. */
TEST(counts_tell_callers_apart)
{
	static const struct {
		unsigned every, inlined;
		const struct sim_text *facts;
		double near;
	} ways[] = {{1, 0, facts_all, 1e-9}, {0, 2, facts, 1e-9}, {5, 0, facts_some, 0.1}};
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		struct exact_sim x = program(tap_seed());
		struct laid l;
		struct lifetimes found;
		struct query q = {.by = BY_SITE, .split = true, .clocks = CLOCKS_ALL};
		double objects = 0;
		x.sim.facts = ways[i].facts;
		x.every = ways[i].every;
		x.inlined = ways[i].inlined;
		x.exact_only = true;
		EXPECT_INT(0, lay(&l, &x, false));
		EXPECT_INT(0, lifetimes_find(&found, &l.model, &l.ledger, &q));
		expect_told_apart(&l, &found, ways[i].near);
		for (size_t k = 0; k < found.rows.count; k++) {
			EXPECT(found.rows.at[k].tally.alloc.objects.sum > 0.5);
			objects += found.rows.at[k].tally.alloc.objects.sum;
		}
		EXPECT_NEAR(OBJECTS, objects, 1e-3);
		lifetimes_release(&found);
		q.split = false;
		EXPECT_INT(0, lifetimes_find(&found, &l.model, &l.ledger, &q));
		EXPECT(!row_by_caller(&found, &l.model, "com.acme.A.a:2"));
		lifetimes_release(&found);
		release(&l);
	}
}

/* Where inlining tells the callers of nearly all, only the rest of it is shared out. */
TEST(callers_that_inlining_mostly_tells_are_nearly_exact)
{
	int runs = 20, held = 0;
	for (int i = 0; i < runs; i++) {
		struct exact_sim x = program(tap_seed() + (uint64_t)i * 100);
		struct laid l;
		struct lifetimes found;
		struct query q = {.by = BY_SITE, .split = true};
		x.inlined = 2;
		x.alone = 3;
		EXPECT_INT(0, lay(&l, &x, false));
		EXPECT_INT(0, lifetimes_find(&found, &l.model, &l.ledger, &q));
		const struct row *a = row_by_caller(&found, &l.model, "com.acme.A.a:2");
		const struct row *b = row_by_caller(&found, &l.model, "com.acme.B.b:3");
		EXPECT(a && b);
		if (a && b) {
			double want = bytes_born(&l.truth, 1),
			       both = want + bytes_born(&l.truth, 2);
			struct estimate e = total_bytes(&a->tally.alloc);
			held += e.lo <= want && want <= e.hi;
			EXPECT(e.hi - e.lo > 1 && e.hi - e.lo < 0.05 * e.value);
			EXPECT_NEAR(want, e.value, 0.01 * want);
			EXPECT_NEAR(both, a->tally.alloc.bytes.sum + b->tally.alloc.bytes.sum,
				1e-6 * both);
		}
		lifetimes_release(&found);
		release(&l);
	}
	EXPECT(held >= runs - 1);
}

TEST(threads_sum_up_to_the_exact_total)
{
	struct exact_sim x = program(tap_seed());
	struct laid l;
	struct lifetimes found;
	struct query q = {.by = BY_THREAD};
	double objects = 0;
	EXPECT_INT(0, lay(&l, &x, true));
	EXPECT_INT(0, lifetimes_find(&found, &l.model, &l.ledger, &q));
	EXPECT_INT(3, found.rows.count);
	for (size_t i = 0; i < found.rows.count; i++) {
		struct estimate e = estimate_ratio(total_bytes(&found.rows.at[i].tally.alloc));
		EXPECT(e.lo < 1 && e.hi > 1 && e.hi - e.lo < 0.5);
		objects += found.rows.at[i].tally.alloc.objects.sum;
	}
	EXPECT_NEAR(OBJECTS, objects, 1e-3);
	lifetimes_release(&found);
	release(&l);
}

/* A filter that takes whole leaves: what is left is the truth. */
TEST(what_a_filter_leaves_whole_is_the_truth)
{
	static const char *const filters[] = {
		"class=byte[]", "method=com.acme.Pool.*", "package=java.util", "class=*Object*"};
	for (size_t i = 0; i < ARRAY_SIZE(filters); i++)
		for (enum by by = 0; by <= BY_PACKAGE; by++) {
			struct exact_sim x = program(tap_seed());
			struct laid l;
			struct lifetimes found;
			struct diag d;
			struct query q = {.by = by, .clocks = CLOCKS_ALL};
			EXPECT_INT(0, where_add(&q.where, filters[i], &d));
			EXPECT_INT(0, lay(&l, &x, false));
			EXPECT_INT(0, lifetimes_find(&found, &l.model, &l.ledger, &q));
			EXPECT(found.rows.count > 0);
			for (size_t k = 0; k < found.rows.count; k++) {
				struct deeds deeds = deeds_of(&l, &found.rows.at[k], &q.where);
				expect_totals(&found.rows.at[k], &deeds);
				expect_curve(&found.rows.at[k], &deeds);
			}
			lifetimes_release(&found);
			release(&l);
		}
}

/* Fates of parts of a leaf: what died at once is never more than what died. */
TEST(parts_of_what_died_are_no_more_than_it)
{
	for (uint64_t run = 0; run < 20; run++) {
		struct exact_sim x = program(tap_seed() + run);
		struct laid l;
		double infants = 0, want = 0;
		x.inlined = 1;
		EXPECT_INT(0, lay(&l, &x, false));
		for (size_t i = 0; i < l.ledger.accounts.count; i++) {
			const struct tally *t = &l.ledger.accounts.at[i].tally;
			EXPECT(t->infant.bytes.sum <= t->died.bytes.sum * (1 + 1e-9));
			EXPECT(t->infant.objects.sum <= t->died.objects.sum * (1 + 1e-9));
			infants += t->infant.objects.sum;
		}
		for (size_t i = 0; i < l.truth.objects.count; i++)
			want += l.truth.objects.at[i].age == 0 &&
				l.truth.objects.at[i].born < l.truth.gcs.count;
		EXPECT_NEAR(want, infants, 1e-6 * want);
		release(&l);
	}
}

/* A filter on callers takes parts of leaves: nothing may claim to be exact. */
TEST(parts_that_a_filter_leaves_are_estimates)
{
	struct exact_sim x = program(tap_seed());
	struct laid l;
	struct lifetimes found;
	struct diag d;
	struct query q = {.by = BY_CLASS};
	EXPECT_INT(0, where_add(&q.where, "stack=com.acme.A.*", &d));
	EXPECT_INT(0, lay(&l, &x, false));
	EXPECT_INT(0, lifetimes_find(&found, &l.model, &l.ledger, &q));
	EXPECT_INT(1, found.rows.count);
	if (found.rows.count == 1) {
		const struct tally *t = &found.rows.at[0].tally;
		struct estimate e = total_bytes(&t->alloc);
		EXPECT(!counted_whole(&t->counted));
		EXPECT(e.lo < e.value && e.hi > e.value);
		EXPECT(e.hi < 1.5 * bytes_born(&l.truth, 1));
	}
	lifetimes_release(&found);
	release(&l);
}

TEST(a_sampled_trace_is_left_alone)
{
	struct exact_sim x = program(tap_seed());
	struct laid l;
	x.sampled_only = true;
	EXPECT_INT(0, lay(&l, &x, false));
	EXPECT_INT(0, l.ledger.leaves.of.count);
	EXPECT_INT(0, l.ledger.leaves.list.count);
	for (size_t i = 0; i < l.ledger.accounts.count; i++)
		EXPECT(!l.ledger.accounts.at[i].tally.counted.any);
	release(&l);
}

/* A recording as if the engine had not seen the class of the first site; not yet laid out. */
static uint32_t replay_without_class(struct laid *l)
{
	struct exact_sim x = program(tap_seed());
	*l = (struct laid){.ledger = {.clocks = CLOCKS_ALL}};
	EXPECT_INT(0, model_init(&l->model));
	EXPECT_INT(0, exact_sim_write(&x, &l->bytes, &l->truth));
	EXPECT_INT(0, replay(l));
	EXPECT_INT(0, ledger_settle(&l->ledger, &l->model));
	double gone = (double)l->model.exact.sites.at[0].births.objects;
	uint32_t class = l->model.defs.sites.at[l->model.exact.sites.at[0].site].class;
	for (size_t i = 0; i < l->model.exact.sites.count; i++)
		if (l->model.defs.sites.at[l->model.exact.sites.at[i].site].class == class)
			l->model.exact.sites.at[i].births = (struct quantity){0};
	EXPECT(gone > 0);
	return class;
}

/* The samples of a line where nothing was counted are told of. */
TEST(what_was_only_sampled_keeps_its_estimate)
{
	struct laid l;
	struct notes notes = {0};
	replay_without_class(&l);
	EXPECT_INT(0, leaves_lay(&l.ledger, &l.model));
	EXPECT(l.ledger.leaves.uncounted.bytes.sum > 0);
	EXPECT_INT(0, leaves_notes(&notes, &l.ledger));
	EXPECT_INT(1, notes.list.count);
	notes_release(&notes);
	release(&l);
}

/* After an attach counts begin late: what was sampled before, and not made since, is no part of
 * what they are totals of. Samples of lines that were counted tell of lives. */
TEST(what_was_only_sampled_before_counts_begin_is_left_out)
{
	struct laid l;
	uint32_t class = replay_without_class(&l);
	size_t samples = 0;
	l.model.facts.exact_from = model_births_until(&l.model) - 1;
	EXPECT_INT(0, leaves_lay(&l.ledger, &l.model));
	EXPECT(l.ledger.leaves.uncounted.bytes.sum == 0);
	EXPECT_INT(l.ledger.accounts.count, l.ledger.leaves.of.count);
	for (size_t i = 0; i < l.ledger.accounts.count; i++) {
		const struct account *a = &l.ledger.accounts.at[i];
		EXPECT(l.model.defs.sites.at[a->site].class != class);
		samples += a->tally.alloc.n;
	}
	EXPECT(samples > 100);
	release(&l);
}

/* -- Conservation -- */

/* Class and allocating line of an account or an object, by the model. */
static bool is_at(const struct model *m, uint32_t site, uint32_t other)
{
	const struct site_def *a = &m->defs.sites.at[site], *b = &m->defs.sites.at[other];
	return a->class == b->class &&
	       m->defs.frames.at[a->frame].location == m->defs.frames.at[b->frame].location;
}

/* Of all accounts of a line, and of all objects that were counted there. */
struct line_sums {
	double alloc, objects, born, died, alive, infant, outlived;
};

static void add_sums(struct line_sums *s, const struct tally *t)
{
	s->alloc += t->alloc.bytes.sum;
	s->objects += t->alloc.objects.sum;
	s->born += t->born.bytes.sum;
	s->died += t->died.bytes.sum;
	s->alive += t->alive.bytes.sum;
	s->infant += t->infant.bytes.sum;
	s->outlived += t->outlived.bytes.sum;
}

static struct line_sums line_of(const struct laid *l, uint32_t site)
{
	struct line_sums s = {0};
	for (size_t i = 0; i < l->ledger.accounts.count; i++) {
		const struct account *a = &l->ledger.accounts.at[i];
		if (is_at(&l->model, a->site, site))
			add_sums(&s, &a->tally);
	}
	return s;
}

static struct line_sums sums_of_rows(const struct lifetimes *found)
{
	struct line_sums s = {0};
	for (size_t i = 0; i < found->rows.count; i++)
		add_sums(&s, &found->rows.at[i].tally);
	return s;
}

static void add_object(
	struct line_sums *s, const struct exact_truth *t, const struct exact_object *o)
{
	uint64_t seen = t->gcs.count - o->born, lived = o->age < seen ? o->age : seen;
	double size = (double)o->size;
	s->alloc += size, s->objects++, s->born += size;
	s->infant += seen && !o->age ? size : 0;
	s->outlived += seen && o->age ? size : 0;
	s->died += lived < seen && lived <= t->promote ? size : 0;
	s->alive += lived == seen && lived <= t->promote ? size : 0;
}

static struct line_sums truth_at(const struct laid *l, uint32_t site)
{
	struct line_sums s = {0};
	for (size_t i = 0; i < l->truth.objects.count; i++) {
		const struct exact_object *o = &l->truth.objects.at[i];
		if (is_at(&l->model, (uint32_t)o->site, site))
			add_object(&s, &l->truth, o);
	}
	return s;
}

static struct line_sums truth_where(const struct laid *l, const struct where *w)
{
	struct line_sums s = {0};
	struct buf scratch = {0};
	for (size_t i = 0; i < l->truth.objects.count; i++) {
		const struct exact_object *o = &l->truth.objects.at[i];
		if (where_account(w, &l->model, (uint32_t)o->site, 0, &scratch))
			add_object(&s, &l->truth, o);
	}
	buf_release(&scratch);
	return s;
}

/* What a path's objects became is all of them, and none of its numbers is more than the whole. */
static void expect_whole(const struct tally *t)
{
	double most = t->alloc.bytes.sum * (1 + 1e-9) + 1e-3;
	EXPECT_NEAR(t->alloc.bytes.sum, t->born.bytes.sum, 1e-6 * most);
	EXPECT_NEAR(t->alloc.objects.sum, t->born.objects.sum, 1e-6 * most);
	EXPECT(t->infant.bytes.sum <= t->died.bytes.sum * (1 + 1e-9) + 1e-3);
	EXPECT(t->died.bytes.sum + t->alive.bytes.sum <= most);
}

/* Sums over the callers of a line are what was counted there, of everything that is told; samples
 * or not. What outlived a collection of the old generation is shared out by samples: without them
 * it is neither dead nor alive. */
TEST(paths_of_a_line_sum_up_to_it)
{
	static const unsigned every[] = {1, 3, 20};
	for (unsigned i = 0; i < 12; i++) {
		struct exact_sim x = program(tap_seed() + i);
		struct laid l;
		x.every = every[i % 3];
		x.sim.facts = x.every == 1 ? facts_all : facts_some;
		x.exact_only = i % 2;
		x.inlined = i < 6 ? 1 : 2;
		x.alone = i < 6 ? 0 : 20;
		EXPECT_INT(0, lay(&l, &x, false));
		for (size_t k = 0; k < l.ledger.accounts.count; k++) {
			const struct account *a = &l.ledger.accounts.at[k];
			struct line_sums want = truth_at(&l, a->site), got = line_of(&l, a->site);
			EXPECT_NEAR(want.alloc, got.alloc, 1e-6 * (1 + want.alloc));
			EXPECT_NEAR(want.objects, got.objects, 1e-6 * (1 + want.objects));
			EXPECT_NEAR(want.born, got.born, 1e-6 * (1 + want.born));
			EXPECT_NEAR(want.infant, got.infant, 1e-6 * (1 + want.infant));
			EXPECT_NEAR(want.outlived, got.outlived, 1e-6 * (1 + want.outlived));
			if (x.exact_only) {
				EXPECT_NEAR(want.died, got.died, 1e-6 * (1 + want.died));
				EXPECT_NEAR(want.alive, got.alive, 1e-6 * (1 + want.alive));
			}
			expect_whole(&a->tally);
		}
		release(&l);
	}
}

/* No part is told to do more than it allocated. */
static void expect_possible(const struct total_sum *alloc, const struct total_sum *born,
	const struct total_sum *died, const struct total_sum *infant,
	const struct total_sum *outlived)
{
	double some = 1e-6 * alloc->sum + 1e-3;
	EXPECT_NEAR(alloc->sum, born->sum, some);
	EXPECT(infant->sum <= died->sum + some);
	EXPECT(infant->sum + outlived->sum <= alloc->sum + some);
	EXPECT(died->sum <= infant->sum + outlived->sum + some);
}

/* Callers, threads and paths of few samples, with events and without. */
TEST(no_part_does_more_than_it_can)
{
	for (unsigned i = 0; i < 24; i++) {
		struct exact_sim x = program(tap_seed() + i);
		struct laid l;
		x.interval = i % 3 ? 32768 : 4096;
		x.every = i % 4 ? 0 : 20;
		x.sim.facts = x.every ? facts_some : facts;
		x.inlined = 1 + i % 2;
		x.alone = i % 2 ? 20 : 0;
		x.miss_every = i < 12 ? 0 : 5;
		EXPECT_INT(0, lay_told(&l, &x, i % 5 < 2, i % 6 < 3));
		for (size_t k = 0; k < l.ledger.accounts.count; k++) {
			const struct tally *t = &l.ledger.accounts.at[k].tally;
			expect_possible(&t->alloc.objects, &t->born.objects, &t->died.objects,
				&t->infant.objects, &t->outlived.objects);
			expect_possible(&t->alloc.bytes, &t->born.bytes, &t->died.bytes,
				&t->infant.bytes, &t->outlived.bytes);
		}
		release(&l);
	}
}

/* What a filter of sites leaves is shared out among threads by itself. */
TEST(threads_sum_up_to_what_a_filter_leaves)
{
	static const char *const filters[] = {"class=byte[]", "class=*String", "class=*Object*"};
	for (size_t i = 0; i < ARRAY_SIZE(filters); i++) {
		struct exact_sim x = program(tap_seed());
		struct laid l;
		struct lifetimes found;
		struct diag d;
		struct query q = {.by = BY_THREAD};
		EXPECT_INT(0, where_add(&q.where, filters[i], &d));
		EXPECT_INT(0, lay_told(&l, &x, true, true));
		EXPECT_INT(0, lifetimes_find(&found, &l.model, &l.ledger, &q));
		struct line_sums got = sums_of_rows(&found), want = truth_where(&l, &q.where);
		EXPECT_NEAR(want.alloc, got.alloc, 1e-6 * want.alloc);
		EXPECT_NEAR(want.objects, got.objects, 1e-6 * want.objects);
		EXPECT_NEAR(want.born, got.born, 1e-6 * want.born);
		EXPECT_NEAR(want.infant, got.infant, 1e-6 * want.infant);
		EXPECT_NEAR(want.outlived, got.outlived, 1e-6 * want.outlived);
		lifetimes_release(&found);
		release(&l);
	}
}

/* -- Accounts by hand: one line, nothing sampled -- */

static void define(struct model *m, const char *gc)
{
	const struct record rows[] = {{.kind = RECORD_string, .string = {1, slice_str("byte[]")}},
		{.kind = RECORD_class, .class = {.id = 1, .name = 1}},
		{.kind = RECORD_site, .site = {.id = 1, .class = 1}}};
	struct record fact = {
		.kind = RECORD_fact, .fact = {.key = slice_str("gc"), .value = slice_str(gc)}};
	EXPECT_INT(0, model_init(m));
	EXPECT(facts_read(&m->facts, &m->defs.texts, &fact, &m->odds) > 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		EXPECT(defs_read(&m->defs, &rows[i], &m->odds) > 0);
}

/* Seven small ones, of which two outlive it, and three that no collection looks at. */
static void collect(struct model *m)
{
	uint32_t site = (uint32_t)m->defs.sites.count - 1;
	struct record_site_ages ages = {.young = 1};
	ages.objects.count = ages.bytes.count = 1;
	ages.objects.at[0] = 2, ages.bytes.at[0] = 20;
	EXPECT_INT(0, counts_births(&m->exact, site,
			      &(struct record_site_births){1, 1, 0, 10, 3070, 3, 3000}));
	EXPECT_INT(0, counts_ages(&m->exact, site, &ages));
	counts_gc(&m->exact, &(struct record_exact_gc){.young = 1, .kind = COUNTS_YOUNG}, &m->odds);
}

static struct amount outlived(const char *gc)
{
	struct model m;
	struct ledger l = {.clocks = UINT32_MAX};
	define(&m, gc);
	collect(&m);
	EXPECT_INT(0, leaves_lay(&l, &m));
	EXPECT_INT(1, l.accounts.count);
	const struct tally *t = &l.accounts.at[0].tally;
	struct amount out = {t->outlived.objects.sum, t->outlived.bytes.sum};
	EXPECT_NEAR(3070, t->alloc.bytes.sum, 1e-9);
	EXPECT_NEAR(50, t->infant.bytes.sum, 1e-9);
	ledger_release(&l);
	model_release(&m);
	return out;
}

/* The others never let go of what stands outside of the young generation by a young collection. */
TEST(large_objects_of_g1_are_not_taken_to_outlive_a_collection)
{
	EXPECT_NEAR(2, outlived("G1").objects, 1e-9);
	EXPECT_NEAR(20, outlived("G1").bytes, 1e-9);
	EXPECT_NEAR(5, outlived("Parallel").objects, 1e-9);
	EXPECT_NEAR(3020, outlived("Serial").bytes, 1e-9);
}

/* What was sampled of the same: two small ones, of which one lives, and two large ones. */
static void sample(struct ledger *l, const struct model *m)
{
	struct account a = {.site = (uint32_t)m->defs.sites.count - 1};
	struct tally *t = &a.tally;
	for (int i = 0; i < 2; i++) {
		EXPECT_INT(0, total_add(&t->stray, 1000, 2));
		EXPECT_INT(0, total_add(&t->alloc, 1000, 2));
		EXPECT_INT(0, total_add(&t->alloc, 10, 3));
	}
	EXPECT_INT(0, total_add(&t->infant, 10, 3));
	EXPECT_INT(0, total_add(&t->died, 10, 3));
	EXPECT_INT(0, total_add(&t->alive, 10, 3));
	EXPECT_INT(0, vec_push(&l->accounts, a));
}

/* Samples of small objects that live say nothing of large ones that nobody followed. */
TEST(large_objects_of_g1_are_not_taken_to_live_as_small_ones_do)
{
	struct model m;
	struct ledger l = {.clocks = UINT32_MAX};
	define(&m, "G1");
	collect(&m);
	sample(&l, &m);
	EXPECT_INT(0, leaves_lay(&l, &m));
	EXPECT_INT(1, l.accounts.count);
	const struct tally *t = &l.accounts.at[0].tally;
	EXPECT_NEAR(2, t->alive.objects.sum, 1e-9);
	EXPECT_NEAR(20, t->alive.bytes.sum, 1e-9);
	EXPECT_NEAR(3, t->untracked.objects.sum, 1e-9);
	EXPECT_NEAR(3000, t->untracked.bytes.sum, 1e-9);
	EXPECT_NEAR(3000, t->stray.bytes.sum, 1e-9);
	EXPECT_NEAR(50, t->died.bytes.sum, 1e-9);
	EXPECT_NEAR(3070, t->alloc.bytes.sum, 1e-9);
	EXPECT_NEAR(3070, t->born.bytes.sum, 1e-9);
	EXPECT_INT(2, t->born.n);
	EXPECT_INT(4, t->alloc.n);
	ledger_release(&l);
	model_release(&m);
}

/* Of two threads, one was sampled making a large object that nobody followed, the other a small one
 * that died, and one of each kind that lives. */
static void sample_threads(struct ledger *l, const struct model *m)
{
	struct account a[2] = {{.site = (uint32_t)m->defs.sites.count - 1, .thread = 1},
		{.site = (uint32_t)m->defs.sites.count - 1, .thread = 2}};
	for (int i = 0; i < 2; i++) {
		EXPECT_INT(0, total_add(&a[i].tally.stray, 1000, 2));
		EXPECT_INT(0, total_add(&a[i].tally.alloc, 1000, 2));
	}
	struct tally *t = &a[1].tally;
	for (int i = 0; i < 2; i++)
		EXPECT_INT(0, total_add(&t->alloc, 10, 3));
	EXPECT_INT(0, total_add(&t->infant, 10, 3));
	EXPECT_INT(0, total_add(&t->died, 10, 3));
	EXPECT_INT(0, total_add(&t->alive, 10, 3));
	EXPECT_INT(0, total_add(&t->outlived, 10, 3));
	for (int i = 0; i < 2; i++)
		EXPECT_INT(0, vec_push(&l->accounts, a[i]));
}

/* What became of them was counted, and no sample tells which thread's they were. */
TEST(a_thread_has_no_more_fates_than_objects)
{
	struct model m;
	struct ledger l = {.clocks = UINT32_MAX, .by_thread = true};
	double alloc = 0;
	define(&m, "Serial");
	collect(&m);
	sample_threads(&l, &m);
	EXPECT_INT(0, leaves_lay(&l, &m));
	for (size_t i = 0; i < l.accounts.count; i++) {
		const struct tally *t = &l.accounts.at[i].tally;
		EXPECT_NEAR(t->alloc.bytes.sum, t->born.bytes.sum, 1e-6);
		EXPECT_NEAR(t->alloc.objects.sum, t->born.objects.sum, 1e-6);
		alloc += t->alloc.bytes.sum;
	}
	EXPECT_NEAR(3070, alloc, 1e-6);
	ledger_release(&l);
	model_release(&m);
}

/* What no sample is of is no thread's that is known: the reader is told how much that is. */
TEST(what_is_dealt_out_among_threads_is_told)
{
	double unsampled = 0;
	for (int by_thread = 0; by_thread < 2; by_thread++) {
		struct exact_sim x = many_places();
		struct laid l;
		struct notes notes = {0};
		EXPECT_INT(0, lay(&l, &x, by_thread));
		for (size_t i = 0; i < l.ledger.accounts.count && !by_thread; i++)
			if (!l.ledger.accounts.at[i].tally.alloc.n)
				unsampled += l.ledger.accounts.at[i].tally.alloc.bytes.sum;
		EXPECT(unsampled > 0);
		EXPECT_NEAR(
			by_thread ? unsampled : 0, (double)l.ledger.leaves.unsampled.bytes, 1e-6);
		EXPECT_INT(0, leaves_notes(&notes, &l.ledger));
		EXPECT_INT(by_thread, notes.list.count);
		notes_release(&notes);
		release(&l);
	}
}
