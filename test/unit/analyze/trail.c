#include "analyze/trail.h"

#include "base/error.h"
#include "support/tap.h"

/* Frames 1 … 6: lines 1 to 3 of a method, called by 4 or 5, and these by 6. Frame = location. */
enum { LINE = 1, BY_A = 2, BY_B = 3, BY_A_BY_C = 4, BY_D = 5, OTHER_LINE = 6 };
enum { BEHIND = 9, BEHIND_BY_A = 10, UNTOLD = 11 }; /* other bytecodes of LINE; sites likewise */
enum { CLASS = 1, OTHER_CLASS = 2, UNTOLD_LOCATION = 14 };

static const struct frame_def frames[] = {
	{0},
	{.location = 1},               /* LINE alone */
	{.location = 1, .parent = 7},  /* by A */
	{.location = 1, .parent = 8},  /* by B */
	{.location = 1, .parent = 9},  /* by A by C */
	{.location = 1, .parent = 10}, /* by D */
	{.location = 2},
	{.location = 11},
	{.location = 12},
	{.location = 11, .parent = 11},
	{.location = 14},
	{.location = 13},
	{.location = 1, .bci = 9},
	{.location = 1, .bci = 9, .parent = 7},
	{.location = 1, .bci = -1},
};

/* The site with number n has frame n of CLASS; 7: CLASS without a line; 8: OTHER_CLASS. */
enum { NO_LINE = 7, STRANGER = 8 };
static const struct site_def sites[] = {{0}, {.class = CLASS, .frame = LINE},
	{.class = CLASS, .frame = BY_A}, {.class = CLASS, .frame = BY_B},
	{.class = CLASS, .frame = BY_A_BY_C}, {.class = CLASS, .frame = BY_D},
	{.class = CLASS, .frame = OTHER_LINE}, {.class = CLASS},
	{.class = OTHER_CLASS, .frame = LINE}, {.class = CLASS, .frame = 12},
	{.class = CLASS, .frame = 13}, {.class = CLASS, .frame = 14}};

static int make_model(struct model *m)
{
	int err = model_init(m);
	for (size_t i = 1; i < ARRAY_SIZE(frames) && !err; i++)
		err = vec_push(&m->defs.frames, frames[i]);
	for (size_t i = 1; i < ARRAY_SIZE(sites) && !err; i++)
		err = vec_push(&m->defs.sites, sites[i]);
	return err;
}

/* A site of CLASS, in the method of all frames, whose line is not known. */
static uint32_t lineless_site(struct model *m)
{
	const struct method_def *method = defs_frame_method(&m->defs, LINE);
	uint32_t key[3] = {method->class_name, method->name, 0};
	for (uint32_t i = 1; i <= UNTOLD_LOCATION; i++) /* the frames' numbers are others */
		intern_add(&m->defs.locations, slice(&i, sizeof(i)), NULL);
	struct frame_def frame = {.bci = -1,
		.location = intern_add(&m->defs.locations, slice(key, sizeof(key)), NULL)};
	struct site_def site = {.class = CLASS, .frame = (uint32_t)m->defs.frames.count};
	EXPECT_INT(UNTOLD_LOCATION + 1, frame.location);
	EXPECT_INT(0, vec_push(&m->defs.frames, frame));
	EXPECT_INT(0, vec_push(&m->defs.sites, site));
	return (uint32_t)m->defs.sites.count - 1;
}

static size_t find(const struct trails *t, const struct model *m, uint32_t site)
{
	size_t mixed;
	return trails_find(t, m, site, &mixed);
}

TEST(a_line_is_one_place_where_callers_are_not_told)
{
	struct model m;
	struct trails t = {0};
	EXPECT_INT(0, make_model(&m));
	EXPECT_INT(0, trails_add(&t, &m, LINE, 5));
	trails_meet(&t, &m, BY_A);
	EXPECT(find(&t, &m, LINE) != 0);
	EXPECT_INT(find(&t, &m, LINE), find(&t, &m, BY_A));
	EXPECT_INT(find(&t, &m, LINE), find(&t, &m, BY_A_BY_C));
	EXPECT_INT(0, find(&t, &m, OTHER_LINE));
	EXPECT_INT(0, find(&t, &m, STRANGER));
	trails_release(&t);
	model_release(&m);
}

TEST(bytecodes_of_a_line_are_places)
{
	struct model m;
	struct trails t = {0};
	EXPECT_INT(0, make_model(&m));
	EXPECT_INT(0, trails_add(&t, &m, LINE, 5));
	EXPECT_INT(0, trails_add(&t, &m, BEHIND, 6));
	trails_meet(&t, &m, BY_A);
	trails_meet(&t, &m, BEHIND_BY_A);
	size_t line = find(&t, &m, LINE), behind = find(&t, &m, BEHIND);
	EXPECT(line && behind && line != behind);
	EXPECT_INT(line, find(&t, &m, BY_A));
	EXPECT_INT(behind, find(&t, &m, BEHIND_BY_A));
	EXPECT_INT(6, trails_at(&t, behind)->births);
	/* A sample whose bytecode is not told may be of either: the line is one place. */
	trails_meet(&t, &m, UNTOLD);
	line = find(&t, &m, UNTOLD);
	EXPECT_INT(11, trails_at(&t, line)->births);
	EXPECT_INT(line, find(&t, &m, BY_A));
	EXPECT_INT(line, find(&t, &m, BEHIND));
	trails_release(&t);
	model_release(&m);
}

TEST(callers_that_are_all_told_are_places)
{
	struct model m;
	struct trails t = {0};
	size_t mixed;
	EXPECT_INT(0, make_model(&m));
	EXPECT_INT(0, trails_add(&t, &m, BY_A, 5));
	EXPECT_INT(0, trails_add(&t, &m, BY_B, 6));
	trails_meet(&t, &m, BY_A_BY_C);
	trails_meet(&t, &m, BY_B);
	size_t a = trails_find(&t, &m, BY_A_BY_C, &mixed), b = find(&t, &m, BY_B);
	EXPECT(a && b && a != b && !mixed);
	EXPECT_INT(a, find(&t, &m, BY_A));
	EXPECT_INT(5, trails_at(&t, a)->births);
	EXPECT_INT(6, trails_at(&t, b)->births);
	/* Samples of a fourth caller: then none is told apart. */
	trails_meet(&t, &m, BY_D);
	EXPECT_INT(find(&t, &m, BY_A), find(&t, &m, BY_B));
	EXPECT_INT(find(&t, &m, BY_D), find(&t, &m, BY_B));
	trails_release(&t);
	model_release(&m);
}

TEST(callers_of_nearly_all_are_places_of_a_mixed_one)
{
	struct model m;
	struct trails t = {0};
	size_t mixed, none;
	EXPECT_INT(0, make_model(&m));
	EXPECT_INT(0, trails_add(&t, &m, BY_A, 50));
	EXPECT_INT(0, trails_add(&t, &m, BY_B, 41));
	EXPECT_INT(0, trails_add(&t, &m, LINE, 9));
	trails_meet(&t, &m, BY_D);
	size_t line = trails_find(&t, &m, LINE, &mixed), a = find(&t, &m, BY_A);
	EXPECT_INT(line, mixed);
	EXPECT(a && a != line && find(&t, &m, BY_B) != a);
	EXPECT_INT(line, find(&t, &m, BY_D));
	EXPECT_INT(9, trails_at(&t, line)->own);
	/* More of it without a caller. */
	EXPECT_INT(0, trails_add(&t, &m, LINE, 20));
	EXPECT_INT(line, trails_find(&t, &m, BY_A, &none));
	EXPECT_INT(0, none);
	trails_release(&t);
	model_release(&m);
}

/* Nearer to the line than its class is. */
TEST(lines_that_were_not_told_belong_to_their_method)
{
	struct model m;
	struct trails t = {0};
	EXPECT_INT(0, make_model(&m));
	uint32_t lineless = lineless_site(&m);
	EXPECT_INT(0, trails_add(&t, &m, NO_LINE, 5));
	EXPECT_INT(0, trails_add(&t, &m, lineless, 5));
	EXPECT_INT(0, trails_add(&t, &m, LINE, 5));
	EXPECT(find(&t, &m, lineless) && find(&t, &m, NO_LINE) != find(&t, &m, lineless));
	EXPECT_INT(find(&t, &m, lineless), find(&t, &m, OTHER_LINE));
	trails_meet(&t, &m, OTHER_LINE);
	EXPECT_INT(find(&t, &m, lineless), find(&t, &m, OTHER_LINE));
	EXPECT(find(&t, &m, LINE) != find(&t, &m, lineless));
	EXPECT_INT(0, find(&t, &m, STRANGER));
	trails_release(&t);
	model_release(&m);
}

/* What came first has its paths, and all else its line alone: then it is the samples that tell. */
TEST(paths_of_a_line_that_lacked_room_are_not_told_apart)
{
	struct model m;
	EXPECT_INT(0, make_model(&m));
	m.defs.sites.at[BY_A].flags = m.defs.sites.at[BY_B].flags = SITE_WALKED;
	static const struct {
		uint64_t crowded, line;
		bool apart;
	} cases[] = {{0, 1000, true}, {1, 10, true}, {1, 13, false}, {1, 1000, false},
		{20, 1900, true}, {20, 2400, true}, {20, 6000, false}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct trails t = {.all = cases[i].crowded < 2, .crowded = cases[i].crowded};
		EXPECT_INT(0, trails_add(&t, &m, BY_A, 90));
		EXPECT_INT(0, trails_add(&t, &m, BY_B, 10));
		EXPECT_INT(0, trails_add(&t, &m, LINE, cases[i].line));
		size_t line = find(&t, &m, LINE);
		EXPECT(line);
		EXPECT_INT(cases[i].apart, find(&t, &m, BY_A) != line);
		EXPECT_INT(cases[i].apart, find(&t, &m, BY_B) != line);
		EXPECT_INT(line, find(&t, &m, BY_D));
		trails_release(&t);
	}
	model_release(&m);
}

TEST(lines_that_were_not_told_belong_to_their_class)
{
	struct model m;
	struct trails t = {0};
	EXPECT_INT(0, make_model(&m));
	EXPECT_INT(0, trails_add(&t, &m, NO_LINE, 5));
	EXPECT_INT(0, trails_add(&t, &m, LINE, 5));
	EXPECT(find(&t, &m, NO_LINE) && find(&t, &m, NO_LINE) != find(&t, &m, LINE));
	EXPECT_INT(find(&t, &m, NO_LINE), find(&t, &m, OTHER_LINE));
	EXPECT_INT(0, find(&t, &m, STRANGER));
	trails_release(&t);
	model_release(&m);
}
