#include "agent/frames.h"

#include "base/rng.h"
#include "support/tap.h"

enum { NODES = 5000 };

static struct frame_node random_node(struct rng *r)
{
	return (struct frame_node){(uint32_t)rng_below(r, 20), (uint32_t)rng_below(r, 20),
		(int32_t)rng_below(r, 4) - 1, (uint32_t)rng_below(r, 2)};
}

static bool same(struct frame_node a, struct frame_node b)
{
	return a.parent == b.parent && a.method == b.method && a.bci == b.bci && a.line == b.line;
}

static uint32_t search(const struct frame_node *nodes, uint32_t count, struct frame_node n)
{
	for (uint32_t i = 0; i < count; i++)
		if (same(nodes[i], n))
			return i + 1;
	return 0;
}

TEST(agrees_with_a_search)
{
	static struct frame_node nodes[NODES];
	struct frames f = {0};
	struct rng r = rng_init(tap_seed());
	uint32_t count = 0;
	EXPECT_INT(0, frames_find(&f, nodes[0]));
	for (int i = 0; i < NODES; i++) {
		struct frame_node n = random_node(&r);
		uint32_t want = search(nodes, count, n);
		EXPECT_INT(want, frames_find(&f, n));
		if (want)
			continue;
		EXPECT_INT(0, frames_reserve(&f));
		EXPECT_INT(count + 1, frames_add(&f, n));
		nodes[count++] = n;
	}
	EXPECT(count > 1000); /* it grew */
	EXPECT_INT(count, f.nodes.count);
	for (uint32_t i = 0; i < count; i++)
		EXPECT_INT(i + 1, frames_find(&f, nodes[i]));
	frames_release(&f);
}

/* After frames_reserve, an add takes no memory; a failed one leaves all as it was. */
TEST(out_of_memory)
{
	struct frames f = {0};
	uint64_t held = mem_held();
	uint32_t failures = 0;
	for (uint32_t i = 1; i <= 3000; i++) {
		struct frame_node n = {i - 1, i, 0, i};
		mem_fail_at(1);
		int err = frames_reserve(&f);
		mem_fail_at(0);
		failures += err != 0;
		EXPECT_INT(i - 1, f.nodes.count);
		EXPECT_INT(0, frames_find(&f, n));
		if (err)
			EXPECT_INT(0, frames_reserve(&f));
		mem_fail_at(1);
		EXPECT_INT(i, frames_add(&f, n));
		mem_fail_at(0);
		EXPECT_INT(i, frames_find(&f, n));
	}
	EXPECT(failures > 2);
	frames_release(&f);
	EXPECT_INT(held, mem_held());
}
