#include "agent/cpu_share.h"

#include "base/clock.h"
#include "support/tap.h"

#define SECOND 1000000000ull

TEST(it_is_of_the_last_window)
{
	static const struct {
		uint64_t passed, cpu;
		double share;
	} rows[] = {{SECOND - 1, 0, 1}, {SECOND, 0, 0}, {SECOND, SECOND / 4, 0.25},
		{SECOND, SECOND, 1}, {SECOND, 64 * SECOND, 1}, {8 * SECOND, SECOND, 0.125}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct cpu_share s;
		cpu_share_init(&s, (struct ns){7}, (struct ns){5});
		EXPECT_NEAR(rows[i].share,
			cpu_share_update(
				&s, (struct ns){7 + rows[i].passed}, (struct ns){5 + rows[i].cpu}),
			1e-12);
	}
}

TEST(a_window_is_no_shorter_than_a_second)
{
	struct cpu_share s;
	cpu_share_init(&s, (struct ns){0}, (struct ns){1});
	EXPECT_NEAR(
		0.5, cpu_share_update(&s, (struct ns){SECOND}, (struct ns){1 + SECOND / 2}), 1e-12);
	EXPECT_NEAR(
		0.5, cpu_share_update(&s, (struct ns){SECOND + 1}, (struct ns){9 * SECOND}), 1e-12);
	EXPECT_NEAR(
		1, cpu_share_update(&s, (struct ns){2 * SECOND}, (struct ns){9 * SECOND}), 1e-12);
}

/* A system that does not tell what was used holds nobody back. */
TEST(what_is_not_known_is_a_whole_core)
{
	struct cpu_share s;
	cpu_share_init(&s, (struct ns){0}, (struct ns){0});
	EXPECT_NEAR(1, cpu_share_update(&s, (struct ns){SECOND}, (struct ns){0}), 0);
	EXPECT_NEAR(1, cpu_share_update(&s, (struct ns){SECOND / 2}, (struct ns){0}), 0);
}

TEST(this_process_uses_some)
{
	struct ns before = clock_cpu();
	EXPECT(before.v > 0);
	while (clock_cpu().v == before.v)
		;
	EXPECT(clock_cpu().v > before.v);
}
