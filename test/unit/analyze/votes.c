#include "analyze/votes.h"

#include "analyze/label.h"
#include "support/ledger_of.h"
#include "support/tap.h"

#define JDK "java.util.Arrays.copyOf:1"

/* The one row's caller, as text; "": none. */
static void winner(struct buf *name, double *share, const struct sim_site *sites, unsigned count)
{
	static const struct sim_text facts[] = {{"deaths", "none"}, {NULL, NULL}};
	struct sim s = {.sites = sites,
		.count = count,
		.facts = facts,
		.seed = tap_seed(),
		.samples = 3000,
		.interval = 1,
		.track = 1,
		.walk = 1,
		.bytes_per_s = 100000};
	struct ledger_of l;
	struct contexts rows;
	struct votes votes;
	uint32_t all[16];
	EXPECT_INT(0, ledger_of_sim(&l, &s, false));
	for (uint32_t i = 0; i < count; i++)
		all[i] = i;
	EXPECT_INT(0, contexts_find(&rows, &l.model, &l.ledger, all, count, false));
	EXPECT_INT(1, rows.list.count);
	EXPECT_INT(0, votes_find(&votes, &l.model, &l.ledger, all, rows.of.at, count, 1));
	uint32_t frame = votes_winner(&votes, &l.model, 0, &rows.list.at[0], share);
	buf_clear(name);
	if (frame)
		label_frame(name, &l.model, frame);
	votes_release(&votes);
	contexts_release(&rows);
	ledger_of_release(&l);
}

/* One of 95 % is the caller, above frames of the JDK; of 80 % it is not, wherever it stands. */
TEST(who_stands_for_nearly_all)
{
	struct buf name = {0};
	double share;
	for (int most = 0; most < 2; most++) {
		struct sim_site two[] = {{"byte[]", {JDK, "java.util.List.of:2", "a.B.c:3"}, 64,
						 most ? 5 : 95, 100, 0, 0},
			{"byte[]", {JDK, "a.B.d:4"}, 64, most ? 95 : 5, 100, 0, 0}};
		winner(&name, &share, two, ARRAY_SIZE(two));
		EXPECT_STR(most ? "a.B.d:4" : "a.B.c:3", buf_text(&name));
		EXPECT_NEAR(0.95, share, 0.03);
		two[most].rate = 20;
		winner(&name, &share, two, ARRAY_SIZE(two));
		EXPECT_STR("", buf_text(&name));
		EXPECT(share == 0);
	}
	buf_release(&name);
}

/* Its callers don't count: one line is one caller, however it was come to. */
TEST(a_line_is_one_caller)
{
	static const struct sim_site sites[] = {
		{"byte[]", {JDK, "a.B.c:3", "a.B.d:4"}, 64, 1, 100, 0, 0},
		{"byte[]", {JDK, "a.B.c:3", "a.B.e:5"}, 64, 1, 100, 0, 0},
		{"byte[]", {JDK, "a.B.c:3"}, 64, 1, 100, 0, 0}};
	struct buf name = {0};
	double share;
	winner(&name, &share, sites, ARRAY_SIZE(sites));
	EXPECT_STR("a.B.c:3", buf_text(&name));
	EXPECT(share == 1);
	buf_release(&name);
}

TEST(nobody_is_asked_for_where_the_line_is_not_the_jdks)
{
	static const struct sim_site own[] = {{"byte[]", {"a.B.c:3", "a.B.d:4"}, 64, 1, 100, 0, 0}};
	static const struct sim_site none[] = {
		{"byte[]", {JDK, "java.lang.Thread.run:7"}, 64, 1, 100, 0, 0}};
	static const struct sim_site bare[] = {{"byte[]", {NULL}, 64, 1, 100, 0, 0}};
	const struct sim_site *const each[] = {own, none, bare};
	struct buf name = {0};
	double share;
	for (size_t i = 0; i < ARRAY_SIZE(each); i++) {
		winner(&name, &share, each[i], 1);
		EXPECT_STR("", buf_text(&name));
	}
	buf_release(&name);
}
