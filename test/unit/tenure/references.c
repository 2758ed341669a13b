#include "tenure/references.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/rng.h"
#include "support/tap.h"

enum { ROWS = 128 };

static struct snapshot_row row[ROWS];
static struct snapshot snapshot = {.rows = row, .room = ROWS};

static struct place place(uint32_t number, uint32_t class_id)
{
	return (struct place){.vm_method = number, .bci = 7, .class_id = class_id};
}

/* A row of that place, of which so many objects survive once. */
static uint32_t add(struct place at, float survivors)
{
	row[snapshot.count] = (struct snapshot_row){.at.place = at};
	row[snapshot.count].passage.objects.stood[0] = survivors;
	snapshot.places = ++snapshot.count;
	return (uint32_t)snapshot.count - 1;
}

static void begin(struct references *r)
{
	snapshot.count = snapshot.places = 0;
	EXPECT_INT(0, references_init(r));
}

static void look(struct references *r, struct place at, struct place child, int times)
{
	for (int i = 0; i < times; i++)
		references_look(r, &at, &child, 1);
}

static const struct choose_edge *edge(const struct references *r, uint32_t from, uint32_t to)
{
	for (uint32_t i = 0; i < r->edge_count; i++)
		if (r->edges[i].from == from && r->edges[i].to == to)
			return &r->edges[i];
	return NULL;
}

/* 0: no edge. */
static double share(const struct references *r, uint32_t from, uint32_t to)
{
	const struct choose_edge *e = edge(r, from, to);
	return e ? (double)e->share : 0;
}

enum { NO_EDGE, CERTAIN, LIKELY };

static int kind(const struct references *r, uint32_t from, uint32_t to)
{
	const struct choose_edge *e = edge(r, from, to);
	return !e ? NO_EDGE : e->likely ? LIKELY : CERTAIN;
}

TEST(an_edge_has_the_share_of_objects_that_refer_there)
{
	struct references r;
	begin(&r);
	struct place parent = place(1, 1), child = place(2, 2), twice[] = {child, child};
	uint32_t from = add(parent, 1), to = add(child, 1);
	references_look(&r, &parent, twice, 2);
	look(&r, parent, child, 1);
	references_look(&r, &parent, NULL, 0);
	references_look(&r, &parent, NULL, 0);
	EXPECT_INT(0, references_edges(&r, &snapshot));
	EXPECT_INT(1, r.edge_count);
	EXPECT_NEAR(0.5, share(&r, from, to), 1e-6);
	EXPECT_INT(CERTAIN, kind(&r, from, to));
	references_release(&r);
}

/* To all places of the class that have survivors, in proportion. */
TEST(a_class_stands_for_its_places)
{
	struct references r;
	begin(&r);
	uint32_t from = add(place(1, 1), 1), a = add(place(2, 9), 30), b = add(place(3, 9), 10);
	uint32_t dead = add(place(4, 9), 0), other = add(place(5, 8), 10);
	look(&r, place(1, 1), references_class(9), 4);
	look(&r, place(1, 1), references_class(77), 4); /* nothing of it was sampled */
	EXPECT_INT(0, references_edges(&r, &snapshot));
	EXPECT_INT(2, r.edge_count);
	EXPECT_NEAR(0.5 * 0.75, share(&r, from, a), 1e-6);
	EXPECT_NEAR(0.5 * 0.25, share(&r, from, b), 1e-6);
	EXPECT_INT(LIKELY, kind(&r, from, a));
	EXPECT(!edge(&r, from, dead) && !edge(&r, from, other));
	references_release(&r);
}

/* Rows come and go; what is known is of places. */
TEST(what_is_known_outlives_rows)
{
	struct references r;
	begin(&r);
	look(&r, place(1, 1), place(2, 2), 4);
	add(place(2, 2), 1);
	EXPECT_INT(0, references_edges(&r, &snapshot));
	EXPECT_INT(0, r.edge_count);
	add(place(3, 2), 1);
	add(place(1, 1), 1);
	EXPECT_INT(0, references_edges(&r, &snapshot));
	EXPECT_INT(1, r.edge_count);
	EXPECT(edge(&r, 2, 0));
	references_release(&r);
}

TEST(four_looks_are_enough_to_know)
{
	struct references r;
	begin(&r);
	add(place(1, 1), 1);
	add(place(2, 1), 1);
	look(&r, place(1, 1), place(2, 1), 3);
	look(&r, place(2, 1), place(2, 1), 4);
	references_mark(&r, &snapshot);
	EXPECT_INT(0, row[0].flags);
	EXPECT_INT(SNAPSHOT_LOOKED, row[1].flags);
	EXPECT_NEAR(3, references_looks(&r, &row[0].at.place), 0);
	EXPECT_NEAR(0, references_looks(&r, &(struct place){.vm_method = 9}), 0);
	references_release(&r);
}

TEST(old_news_fades)
{
	struct references r;
	begin(&r);
	add(place(1, 1), 1);
	add(place(2, 1), 1);
	look(&r, place(1, 1), place(2, 1), 64);
	look(&r, place(2, 1), place(1, 1), 1);
	for (int i = 0; i < 8; i++)
		references_fade(&r);
	EXPECT_NEAR(64 * 0.3436, references_looks(&r, &row[0].at.place), 0.01);
	EXPECT_INT(1, r.parent_count);
	EXPECT_INT(1, r.pair_count);
	look(&r, place(1, 1), place(1, 1), 22); /* what is new counts for more than what was */
	EXPECT_INT(0, references_edges(&r, &snapshot));
	EXPECT_NEAR(0.5, share(&r, 0, 1), 0.01);
	EXPECT_NEAR(0.5, share(&r, 0, 0), 0.01);
	for (int i = 0; i < 60; i++)
		references_fade(&r);
	EXPECT_INT(0, r.parent_count);
	EXPECT_INT(0, r.pair_count);
	references_release(&r);
}

TEST(what_does_not_fit_is_counted)
{
	struct references r;
	begin(&r);
	for (uint32_t i = 0; i < REFERENCES_PARENTS + 10; i++)
		look(&r, place(i + 1, 1), place(i + 1, 2), 1);
	EXPECT_INT(REFERENCES_PARENTS, r.parent_count);
	EXPECT_INT(10, r.lost.parents);
	for (uint32_t i = 0; i < REFERENCES_PAIRS; i++)
		look(&r, place(1, 1), place(i + 1, 3), 1);
	EXPECT_INT(REFERENCES_PAIRS, r.pair_count);
	EXPECT_INT(REFERENCES_PARENTS, r.lost.pairs);
	references_release(&r);
}

/* Each of the rows refers to the class of all of them. */
TEST(edges_that_do_not_fit_are_counted)
{
	struct references r;
	begin(&r);
	for (uint32_t i = 0; i < ROWS; i++) {
		add(place(i + 1, 1), 1);
		look(&r, place(i + 1, 1), references_class(1), 1);
	}
	for (int i = 0; i < 2; i++) {
		EXPECT_INT(0, references_edges(&r, &snapshot));
		EXPECT_INT(REFERENCES_EDGES, r.edge_count);
		EXPECT_INT(ROWS * ROWS - REFERENCES_EDGES, r.lost.edges);
	}
	references_release(&r);
}

/* Against counting: shares of a thousand looks at random. */
TEST(shares_are_what_was_seen)
{
	struct references r;
	begin(&r);
	enum { PLACES = 8, LOOKS = 2000 };
	uint32_t looks[PLACES] = {0}, seen[PLACES][PLACES] = {{0}};
	struct rng rng = rng_init(tap_seed());
	for (uint32_t i = 0; i < PLACES; i++)
		add(place(i + 1, 1), 1);
	for (int n = 0; n < LOOKS; n++) {
		uint32_t from = (uint32_t)rng_below(&rng, PLACES), count = 0;
		struct place child[PLACES];
		for (uint32_t to = 0; to < PLACES; to++)
			if (rng_below(&rng, to + 2) == 0) {
				seen[from][to]++;
				child[count++] = place(to + 1, 1);
			}
		looks[from]++;
		references_look(&r, &row[from].at.place, child, count);
	}
	EXPECT_INT(0, references_edges(&r, &snapshot));
	for (uint32_t i = 0; i < PLACES; i++)
		for (uint32_t j = 0; j < PLACES; j++) {
			EXPECT_NEAR((double)seen[i][j] / looks[i], share(&r, i, j), 1e-4);
		}
	references_release(&r);
}
