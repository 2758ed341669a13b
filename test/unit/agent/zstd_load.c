#include "agent/zstd_load.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/rng.h"
#include "support/tap.h"
#include "trace/format.h"

enum { LEN = 200000 };

/* Mostly repeats, as records are. */
static void fill(uint8_t *bytes, struct rng *r)
{
	for (int i = 0; i < LEN; i++)
		bytes[i] = i > 64 && rng_below(r, 16) ? bytes[i - 64] : (uint8_t)rng_below(r, 256);
}

TEST(what_it_compresses_comes_back)
{
	static uint8_t in[LEN], packed[LEN], out[LEN];
	struct codec c, linked;
	struct rng r = rng_init(tap_seed());
	EXPECT_INT(0, zstd_load(&c));
	EXPECT_INT(0, codec_zstd_init(&linked, 1));
	EXPECT_INT(CODEC_ZSTD, c.id);
	for (int i = 0; i < 5; i++) {
		fill(in, &r);
		size_t n = c.compress(c.ctx, packed, sizeof(packed), in, sizeof(in));
		EXPECT(n > 0 && n < LEN / 2);
		EXPECT_INT(LEN, linked.decompress(linked.ctx, out, sizeof(out), packed, n));
		EXPECT(memcmp(in, out, LEN) == 0);
	}
	EXPECT_INT(0, c.compress(c.ctx, packed, 10, in, sizeof(in))); /* does not fit */
	codec_zstd_release(&linked);
	zstd_unload(&c);
	EXPECT(c.ctx == NULL && c.compress == NULL);
	zstd_unload(&c); /* again: nothing happens */
}

/* Who is in a hurry only looks for repeats: of letters, few and in no order, it makes nothing. */
static void fill_letters(uint8_t *bytes, struct rng *r)
{
	for (int i = 0; i < LEN; i++)
		bytes[i] = (uint8_t)('a' + rng_below(r, 16));
}

TEST(in_a_hurry)
{
	static uint8_t in[LEN], packed[2 * LEN], out[LEN];
	struct codec c, linked;
	struct rng r = rng_init(tap_seed());
	size_t len[3];
	EXPECT_INT(0, zstd_load(&c));
	EXPECT_INT(0, codec_zstd_init(&linked, 1));
	fill_letters(in, &r);
	for (int i = 0; i < 3; i++) {
		zstd_hurry(&c, i == 1);
		len[i] = c.compress(c.ctx, packed, sizeof(packed), in, sizeof(in));
		EXPECT_INT(LEN, linked.decompress(linked.ctx, out, sizeof(out), packed, len[i]));
		EXPECT(memcmp(in, out, LEN) == 0);
	}
	EXPECT(len[1] > len[0] + LEN / 4);
	EXPECT_INT(len[0], len[2]);
	codec_zstd_release(&linked);
	zstd_unload(&c);
	zstd_hurry(&c, true); /* none is there */
}

TEST(out_of_memory)
{
	struct codec c;
	uint64_t held = mem_held();
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, zstd_load(&c));
	mem_fail_at(0);
	EXPECT(c.ctx == NULL);
	zstd_unload(&c);
	EXPECT_INT(held, mem_held());
}
