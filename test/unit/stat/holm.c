#include "base/error.h"
#include "base/mem.h"
#include "stat/conflict.h"
#include "support/tap.h"

/* By hand: sorted 0.005 0.01 0.03 0.04 times 4 3 2 1, never falling. */
TEST(steps_down)
{
	double p[] = {0.04, 0.01, 0.03, 0.005};
	EXPECT_INT(0, holm_adjust(p, 4));
	EXPECT_NEAR(0.06, p[0], 1e-12);
	EXPECT_NEAR(0.03, p[1], 1e-12);
	EXPECT_NEAR(0.06, p[2], 1e-12);
	EXPECT_NEAR(0.02, p[3], 1e-12);
}

TEST(stops_at_one_and_does_nothing_to_one)
{
	double p[] = {0.9, 0.8}, single = 0.3;
	EXPECT_INT(0, holm_adjust(p, 2));
	EXPECT_NEAR(1, p[0], 0);
	EXPECT_NEAR(1, p[1], 0);
	EXPECT_INT(0, holm_adjust(&single, 1));
	EXPECT_NEAR(0.3, single, 0);
	EXPECT_INT(0, holm_adjust(NULL, 0));
}

TEST(out_of_memory_leaves_them)
{
	double p[] = {0.01, 0.02};
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, holm_adjust(p, 2));
	mem_fail_at(0);
	EXPECT_NEAR(0.01, p[0], 0);
}
