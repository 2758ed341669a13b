#include "model/facts.h"

#include "base/error.h"
#include "support/tap.h"

static int give(struct facts *f, struct texts *t, const char *key, const char *value)
{
	struct odds o = {{0}};
	struct record r = {.kind = RECORD_fact};
	r.fact.key = slice_str(key);
	r.fact.value = slice_str(value);
	return facts_read(f, t, &r, &o);
}

TEST(a_later_fact_replaces_an_earlier)
{
	struct facts f;
	struct texts t = {0};
	EXPECT_INT(0, facts_init(&f));
	EXPECT_INT(1, give(&f, &t, "gc", "G1"));
	EXPECT_INT(1, give(&f, &t, "gc", "Serial"));
	EXPECT(slice_equal(slice_str("Serial"), facts_get(&f, &t, "gc")));
	EXPECT_INT(0, facts_get(&f, &t, "none such").len);
	EXPECT_INT(DEATHS_COLLECTION, f.deaths);
	EXPECT_INT(1, give(&f, &t, "deaths", "old"));
	EXPECT_INT(DEATHS_OLD, f.deaths);
	EXPECT_INT(15, f.tenuring_max);
	EXPECT_INT(1, give(&f, &t, "tenuring.max", "6"));
	EXPECT_INT(6, f.tenuring_max);
	EXPECT_INT(1, give(&f, &t, "gc", "Serial"));
	EXPECT(!f.chooses_first);
	give(&f, &t, "gc", "G1");
	EXPECT(f.chooses_first);
	facts_release(&f);
	texts_release(&t);
}

TEST(when_exact_counts_begin)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} rows[] = {{"0", 0}, {"613000000", 613000000}, {"18446744073709551615", UINT64_MAX},
		{"18446744073709551616", 1844674407370955161}, {"", 0}, {"-5", 0}, {"7 s", 7}};
	struct facts f;
	struct texts t = {0};
	EXPECT_INT(0, facts_init(&f));
	EXPECT_INT(0, f.exact_from);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		EXPECT_INT(1, give(&f, &t, "exact.from", rows[i].text));
		EXPECT(f.exact_from == rows[i].ns);
	}
	facts_release(&f);
	texts_release(&t);
}

TEST(how_long_the_recording_waited)
{
	struct facts f;
	struct texts t = {0};
	EXPECT_INT(0, facts_init(&f));
	EXPECT_INT(0, f.waited);
	EXPECT_INT(1, give(&f, &t, "waited", "1000250000"));
	EXPECT_INT(1000250000, f.waited);
	facts_release(&f);
	texts_release(&t);
}

TEST(a_configuration_that_can_not_weigh_is_not_valid)
{
	static const struct {
		uint64_t interval, walk, track;
		bool valid;
	} rows[] = {{0, 1, 1, true}, {524288, 1, 7, true}, {1, 0, 1, false}, {1, 1, 0, false},
		{UINT64_MAX, 1, 1, false}, {524288, 1ull << 50, 1, false}};
	struct facts f;
	struct texts t = {0};
	struct odds o = {{0}};
	EXPECT_INT(0, facts_init(&f));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct record r = {.kind = RECORD_config};
		r.config.id = i + 1;
		r.config.interval = rows[i].interval;
		r.config.walk = rows[i].walk;
		r.config.track = rows[i].track;
		EXPECT_INT(1, facts_read(&f, &t, &r, &o));
		EXPECT_INT(rows[i].valid, f.configs.at[i + 1].valid);
	}
	facts_release(&f);
	texts_release(&t);
}

static void config(struct facts *f, uint64_t id, uint64_t time)
{
	struct texts t = {0};
	struct odds o = {{0}};
	struct record r = {.kind = RECORD_config};
	r.config = (struct record_config){
		.id = id, .time = time, .interval = 1000 * id, .walk = 1, .track = 1};
	EXPECT_INT(1, facts_read(f, &t, &r, &o));
}

static void again(struct facts *f, uint64_t id, uint64_t time)
{
	struct texts t = {0};
	struct odds o = {{0}};
	struct record r = {.kind = RECORD_config_again};
	r.config_again = (struct record_config_again){.time = time, .config = id};
	EXPECT_INT(1, facts_read(f, &t, &r, &o));
}

/* Each segment of a cyclic trace repeats the configurations, and says which of them is in force. */
TEST(what_is_in_force)
{
	struct facts f;
	EXPECT_INT(0, facts_init(&f));
	EXPECT_INT(0, facts_in_force(&f)->interval);
	for (int segment = 0; segment < 2; segment++) {
		config(&f, 1, 10);
		config(&f, 2, 20);
		EXPECT_INT(segment ? 1000 : 2000, facts_in_force(&f)->interval);
		again(&f, 1, 30);
		EXPECT_INT(1000, facts_in_force(&f)->interval);
	}
	EXPECT_INT(3, f.turns.count);
	again(&f, 7, 40); /* never defined */
	EXPECT_INT(3, f.turns.count);
	again(&f, 2, 40);
	EXPECT_INT(2000, facts_in_force(&f)->interval);
	config(&f, 3, 50);
	EXPECT_INT(3000, facts_in_force(&f)->interval);
	EXPECT_INT(5, f.turns.count);
	EXPECT_INT(4, f.configs.count);
	facts_release(&f);
}
