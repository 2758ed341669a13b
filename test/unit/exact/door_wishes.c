#include "exact/door_wishes.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "support/tap.h"

static struct door_wishes w;
static struct door_wish out[DOOR_WISHES];

TEST(the_hottest_come_first)
{
	door_wishes_clear(&w);
	door_wishes_add(&w, 5, 2000);
	door_wishes_add(&w, 6, 3000);
	door_wishes_add(&w, 7, DOOR_WISH_LEAST - 1);
	door_wishes_add(&w, 8, DOOR_WISH_LEAST - 1);
	door_wishes_add(&w, 5, 1500); /* in another thread */
	door_wishes_add(&w, 7, 1);
	door_wishes_add(&w, 9, DOOR_WISH_LEAST);
	EXPECT_INT(3, door_wishes_take(&w, out, 3));
	EXPECT(out[0].site == 5 && out[0].objects == 3500);
	EXPECT(out[1].site == 6 && out[1].objects == 3000);
	EXPECT(out[2].site == 7 && out[2].objects == DOOR_WISH_LEAST);
	EXPECT_INT(0, door_wishes_take(&w, out, 3)); /* all are gone */
	door_wishes_add(&w, 8, DOOR_WISH_LEAST - 1);
	EXPECT_INT(0, door_wishes_take(&w, out, 3));
}

TEST(who_makes_too_few_of_all)
{
	door_wishes_clear(&w);
	w.births = 2000 * DOOR_WISH_SHARE + DOOR_WISH_SHARE - 1;
	door_wishes_add(&w, 5, 2000);
	door_wishes_add(&w, 6, 1999);
	EXPECT_INT(1, door_wishes_take(&w, out, 8));
	EXPECT_INT(5, out[0].site);
	EXPECT_INT(0, w.births);
	/* Many that are alike. */
	for (uint32_t i = 1; i <= 5000; i++) {
		door_wishes_add(&w, i, 4000);
		w.births += 4000;
	}
	EXPECT_INT(0, door_wishes_take(&w, out, DOOR_WISHES));
}

/* Whichever comes first. */
TEST(of_two_that_meet_the_hotter_stays)
{
	door_wishes_clear(&w);
	door_wishes_add(&w, 3, 2000);
	door_wishes_add(&w, 3 + DOOR_WISHES, 3000);
	door_wishes_add(&w, 3, 1000);
	door_wishes_add(&w, 4 + DOOR_WISHES, 3000);
	door_wishes_add(&w, 4, 3000);
	EXPECT_INT(2, door_wishes_take(&w, out, 8));
	EXPECT(out[0].site == 3 + DOOR_WISHES && out[0].objects == 3000);
	EXPECT(out[1].site == 4 + DOOR_WISHES && out[1].objects == 3000);
}

/* Against a plain sum, where none meet. */
TEST(any_order)
{
	struct rng r = rng_init(tap_seed());
	uint64_t objects[DOOR_WISHES] = {0};
	door_wishes_clear(&w);
	for (int i = 0; i < 4000; i++) {
		uint32_t site = 1 + (uint32_t)rng_below(&r, DOOR_WISHES - 1);
		uint64_t some = 1 + rng_below(&r, 5000);
		objects[site] += some;
		w.births += some;
		door_wishes_add(&w, site, some);
	}
	uint64_t births = w.births;
	uint32_t hot = 0, most = 1 + (uint32_t)rng_below(&r, DOOR_WISHES);
	for (uint32_t i = 0; i < DOOR_WISHES; i++)
		hot += objects[i] >= DOOR_WISH_LEAST && objects[i] >= births / DOOR_WISH_SHARE;
	uint32_t got = door_wishes_take(&w, out, most);
	EXPECT_INT(hot < most ? hot : most, got);
	for (uint32_t i = 0; i < got; i++) {
		EXPECT(out[i].objects == objects[out[i].site]);
		EXPECT(!i || out[i].objects <= out[i - 1].objects);
		objects[out[i].site] = 0;
	}
	for (uint32_t i = 0; got && i < DOOR_WISHES; i++)
		EXPECT(objects[i] <= out[got - 1].objects);
}
