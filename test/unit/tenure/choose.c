#include "tenure/choose.h"

#include "support/tap.h"

enum { ROWS = 8 };

struct rig {
	struct snapshot_row row[ROWS];
	struct snapshot s;
	struct choose_row out[ROWS];
	struct held held;
	struct choose_rule rule;
	struct cost cost;
};

/* A place of which as many bytes reach each age as `reach` says, the last until it is promoted. */
static void add(struct rig *g, double samples, uint32_t flags, const double *reach, uint32_t count)
{
	struct snapshot_row *row = &g->row[g->s.count];
	*row = (struct snapshot_row){
		.at.place = {.vm_method = g->s.count + 1, .class_id = 1}, .flags = flags};
	for (uint32_t a = 0; a < TENURE_AGES; a++) {
		double now = reach[a < count ? a : count - 1];
		double next = reach[a + 1 < count ? a + 1 : count - 1];
		row->passage.bytes.stood[a] = (float)next;
		row->passage.bytes.died[a] = (float)(now - next);
		row->passage.objects.stood[a] = (float)(next / 100);
		row->passage.objects.died[a] = (float)((now - next) / 100);
	}
	row->passage.samples = (float)samples;
	row->passage.survivors = (float)(samples * reach[1] / reach[0]);
	g->s.count++;
	g->s.places = g->s.count;
}
#define ADD(g, samples, flags, ...)                                                                \
	add(g, samples, flags, (const double[]){__VA_ARGS__},                                      \
		(uint32_t)ARRAY_SIZE(((const double[]){__VA_ARGS__})))

static void init(struct rig *g)
{
	*g = (struct rig){.held = {.share[15] = 1}, .rule = CHOOSE_DEFAULT, .cost = COST_DEFAULT};
	g->s.rows = g->row;
	g->s.room = ROWS;
	g->s.collections = 16;
}

static void choose(struct rig *g, uint32_t most, const struct choose_edge *edges, size_t count)
{
	choose_places(&g->s, &g->held, most, &g->cost, &g->rule, edges, count, g->out);
}

#define K 1000.0
#define TO(a, b)                                                                                   \
	{                                                                                          \
		.from = (a), .to = (b), .share = 1                                                 \
	}
#define LIKELY(a, b)                                                                               \
	{                                                                                          \
		.from = (a), .to = (b), .share = 1, .likely = true                                 \
	}

TEST(what_survives_once_and_grows_old_is_chosen)
{
	struct rig g;
	init(&g);
	ADD(&g, 100, 0, 100 * K, 80 * K);                    /* lives long */
	ADD(&g, 100, 0, 100 * K, 80 * K, 10 * K, 1 * K, 0);  /* dies in survivor spaces */
	ADD(&g, 100, 0, 1000 * K, 100 * K, 100 * K, 90 * K); /* nine tenths are garbage, at once */
	ADD(&g, 100, 0, 2500 * K, 100 * K, 100 * K, 90 * K); /* 96 % are */
	ADD(&g, 2, 0, 100 * K, 80 * K);                      /* two samples */
	ADD(&g, 100, SNAPSHOT_REFUSE, 100 * K, 80 * K);
	ADD(&g, 100, 0, 100 * K, 0);
	choose(&g, 15, NULL, 0);
	EXPECT_INT(CHOOSE_YES, g.out[0].why);
	EXPECT_INT(CHOOSE_EARLY, g.out[1].why);
	EXPECT_INT(CHOOSE_YES, g.out[2].why);
	EXPECT_INT(CHOOSE_GARBAGE, g.out[3].why);
	EXPECT_INT(CHOOSE_FEW, g.out[4].why);
	EXPECT_INT(CHOOSE_REFUSED, g.out[5].why);
	EXPECT_INT(CHOOSE_NO, g.out[6].why);
	EXPECT_NEAR(15 * 80 * K, g.out[0].saved.bytes, 1);
	EXPECT_NEAR(0, g.out[0].early.bytes, 1);
	EXPECT_NEAR(11 * K, g.out[1].saved.bytes, 1);
	EXPECT_NEAR(80 * K, g.out[1].early.bytes, 1);
}

/* saved > k * early, in the cost of copies: on the edge. */
TEST(the_edge_is_k_times_early)
{
	struct rig g;
	init(&g);
	/* Of 100 K that survive, x die at age 1, the rest stays: saved 15 (100 K - x), early x. */
	ADD(&g, 100, 0, 100 * K, 100 * K, 12 * K);
	ADD(&g, 100, 0, 100 * K, 100 * K, 11 * K);
	choose(&g, 15, NULL, 0);
	EXPECT_NEAR(180 * K, g.out[0].saved.bytes, 1);
	EXPECT_INT(CHOOSE_YES, g.out[0].why);
	EXPECT_NEAR(165 * K, g.out[1].saved.bytes, 1);
	EXPECT_NEAR(89 * K, g.out[1].early.bytes, 1);
	EXPECT_INT(CHOOSE_EARLY, g.out[1].why);
}

/* Saved, of what the place allocates: 4.5 %. Of all that is copied: 0.03 %. */
TEST(little_is_left)
{
	struct rig g;
	init(&g);
	g.rule.dead_at_0 = 1;
	ADD(&g, 2000, 0, 1000 * K, 3.1 * K);
	ADD(&g, 2000, 0, 1000 * K, 2.9 * K);
	choose(&g, 15, NULL, 0);
	EXPECT_INT(CHOOSE_YES, g.out[0].why);
	EXPECT_INT(CHOOSE_LITTLE, g.out[1].why);
	init(&g);
	ADD(&g, 100, 0, 1e6 * K, 1e6 * K);
	ADD(&g, 100, 0, 340 * K, 340 * K);
	ADD(&g, 100, 0, 300 * K, 300 * K);
	choose(&g, 15, NULL, 0);
	EXPECT_INT(CHOOSE_YES, g.out[1].why);
	EXPECT_INT(CHOOSE_LITTLE, g.out[2].why);
}

/* Small objects cost more to copy than as many bytes of large ones. */
TEST(objects_weigh_as_well_as_bytes)
{
	struct rig g;
	init(&g);
	ADD(&g, 100, 0, 1e6 * K, 1e6 * K);
	ADD(&g, 100, 0, 200 * K, 200 * K);
	choose(&g, 15, NULL, 0);
	EXPECT_INT(CHOOSE_LITTLE, g.out[1].why);
	for (uint32_t a = 0; a < TENURE_AGES; a++)
		g.row[1].passage.objects.stood[a] *= 5;
	choose(&g, 15, NULL, 0);
	EXPECT_INT(CHOOSE_YES, g.out[1].why);
}

/* Beside a threshold only the copies up to it are saved, and only who dies up to it is early. */
TEST(beside_a_threshold_less_is_saved)
{
	struct rig g;
	init(&g);
	ADD(&g, 100, 0, 100 * K, 80 * K);
	ADD(&g, 100, 0, 100 * K, 80 * K, 60 * K, 40 * K, 5 * K);
	choose(&g, 2, NULL, 0);
	EXPECT_NEAR(160 * K, g.out[0].saved.bytes, 1);
	EXPECT_NEAR(100 * K, g.out[1].saved.bytes, 1);
	EXPECT_NEAR(40 * K, g.out[1].early.bytes, 1);
	EXPECT_INT(CHOOSE_YES, g.out[1].why);
	choose(&g, 3, NULL, 0);
	EXPECT_NEAR(75 * K, g.out[1].early.bytes, 1);
	EXPECT_INT(CHOOSE_EARLY, g.out[1].why);
	choose(&g, 0, NULL, 0);
	EXPECT_INT(CHOOSE_NO, g.out[0].why);
	g.held = (struct held){.share = {[1] = 0.5, [3] = 0.5}};
	choose(&g, 15, NULL, 0);
	EXPECT_NEAR(80 * K * (0.5 * 1 + 0.5 * 3), g.out[0].saved.bytes, 1);
	/* What a full collection finds young may die there, where no bound has promoted it. */
	g.held.full[1] = 0.5;
	choose(&g, 15, NULL, 0);
	EXPECT_NEAR(80 * K * (0.5 * 1 + 0.5 * 3), g.out[0].saved.bytes, 1);
	EXPECT_NEAR(80 * K - (0.5 * 40 * K + 0.5 * 5 * K), g.out[1].early.bytes, 1);
	choose(&g, 1, NULL, 0);
	EXPECT_NEAR(80 * K - 60 * K, g.out[1].early.bytes, 1);
}

TEST(leaves_alone_where_the_threshold_stays)
{
	struct rig g;
	init(&g);
	ADD(&g, 100, 0, 100 * K, 80 * K);
	ADD(&g, 100, SNAPSHOT_LEAF, 100 * K, 80 * K);
	g.rule.leaf_only = true;
	choose(&g, 15, NULL, 0);
	EXPECT_INT(CHOOSE_NOT_LEAF, g.out[0].why);
	EXPECT_INT(CHOOSE_YES, g.out[1].why);
}

/* From a chosen parent to its children and theirs, but not to what dies early. */
TEST(the_set_is_closed_over_references)
{
	struct rig g;
	init(&g);
	ADD(&g, 100, 0, 100 * K, 80 * K);
	ADD(&g, 100, 0, 0.2 * K, 0.1 * K);
	ADD(&g, 100, 0, 0.2 * K, 0.1 * K);
	ADD(&g, 100, 0, 10 * K, 8 * K, 1 * K, 0);
	ADD(&g, 100, 0, 0.2 * K, 0.1 * K);
	static const struct choose_edge edges[] = {
		TO(1, 2), TO(0, 1), TO(0, 3), TO(3, 4), TO(0, 99)};
	choose(&g, 15, edges, ARRAY_SIZE(edges));
	EXPECT_INT(CHOOSE_YES, g.out[0].why);
	EXPECT_INT(CHOOSE_CLOSED, g.out[1].why);
	EXPECT_INT(CHOOSE_CLOSED, g.out[2].why);
	EXPECT_INT(CHOOSE_EARLY, g.out[3].why);
	EXPECT_INT(CHOOSE_LITTLE, g.out[4].why);
	/* With no references known a lower share stands for them. */
	choose(&g, 15, NULL, 0);
	EXPECT_INT(CHOOSE_YES, g.out[1].why);
	EXPECT_INT(CHOOSE_YES, g.out[2].why);
}

/* 0.1 % of all copying: with the low minimum of its own, or because what was chosen refers to it;
 * not where all that is known to refer to it is not chosen. */
TEST(what_nobody_chosen_refers_to_must_be_worth_more)
{
	struct rig g;
	init(&g);
	ADD(&g, 100, 0, 100 * K, 80 * K);
	ADD(&g, 100, 0, 0.1 * K, 0.08 * K);
	ADD(&g, 100, 0, 0.1 * K, 0.08 * K);
	ADD(&g, 100, 0, 100 * K, 8 * K, 1 * K, 0); /* dies young */
	static const struct choose_edge by_chosen[] = {TO(0, 1)}, by_other[] = {TO(3, 1)};
	choose(&g, 2, by_chosen, 1);
	EXPECT_INT(CHOOSE_YES, g.out[0].why);
	EXPECT_INT(CHOOSE_CLOSED, g.out[1].why);
	EXPECT_INT(CHOOSE_YES, g.out[2].why); /* nobody looked at who refers to it */
	EXPECT_INT(CHOOSE_EARLY, g.out[3].why);
	choose(&g, 2, by_other, 1);
	EXPECT_INT(CHOOSE_LITTLE, g.out[1].why);
	EXPECT_INT(CHOOSE_YES, g.out[2].why);
}

/* Where only the class of a child is known all places of it are meant: each must be worth it, but
 * for being small. */
TEST(of_a_class_only_what_pays_follows)
{
	struct rig g;
	init(&g);
	ADD(&g, 1000, 0, 1000 * K, 800 * K);
	ADD(&g, 100, 0, 0.1 * K, 0.08 * K);
	ADD(&g, 3, 0, 0.1 * K, 0.08 * K);                  /* too few samples */
	ADD(&g, 100, 0, 1 * K, 0.8 * K, 0.5 * K, 0.1 * K); /* six of eight die young */
	ADD(&g, 1000, 0, 1 * K, 0.04 * K, 0.04 * K);       /* nearly all dies at once */
	ADD(&g, 1000, 0, 10 * K, 0.6 * K, 0.04 * K);
	static const struct choose_edge edges[] = {
		LIKELY(0, 1), LIKELY(0, 2), LIKELY(0, 3), LIKELY(0, 4), LIKELY(0, 5)};
	choose(&g, 2, edges, ARRAY_SIZE(edges));
	static const enum choose_why why[] = {
		CHOOSE_YES, CHOOSE_CLOSED, CHOOSE_FEW, CHOOSE_EARLY, CHOOSE_GARBAGE, CHOOSE_EARLY};
	for (size_t i = 0; i < ARRAY_SIZE(why); i++)
		EXPECT_INT(why[i], g.out[i].why);
}

/* With no low threshold beside it a parent jumps where its children are known and jump too. */
TEST(parents_jump_with_their_children)
{
	struct rig g;
	init(&g);
	g.rule.leaf_only = true;
	ADD(&g, 100, 0, 100 * K, 80 * K);               /* nobody looked at it */
	ADD(&g, 100, SNAPSHOT_LOOKED, 100 * K, 80 * K); /* its children jump */
	ADD(&g, 100, SNAPSHOT_LEAF, 0.1 * K, 0.08 * K);
	ADD(&g, 100, SNAPSHOT_LOOKED, 100 * K, 80 * K); /* its children die young */
	ADD(&g, 100, SNAPSHOT_LEAF, 10 * K, 8 * K, 1 * K, 0);
	ADD(&g, 100, SNAPSHOT_LOOKED, 100 * K, 80 * K); /* its children are such parents */
	ADD(&g, 100, SNAPSHOT_LEAF, 0.1 * K, 0.08 * K); /* a child of that one */
	ADD(&g, 100, SNAPSHOT_LOOKED, 100 * K, 80 * K); /* one in twenty has such a child */
	static const struct choose_edge edges[] = {
		TO(1, 2), TO(3, 4), TO(5, 3), TO(5, 6), {.from = 7, .to = 4, .share = 0.05f}};
	choose(&g, 15, edges, ARRAY_SIZE(edges));
	static const enum choose_why why[] = {CHOOSE_NOT_LEAF, CHOOSE_YES, CHOOSE_CLOSED,
		CHOOSE_OPEN, CHOOSE_EARLY, CHOOSE_OPEN, CHOOSE_LITTLE, CHOOSE_YES};
	for (size_t i = 0; i < ARRAY_SIZE(why); i++)
		EXPECT_INT(why[i], g.out[i].why);
	/* With a low threshold the card is clean soon. */
	g.rule.leaf_only = false;
	choose(&g, 2, edges, ARRAY_SIZE(edges));
	EXPECT_INT(CHOOSE_YES, g.out[0].why);
	EXPECT_INT(CHOOSE_YES, g.out[3].why);
	EXPECT_INT(CHOOSE_CLOSED, g.out[6].why);
}

/* A place of two lives is not taken; the caller of its long one is. */
TEST(callers_are_chosen_where_their_place_is_not)
{
	struct rig g;
	init(&g);
	ADD(&g, 200, SNAPSHOT_SPLIT, 200 * K, 180 * K, 10 * K);
	ADD(&g, 100, 0, 10 * K, 8 * K);
	ADD(&g, 100, 0, 100 * K, 90 * K, 0);
	ADD(&g, 100, 0, 100 * K, 90 * K);
	g.s.places = 1;
	for (uint32_t i = 1; i < 4; i++) {
		g.row[i].at.place = g.row[0].at.place;
		g.row[i].at.depth = 1;
		g.row[i].at.caller[0].vm_method = i - 1; /* the first: of all others */
	}
	choose(&g, 15, NULL, 0);
	EXPECT_INT(CHOOSE_CALLERS, g.out[0].why);
	EXPECT_INT(CHOOSE_REFUSED, g.out[1].why);
	EXPECT(!choose_is(g.out[2].why));
	EXPECT_INT(CHOOSE_YES, g.out[3].why);
}

TEST(each_reason_has_words)
{
	for (int i = 0; i < CHOOSE_WHYS; i++)
		EXPECT(choose_text((enum choose_why)i)[0]);
}
