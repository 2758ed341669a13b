#include "trace/lives.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/rng.h"
#include "support/tap.h"

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
