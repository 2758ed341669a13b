#include "tenure/plan.h"

#include <math.h>
#include <string.h>

#include "support/tap.h"

enum { ROWS = 4 };

struct rig {
	struct snapshot_row row[ROWS];
	struct snapshot s;
	struct held held;
	struct plan_rule rule;
	struct choose_row rows[ROWS], spare[ROWS];
};

static void add(struct rig *g, uint32_t flags, double born, double once, double dies_at_1)
{
	struct snapshot_row *row = &g->row[g->s.count];
	*row = (struct snapshot_row){.at.place = {.vm_method = g->s.count + 1}, .flags = flags};
	struct passage_side *side[] = {&row->passage.bytes, &row->passage.objects};
	for (int i = 0; i < 2; i++) {
		double unit = i ? 0.01 : 1;
		side[i]->died[0] = (float)((born - once) * unit);
		side[i]->stood[0] = (float)(once * unit);
		side[i]->died[1] = (float)(once * dies_at_1 * unit);
		for (uint32_t a = 1; a < TENURE_AGES; a++)
			side[i]->stood[a] = (float)(once * (1 - dies_at_1) * unit);
	}
	row->passage.samples = row->passage.survivors = 100;
	row->passage.squares = (float)(born * 0.01 * born * 0.01 / 100);
	g->s.places = ++g->s.count;
}

static void init(struct rig *g)
{
	*g = (struct rig){.held = {.share[15] = 1},
		.rule = {.can_jump = true,
			.can_set_threshold = true,
			.threshold_now = 15,
			.flag_near = 0.05,
			.cost = COST_DEFAULT,
			.choose = CHOOSE_DEFAULT}};
	g->s.rows = g->row;
	g->s.room = ROWS;
	g->s.collections = 16;
}

static struct plan make(struct rig *g)
{
	struct plan_view v = {.s = &g->s, .held = &g->held, .fit = {.value = 1}};
	struct setting nothing = {.most = THRESHOLD_MOST};
	return plan_make(&v, &g->rule, &nothing, g->rows, g->spare);
}

TEST(where_all_that_survives_lives_the_flag_is_enough)
{
	struct rig g;
	init(&g);
	add(&g, 0, 1e6, 3e5, 0);
	struct plan p = make(&g);
	EXPECT_INT(0, p.flag);
	EXPECT_INT(0, p.most);
	EXPECT(!p.jump);
	EXPECT(p.then.error > 0 && p.flagged.error > 0 && p.stays.error > 0);
	EXPECT_NEAR(3e5, p.then.copied.bytes, 1);
	EXPECT_NEAR(16 * 3e5, p.now.copied.bytes, 10);
}

/* One place's survivors die, another's live: no flag is near what the jump gives. */
TEST(where_lives_differ_the_jump_is_better)
{
	struct rig g;
	init(&g);
	add(&g, 0, 1e6, 3e5, 1);
	add(&g, 0, 1e6, 3e5, 0);
	struct plan p = make(&g);
	EXPECT_INT(THRESHOLD_MOST, p.flag);
	EXPECT(p.jump && p.most >= 1 && p.most <= 4);
	EXPECT(!choose_is(g.rows[0].why) && choose_is(g.rows[1].why));
	EXPECT_NEAR(6e5, p.then.copied.bytes, 10);
	EXPECT_NEAR(0, p.then.early.bytes, 1);
	EXPECT(p.then.error > 0 && p.then.error < 6e5);
}

/* Its rows are the spare ones (planner_in_force): trying jumps changes them. */
TEST(what_is_in_force_has_its_own_error)
{
	struct rig g;
	init(&g);
	add(&g, 0, 1e6, 3e5, 1);
	add(&g, 0, 1e6, 3e5, 0);
	struct plan_view v = {.s = &g.s, .held = &g.held, .fit = {.value = 1}};
	for (uint32_t most = 1; most <= THRESHOLD_MOST; most += 14) {
		memset(g.spare, 0, sizeof(g.spare));
		g.spare[0].why = most == 1 ? CHOOSE_NO : CHOOSE_YES;
		struct setting now = {.most = most, .jump = g.spare};
		double error = forecast_error(&g.s, &g.held, &now, &v.fit);
		struct plan p = plan_make(&v, &g.rule, &now, g.rows, g.spare);
		EXPECT_NEAR(error, p.stays.error, 1e-6);
	}
}

/* With no lever to set the flag is still named, as advice. */
TEST(without_levers_the_flag_is_named)
{
	struct rig g;
	init(&g);
	g.rule.can_jump = g.rule.can_set_threshold = false;
	add(&g, 0, 1e6, 3e5, 0);
	struct plan p = make(&g);
	EXPECT_INT(0, p.flag);
	EXPECT_INT(THRESHOLD_MOST, p.most);
	EXPECT(!p.jump);
	EXPECT_NEAR(p.now.cost, p.then.cost, 0);
}

/* Without the threshold what refers to others would point to what stays young. */
TEST(without_the_threshold_only_leaves_jump)
{
	struct rig g;
	init(&g);
	g.rule.can_set_threshold = false;
	add(&g, 0, 1e6, 3e5, 0);
	add(&g, SNAPSHOT_LEAF, 1e6, 3e5, 0);
	struct plan p = make(&g);
	EXPECT(p.jump && p.most == THRESHOLD_MOST);
	EXPECT(!choose_is(g.rows[0].why) && choose_is(g.rows[1].why));
	EXPECT_INT(0, p.flag);
}

TEST(without_the_threshold_parents_jump_with_their_children)
{
	struct rig g;
	init(&g);
	g.rule.can_set_threshold = false;
	add(&g, SNAPSHOT_LOOKED, 1e6, 3e5, 0);
	add(&g, SNAPSHOT_LEAF, 1e6, 3e5, 0);
	add(&g, SNAPSHOT_LOOKED, 1e6, 3e5, 0);
	add(&g, SNAPSHOT_LEAF, 1e6, 3e5, 1);
	static const struct choose_edge edges[] = {
		{.from = 0, .to = 1, .share = 1}, {.from = 2, .to = 3, .share = 1}};
	struct plan_view v = {
		.s = &g.s, .held = &g.held, .fit = {.value = 1}, .edges = edges, .edge_count = 2};
	struct setting nothing = {.most = THRESHOLD_MOST};
	struct plan p = plan_make(&v, &g.rule, &nothing, g.rows, g.spare);
	EXPECT(p.jump && p.most == THRESHOLD_MOST);
	EXPECT(choose_is(g.rows[0].why) && choose_is(g.rows[1].why));
	EXPECT_INT(CHOOSE_OPEN, g.rows[2].why);
}

TEST(nothing_is_better_than_nothing)
{
	struct rig g;
	init(&g);
	add(&g, 0, 1e6, 3e5, 1);
	struct plan p = make(&g);
	EXPECT_INT(THRESHOLD_MOST, p.most);
	EXPECT(!p.jump);
	EXPECT_INT(THRESHOLD_MOST, p.flag);
}

/* The same lives as where the jump is better: what it saves beside the flag is held against what
 * rewriting costs. */
TEST(a_jump_that_saves_little_gives_way_to_the_flag)
{
	for (int can = 0; can < 2; can++) {
		struct rig g;
		init(&g);
		g.rule.can_set_threshold = can;
		add(&g, SNAPSHOT_LEAF, 1e6, 3e5, 1);
		add(&g, SNAPSHOT_LEAF, 1e6, 3e5, 0);
		struct plan p = make(&g);
		EXPECT(p.jump);
		double without = can ? p.flagged.cost : p.now.cost;
		g.rule.jump_least = (without - p.then.cost) / p.now.cost * 0.999;
		EXPECT(make(&g).jump);
		g.rule.jump_least *= 1.002;
		struct plan little = make(&g);
		EXPECT(!little.jump);
		EXPECT_NEAR(without, little.then.cost, 1e-6);
		EXPECT((little.most < THRESHOLD_MOST) == can);
		EXPECT(!can || little.flag == little.most);
	}
}

/* What is compiled again for the first of them; those that jump already have paid. */
TEST(the_first_jumps_must_save_more)
{
	struct rig g;
	init(&g);
	add(&g, SNAPSHOT_LEAF, 1e6, 3e5, 1);
	add(&g, SNAPSHOT_LEAF, 1e6, 3e5, 0);
	struct plan p = make(&g);
	struct choose_row jumps[ROWS] = {[1] = {.why = CHOOSE_YES}};
	struct setting in_force = {.most = THRESHOLD_MOST, .jump = jumps};
	struct plan_view v = {.s = &g.s, .held = &g.held, .fit = {.value = 1}};
	g.rule.jump_first = (p.flagged.cost - p.then.cost) / p.now.cost * 0.999;
	EXPECT(p.jump && make(&g).jump);
	g.rule.jump_first *= 1.002;
	EXPECT(!make(&g).jump);
	EXPECT(plan_make(&v, &g.rule, &in_force, g.rows, g.spare).jump);
}

/* Beside a bound that saves much what jumps save must be a part of that; of those in force half. */
TEST(what_jumps_save_is_held_against_what_the_bound_saves)
{
	struct rig g;
	init(&g);
	add(&g, 0, 1e6, 3e5, 1);
	add(&g, 0, 1e6, 3e5, 0);
	struct plan p = make(&g);
	EXPECT(p.jump && p.most < THRESHOLD_MOST);
	double part = (p.flagged.cost - p.then.cost) / (p.now.cost - p.flagged.cost);
	EXPECT(part > 0.05);
	EXPECT_NEAR(part, p.beside, 1e-12);
	g.rule.jump_part = part * 0.999;
	EXPECT(make(&g).jump);
	g.rule.jump_part = part * 1.001;
	struct plan little = make(&g);
	EXPECT(!little.jump && isnan(little.beside));
	EXPECT_INT(little.flag, little.most);
	EXPECT_NEAR(p.flagged.cost, little.then.cost, 1e-6);
	struct choose_row jumps[ROWS] = {[1] = {.why = CHOOSE_YES}};
	struct setting in_force = {.most = 1, .jump = jumps};
	struct plan_view v = {.s = &g.s, .held = &g.held, .fit = {.value = 1}};
	g.rule.jump_part = part * 1.999;
	EXPECT(plan_make(&v, &g.rule, &in_force, g.rows, g.spare).jump);
	g.rule.jump_part = part * 2.001;
	EXPECT(!plan_make(&v, &g.rule, &in_force, g.rows, g.spare).jump);
	/* Where no bound can be set there is nothing to hold it against. */
	g.rule.can_set_threshold = false;
	g.row[1].flags = SNAPSHOT_LEAF;
	p = make(&g);
	EXPECT(p.jump && isinf(p.beside));
}
