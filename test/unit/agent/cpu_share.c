#include "agent/cpu_share.h"

#include <errno.h>

#include "base/clock.h"
#include "support/tap.h"

#define SECOND 1000000000ull

static void add(struct cpu_share *s, struct thread_cpu *own, uint64_t ran, uint64_t waited)
{
	cpu_share_add(s, own, (struct ns){ran}, (struct ns){waited});
}

TEST(what_is_not_known_is_all)
{
	struct cpu_share s;
	cpu_share_init(&s);
	EXPECT_NEAR(1, cpu_share_update(&s), 0);
}

TEST(it_is_what_all_threads_ran_of_what_they_wanted)
{
	struct cpu_share s;
	struct thread_cpu a = {0}, b = {0};
	cpu_share_init(&s);
	add(&s, &a, 300, 100);
	add(&s, &b, 100, 500);
	EXPECT_NEAR(0.4, cpu_share_update(&s), 1e-12);
	EXPECT_NEAR(0.4, cpu_share_update(&s), 1e-12); /* nobody told anything */
	add(&s, &a, 600, 100);
	EXPECT_NEAR(1, cpu_share_update(&s), 1e-12);
	add(&s, &b, 100, 501);
	EXPECT_NEAR(0, cpu_share_update(&s), 1e-12);
}

/* What a thread did in an hour before it was first sampled says little of now. */
TEST(of_a_long_time_a_second_counts)
{
	struct cpu_share s;
	struct thread_cpu old = {0}, busy = {0};
	cpu_share_init(&s);
	add(&s, &old, 3000 * SECOND, 1000 * SECOND);
	add(&s, &busy, SECOND / 4, 3 * SECOND / 4);
	EXPECT_NEAR(0.5, cpu_share_update(&s), 1e-6);
}

TEST(what_goes_back_counts_for_nothing)
{
	struct cpu_share s;
	struct thread_cpu own = {.ran = {9}, .waited = {9}};
	cpu_share_init(&s);
	add(&s, &own, 5, 5);
	EXPECT_NEAR(1, cpu_share_update(&s), 0);
}

TEST(texts)
{
	static const struct {
		const char *text;
		bool is;
		uint64_t ran, waited;
	} rows[] = {{"671366439 1344889445 171\n", true, 671366439, 1344889445},
		{"0 0 0\n", true, 0, 0}, {"7 8", true, 7, 8}, {"", false, 0, 0}, {"7", false, 0, 0},
		{"\n", false, 0, 0}, {"x 7 8", false, 0, 0}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct ns ran, waited;
		EXPECT_INT(rows[i].is, cpu_share_parse(rows[i].text, &ran, &waited));
		if (!rows[i].is)
			continue;
		EXPECT_INT(rows[i].ran, ran.v);
		EXPECT_INT(rows[i].waited, waited.v);
	}
}

/* This thread, by the system; where it does not tell, nothing is said. */
TEST(a_thread_asks_once_a_second)
{
	struct cpu_share s;
	struct thread_cpu own = {0};
	cpu_share_init(&s);
	errno = ERANGE;
	cpu_share_ask(&s, &own, (struct ns){SECOND});
	EXPECT_INT(ERANGE, errno);
	uint64_t told = atomic_load(&s.ran), ran = own.ran.v;
	EXPECT(ran > 0 || told == 0);
	EXPECT(ran == 0 || told > 0);
	for (struct ns start = clock_cpu(); clock_cpu().v < start.v + 20000000;)
		;
	cpu_share_ask(&s, &own, (struct ns){2 * SECOND - 1});
	EXPECT_INT(ran, own.ran.v);
	cpu_share_ask(&s, &own, (struct ns){2 * SECOND});
	EXPECT(ran == 0 || own.ran.v > ran);
	EXPECT(cpu_share_update(&s) > 0);
}
