#include "analyze/counted.h"

#include "base/error.h"
#include "stat/survival.h"
#include "support/tap.h"

#define SURVIVORS(n, index, lived, moved)                                                          \
	{                                                                                          \
		.young = (n), .objects = {(index) + 1, {[index] = (lived)}},                       \
		.bytes = {(index) + 1, {[index] = 10 * (lived)}},                                  \
		.promoted_objects = {(index) + 1, {[index] = (moved)}}, .promoted_bytes = {        \
			(index) + 1,                                                               \
			{[index] = 10 * (moved)}                                                   \
		}                                                                                  \
	}

static void born(struct counts *c, uint64_t objects, uint64_t outside)
{
	struct record_site_births r = {.objects = objects,
		.bytes = 10 * objects,
		.outside_objects = outside,
		.outside_bytes = 10 * outside};
	EXPECT_INT(0, counts_births(c, 0, &r));
}

static void collected(struct counts *c, const struct record_site_ages *r, uint64_t young)
{
	struct odds odds = {{0}};
	struct record_exact_gc gc = {.young = young};
	if (r)
		EXPECT_INT(0, counts_ages(c, 0, r));
	counts_gc(c, &gc, &odds);
	EXPECT_INT(0, odds.count[ODD_EXACT_SURVIVORS]);
}

static void expect_point(
	const struct curve *c, uint64_t t, double lo, double p, double hi, double tolerance)
{
	struct curve_point at = curve_at(c, t);
	EXPECT_NEAR(lo, at.lo, tolerance);
	EXPECT_NEAR(p, at.p, 1e-12);
	EXPECT_NEAR(hi, at.hi, tolerance);
}

/* 100 are born: 40 outlive the first collection, 10 the second, none the third. */
TEST(nothing_lost_is_exact)
{
	static const struct record_site_ages one = SURVIVORS(1, 0, 40, 0),
					     two = SURVIVORS(2, 1, 10, 0);
	struct counts c = {0};
	struct counted counted = {0};
	struct ages none = {0};
	struct curve curve;
	born(&c, 100, 0);
	collected(&c, &one, 1);
	collected(&c, &two, 2);
	collected(&c, NULL, 3);
	EXPECT_INT(0, counted_add(&counted, &c.sites.at[0]));
	EXPECT(counted_whole(&counted));
	for (int i = 0; i < MEASURES; i++) {
		EXPECT_INT(0, counted_curve(&counted, (enum measure)i, &none, &curve));
		expect_point(&curve, 1, 0.4, 0.4, 0.4, 1e-12);
		expect_point(&curve, 2, 0.1, 0.1, 0.1, 1e-12);
		expect_point(&curve, 3, 0, 0, 0, 1e-12);
		EXPECT(curve.known == UINT64_MAX);
		curve_release(&curve);
	}
	counted_release(&counted);
	counts_release(&c);
}

/* The promoted are out of sight: what is known of the rest is a guess for them, a little unsure. */
TEST(the_promoted_widen_what_comes_after)
{
	static const struct record_site_ages one = SURVIVORS(1, 0, 30, 10),
					     two = SURVIVORS(2, 1, 15, 0);
	struct counts c = {0};
	struct counted counted = {0};
	struct ages none = {0};
	struct curve curve;
	born(&c, 100, 0);
	collected(&c, &one, 1);
	collected(&c, &two, 2);
	EXPECT_INT(0, counted_add(&counted, &c.sites.at[0]));
	EXPECT_INT(0, counted_curve(&counted, MEASURE_OBJECTS, &none, &curve));
	expect_point(&curve, 1, 0.4, 0.4, 0.4, 1e-12);
	struct curve_point at = curve_at(&curve, 2);
	EXPECT_NEAR(0.2, at.p, 1e-12);
	/* The ten may all have died, or none: 0.15 … 0.25. */
	EXPECT(at.lo > 0.14 && at.lo < 0.19 && at.hi > 0.21 && at.hi < 0.26);
	EXPECT_INT(2, curve.known);
	curve_release(&curve);
	counted_release(&counted);
	counts_release(&c);
}

/* 1000 samples of weight 2: half die at age 0, a quarter at 4, the rest is alive at 9. */
static void sample(struct ages *a)
{
	for (int i = 0; i < 1000; i++)
		EXPECT_INT(0, ages_add(a, i < 750 ? FATE_DIED : FATE_LOST, 0,
				      i < 500   ? 0
				      : i < 750 ? 4
						: 9,
				      2));
}

/* Nearly all are promoted at once: the counts know the first step, the samples the others. */
TEST(samples_go_on_where_the_counts_end)
{
	static const struct record_site_ages one = SURVIVORS(1, 0, 5, 395),
					     two = SURVIVORS(2, 1, 0, 0);
	struct counts c = {0};
	struct counted counted = {0};
	struct ages samples = {0};
	struct curve curve, sampled;
	sample(&samples);
	born(&c, 1000, 0);
	collected(&c, &one, 1);
	collected(&c, &two, 2);
	EXPECT_INT(0, counted_add(&counted, &c.sites.at[0]));
	EXPECT_INT(0, counted_curve(&counted, MEASURE_OBJECTS, &samples, &curve));
	EXPECT_INT(0, survival_curve(&samples, &sampled));
	expect_point(&curve, 1, 0.4, 0.4, 0.4, 1e-12);
	EXPECT_NEAR(0.4, curve_at(&curve, 4).p, 1e-12);
	EXPECT_NEAR(0.2, curve_at(&curve, 5).p, 1e-12);
	EXPECT(curve_at(&curve, 5).lo > 0.18 && curve_at(&curve, 5).lo < 0.2);
	EXPECT(curve_at(&curve, 5).hi > 0.2 && curve_at(&curve, 5).hi < 0.22);
	EXPECT_INT(sampled.known, curve.known);
	curve_release(&curve);
	curve_release(&sampled);
	ages_release(&samples);
	counted_release(&counted);
	counts_release(&c);
}

/* Without a look at any by a young collection, only the samples know. */
TEST(what_is_born_outside_is_left_to_the_samples)
{
	struct counts c = {0};
	struct counted counted = {0};
	struct ages samples = {0};
	struct curve curve;
	sample(&samples);
	born(&c, 50, 50);
	collected(&c, NULL, 1);
	EXPECT_INT(0, c.sites.at[0].died.objects);
	EXPECT_INT(0, counted_add(&counted, &c.sites.at[0]));
	EXPECT_INT(0, counted_curve(&counted, MEASURE_OBJECTS, &samples, &curve));
	EXPECT_NEAR(0.5, curve_at(&curve, 1).p, 1e-12);
	EXPECT_NEAR(0.25, curve_at(&curve, 5).p, 1e-12);
	curve_release(&curve);
	ages_release(&samples);
	counted_release(&counted);
	counts_release(&c);
}

/* No sample follows those either: nine of ten objects are large, and the counts of the small stay.
 */
TEST(what_is_never_followed_leaves_the_counts)
{
	static const struct record_site_ages one = SURVIVORS(1, 0, 20, 0);
	struct counts c = {0};
	struct counted counted = {0}, sum = {0};
	struct ages samples = {0};
	sample(&samples);
	born(&c, 1000, 900);
	collected(&c, &one, 1);
	EXPECT_INT(0, counted_add(&counted, &c.sites.at[0]));
	counted_close_outside(&counted, &c.sites.at[0]);
	EXPECT_INT(0, counted_merge(&sum, &counted));
	for (int i = 0; i < MEASURES; i++) {
		struct curve curve;
		EXPECT_INT(0, counted_curve(&sum, (enum measure)i, &samples, &curve));
		EXPECT_NEAR(0.2, curve_at(&curve, 1).p, 1e-12);
		EXPECT(curve_at(&curve, 1).lo < 0.2 && curve_at(&curve, 1).hi > 0.2);
		curve_release(&curve);
	}
	ages_release(&samples);
	counted_release(&counted);
	counted_release(&sum);
	counts_release(&c);
}

/* 600 of 1000 died at once, 300 are alive after 2 collections, of 100 half died after 5; of each so
 * many are born since the last. */
static void told(struct site_endings *e, uint64_t forgotten)
{
	const struct ending_row rows[] = {
		{0, {{600, 6000}, {70, 700}, {forgotten, forgotten * 10}}, {0}},
		{2, {{0, 0}, {300, 3000}, {0, 0}}, {0}}, {5, {{50, 500}, {0, 0}, {0, 0}}, {0}},
		{6, {{0, 0}, {50, 500}, {0, 0}}, {0}}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		EXPECT_INT(0, vec_push(&e->rows, rows[i]));
}

/* Events tell all lives to the end: samples know no more, whatever they seem to say. */
TEST(where_events_tell_no_samples_go_on)
{
	struct site_endings e = {.told = true};
	struct counted counted = {0};
	struct ages samples = {0};
	struct curve curve;
	sample(&samples);
	told(&e, 0);
	EXPECT_INT(0, counted_add_endings(&counted, &e));
	EXPECT(counted_known(&counted));
	EXPECT_INT(1000, counted.lives[MEASURE_OBJECTS].all.n);
	EXPECT_NEAR(10000, counted.lives[MEASURE_BYTES].all.w, 1e-9);
	EXPECT_INT(0, counted_curve(&counted, MEASURE_OBJECTS, &samples, &curve));
	expect_point(&curve, 1, 0.4, 0.4, 0.4, 1e-12);
	expect_point(&curve, 2, 0.4, 0.4, 0.4, 1e-12);
	EXPECT_NEAR(0.4, curve_at(&curve, 5).p, 1e-12);
	EXPECT_NEAR(0.2, curve_at(&curve, 6).p, 1e-12);
	EXPECT(curve_at(&curve, 6).lo < 0.2 && curve_at(&curve, 6).hi > 0.2);
	curve_release(&curve);
	ages_release(&samples);
	counted_release(&counted);
	vec_release(&e.rows);
}

TEST(what_was_let_go_is_not_known)
{
	struct site_endings e = {.told = true};
	struct counted counted = {0};
	struct ages none = {0};
	struct curve curve;
	told(&e, 10);
	EXPECT_INT(0, counted_add_endings(&counted, &e));
	EXPECT(counted_whole(&counted) && !counted_known(&counted));
	EXPECT_INT(0, counted_curve(&counted, MEASURE_OBJECTS, &none, &curve));
	EXPECT_NEAR(0.4, curve_at(&curve, 1).p, 1e-12);
	EXPECT(curve_at(&curve, 1).lo < 0.4 && curve_at(&curve, 1).hi > 0.4);
	curve_release(&curve);
	counted_release(&counted);
	vec_release(&e.rows);
}

TEST(merged_counts_are_as_if_counted_together)
{
	static const struct record_site_ages one = SURVIVORS(1, 0, 40, 0),
					     other = SURVIVORS(1, 0, 0, 60);
	struct counted sum = {0};
	for (int i = 0; i < 2; i++) {
		struct counts c = {0};
		struct counted part = {.open = i ? 7 : UINT64_MAX - 6};
		born(&c, 100, 0);
		collected(&c, i ? &other : &one, 1);
		EXPECT_INT(0, counted_add(&part, &c.sites.at[0]));
		EXPECT(!counted_whole(&part));
		EXPECT_INT(0, counted_merge(&sum, &part));
		counted_release(&part);
		counts_release(&c);
	}
	struct curve curve;
	struct ages none = {0};
	EXPECT(counted_whole(&sum));
	EXPECT_INT(0, counted_curve(&sum, MEASURE_BYTES, &none, &curve));
	expect_point(&curve, 1, 0.5, 0.5, 0.5, 1e-12);
	curve_release(&curve);
	counted_release(&sum);
}
