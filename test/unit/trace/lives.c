#include "trace/lives.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/rng.h"
#include "support/tap.h"
#include "trace/format.h"

enum { OBJECTS = 300 };

TEST(agrees_with_an_array)
{
	struct lives l = {0};
	struct rng r = rng_init(tap_seed());
	uint64_t born[OBJECTS] = {0}, alive = 0;
	for (uint64_t i = 1; i < 50000; i++) {
		uint64_t object = rng_below(&r, OBJECTS);
		struct life_clocks at = {i, 2 * i, 3, 4}, birth = {0};
		if (rng_below(&r, 2)) {
			EXPECT_INT(born[object] ? ERR_BUSY : 0, lives_begin(&l, object, at));
			alive += !born[object];
			born[object] = born[object] ? born[object] : i;
		} else {
			EXPECT_INT(born[object] ? 0 : ERR_NOT_FOUND, lives_end(&l, object, &birth));
			EXPECT_INT(born[object], birth.time);
			EXPECT_INT(2 * born[object], birth.alloc);
			alive -= born[object] != 0;
			born[object] = 0;
		}
		EXPECT_INT(alive, lives_count(&l));
	}
	EXPECT(l.clocks.count <= OBJECTS); /* places are used again */
	lives_release(&l);
}

/* A trace of some kilobytes, zipped, can tell of more births than there is memory for. */
TEST(no_more_than_can_be_followed)
{
	struct lives l = {0};
	struct life_clocks c = {0};
	EXPECT_INT(0, lives_begin(&l, 1, c));
	size_t count = l.places.count;
	l.places.count = FOLLOWED_MAX; /* as if they were there */
	EXPECT_INT(ERR_LIMIT, lives_begin(&l, 2, c));
	EXPECT_INT(ERR_BUSY, lives_begin(&l, 1, c));
	l.places.count = FOLLOWED_MAX - 1;
	EXPECT_INT(0, lives_end(&l, 1, &c));
	EXPECT_INT(FOLLOWED_MAX - 2, lives_count(&l));
	l.places.count = count - 1;
	EXPECT_INT(0, lives_begin(&l, 2, c));
	lives_release(&l);
}

TEST(out_of_memory)
{
	uint64_t held = mem_held();
	int err = ERR_NOMEM;
	for (uint64_t n = 1; err; n++) {
		struct lives l = {0};
		struct life_clocks c = {0};
		mem_fail_at(n);
		err = lives_begin(&l, 1, c);
		if (!err)
			err = lives_end(&l, 1, &c);
		mem_fail_at(0);
		EXPECT(err == 0 || err == ERR_NOMEM);
		lives_release(&l);
		EXPECT_INT(held, mem_held());
	}
}
