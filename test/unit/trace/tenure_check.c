#include "trace/tenure_check.h"

#include "base/error.h"
#include "support/tap.h"
#include "trace/format.h"

#define ROUND(n) ((struct record){.kind = RECORD_round, .round = {.round = (n)}})
#define OUTCOME(n, l)                                                                              \
	((struct record){.kind = RECORD_outcome, .outcome = {.round = (n), .lever = (l)}})
#define DECISION(n, l, a)                                                                          \
	((struct record){                                                                          \
		.kind = RECORD_decision, .decision = {.round = (n), .lever = (l), .action = (a)}})

static void expect(struct tenure_check *t, const char *want, struct record r)
{
	struct diag d = {""};
	EXPECT_INT(*want ? ERR_FORMAT : 0, tenure_check_take(t, &r, &d));
	EXPECT_STR(want, d.text);
}

TEST(rounds_ascend)
{
	struct tenure_check t = {.last = 0};
	expect(&t, "round 0 stands behind round 0", ROUND(0));
	expect(&t, "", ROUND(1));
	expect(&t, "", ROUND(3));
	expect(&t, "round 3 stands behind round 3", ROUND(3));
	expect(&t, "round 2 stands behind round 3", ROUND(2));
	expect(&t, "", ROUND(3));
	tenure_check_release(&t);
}

TEST(what_was_decided_is_known)
{
	struct tenure_check t = {.last = 0};
	for (uint64_t lever = 0; lever < TENURE_LEVERS; lever++)
		for (uint64_t action = 0; action < TENURE_ACTIONS; action++)
			expect(&t, "", DECISION(0, lever, action));
	expect(&t, "decision after round 7: there is no lever 4", DECISION(7, TENURE_LEVERS, 0));
	expect(&t, "decision after round 7: there is no action 6", DECISION(7, 0, TENURE_ACTIONS));
	expect(&t, "decision after round 1: there is no lever 18446744073709551615",
		DECISION(1, UINT64_MAX, UINT64_MAX));
	tenure_check_release(&t);
}

TEST(outcomes_are_of_rounds)
{
	struct tenure_check t = {.last = 0};
	expect(&t, "outcome of round 1, which was not told of", OUTCOME(1, 0));
	expect(&t, "", ROUND(1));
	expect(&t, "", ROUND(3));
	expect(&t, "", OUTCOME(1, 1));
	expect(&t, "", OUTCOME(3, 0));
	expect(&t, "outcome of round 2, which was not told of", OUTCOME(2, 0));
	expect(&t, "outcome after round 3: there is no lever 9", OUTCOME(3, 9));
	expect(&t, "", (struct record){.kind = RECORD_gc});
	tenure_check_release(&t);
}
