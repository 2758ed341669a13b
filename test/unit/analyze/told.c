#include "analyze/told.h"

#include "analyze/churn.h"
#include "analyze/lifetime.h"
#include "base/error.h"
#include "support/exact_of.h"
#include "support/tap.h"

/* A window of the run, looked into. */
struct look {
	struct exact_of o;
	struct churn churn;
	struct model model;
	uint64_t first, last; /* collections in it, from 1; last 0: to the last of all */
};

static void look_init(
	struct look *l, const struct exact_sim *x, uint64_t first, uint64_t last, bool by_thread)
{
	struct churn_survey survey = {0};
	struct listener survey_listener = churn_survey_listener(&survey);
	*l = (struct look){.first = first};
	EXPECT_INT(0, exact_of_sim(&l->o, x, &survey_listener));
	const struct gcs *gcs = &l->o.model.gcs;
	last = l->last = last ? last : gcs->list.count;
	EXPECT(gcs->list.count >= last && first > 1);
	struct churn_query q = {.hand = {gcs->list.at[first - 2].end, gcs->list.at[last - 1].end},
		.by_thread = by_thread};
	EXPECT_INT(0, churn_find(&l->churn, &l->o.model, &survey, &q, NULL));
	struct listener second = windows_listener(&l->churn.looks);
	EXPECT_INT(0, exact_of_again(&l->o, &l->model, &second));
	EXPECT_INT(0, windows_settle(&l->churn.looks, &l->model));
	churn_survey_release(&survey);
}

static void look_release(struct look *l)
{
	churn_release(&l->churn);
	model_release(&l->model);
	exact_of_release(&l->o);
}

/* Which collection found it dead, from 1; 0: none. */
static uint64_t finder_of(const struct look *l, const struct exact_object *o)
{
	struct exact_fate f = exact_fate_of(&l->o.truth, o);
	return f.died ? o->born + f.copies + 1 : 0;
}

static bool is_in(const struct look *l, const struct exact_object *o, int group)
{
	uint64_t finder = finder_of(l, o);
	return finder >= l->first && finder <= l->last &&
	       (group == GROUPS || life_group_of(exact_fate_of(&l->o.truth, o).copies) == group);
}

/* Bytes found dead in the window that have a label; NULL: all. */
static double dead(const struct look *l, int group, enum by by, const char *label)
{
	double sum = 0;
	struct buf text = {0};
	for (size_t i = 0; i < l->o.truth.objects.count; i++) {
		const struct exact_object *o = &l->o.truth.objects.at[i];
		if (!is_in(l, o, group))
			continue;
		buf_clear(&text);
		label_put(&text, &l->model, (uint32_t)o->site, 0, by);
		if (!label || strcmp(buf_text(&text), label) == 0)
			sum += (double)o->size;
	}
	buf_release(&text);
	return sum;
}

static void expect_rows(const struct look *l, const struct ledger *ledger, int group, enum by by)
{
	const struct window *w = &l->churn.looks.list[0];
	struct query q = {.by = by, .sort = SORT_DIED};
	struct lifetimes found;
	double sum = 0;
	EXPECT_INT(0, lifetimes_find(&found, &l->model, ledger, &q));
	for (size_t i = 0; i < found.rows.count; i++) {
		const struct row *r = &found.rows.at[i];
		struct total garbage = window_garbage(w, &r->tally);
		struct estimate e = total_bytes(&garbage);
		double want = dead(l, group, by, r->label);
		EXPECT_NEAR(want, e.value, 1e-6 * (1 + want));
		EXPECT_NEAR(want, e.lo, 1e-6 * (1 + want));
		EXPECT_NEAR(want, e.hi, 1e-6 * (1 + want));
		EXPECT_NEAR(want, r->tally.died.bytes.sum, 1e-6 * (1 + want));
		if (group == GROUPS) {
			double infants = dead(l, GROUP_0, by, r->label);
			EXPECT_NEAR(infants, r->tally.infant.bytes.sum, 1e-6 * (1 + infants));
		}
		sum += e.value;
	}
	EXPECT_NEAR(dead(l, group, by, NULL), sum, 1e-6 * (1 + sum));
	lifetimes_release(&found);
}

static void check(const struct exact_sim *x, uint64_t first, uint64_t last)
{
	struct look l;
	static const enum by groupings[] = {BY_CLASS, BY_METHOD, BY_PACKAGE};
	look_init(&l, x, first, last, false);
	const struct window *w = &l.churn.looks.list[0];
	EXPECT(w->counted);
	for (int g = 0; g < GROUPS; g++) {
		struct estimate e = total_bytes(&w->dead[g]);
		double want = dead(&l, g, BY_CLASS, NULL);
		EXPECT_NEAR(want, e.value, 1e-6 * (1 + want));
		EXPECT(want <= 0 || e.hi - e.lo < 1e-6 * want);
		expect_rows(&l, &w->groups[g], g, BY_CLASS);
	}
	for (size_t i = 0; i < ARRAY_SIZE(groupings); i++)
		expect_rows(&l, &w->garbage, GROUPS, groupings[i]);
	look_release(&l);
}

TEST(garbage_of_a_window_is_the_truth)
{
	struct exact_sim x = exact_of_program(tap_seed());
	check(&x, 5, 12);
	check(&x, 2, 2);
	check(&x, 30, 0);
	x.inlined = 2;
	x.dark = 5;
	check(&x, 5, 30);
	x.alone = 4;
	check(&x, 10, 30);
}

TEST(without_samples_it_is_the_truth_too)
{
	struct exact_sim x = exact_of_program(tap_seed());
	x.exact_only = true;
	check(&x, 5, 12);
	x.exact_only = false;
	x.interval = 1u << 20;
	check(&x, 5, 12);
}

/* Windows side by side count each death once. */
TEST(windows_side_by_side_share_all_deaths)
{
	struct exact_sim x = exact_of_program(tap_seed());
	double sum = 0, whole = 0;
	for (uint64_t first = 2; first <= 30; first += 7) {
		struct look l;
		look_init(&l, &x, first, first + 6, false);
		for (int g = 0; g < GROUPS; g++)
			sum += l.churn.looks.list[0].dead[g].bytes.sum;
		look_release(&l);
	}
	struct look l;
	look_init(&l, &x, 2, 36, false);
	for (int g = 0; g < GROUPS; g++)
		whole += l.churn.looks.list[0].dead[g].bytes.sum;
	EXPECT_NEAR(whole, sum, 1e-6 * whole);
	look_release(&l);
}

TEST(threads_sum_up_to_it)
{
	struct exact_sim x = exact_of_program(tap_seed());
	struct look l;
	struct lifetimes found;
	struct query q = {.by = BY_THREAD, .sort = SORT_DIED};
	double sum = 0, want;
	look_init(&l, &x, 5, 30, true);
	const struct window *w = &l.churn.looks.list[0];
	EXPECT_INT(0, lifetimes_find(&found, &l.model, &w->garbage, &q));
	EXPECT_INT(3, found.rows.count);
	for (size_t i = 0; i < found.rows.count; i++) {
		struct total garbage = window_garbage(w, &found.rows.at[i].tally);
		struct estimate e = total_bytes(&garbage);
		EXPECT(e.lo < e.value && e.value < e.hi);
		sum += e.value;
	}
	want = dead(&l, GROUPS, BY_CLASS, NULL);
	EXPECT_NEAR(want, sum, 1e-6 * want);
	lifetimes_release(&found);
	look_release(&l);
}

/* A collection that was not accounted for: the samples tell, and nothing claims to be counted. */
TEST(a_window_with_a_gap_is_estimated)
{
	struct exact_sim x = exact_of_program(tap_seed());
	struct look l;
	x.miss_every = 7;
	look_init(&l, &x, 5, 12, false);
	EXPECT(!l.churn.looks.list[0].counted);
	double want = dead(&l, GROUPS, BY_CLASS, NULL), sum = 0;
	for (int g = 0; g < GROUPS; g++)
		sum += l.churn.looks.list[0].dead[g].bytes.sum;
	EXPECT(sum > 0.6 * want && sum < 1.5 * want);
	look_release(&l);
	/* The last of it is the one. */
	look_init(&l, &x, 4, 7, false);
	EXPECT(!l.churn.looks.list[0].counted);
	look_release(&l);
	look_init(&l, &x, 9, 13, false);
	EXPECT(l.churn.looks.list[0].counted);
	look_release(&l);
}

/* What a full collection found is the samples' estimate, on top of what was counted. */
TEST(what_a_full_collection_finds_is_estimated)
{
	struct exact_sim x = exact_of_program(tap_seed());
	struct look l;
	struct total late = {0}, young = {0}, all = {0};
	x.sim.full_every = 9;
	look_init(&l, &x, 5, 30, false);
	const struct window *w = &l.churn.looks.list[0];
	EXPECT(w->counted);
	double told = 0;
	for (size_t i = 0; i < w->told.sites.count; i++)
		for (int g = 0; g < GROUPS; g++)
			told += (double)w->told.sites.at[i].dead[g].bytes;
	for (size_t i = 0; i < w->garbage.accounts.count; i++) {
		total_merge(&late, &w->garbage.accounts.at[i].tally.late);
		total_merge(&young, &w->garbage.accounts.at[i].tally.alloc);
	}
	for (int g = 0; g < GROUPS; g++)
		total_merge(&all, &w->dead[g]);
	struct estimate e = total_bytes(&all);
	EXPECT_NEAR(told, young.bytes.sum, 1e-6 * told);
	EXPECT(late.bytes.sum > 0.01 * told);
	EXPECT_NEAR(told + late.bytes.sum, e.value, 1e-6 * told);
	EXPECT(e.lo < e.value && e.value < e.hi);
	struct lifetimes found;
	struct query q = {.by = BY_CLASS, .sort = SORT_DIED};
	double sum = 0;
	EXPECT_INT(0, lifetimes_find(&found, &l.model, &w->garbage, &q));
	for (size_t i = 0; i < found.rows.count; i++)
		sum += window_garbage(w, &found.rows.at[i].tally).bytes.sum;
	EXPECT_NEAR(e.value, sum, 1e-6 * sum);
	lifetimes_release(&found);
	look_release(&l);
}

/* What was born between two collections is no longer read off the allocation clock. */
TEST(the_run_is_counted_too)
{
	struct exact_sim x = exact_of_program(tap_seed());
	struct look l;
	look_init(&l, &x, 5, 12, false);
	const struct series *s = &l.churn.series;
	EXPECT_INT(SERIES_COLLECTIONS, s->basis);
	for (size_t i = 0; i < s->steps.count; i++) {
		const struct gc *a = &l.model.gcs.list.at[i], *b = a + 1;
		double born = 0, grown = (double)b->heap_after - (double)a->heap_after;
		for (size_t k = 0; k < l.o.truth.objects.count; k++)
			if (l.o.truth.objects.at[k].born == i + 1)
				born += (double)l.o.truth.objects.at[k].size;
		double want = born > grown ? born - grown : 0;
		EXPECT_NEAR(want, s->steps.at[i].bytes, 0.5);
	}
	look_release(&l);
}
