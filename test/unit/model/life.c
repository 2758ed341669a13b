#include "model/life.h"

#include "base/error.h"
#include "support/tap.h"

/* Collections at alloc 1000, 2000, … and ns 10, 20, …; those with `whole` set count in both clocks.
 */
static void make(struct gcs *g, const int *whole, size_t count)
{
	struct odds o = {{0}};
	uint64_t full = 0;
	for (uint64_t n = 1; n <= count; n++) {
		full += whole[n - 1] != 0;
		struct record_gc r = {.start = 10 * n,
			.end = 10 * n,
			.alloc = 1000 * n,
			.young = n,
			.full = full};
		EXPECT_INT(0, gcs_add(g, &r, 1, whole[n - 1] ? ROLE_FULL : ROLE_YOUNG, 0, &o));
	}
}

static const int young[] = {0, 0, 0, 0, 0, 0};
static const struct object born = {
	.id = 1, .time = 15, .alloc = 1500, .young = 1, .full = 0, .weight = 1};

TEST(found_by_a_young_collection)
{
	struct gcs g = {0};
	struct facts f = {.tenuring_max = 15};
	struct odds o = {{0}};
	make(&g, young, 6);
	struct moment at = {.time = 45, .alloc = 4500, .young = 4};
	struct life l = life_of_death(&f, &g, &born, &at, &o);
	EXPECT_INT(2, l.young); /* collections 2 and 3; the fourth found it */
	EXPECT_INT(1500, l.bytes.after);
	EXPECT_INT(2500, l.bytes.by);
	EXPECT_INT(15, l.ns.after);
	EXPECT_INT(25, l.ns.by);
	at = (struct moment){.time = 21, .alloc = 2001, .young = 2};
	l = life_of_death(&f, &g, &born, &at, &o);
	EXPECT_INT(0, l.young);
	EXPECT_INT(0, l.bytes.after);
	EXPECT_INT(500, l.bytes.by);
	EXPECT_INT(0, o.count[ODD_DEATH_UNCOLLECTED]);
	gcs_release(&g);
}

/* A whole collection may find what died long ago in the old generation: nothing is claimed for
 * after its promotion. */
TEST(found_by_a_whole_collection)
{
	static const int whole[] = {0, 0, 0, 0, 0, 1};
	struct gcs g = {0};
	struct facts f = {.tenuring_max = 1};
	struct odds o = {{0}};
	make(&g, whole, 6);
	struct moment at = {.time = 60, .alloc = 6000, .young = 6, .full = 1};
	struct life l = life_of_death(&f, &g, &born, &at, &o);
	EXPECT_INT(4, l.young);
	EXPECT_INT(0, l.full);
	EXPECT(l.full_found && !l.was_young && !l.young_too);
	EXPECT_INT(1500, l.bytes.after); /* promoted by collection 3 */
	EXPECT_INT(4500, l.bytes.by);
	f.tenuring_max = 15;
	l = life_of_death(&f, &g, &born, &at, &o);
	EXPECT_INT(3500, l.bytes.after);
	EXPECT(l.was_young && !l.young_too && !life_ends_young(&l));
	gcs_release(&g);
}

/* A young collection that made no room, and the full one in the same pause: two records, and what
 * is found dead by either has not survived the other. */
TEST(found_by_two_collections_in_a_pause)
{
	struct gcs g = {0};
	struct facts f = {.tenuring_max = 15};
	struct odds o = {{0}};
	make(&g, young, 3);
	struct record_gc r = {.start = 38, .end = 40, .alloc = 4000, .young = 4, .full = 1};
	EXPECT_INT(0, gcs_add(&g, &r, 1, ROLE_YOUNG, 0, &o));
	EXPECT_INT(0, gcs_add(&g, &r, 2, ROLE_FULL, 0, &o));
	struct moment at = {.time = 41, .alloc = 4001, .young = 4, .full = 1};
	struct life l = life_of_death(&f, &g, &born, &at, &o);
	EXPECT_INT(2, l.young);
	EXPECT_INT(0, l.full);
	EXPECT(l.full_found);
	EXPECT_INT(1500, l.bytes.after);
	EXPECT_INT(2500, l.bytes.by);
	struct object late = born;
	late.young = 3;
	late.alloc = 3500;
	l = life_of_death(&f, &g, &late, &at, &o);
	EXPECT_INT(0, l.young);
	EXPECT_INT(0, l.bytes.after);
	EXPECT(l.was_young && l.young_too && life_ends_young(&l));
	gcs_release(&g);
}

TEST(a_collection_that_is_not_in_the_trace)
{
	struct gcs g = {0};
	struct facts f = {.tenuring_max = 15};
	struct odds o = {{0}};
	make(&g, young, 3);
	struct moment at = {.time = 70, .alloc = 7000, .young = 6};
	struct life l = life_of_death(&f, &g, &born, &at, &o);
	EXPECT_INT(4, l.young);
	EXPECT_INT(1500, l.bytes.after); /* the last collection that is known */
	EXPECT_INT(5500, l.bytes.by);    /* the moment it was told */
	gcs_release(&g);
}

TEST(deaths_told_by_the_old_generation_only)
{
	static const int whole[] = {0, 0, 1, 0, 0, 1};
	struct gcs g = {0};
	struct facts f = {.tenuring_max = 15, .deaths = DEATHS_OLD};
	struct odds o = {{0}};
	make(&g, whole, 6);
	struct moment at = {.time = 65, .alloc = 6500, .young = 6, .full = 2};
	struct life l = life_of_death(&f, &g, &born, &at, &o);
	EXPECT_INT(1, l.full);
	EXPECT_INT(1500, l.bytes.after);
	EXPECT_INT(4500, l.bytes.by);
	at = (struct moment){.time = 45, .alloc = 4500, .young = 4, .full = 1};
	l = life_so_far(&f, &g, &born, &at);
	EXPECT_INT(1, l.full);
	EXPECT_INT(1500, l.bytes.after);
	EXPECT(!l.died);
	gcs_release(&g);
}

TEST(nonsense_is_counted_and_bounded)
{
	struct gcs g = {0};
	struct facts f = {.tenuring_max = 15};
	struct odds o = {{0}};
	make(&g, young, 6);
	struct moment before = {.time = 5, .alloc = 500, .young = 0};
	struct life l = life_of_death(&f, &g, &born, &before, &o);
	EXPECT_INT(1, o.count[ODD_DEATH_UNCOLLECTED]);
	EXPECT_INT(0, l.young);
	EXPECT_INT(0, l.bytes.by);
	EXPECT_INT(0, l.ns.after);
	gcs_release(&g);
}
