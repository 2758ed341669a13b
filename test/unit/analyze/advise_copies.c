#include "analyze/advise_copies.h"

#include <math.h>
#include <stdbool.h>

#include "base/rng.h"
#include "stat/survival.h"
#include "support/tap.h"

enum { OBJECTS = 400, COLLECTIONS = 400 };

/*
 * A collector, step by step: time is counted in today's collections. Objects are born at `birth`
 * and needed until `birth + life`; every `times` a collection looks at each object that is there:
 * the dead go, the young are copied and age, or are promoted at the threshold.
 */
struct heap {
	double birth[OBJECTS], life[OBJECTS], size[OBJECTS];
};
struct work {
	double copied, promoted, early; /* bytes; early: promoted that die by the end */
};

static void collect_one(struct work *w, const struct heap *h, int i, unsigned threshold, int times)
{
	unsigned age = 0;
	for (int gc = times; gc < COLLECTIONS; gc += times) {
		if (gc <= h->birth[i])
			continue;
		if (h->birth[i] + h->life[i] <= gc)
			return;
		w->copied += h->size[i];
		if (age >= threshold) {
			w->promoted += h->size[i];
			return;
		}
		age++;
	}
}

static struct work collect(const struct heap *h, unsigned threshold, int times)
{
	struct work w = {0};
	for (int i = 0; i < OBJECTS; i++)
		collect_one(&w, h, i, threshold, times);
	return w;
}

static double bytes_of(const struct heap *h)
{
	double sum = 0;
	for (int i = 0; i < OBJECTS; i++)
		sum += h->size[i];
	return sum;
}

/* Bytes that outlive a of today's collections, as a share. */
static struct copies_life life_of(const struct heap *h)
{
	struct copies_life l = {.p = {1}};
	for (unsigned a = 1; a <= COPIES_AGES; a++) {
		double sum = 0;
		for (int i = 0; i < OBJECTS; i++) {
			double first = floor(h->birth[i]) + 1; /* the collection after its birth */
			sum += h->birth[i] + h->life[i] > first + a - 1 ? h->size[i] : 0;
		}
		l.p[a] = sum / bytes_of(h);
	}
	return l;
}

/* Births at the same places of each of four collections in a row, with the same lives: what
 * formulas take for granted, without chance. */
static struct heap draw(struct rng *r)
{
	struct heap h;
	for (int i = 0; i < OBJECTS; i += 4) {
		double phase = 0.01 + 0.98 * rng_unit(r), u = rng_unit(r);
		double life = rng_below(r, 3) ? u : rng_below(r, 2) ? 30 * u : 3 * u;
		double size = 16.0 * (double)(1 + rng_below(r, 100));
		for (int k = 0; k < 4; k++) {
			h.birth[i + k] = 12 + k + phase;
			h.life[i + k] = life;
			h.size[i + k] = size;
		}
	}
	return h;
}

/* Times 4: births spread over one of its collections; times 2 and 1: over two and four. */
TEST(formulas_are_what_a_collector_does)
{
	struct rng r = rng_init(tap_seed());
	for (int run = 0; run < 50; run++) {
		struct heap h = draw(&r);
		struct copies_life l = life_of(&h);
		double bytes = bytes_of(&h);
		for (unsigned t = 0; t <= TENURING_MOST; t++)
			for (unsigned k = 1; k <= COPIES_TIMES; k *= 2) {
				struct work w = collect(&h, t, (int)k);
				EXPECT_NEAR(w.copied / bytes, copies_copied(&l, t, k), 1e-9);
				EXPECT_NEAR(w.promoted / bytes, copies_promoted(&l, t, k), 1e-9);
			}
	}
}

/* An object that survives k collections is copied min(k, T + 1) times. */
TEST(each_survived_collection_is_a_copy)
{
	for (unsigned k = 0; k < 20; k++) {
		struct copies_life l = {.p = {1}};
		for (unsigned a = 1; a <= k; a++)
			l.p[a] = 1;
		for (unsigned t = 0; t <= TENURING_MOST; t++) {
			EXPECT_NEAR(k < t + 1 ? k : t + 1, copies_copied(&l, t, 1), 1e-12);
			EXPECT_NEAR(k > t, copies_promoted(&l, t, 1), 1e-12);
		}
	}
}

TEST(a_mean_weighs_thresholds_by_how_often_they_held)
{
	struct copies_life l = {.p = {1, 0.5, 0.25, 0.125, 0.0625}};
	struct copies_held held = {.share = {[1] = 0.5, [3] = 0.5}};
	double one = copies_copied(&l, 1, 1), three = copies_copied(&l, 3, 1);
	EXPECT_NEAR(
		(one + three) / 2, copies_mean(copies_copied, &l, &held, TENURING_MOST, 1), 1e-12);
	/* A bound of 2 cuts the second only; one of 0 both. */
	EXPECT_NEAR((one + copies_copied(&l, 2, 1)) / 2,
		copies_mean(copies_copied, &l, &held, 2, 1), 1e-12);
	EXPECT_NEAR(0.5, copies_mean(copies_copied, &l, &held, 0, 1), 1e-12);
}

TEST(what_is_not_known_stays_or_is_bounded)
{
	struct ages ages = {0};
	struct curve c;
	for (int i = 0; i < 40; i++)
		EXPECT_INT(
			0, ages_add(&ages, i < 20 ? FATE_DIED : FATE_LOST, 0, i < 20 ? 0 : 3, 9));
	EXPECT_INT(0, survival_curve(&ages, &c));
	struct copies_life p = copies_life_of(&c, COPIES_VALUE), lo = copies_life_of(&c, COPIES_LO),
			   hi = copies_life_of(&c, COPIES_HI);
	EXPECT_NEAR(0.5, p.p[1], 1e-9);
	EXPECT_NEAR(0.5, p.p[COPIES_AGES], 1e-9);
	EXPECT_NEAR(0, lo.p[COPIES_AGES], 1e-9);
	EXPECT(lo.p[1] > 0.3 && lo.p[1] < 0.5 && hi.p[1] > 0.5 && hi.p[1] < 0.7);
	EXPECT(hi.p[COPIES_AGES] >= 0.5);
	for (unsigned a = 1; a <= COPIES_AGES; a++)
		EXPECT(p.p[a] <= p.p[a - 1] && lo.p[a] <= lo.p[a - 1] && hi.p[a] <= hi.p[a - 1]);
	curve_release(&c);
	ages_release(&ages);
}

TEST(nothing_observed_is_nothing_known)
{
	struct curve none = {0};
	EXPECT_NEAR(1, copies_life_of(&none, COPIES_VALUE).p[5], 0);
	EXPECT_NEAR(0, copies_life_of(&none, COPIES_LO).p[5], 0);
	EXPECT_NEAR(1, copies_life_of(&none, COPIES_HI).p[5], 0);
}
