#include "stat/ages.h"

#include <math.h>

#include "base/error.h"
#include "base/rng.h"
#include "support/tap.h"

static void add_some(struct rng *r, struct ages *one, struct ages *two)
{
	uint32_t age = (uint32_t)rng_below(r, 1000), entry = (uint32_t)rng_below(r, age + 1);
	enum fate fate = rng_below(r, 2) ? FATE_DIED : FATE_LOST;
	if (rng_below(r, 2))
		entry = 0;
	double weight = (double)(1 + rng_below(r, 64));
	EXPECT_INT(0, ages_add(one, fate, entry, age, weight));
	EXPECT_INT(0, ages_add(two, fate, entry, age, weight));
}

static bool same_mass(struct mass a, struct mass b)
{
	return a.n == b.n && !(fabs(a.w - b.w) > 0) && !(fabs(a.w2 - b.w2) > 0);
}

/* Weights are whole numbers here, so sums are exact whatever their order. */
static bool same(const struct ages *a, const struct ages *b)
{
	bool ok = a->rows.count == b->rows.count && same_mass(a->all, b->all);
	for (size_t i = 0; ok && i < a->rows.count; i++) {
		const struct ages_row *x = &a->rows.at[i], *y = &b->rows.at[i];
		ok = x->age == y->age && same_mass(x->died, y->died) &&
		     same_mass(x->lost, y->lost) && same_mass(x->entered, y->entered);
	}
	return ok;
}

TEST(merging_is_adding)
{
	struct rng r = rng_init(tap_seed());
	struct ages all = {0}, part[2] = {0};
	for (int i = 0; i < 3000; i++)
		add_some(&r, &all, &part[i % 2]);
	EXPECT_INT(0, ages_merge(&part[0], &part[1]));
	EXPECT(same(&all, &part[0]));
	for (size_t i = 1; i < all.rows.count; i++)
		EXPECT(all.rows.at[i - 1].age < all.rows.at[i].age);
	ages_release(&all);
	ages_release(&part[0]);
	ages_release(&part[1]);
}

TEST(bounded_whatever_the_ages)
{
	struct ages a = {0};
	for (uint64_t age = 0; age <= UINT32_MAX; age += age / 100 + 1)
		EXPECT_INT(0, ages_add(&a, FATE_LOST, 0, (uint32_t)age, 1));
	EXPECT(a.rows.count <= 350);
	for (uint32_t age = 0; age < AGES_EXACT; age++)
		EXPECT_INT(age, ages_round(age));
	EXPECT(ages_round(UINT32_MAX) > UINT32_MAX / 8 * 7);
	ages_release(&a);
}

TEST(refuses_nonsense)
{
	struct ages a = {0};
	EXPECT_INT(ERR_USAGE, ages_add(&a, FATE_DIED, 3, 2, 1));
	EXPECT_INT(ERR_USAGE, ages_add(&a, FATE_DIED, 0, 2, 0));
	EXPECT_INT(ERR_USAGE, ages_add(&a, FATE_DIED, 0, 2, (double)NAN));
	EXPECT_INT(0, a.all.n);
	EXPECT_INT(0, a.rows.count);
}

/* Fails the n-th allocation for every n until all goes well; on failure nothing may have changed.
 */
TEST(out_of_memory_leaves_it_unchanged)
{
	struct ages from = {0};
	for (uint32_t age = 0; age < 40; age++)
		EXPECT_INT(0, ages_add(&from, FATE_DIED, 0, age, 2));
	uint64_t held = mem_held();
	int err = ERR_NOMEM;
	for (uint64_t n = 1; err; n++) {
		struct ages a = {0}, before = {0};
		EXPECT_INT(0, ages_add(&a, FATE_DIED, 1, 7, 3));
		EXPECT_INT(0, ages_add(&before, FATE_DIED, 1, 7, 3));
		mem_fail_at(n);
		err = ages_merge(&a, &from);
		mem_fail_at(0);
		EXPECT(err ? same(&a, &before) : a.all.n == 41);
		ages_release(&a);
		ages_release(&before);
		EXPECT_INT(held, mem_held());
	}
	struct ages a = {0};
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, ages_add(&a, FATE_DIED, 0, 0, 1));
	mem_fail_at(0);
	EXPECT_INT(0, a.all.n);
	ages_release(&a);
	ages_release(&from);
}

TEST(clear_keeps_the_memory)
{
	struct ages a = {0};
	EXPECT_INT(0, ages_add(&a, FATE_DIED, 0, 5, 1));
	ages_clear(&a);
	EXPECT_INT(0, a.all.n);
	mem_fail_at(1);
	EXPECT_INT(0, ages_add(&a, FATE_DIED, 0, 5, 1));
	mem_fail_at(0);
	EXPECT_INT(1, a.rows.count);
	ages_release(&a);
}

TEST(a_cut_takes_back_what_came_later)
{
	struct ages a = {0}, want = {0};
	for (uint32_t age = 0; age < 40; age++) {
		enum fate fate = age % 3 ? FATE_DIED : FATE_LOST;
		EXPECT_INT(0, ages_add(&a, fate, 0, age, 1 + age));
		EXPECT_INT(0, age < 7 ? ages_add(&want, fate, 0, age, 1 + age)
				      : ages_add(&want, FATE_LOST, 0, 7, 1 + age));
	}
	ages_cut(&a, 7);
	ages_cut(&a, 7);
	ages_cut(&a, 100);
	EXPECT_INT(want.rows.count, a.rows.count);
	for (size_t i = 0; i < a.rows.count; i++) {
		EXPECT_INT(want.rows.at[i].age, a.rows.at[i].age);
		EXPECT_NEAR(want.rows.at[i].died.w, a.rows.at[i].died.w, 1e-9);
		EXPECT_NEAR(want.rows.at[i].lost.w, a.rows.at[i].lost.w, 1e-9);
		EXPECT_INT(want.rows.at[i].lost.n, a.rows.at[i].lost.n);
	}
	ages_release(&a);
	ages_release(&want);
}
