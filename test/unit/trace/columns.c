/* Rows as columns and back, against words moved one by one. */
#include "trace/columns.h"

#include <string.h>

#include "base/rng.h"
#include "support/tap.h"

enum { ROOM = 600, ROUNDS = 3000, GUARD = 0x5a };

/* Where a byte of the payload stands, by what the format says. */
static size_t place(size_t i, size_t len, size_t before)
{
	size_t rows = (len - before) / 12, at = i - before;
	if (i < before || at >= rows * 12)
		return 1 + i;
	return 1 + before + (at % 12 / 4 * rows + at / 12) * 4 + at % 4;
}

TEST(there_and_back)
{
	struct rng r = rng_init(tap_seed());
	unsigned wrong = 0;
	for (int round = 0; round < ROUNDS; round++) {
		uint8_t in[ROOM], split[ROOM + 2], back[ROOM + 1];
		size_t len = rng_below(&r, ROOM + 1);
		size_t most = len < COLUMNS_BEFORE_MAX ? len : COLUMNS_BEFORE_MAX;
		size_t before = rng_below(&r, most + 1);
		for (size_t i = 0; i < len; i++)
			in[i] = (uint8_t)rng_u64(&r);
		memset(split, GUARD, sizeof(split));
		memset(back, GUARD, sizeof(back));
		columns_split(split, in, len, before);
		wrong += split[0] != before || split[len + 1] != GUARD;
		for (size_t i = 0; i < len; i++)
			wrong += split[place(i, len, before)] != in[i];
		wrong += !columns_join(back, split, len) || memcmp(back, in, len) != 0 ||
			 back[len] != GUARD;
	}
	EXPECT_INT(0, wrong);
}

TEST(more_before_than_there_is)
{
	uint8_t in[16] = {16}, out[15];
	EXPECT(!columns_join(out, in, 15));
	in[0] = 15;
	EXPECT(columns_join(out, in, 15));
}
