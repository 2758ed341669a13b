#include "analyze/caller.h"

#include "base/error.h"
#include "support/tap.h"

enum { OBJECTS = 100 };

/* Of each hundred objects so many die at once, the others at age 5. */
static void live(struct ages *a, int hundreds, int infants)
{
	for (int i = 0; i < hundreds * OBJECTS; i++)
		EXPECT_INT(0, ages_add(a, FATE_DIED, 0, i % OBJECTS < infants ? 0 : 5, 1));
}

static struct caller counted(int infants)
{
	struct caller c = {.counted = {.any = true}};
	live(&c.counted.lives[MEASURE_BYTES], 1, infants);
	return c;
}

static struct caller sampled(int infants)
{
	struct caller c = {.counted = {.any = false}};
	live(&c.sampled, 1, infants);
	return c;
}

static bool alike(const struct caller *a, const struct caller *b)
{
	int err = ERR_NONE;
	bool found = callers_alike(a, b, &err);
	EXPECT_INT(0, err);
	return found;
}

TEST(either_way_tells_callers_apart)
{
	struct caller a = sampled(95), b = sampled(5), c = sampled(94);
	struct caller x = counted(95), y = counted(5), z = counted(94);
	EXPECT(!alike(&a, &b) && alike(&a, &c));
	EXPECT(!alike(&x, &y) && alike(&x, &z));
	/* Of the one samples are known, of the other counts: too little to say. */
	EXPECT(alike(&a, &y) && alike(&x, &b));
	/* Samples that agree don't outweigh counts that differ. */
	live(&x.sampled, 1, 50);
	live(&y.sampled, 1, 50);
	EXPECT(!alike(&x, &y));
	struct caller *all[] = {&a, &b, &c, &x, &y, &z};
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		caller_release(all[i]);
}

/* Counts of a leaf of which a part is elsewhere are not this caller's. */
TEST(counts_of_more_than_the_caller_say_nothing)
{
	struct caller a = counted(95), b = counted(5), rest = {.counted = {.open = 7}};
	b.counted.open = (uint64_t)-7;
	EXPECT(!caller_lives(&b, KNOWN_COUNTED));
	EXPECT(caller_lives(&a, KNOWN_COUNTED) == &a.counted.lives[MEASURE_BYTES]);
	EXPECT(caller_lives(&b, KNOWN_SAMPLED) == &b.sampled);
	EXPECT(alike(&a, &b));
	EXPECT_NEAR(0, caller_effective(&b), 0);
	EXPECT_INT(0, caller_merge(&b, &rest));
	EXPECT(!alike(&a, &b));
	EXPECT_NEAR(OBJECTS, caller_effective(&b), 1e-9);
	caller_release(&a);
	caller_release(&b);
	caller_release(&rest);
}

TEST(the_one_that_tells_more_says_how_much_it_is)
{
	struct caller a = counted(50);
	live(&a.sampled, 3, 50);
	EXPECT_NEAR(3 * OBJECTS, caller_effective(&a), 1e-9);
	caller_release(&a);
}
