#include "analyze/evidence_counts.h"

#include "base/error.h"
#include "base/mem.h"
#include "support/exact_of.h"
#include "support/tap.h"

/* What a collector that goes through the objects one by one copies and promotes with a bound. */
struct done {
	double copied[TENURING_MOST + 1], promoted[TENURING_MOST + 1], early[TENURING_MOST + 1];
};

static void add_object(struct done *d, const struct exact_truth *t, const struct exact_object *o)
{
	struct exact_fate f = exact_fate_of(t, o);
	double size = (double)o->size;
	for (uint64_t bound = 0; bound <= TENURING_MOST; bound++) {
		uint64_t copies = f.copies <= bound ? f.copies : bound + 1;
		bool promoted = f.copies > bound || f.promoted;
		d->copied[bound] += size * (double)copies;
		d->promoted[bound] += promoted ? size : 0;
		d->early[bound] += f.copies > bound && f.died ? size : 0;
	}
}

static uint32_t class_of(const struct model *m, uint64_t site)
{
	return m->defs.sites.at[site].class;
}

static struct done done_by(const struct exact_of *o, uint32_t class)
{
	struct done d = {{0}, {0}, {0}};
	for (size_t i = 0; i < o->truth.objects.count; i++)
		if (!class || class_of(&o->model, o->truth.objects.at[i].sampled) == class)
			add_object(&d, &o->truth, &o->truth.objects.at[i]);
	return d;
}

static void expect_done(const struct evidence_site *s, const struct done *d)
{
	for (int t = 0; t <= TENURING_MOST; t++) {
		EXPECT_NEAR(d->copied[t], s->copied[t], 1e-6 * (1 + d->copied[t]));
		EXPECT_NEAR(d->promoted[t], s->promoted[t], 1e-6 * (1 + d->promoted[t]));
		EXPECT_NEAR(d->early[t], s->early[t], 1e-6 * (1 + d->early[t]));
	}
}

static void check(const struct exact_sim *x, bool by_thread)
{
	struct exact_of o;
	struct evidence_log e;
	evidence_init(&e, by_thread);
	struct listener l = evidence_listener(&e);
	EXPECT_INT(0, exact_of_sim(&o, x, &l));
	EXPECT_INT(0, evidence_settle(&e, &o.model));
	for (uint32_t class = 0; class < o.model.defs.classes.count; class ++) {
		struct evidence_site sum;
		struct done d = done_by(&o, class);
		memset(&sum, 0, sizeof(sum));
		for (uint32_t s = 0; s < e.sites.count; s++)
			if (!class || class_of(&o.model, s) == class)
				evidence_merge(&sum, &e.sites.at[s]);
		EXPECT(d.copied[0] > 0 || class);
		/* By thread the whole trace is one leaf: only its sum is known. */
		if (!by_thread || !class)
			expect_done(&sum, &d);
	}
	double threads = 0, all = 0;
	for (size_t i = 0; i < e.threads.count; i++)
		threads += e.threads.at[i].bytes.sum;
	for (size_t i = 0; i < o.truth.objects.count; i++)
		all += (double)o.truth.objects.at[i].size;
	EXPECT_NEAR(x->exact_only ? 0 : all, threads, 1e-6 * all);
	evidence_release(&e);
	exact_of_release(&o);
}

TEST(copies_of_all_and_of_each_class_are_the_truth)
{
	struct exact_sim x = exact_of_program(tap_seed());
	check(&x, false);
	x.inlined = 2;
	check(&x, false);
	x.alone = 4;
	x.dark = 5;
	check(&x, false);
	x.sim.promote = 2;
	check(&x, false);
	check(&x, true);
}

/* What inlining does not tell the caller of goes to the callers as their samples are: each has what
 * it copied, but for a part of these 4 %. */
TEST(callers_have_their_own)
{
	struct exact_sim x = exact_of_program(tap_seed());
	struct exact_of o;
	struct evidence_log e;
	evidence_init(&e, false);
	struct listener l = evidence_listener(&e);
	x.inlined = 2;
	x.alone = 4;
	EXPECT_INT(0, exact_of_sim(&o, &x, &l));
	EXPECT_INT(0, evidence_settle(&e, &o.model));
	for (uint64_t site = 1; site <= 2; site++) {
		struct done d = {{0}, {0}, {0}};
		for (size_t i = 0; i < o.truth.objects.count; i++)
			if (o.truth.objects.at[i].sampled == site)
				add_object(&d, &o.truth, &o.truth.objects.at[i]);
		EXPECT(d.copied[3] > 0);
		EXPECT_NEAR(d.copied[3], e.sites.at[site].copied[3], 0.03 * d.copied[3]);
	}
	evidence_release(&e);
	exact_of_release(&o);
}

TEST(places_without_samples_are_there)
{
	struct exact_sim x = exact_of_program(tap_seed());
	x.interval = 1u << 20;
	check(&x, false);
	x.exact_only = true;
	check(&x, false);
}

/* Born outside of the young generation: large, and no copy. */
TEST(what_is_born_outside_is_large)
{
	struct age_counts ages[] = {
		{.risk = {10, 1000}, .survived = {4, 400}, .promoted = {1, 100}},
		{.risk = {4, 400}, .survived = {0, 0}, .promoted = {3, 300}}};
	struct site_counts s = {.births = {12, 5000},
		.outside = {2, 4000},
		.promoted = {4, 400},
		.ages = {.at = ages, .count = 2}};
	struct evidence_site e;
	memset(&e, 0, sizeof(e));
	evidence_count(&e, &s);
	EXPECT_NEAR(4000, e.large.bytes.sum, 0);
	EXPECT_NEAR(2, e.large.objects.sum, 0);
	EXPECT_NEAR(500, e.copied[0], 0);
	EXPECT_NEAR(800, e.copied[1], 0);
	EXPECT_NEAR(800, e.copied[TENURING_MOST], 0);
	EXPECT_NEAR(500, e.promoted[0], 0);
	EXPECT_NEAR(400, e.promoted[1], 0);
	EXPECT_NEAR(400, e.promoted[TENURING_MOST], 0);
	EXPECT_NEAR(100, e.early[0], 0);
	EXPECT_NEAR(0, e.early[1], 0);
}

TEST(out_of_memory_is_told)
{
	struct exact_sim x = exact_of_program(tap_seed());
	struct exact_of o;
	int err = ERR_NOMEM;
	x.sim.samples = 2000;
	EXPECT_INT(0, exact_of_sim(&o, &x, &(struct listener){0}));
	for (uint64_t n = 1; err && n < 4000; n++) {
		struct evidence_log e;
		struct model m;
		evidence_init(&e, false);
		struct listener l = evidence_listener(&e);
		EXPECT_INT(0, exact_of_again(&o, &m, &l));
		mem_fail_at(n);
		err = evidence_settle(&e, &m);
		mem_fail_at(0);
		EXPECT(!err || err == ERR_NOMEM);
		evidence_release(&e);
		model_release(&m);
	}
	EXPECT_INT(0, err);
	exact_of_release(&o);
}
