#include "analyze/stock.h"

#include <math.h>

#include <string.h>

#include "analyze/heap.h"
#include "analyze/stock_rows.h"
#include "base/error.h"
#include "model/fan.h"
#include "support/exact_of.h"
#include "support/tap.h"

/* A made-up run, looked at after one collection. */
struct look {
	struct exact_of o;
	struct model model;
	struct stock stock;
	struct heap heap;
	uint64_t gc; /* from 1 */
};

static void look_init(struct look *l, const struct exact_sim *x, uint64_t number, bool end)
{
	memset(l, 0, sizeof(*l));
	EXPECT_INT(0, exact_of_sim(&l->o, x, NULL));
	const struct gcs *gcs = &l->o.model.gcs;
	l->gc = end ? gcs->list.count : number;
	const struct gc *gc = &gcs->list.at[l->gc - 1];
	l->stock.end = end;
	l->stock.young = gc->young;
	l->stock.full = gc->full;
	heap_init(&l->heap, false);
	EXPECT_INT(0, heap_add_moment(&l->heap, end ? l->o.model.now.time : gc->end));
	struct fan fan = {.to = {heap_listener(&l->heap), stock_listener(&l->stock)}, .count = 2};
	struct listener both = fan_listener(&fan);
	EXPECT_INT(0, exact_of_again(&l->o, &l->model, &both));
	EXPECT_INT(0, heap_settle(&l->heap, &l->model));
	EXPECT_INT(0, stock_settle(&l->stock, &l->model));
}

static void look_release(struct look *l)
{
	stock_release(&l->stock);
	heap_release(&l->heap);
	model_release(&l->model);
	exact_of_release(&l->o);
}

/* -- The truth, object by object -- */

static uint8_t kind_of(const struct look *l, uint64_t gc)
{
	return l->o.truth.gcs.at[gc - 1];
}

/* Which collection promoted it, by now; 0: none. */
static uint64_t promoted_at(const struct look *l, const struct exact_object *o)
{
	uint64_t gc = o->born + l->o.truth.promote + 1;
	return o->age > l->o.truth.promote && gc <= l->gc ? gc : 0;
}

/* A full one makes new marks. */
static bool is_marked(const struct look *l, const struct exact_object *o, uint64_t gc)
{
	for (uint64_t i = o->born + 1; i < gc; i++)
		if (kind_of(l, i) == 2)
			return false;
	return true;
}

/* The dead stand in the old generation until a full collection comes. */
static bool stands(const struct look *l, const struct exact_object *o)
{
	if (o->born > l->gc || o->born + o->age >= l->gc)
		return o->born <= l->gc;
	for (uint64_t i = o->born + o->age + 1; i <= l->gc; i++)
		if (kind_of(l, i) == 2)
			return false;
	return promoted_at(l, o) > 0;
}

static bool is_young(const struct look *l, const struct exact_object *o)
{
	return stands(l, o) && !promoted_at(l, o) && is_marked(l, o, l->gc);
}

/* Promoted by accounts behind which there were no others that leave doubt. */
static bool is_sure(const struct look *l, const struct exact_object *o)
{
	uint64_t gc = promoted_at(l, o);
	if (!gc || kind_of(l, gc) != 1 || !is_marked(l, o, gc))
		return false;
	for (uint64_t i = gc + 1; i <= l->gc; i++)
		if (kind_of(l, i) != 1)
			return false;
	return true;
}

struct truth {
	struct quantity young[COUNTS_AGES + 1], old, all;
};

static void count_one(struct truth *t, const struct look *l, const struct exact_object *o)
{
	struct quantity one = {1, o->size};
	uint64_t survived = l->gc - o->born;
	if (stands(l, o))
		quantity_add(&t->all, one);
	if (is_young(l, o))
		quantity_add(&t->young[survived < COUNTS_AGES ? survived : COUNTS_AGES], one);
	if (is_sure(l, o))
		quantity_add(&t->old, one);
}

/* Of a label and class (0: any); NULL: of all. Objects whose births the trace ends before are not
 * there. */
static struct truth truth_of(const struct look *l, enum by by, const char *label, uint32_t class)
{
	struct truth t = {0};
	struct buf text = {0};
	for (size_t i = 0; i < l->o.truth.objects.count; i++) {
		const struct exact_object *o = &l->o.truth.objects.at[i];
		if (o->born > l->gc || (!l->stock.end && o->born == l->gc))
			continue;
		if (class && l->model.defs.sites.at[o->site].class != class)
			continue;
		buf_clear(&text);
		label_put(&text, &l->model, (uint32_t)o->site, 0, by);
		if (!label || strcmp(buf_text(&text), label) == 0)
			count_one(&t, l, o);
	}
	buf_release(&text);
	return t;
}

static void expect_same(struct quantity want, struct quantity got)
{
	EXPECT_INT(want.objects, got.objects);
	EXPECT_INT(want.bytes, got.bytes);
}

static void expect_row(const struct look *l, enum by by, const struct stock_row *r)
{
	struct truth t = truth_of(l, by, r->label, r->class);
	struct quantity bound = r->counted;
	for (size_t k = 0; k <= COUNTS_AGES; k++)
		expect_same(t.young[k], r->young[k]);
	expect_same(t.old, r->old);
	quantity_add(&bound, r->most);
	EXPECT(t.all.objects <= bound.objects && t.all.bytes <= bound.bytes);
	EXPECT(t.all.objects >= r->counted.objects && t.all.bytes >= r->counted.bytes);
	EXPECT(r->alive.bytes.lo >= (double)r->counted.bytes);
	EXPECT(r->alive.bytes.value <= (double)bound.bytes);
	if (r->sure)
		EXPECT_NEAR((double)t.all.bytes, r->alive.bytes.value, 0.5);
	if (r->sure)
		EXPECT_NEAR(r->alive.bytes.lo, r->alive.bytes.hi, 0.5);
}

/* Returns how many rows were sure. */
static size_t expect_rows(const struct look *l, enum by by)
{
	struct query q = {.by = by};
	struct stock_rows rows;
	size_t sure = 0;
	double sum = 0;
	struct quantity counted = {0};
	EXPECT_INT(0, stock_rows_find(&rows, &l->model, &l->stock, &l->heap.alive, &q));
	for (size_t i = 0; i < rows.rows.count; i++) {
		expect_row(l, by, &rows.rows.at[i]);
		sure += rows.rows.at[i].sure;
		sum += rows.rows.at[i].alive.bytes.value;
		quantity_add(&counted, rows.rows.at[i].counted);
	}
	EXPECT_NEAR(sum, rows.all.alive.bytes.value, 1e-6 * (1 + sum));
	expect_same(counted, rows.all.counted);
	stock_rows_release(&rows);
	return sure;
}

static size_t check(const struct exact_sim *x, uint64_t gc, bool end)
{
	struct look l;
	size_t sure = 0;
	look_init(&l, x, gc, end);
	EXPECT(l.stock.taken);
	for (enum by by = BY_SITE; by <= BY_PACKAGE; by++)
		sure += expect_rows(&l, by);
	look_release(&l);
	return sure;
}

/* Nothing is collected but the young generation: every object that stands is counted. */
TEST(without_old_collections_all_is_counted)
{
	struct exact_sim x = exact_of_program(tap_seed());
	for (uint64_t gc = 1; gc < 40; gc += 6) {
		struct look l;
		look_init(&l, &x, gc, false);
		struct truth all = truth_of(&l, BY_CLASS, NULL, 0);
		struct quantity counted = {0}, most = {0};
		for (size_t i = 0; i < l.stock.sites.count; i++) {
			quantity_add(&counted, stock_counted(&l.stock.sites.at[i]));
			quantity_add(&most, l.stock.sites.at[i].most);
		}
		expect_same(all.all, counted);
		expect_same((struct quantity){0}, most);
		look_release(&l);
		EXPECT(check(&x, gc, false) > 12);
	}
	EXPECT(check(&x, 0, true) > 12);
}

TEST(behind_a_full_collection_the_bound_holds)
{
	struct exact_sim x = exact_of_program(tap_seed());
	x.sim.full_every = 9;
	for (uint64_t gc = 1; gc < 40; gc++)
		if (gc % 9)
			(void)check(&x, gc, false);
	(void)check(&x, 0, true);
	x.exact_only = true;
	(void)check(&x, 26, false);
}

TEST(behind_one_not_accounted_for_too)
{
	struct exact_sim x = exact_of_program(tap_seed());
	x.miss_every = 7;
	for (uint64_t gc = 1; gc < 40; gc++)
		if (gc % 7)
			(void)check(&x, gc, false);
	x.inlined = 2;
	x.dark = 5;
	x.every = 5;
	(void)check(&x, 30, false);
}

/* After a full collection that makes new marks nothing is known by site, nor of one that has no
 * account. */
TEST(what_is_not_told_is_not_taken)
{
	struct exact_sim x = exact_of_program(tap_seed());
	struct look l;
	x.sim.full_every = 9;
	look_init(&l, &x, 9, false);
	EXPECT(!l.stock.taken);
	look_release(&l);
	x.sim.full_every = 0;
	x.miss_every = 7;
	look_init(&l, &x, 14, false);
	EXPECT(!l.stock.taken);
	look_release(&l);
}

/* What is within the bounds is nearer to the truth than the estimate is, and no interval that held
 * it loses it. */
TEST(bounds_only_help)
{
	double with = 0, without = 0;
	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct exact_sim x = exact_of_program(seed);
		struct look l;
		struct stock_rows rows;
		struct query q = {.by = BY_CLASS};
		x.sim.full_every = 9;
		look_init(&l, &x, 31, false);
		EXPECT_INT(0, stock_rows_find(&rows, &l.model, &l.stock, &l.heap.alive, &q));
		for (size_t i = 0; i < rows.rows.count; i++) {
			const struct stock_row *r = &rows.rows.at[i];
			double all = (double)truth_of(&l, BY_CLASS, r->label, 0).all.bytes;
			struct estimate plain = total_bytes(&r->sampled), e = r->alive.bytes;
			EXPECT(fabs(e.value - all) <= fabs(plain.value - all) + 0.5);
			EXPECT(e.lo <= all + 0.5 || plain.lo > all);
			EXPECT(e.hi >= all - 0.5 || plain.hi < all);
			with += fabs(e.value - all);
			without += fabs(plain.value - all);
		}
		stock_rows_release(&rows);
		look_release(&l);
	}
	EXPECT(with < without);
}

TEST(filters_and_limits)
{
	struct exact_sim x = exact_of_program(tap_seed());
	struct look l;
	struct stock_rows rows;
	struct diag d = {""};
	struct query q = {.by = BY_CLASS, .limit = 2};
	look_init(&l, &x, 20, false);
	EXPECT_INT(0, stock_rows_find(&rows, &l.model, &l.stock, &l.heap.alive, &q));
	EXPECT_INT(2, rows.rows.count);
	EXPECT(rows.limited && rows.hidden && rows.hidden_bytes > 0);
	double all = rows.all.alive.bytes.value;
	EXPECT(rows.rows.at[0].alive.bytes.value >= rows.rows.at[1].alive.bytes.value);
	stock_rows_release(&rows);
	EXPECT_INT(0, where_add(&q.where, "class=com.acme.Kept", &d));
	EXPECT(stock_rows_can(&q));
	EXPECT_INT(0, stock_rows_find(&rows, &l.model, &l.stock, &l.heap.alive, &q));
	EXPECT_INT(1, rows.rows.count);
	EXPECT(strcmp(rows.rows.at[0].label, "com.acme.Kept") == 0);
	EXPECT_NEAR(all, rows.all.alive.bytes.value, 0.5);
	stock_rows_release(&rows);
	EXPECT_INT(0, where_add(&q.where, "stack=*", &d));
	EXPECT(!stock_rows_can(&q));
	look_release(&l);
}

/* -- Accounts by hand: one site -- */

struct told {
	struct model model;
	struct stock stock;
	uint64_t time, young, full;
};

static void told_init(struct told *t, const char *gc, uint64_t young, uint64_t full)
{
	struct record fact = {
		.kind = RECORD_fact, .fact = {.key = slice_str("gc"), .value = slice_str(gc)}};
	memset(t, 0, sizeof(*t));
	EXPECT_INT(0, model_init(&t->model));
	EXPECT(facts_read(&t->model.facts, &t->model.defs.texts, &fact, &t->model.odds) > 0);
	t->stock.young = young;
	t->stock.full = full;
}

static void told_release(struct told *t)
{
	stock_release(&t->stock);
	model_release(&t->model);
}

/* Ten are born, and one more outside; one of them lives on, and one that was there is promoted. */
static void told_gc(struct told *t, enum counts_kind kind, uint64_t full)
{
	struct listener l = stock_listener(&t->stock);
	struct counts *c = &t->model.exact;
	t->time += 10;
	struct record_exact_gc r = {
		.time = t->time, .young = ++t->young, .full = full, .kind = (uint64_t)kind};
	struct record_site_ages ages = {.young = r.young};
	ages.objects.count = ages.bytes.count = 1;
	ages.objects.at[0] = 1, ages.bytes.at[0] = 8;
	if (r.young > 1) {
		ages.promoted_objects.count = ages.promoted_bytes.count = 2;
		ages.promoted_objects.at[1] = 1, ages.promoted_bytes.at[1] = 8;
	}
	EXPECT_INT(
		0, counts_births(c, 1, &(struct record_site_births){r.young, 1, 0, 11, 88, 1, 8}));
	EXPECT_INT(0, counts_ages(c, 1, &ages));
	EXPECT_INT(0, l.on_accounts(l.arg, &t->model, &r));
	counts_gc(c, &r, &t->model.odds);
	EXPECT_INT(0, l.on_accounted(l.arg, &t->model, &r));
}

static void told_stop(struct told *t)
{
	struct listener l = stock_listener(&t->stock);
	struct record_pause p = {.start = t->time + 4, .end = t->time + 5};
	EXPECT_INT(0, l.on_pause(l.arg, &t->model, &p));
}

static void expect_told(const struct told *t, uint64_t old, uint64_t most)
{
	EXPECT(t->stock.taken);
	EXPECT_INT(1, t->stock.sites.count);
	EXPECT_INT(1, t->stock.sites.at[0].young[1].objects);
	EXPECT_INT(old, t->stock.sites.at[0].old.objects);
	EXPECT_INT(8 * old, t->stock.sites.at[0].old.bytes);
	EXPECT_INT(most, t->stock.sites.at[0].most.objects);
}

/* The third of three is of the kind. */
static void expect_third(const char *gc, enum counts_kind kind, uint64_t full, bool stopped,
	uint64_t old, uint64_t most)
{
	struct told t;
	told_init(&t, gc, 3, full);
	told_gc(&t, COUNTS_YOUNG, 0);
	told_gc(&t, COUNTS_YOUNG, 0);
	if (stopped)
		told_stop(&t);
	told_gc(&t, kind, full);
	expect_told(&t, old, most);
	told_release(&t);
}

/* Two were promoted, three were born outside. */
TEST(what_leaves_doubt)
{
	expect_third("Serial", COUNTS_YOUNG, 0, false, 5, 0);
	expect_third("Serial", COUNTS_FOLLOWED, 1, false, 1, 4);
	expect_third("Serial", COUNTS_FOLLOWED, 0, false, 1, 4);
	expect_third("Parallel", COUNTS_YOUNG, 1, false, 1, 4);
	expect_third("G1", COUNTS_YOUNG, 0, false, 2, 3);
	expect_third("G1", COUNTS_MIXED, 0, false, 1, 4);
	expect_third("G1", COUNTS_YOUNG, 0, true, 1, 4);
}

/* A cycle beside the program ended after the collection: what had been promoted may be gone. */
TEST(after_a_cycle_nothing_old_is_sure)
{
	struct told t;
	told_init(&t, "G1", 3, 1);
	for (int i = 0; i < 4; i++)
		told_gc(&t, COUNTS_YOUNG, 0);
	expect_told(&t, 0, 5);
	told_release(&t);
}

/* A stop after the moment says nothing of it; of the end it does. */
TEST(the_end)
{
	for (int stopped = 0; stopped < 2; stopped++) {
		struct told t;
		told_init(&t, "G1", 0, 0);
		t.stock.end = true;
		told_gc(&t, COUNTS_YOUNG, 0);
		told_gc(&t, COUNTS_YOUNG, 0);
		if (stopped)
			told_stop(&t);
		t.model.now.young = 2;
		EXPECT_INT(0, stock_settle(&t.stock, &t.model));
		EXPECT(!t.stock.taken);
		t.model.complete = true;
		EXPECT_INT(0, stock_settle(&t.stock, &t.model));
		expect_told(&t, stopped ? 0 : 1, stopped ? 3 : 2);
		told_release(&t);
	}
}
