#include "analyze/tree.h"

#include <math.h>

#include "support/ledger_of.h"
#include "support/tap.h"

static const struct sim_site sites[] = {
	{"byte[]", {"a.B.c:1", "a.Main.main:2"}, 64, 5, 100, 0, 0},
	{"byte[]", {"a.B.c:1", "a.Other.run:9"}, 64, 2, 0, 3, 4},
	{"a.Order", {"a.b.C.d:3", "a.Main.main:2"}, 320, 3, 10, 1, 9},
};

static void check(const struct tree *t)
{
	for (uint32_t i = 0; i < t->nodes.count; i++) {
		const struct tree_node *n = &t->nodes.at[i];
		double below = 0, last = (double)INFINITY;
		for (uint32_t c = n->child; c; c = t->nodes.at[c].next) {
			EXPECT_INT(i, t->nodes.at[c].parent);
			EXPECT(t->nodes.at[c].bytes[METRIC_ALLOC] <= last);
			last = t->nodes.at[c].bytes[METRIC_ALLOC];
			below += last;
		}
		/* Stacks end at leaves only: what is below sums up to what is here. */
		if (n->child)
			EXPECT_NEAR(n->bytes[METRIC_ALLOC], below, 1e-6 * below);
	}
}

TEST(parents_are_the_sum_of_their_children)
{
	struct ledger_of l;
	struct where w = {0};
	struct sim s = {.sites = sites,
		.count = 3,
		.seed = tap_seed(),
		.samples = 2000,
		.interval = 1000,
		.gc_bytes = 50000,
		.promote = 15,
		.young_role = ROLE_YOUNG,
		.bytes_per_s = 100000};
	EXPECT_INT(0, ledger_of_sim(&l, &s, true));
	for (int upward = 0; upward < 2; upward++) {
		struct tree t;
		EXPECT_INT(0, tree_build(&t, &l.model, &l.ledger, &w, upward, METRIC_ALLOC));
		check(&t);
		/* Down: root, 2 entries, 3 frames below, 3 classes. Up: root, 2 classes, 2 lines, 3
		 * callers. */
		EXPECT_INT(upward ? 8 : 9, t.nodes.count);
		tree_release(&t);
	}
	ledger_of_release(&l);
}

TEST(the_share_that_died_first)
{
	struct tree_node n = {0};
	EXPECT(isnan(tree_died_share(&n)));
	n.bytes[METRIC_DIED0] = 3;
	n.bytes[METRIC_SURVIVED] = 1;
	EXPECT_NEAR(0.75, tree_died_share(&n), 1e-12);
}
