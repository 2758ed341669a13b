#include "analyze/coarsest.h"

#include "support/tap.h"

static struct model model;

static void begin(void)
{
	EXPECT_INT(0, model_init(&model));
}

/* One stack in `walk`. */
static void config(uint64_t interval, uint64_t walk, uint64_t samples)
{
	size_t n = model.facts.configs.count;
	const struct record r = {.kind = RECORD_config,
		.config = {.id = n + 1, .interval = interval, .walk = walk, .track = 1}};
	EXPECT_INT(1, facts_read(&model.facts, &model.defs.texts, &r, &model.odds));
	model.facts.configs.at[model.facts.configs.count - 1].samples = samples;
}

static void is(double odds, double interval)
{
	struct total_coarse c = coarsest_of(&model);
	EXPECT_NEAR(odds, (double)c.odds, 0);
	EXPECT_NEAR(interval, (double)c.interval, 0);
	model_release(&model);
}

TEST(where_all_were_alike_none_is_coarser)
{
	begin();
	is(0, 0);
	begin();
	config(524288, 1, 100);
	config(524288, 1, 100);
	is(0, 0);
	begin();
	config(524288, 1, 100);
	config(524288, 32, 0); /* for no time at all */
	is(0, 0);
}

TEST(three_samples_were_as_coarse)
{
	begin();
	config(524288, 1, 1000);
	config(524288, 8, 20);
	config(524288, 32, 2);
	is(8, 524288);
	begin();
	config(524288, 1, 1000);
	config(524288, 8, 20);
	config(524288, 32, 3);
	is(32, 524288);
	begin();
	config(16777216, 1, 50);
	config(524288, 8, 20);
	is(1, 16777216);
}

TEST(of_what_was_counted_none_is_missed)
{
	begin();
	config(524288, 1, 1000);
	config(524288, 8, 20);
	model.exact.births.objects = 1;
	is(0, 0);
}

/* Amounts a second, of objects of a size; of lives, by how many are followed, too. */
TEST(levels_are_in_what_is_compared)
{
	begin();
	config(1000, 1, 100);
	config(1000, 8, 20);
	struct coarse c = coarse_of(&model, &(struct coarse_kind){.size = 8, .exposure = 2});
	EXPECT_INT(2, c.count);
	EXPECT_NEAR(8 * 1004 / 2, c.at[0].unit, 1);
	EXPECT_NEAR(8 * 1001 * 20 / 2, c.at[0].room, 1);
	EXPECT_NEAR(1004 / 2, c.at[1].unit, 1);
	EXPECT_NEAR(1001 * 100 / 2, c.at[1].room, 1);
	model_release(&model);
}
