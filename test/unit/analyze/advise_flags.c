#include "analyze/advise_flags.h"

#include "support/ledger_of.h"
#include "support/tap.h"

static const struct sim_site sites[] = {{"byte[]", {"a.B.c:1"}, 64, 1, 100, 0, 0}};

static void check(const char *gc, const char *jdk, enum collector c, unsigned number)
{
	const struct sim_text facts[] = {{"gc", gc}, {"jdk.version", jdk}, {NULL, NULL}};
	struct sim sim = {
		.sites = sites, .count = 1, .facts = facts, .interval = 100, .bytes_per_s = 1000};
	struct ledger_of l;
	EXPECT_INT(0, ledger_of_sim(&l, &sim, false));
	EXPECT_INT(c, collector_of(&l.model));
	EXPECT_INT(number, model_jdk(&l.model));
	ledger_of_release(&l);
}

TEST(facts_tell_collector_and_jdk)
{
	check("Serial", "11.0.13", COLLECTOR_SERIAL, 11);
	check("Parallel", "17.0.15+6", COLLECTOR_PARALLEL, 17);
	check("G1", "25", COLLECTOR_G1, 25);
	check("ZGC generational", "21-ea", COLLECTOR_OTHER, 21);
	check("Epsilon", "early", COLLECTOR_OTHER, 0);
}

TEST(no_flag_is_named_that_the_vm_does_not_have)
{
	for (int f = 0; f < FLAGS; f++) {
		EXPECT(!flag_known((enum flag)f, COLLECTOR_OTHER, 17));
		EXPECT(!flag_known((enum flag)f, COLLECTOR_G1, 10));
		EXPECT(!flag_known((enum flag)f, COLLECTOR_G1, 26));
		EXPECT(!flag_known((enum flag)f, COLLECTOR_G1, 0));
	}
	EXPECT(flag_known(FLAG_THRESHOLD, COLLECTOR_PARALLEL, 25));
	EXPECT(!flag_known(FLAG_REGION, COLLECTOR_SERIAL, 17));
	EXPECT(flag_known(FLAG_REGION, COLLECTOR_G1, 17));
	EXPECT(!flag_known(FLAG_YOUNG_SIZE, COLLECTOR_G1, 17));
}

static const char *text_of(struct buf *out, enum flag f, unsigned value)
{
	buf_clear(out);
	flag_put(out, f, value);
	return buf_text(out);
}

TEST(the_value_stands_in_its_place)
{
	struct buf out = {0};
	EXPECT_STR("-XX:MaxTenuringThreshold=2", text_of(&out, FLAG_THRESHOLD, 2));
	EXPECT_STR("-Xmn300m", text_of(&out, FLAG_YOUNG_SIZE, 300));
	EXPECT_STR("-XX:+DisableExplicitGC", text_of(&out, FLAG_EXPLICIT_NONE, 7));
	buf_release(&out);
}
