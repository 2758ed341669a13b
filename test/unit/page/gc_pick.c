#include "page/gc_pick.h"

#include "base/error.h"
#include "base/rng.h"
#include "support/tap.h"

static void check(const struct gcs *g, size_t max)
{
	struct gc_pick p;
	EXPECT_INT(0, gc_pick_find(&p, g, max));
	EXPECT(p.list.count <= max);
	EXPECT(g->list.count > max || (p.list.count == g->list.count && p.run == 1));
	EXPECT_INT((g->list.count + p.run - 1) / p.run, p.list.count);
	for (size_t i = 0; i < p.list.count; i++) {
		uint32_t at = p.list.at[i];
		EXPECT_INT(i, at / p.run);
		for (size_t k = i * p.run; k < (i + 1) * p.run && k < g->list.count; k++)
			EXPECT(g->list.at[k].pause <= g->list.at[at].pause);
	}
	gc_pick_release(&p);
}

TEST(of_each_run_the_longest_pause)
{
	struct rng rng = rng_init(tap_seed());
	for (int round = 0; round < 200; round++) {
		struct gcs g = {0};
		for (uint64_t n = rng_below(&rng, 100); n > 0; n--)
			EXPECT_INT(
				0, vec_push(&g.list, ((struct gc){.pause = rng_below(&rng, 20)})));
		check(&g, 1 + (size_t)rng_below(&rng, 30));
		gcs_release(&g);
	}
}

TEST(out_of_memory)
{
	struct gcs g = {0};
	struct gc_pick p;
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, gc_pick_find(&p, &g, 5));
	mem_fail_at(0);
}
