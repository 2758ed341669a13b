/* Which config a sample is weighed by, as intervals come and go; sampler.c has the estimates. */
#include "agent/configs.h"

#include "base/clock.h"
#include "base/error.h"
#include "support/tap.h"

static struct journal journal;
static struct configs configs;

static void begin_with(const char *text, bool counted)
{
	struct options o;
	struct diag d;
	options_init(&o);
	EXPECT_INT(0, options_parse(&o, text, &d));
	if (counted)
		options_count_births(&o);
	EXPECT_INT(0, journal_init(&journal, (struct ns){0}));
	configs_init(&configs, &o, &journal, 100, clock_now());
}

static void begin(void)
{
	begin_with("", false);
}

/* Another interval, as spacing would have it. */
static void space(uint32_t shift)
{
	uint64_t interval;
	configs.spacing.shift = shift;
	EXPECT(configs_tell(&configs, &interval));
	EXPECT_INT(configs_interval(&configs, 0) << shift, interval);
	EXPECT(configs_told(&configs));
}

TEST(the_first_is_in_force)
{
	begin();
	struct sieve s = configs_sieve(&configs);
	EXPECT(s.config == 1 && !s.walk_shift && !s.track_shift && !s.spread);
	EXPECT_INT(512 << 10, configs_interval(&configs, 0));
	journal_release(&journal);
}

/* A sample drawn by an interval of before has the config of then, and the same one each time. */
TEST(samples_keep_the_interval_that_they_were_drawn_by)
{
	begin();
	struct sieve first = configs_sieve(&configs);
	uint64_t narrow = configs_interval(&configs, 0), wide = configs_interval(&configs, 3);
	space(2);
	struct sieve second = configs_sieve(&configs);
	EXPECT(second.config == 2 && second.spread == 2);
	EXPECT_INT(first.config, configs_of(&configs, narrow, &second));
	EXPECT_INT(2, configs.count);
	/* One that never was in force is put down, and then what is in force once more. */
	uint32_t other = configs_of(&configs, wide, &second);
	EXPECT_INT(3, other);
	EXPECT_INT(2, configs_sieve(&configs).config);
	EXPECT_INT(other, configs_of(&configs, wide, &second));
	EXPECT_INT(3, configs.count);
	journal_release(&journal);
}

/* In a recording that goes on for days there are no more of them than there are different ones. */
TEST(what_comes_again_keeps_its_id)
{
	static const uint32_t ids[] = {1, 2, 3};
	begin();
	space(1);
	space(2);
	for (uint32_t i = 0; i < 3000; i++) {
		space(i % 3);
		EXPECT_INT(ids[i % 3], configs_sieve(&configs).config);
	}
	EXPECT_INT(3, configs.count);
	journal_release(&journal);
}

/* The first that was known is forgotten when there are too many, and gets another id. */
TEST(more_than_can_be_known)
{
	begin();
	struct sieve s = configs_sieve(&configs);
	for (uint64_t i = 1; i <= CONFIGS_KNOWN; i++)
		EXPECT(configs_of(&configs, i, &s) > 1);
	uint32_t id = configs_of(&configs, 1, &s);
	EXPECT(id > 2 && configs.count > CONFIGS_KNOWN);
	EXPECT_INT(id, configs_of(&configs, 1, &s));
	journal_release(&journal);
}

/* What is looked at more closely is, and says so, from the next sample on. */
TEST(a_higher_bound_is_in_force_at_once)
{
	begin_with("max-walks=2", true);
	configs_walk(&configs, 1, 1);
	configs_walk(&configs, 2, 2);
	EXPECT_INT(1, configs_sieve(&configs).walk_shift);
	EXPECT_INT(2, configs_sieve(&configs).config);
	configs_bound(&configs, 4);
	EXPECT_INT(0, configs_sieve(&configs).walk_shift);
	EXPECT_INT(1, configs_sieve(&configs).config);
	journal_release(&journal);
}

/* Exact counts go: the VM is told at once, whatever comes in this second. */
TEST(alone_it_is_as_close_as_ever)
{
	static const struct {
		const char *options;
		uint64_t counted, alone;
	} rows[] = {{"exact", 1 << 20, 512 << 10}, {"exact,max-walks=0", 1 << 20, 512 << 10},
		{"exact,interval=1m", 1 << 20, 1 << 20}, {"exact,tenure", 512 << 10, 512 << 10}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint64_t interval;
		begin_with(rows[i].options, true);
		EXPECT_INT(rows[i].counted,
			configs_interval(&configs, configs_sieve(&configs).spread));
		EXPECT_INT(1, configs_sieve(&configs).config);
		EXPECT(!configs_want(&configs));
		configs_tick(&configs, 0, 0);
		EXPECT(!configs_want(&configs));
		configs_alone(&configs);
		EXPECT_INT(rows[i].alone != rows[i].counted, configs_want(&configs));
		if (configs_tell(&configs, &interval))
			EXPECT(interval == rows[i].alone && configs_told(&configs));
		EXPECT_INT(
			rows[i].alone, configs_interval(&configs, configs_sieve(&configs).spread));
		EXPECT(!configs_want(&configs));
		journal_release(&journal);
	}
}

TEST(one_thread_tells_the_vm)
{
	uint64_t interval;
	begin();
	EXPECT(!configs_tell(&configs, &interval)); /* as it is */
	configs.spacing.shift = 1;
	EXPECT(configs_tell(&configs, &interval));
	EXPECT(!configs_tell(&configs, &interval));
	configs_untold(&configs); /* the VM refused */
	EXPECT_INT(0, configs_sieve(&configs).spread);
	EXPECT(configs_tell(&configs, &interval) && configs_told(&configs));
	EXPECT_INT(1, configs_sieve(&configs).spread);
	EXPECT(!configs_tell(&configs, &interval));
	journal_release(&journal);
}

/* Then all is as it was, and the VM is to be told so. */
TEST(without_room_the_old_one_stays)
{
	uint64_t interval;
	begin();
	configs.spacing.shift = 1;
	EXPECT(configs_tell(&configs, &interval));
	journal.ended = true;
	EXPECT(!configs_told(&configs));
	EXPECT(configs_sieve(&configs).config == 1 && !configs_sieve(&configs).spread);
	EXPECT_INT(0, configs_of(&configs, interval, &(struct sieve){.config = 1}));
	EXPECT(!configs_tell(&configs, &interval)); /* until it is over */
	configs_untold(&configs);
	EXPECT(configs_tell(&configs, &interval));
	journal_release(&journal);
}
