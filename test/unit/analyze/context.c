#include "analyze/context.h"

#include "support/ledger_of.h"
#include "support/tap.h"

static const struct sim_text facts[] = {{"deaths", "collection"}, {NULL, NULL}};

#define LEAF "java.util.Arrays.copyOf:1"
#define GROW "java.util.ArrayList.grow:2"

static void find(const struct sim_site *sites, unsigned count, bool split, struct ledger_of *l,
	struct contexts *c)
{
	struct sim s = {.sites = sites,
		.count = count,
		.facts = facts,
		.seed = tap_seed(),
		.samples = 4000,
		.interval = 1000,
		.gc_bytes = 100000,
		.promote = 15,
		.young_role = ROLE_YOUNG,
		.full_role = ROLE_FULL,
		.bytes_per_s = 1000000};
	uint32_t picked[16];
	EXPECT_INT(0, ledger_of_sim(l, &s, false));
	for (uint32_t i = 0; i < l->ledger.accounts.count; i++)
		picked[i] = i;
	EXPECT_INT(0,
		contexts_find(c, &l->model, &l->ledger, picked, l->ledger.accounts.count, split));
}

/* The context of site `i` (in the order of the definitions). */
static uint32_t of(const struct ledger_of *l, const struct contexts *c, uint32_t i)
{
	return c->of.at[l->ledger.by_site.at[i + 1] - 1];
}

static void release(struct ledger_of *l, struct contexts *c)
{
	contexts_release(c);
	ledger_of_release(l);
}

TEST(callers_that_live_alike_stay_together)
{
	static const struct sim_site sites[] = {
		{"Object[]", {LEAF, GROW, "a.A.a:1"}, 64, 1, 90, 1, 4},
		{"Object[]", {LEAF, GROW, "a.B.b:1"}, 64, 1, 90, 1, 4},
		{"Object[]", {LEAF, GROW, "a.C.c:1"}, 64, 1, 90, 1, 4},
	};
	struct ledger_of l;
	struct contexts c;
	find(sites, 3, true, &l, &c);
	EXPECT_INT(1, c.list.count);
	EXPECT_INT(1, c.list.at[0].frames);
	EXPECT(!c.list.at[0].split);
	release(&l, &c);
}

/* The callers of the line are the same; theirs differ: two frames would not tell them apart, three
 * do. */
TEST(callers_are_split_where_lives_differ)
{
	static const struct sim_site sites[] = {
		{"Object[]", {LEAF, GROW, "a.A.a:1", "a.M.m:1"}, 64, 1, 100, 0, 0},
		{"Object[]", {LEAF, GROW, "a.B.b:1", "a.M.m:1"}, 64, 1, 5, 8, 12},
		{"Object[]", {LEAF, GROW, "a.C.c:1", "a.M.m:2"}, 64, 1, 100, 0, 0},
	};
	struct ledger_of l;
	struct contexts c;
	find(sites, 3, true, &l, &c);
	EXPECT_INT(2, c.list.count);
	EXPECT_INT(of(&l, &c, 0), of(&l, &c, 2));
	EXPECT(of(&l, &c, 0) != of(&l, &c, 1));
	const struct context *both = &c.list.at[of(&l, &c, 0)], *alone = &c.list.at[of(&l, &c, 1)];
	EXPECT_INT(2, both->callers);
	EXPECT_INT(2, both->frames);
	EXPECT_INT(0, alone->callers);
	EXPECT_INT(3, alone->frames);
	EXPECT(alone->split && alone->p < 0.01 && alone->effect > 0.5);
	release(&l, &c);
	find(sites, 3, false, &l, &c);
	EXPECT_INT(1, c.list.count);
	release(&l, &c);
}

/* Both callers mix the same lives, which only their own callers tell apart. */
TEST(a_mixture_is_found_further_up)
{
	static const struct sim_site sites[] = {
		{"Object[]", {LEAF, "a.A.a:1", "a.Short.s:1"}, 64, 1, 100, 0, 0},
		{"Object[]", {LEAF, "a.A.a:1", "a.Long.l:1"}, 64, 1, 0, 9, 12},
		{"Object[]", {LEAF, "a.B.b:1", "a.Short.s:1"}, 64, 1, 100, 0, 0},
		{"Object[]", {LEAF, "a.B.b:1", "a.Long.l:1"}, 64, 1, 0, 9, 12},
	};
	struct ledger_of l;
	struct contexts c;
	find(sites, 4, true, &l, &c);
	EXPECT_INT(4, c.list.count);
	for (uint32_t i = 0; i < 4; i++)
		EXPECT_INT(3, c.list.at[of(&l, &c, i)].frames);
	release(&l, &c);
}

/* Counted as objects, a few small ones outweigh the rest, and no caller has enough to say. */
TEST(lives_differ_by_bytes)
{
	static const struct sim_site sites[] = {
		{"byte[]", {LEAF, "a.A.a:1"}, 1, 1, 100, 0, 0},
		{"byte[]", {LEAF, "a.A.a:1"}, 4000, 399, 100, 0, 0},
		{"byte[]", {LEAF, "a.B.b:1"}, 1, 1, 100, 0, 0},
		{"byte[]", {LEAF, "a.B.b:1"}, 4000, 399, 5, 8, 12},
	};
	struct ledger_of l;
	struct contexts c;
	find(sites, 4, true, &l, &c);
	EXPECT_INT(2, c.list.count);
	EXPECT(of(&l, &c, 1) != of(&l, &c, 3));
	release(&l, &c);
}

TEST(classes_and_lines_are_never_mixed)
{
	static const struct sim_site sites[] = {
		{"Object[]", {LEAF}, 64, 1, 90, 1, 4},
		{"String[]", {LEAF}, 64, 1, 90, 1, 4},
		{"Object[]", {"java.util.Arrays.copyOf:9"}, 64, 1, 90, 1, 4},
		{"Object[]", {NULL}, 64, 1, 90, 1, 4},
	};
	struct ledger_of l;
	struct contexts c;
	find(sites, 4, true, &l, &c);
	EXPECT_INT(4, c.list.count);
	EXPECT_INT(0, c.list.at[of(&l, &c, 3)].frames);
	release(&l, &c);
}
