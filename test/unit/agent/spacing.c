#include "agent/spacing.h"

#include <math.h>

#include "support/tap.h"

#define SECOND 1000000000ull

enum { BOUND = 4000, FEW = 500, INTERVAL = 512 << 10 };

/* A program that allocates so many bytes a second, in small objects, for some seconds; how often
 * the interval changed. */
static int allocate(struct spacing *s, double bytes, int seconds)
{
	uint64_t now = s->window_start.v, samples = s->samples_then;
	int changes = 0;
	for (int i = 0; i < seconds; i++) {
		uint32_t before = s->shift;
		now += SECOND;
		samples += (uint64_t)(bytes / (double)((uint64_t)INTERVAL << s->shift));
		spacing_update(s, (struct ns){now}, samples);
		changes += s->shift != before;
	}
	return changes;
}

static struct spacing begin(uint64_t interval, uint64_t bound)
{
	struct spacing s;
	spacing_init(&s, interval, 0, bound, (struct ns){7});
	return s;
}

TEST(wider_at_once_and_narrower_step_by_step)
{
	struct spacing s = begin(INTERVAL, BOUND);
	allocate(&s, 1e9, 5);
	EXPECT_INT(0, s.shift);
	EXPECT_INT(1, allocate(&s, 13e9, 5));
	EXPECT_INT(3, s.shift); /* 24 800 a second: 3 100 */
	EXPECT_INT(1, allocate(&s, 2.5e9, 1));
	EXPECT_INT(2, s.shift);
	allocate(&s, 1e8, 10);
	EXPECT_INT(0, s.shift);
}

/* Beside exact counts; without them as it would have been, or not so close where many samples came.
 */
TEST(fewer_beside_counts)
{
	struct spacing s;
	spacing_init(&s, INTERVAL, 1, FEW, (struct ns){7});
	EXPECT_INT(1, s.shift);
	EXPECT_INT(0, allocate(&s, 3e8, 10)); /* 286 a second */
	EXPECT_INT(1, allocate(&s, 1e8, 10));
	EXPECT_INT(0, s.shift);
	EXPECT_INT(1, allocate(&s, 2e9, 10));
	EXPECT_INT(3, s.shift); /* 477 */
	spacing_loosen(&s, BOUND);
	EXPECT_INT(0, s.shift);
	EXPECT_INT(0, allocate(&s, 2e9, 3)); /* 3 815 a second */
	spacing_init(&s, INTERVAL, 1, FEW, (struct ns){7});
	EXPECT_INT(1, allocate(&s, 4e9, 3));
	EXPECT_INT(4, s.shift); /* 477; without a wider interval 7 629 */
	spacing_loosen(&s, BOUND);
	EXPECT_INT(4, s.shift);
	EXPECT_INT(2, allocate(&s, 4e9, 10));
	EXPECT_INT(2, s.shift); /* 1 907 */
	allocate(&s, 1e8, 10);
	EXPECT_INT(0, s.shift);
	/* Who wants all stacks: it changes with the counts alone. */
	spacing_init(&s, INTERVAL, 1, 0, (struct ns){7});
	EXPECT_INT(0, allocate(&s, 30e9, 3));
	EXPECT_INT(1, s.shift);
	spacing_loosen(&s, 0);
	EXPECT_INT(0, s.shift);
}

TEST(nothing_before_a_second)
{
	struct spacing s = begin(INTERVAL, BOUND);
	spacing_update(&s, (struct ns){6 + SECOND}, 1000000);
	EXPECT_INT(0, s.shift);
	spacing_update(&s, (struct ns){7 + SECOND}, 1000000);
	EXPECT(s.shift > 0);
}

/* Twice as fast and half as fast by turns, about any rate: it stays where it is. */
TEST(no_flutter)
{
	for (int i = 80; i < 110; i++) {
		double rate = pow(10, i / 10.0);
		struct spacing s = begin(INTERVAL, BOUND);
		int changes = 0;
		allocate(&s, 2 * rate, 3);
		for (int second = 0; second < 20; second++)
			changes += allocate(&s, second % 2 ? rate : 2 * rate, 1);
		EXPECT_INT(0, changes);
	}
}

TEST(no_further_than_16_mb)
{
	struct spacing s = begin(INTERVAL, BOUND);
	allocate(&s, 1e15, 3);
	EXPECT_INT(5, s.shift);
	static const uint64_t wide[] = {16 << 20, (16 << 20) - 1, 1ull << 40, 0};
	for (int i = 0; i < 4; i++) {
		s = begin(wide[i], BOUND);
		allocate(&s, 1e15, 3);
		EXPECT_INT(0, s.shift);
	}
}

TEST(where_there_is_no_bound_it_stays)
{
	struct spacing s = begin(INTERVAL, 0);
	allocate(&s, 1e15, 3);
	EXPECT_INT(0, s.shift);
}
