#include "tenure/probing.h"

#include "support/tap.h"

enum { FIRST = 3, FULL = 1000 };

static uint32_t rounds_until(struct probing *p, enum probing_step step, uint64_t samples, bool low)
{
	uint32_t rounds = 1;
	while (probing_round(p, samples, low) != step && rounds < 1000)
		rounds++;
	return rounds;
}

TEST(ever_later_while_nothing_is_new)
{
	struct probing p;
	probing_init(&p, FIRST);
	EXPECT_INT(FIRST, rounds_until(&p, PROBING_NOW, 0, false));
	probing_kept(&p);
	EXPECT_INT(2 * FIRST, rounds_until(&p, PROBING_NOW, 0, false));
	for (int i = 0; i < 10; i++)
		probing_kept(&p);
	EXPECT_INT(256, rounds_until(&p, PROBING_NOW, 0, false));
	probing_changed(&p);
	EXPECT_INT(FIRST, rounds_until(&p, PROBING_NOW, 0, false));
}

TEST(what_a_file_brought_is_looked_at_soon)
{
	struct probing p;
	probing_init(&p, 100);
	probing_soon(&p);
	EXPECT_INT(4, rounds_until(&p, PROBING_NOW, 0, false));
	probing_kept(&p);
	EXPECT_INT(200, rounds_until(&p, PROBING_NOW, 0, false));
	probing_init(&p, FIRST);
	probing_soon(&p);
	EXPECT_INT(FIRST, rounds_until(&p, PROBING_NOW, 0, false));
}

/* And then as if it had not been. */
TEST(what_a_start_decided_is_looked_at_soon)
{
	struct probing p;
	probing_init(&p, 16);
	probing_early(&p);
	EXPECT_INT(4, rounds_until(&p, PROBING_NOW, 0, false));
	probing_kept(&p);
	EXPECT_INT(16, rounds_until(&p, PROBING_NOW, 0, false));
	probing_kept(&p);
	EXPECT_INT(32, rounds_until(&p, PROBING_NOW, 0, false));
	probing_early(&p);
	probing_changed(&p);
	EXPECT_INT(16, rounds_until(&p, PROBING_NOW, 0, false));
	probing_kept(&p);
	EXPECT_INT(32, rounds_until(&p, PROBING_NOW, 0, false));
}

TEST(what_an_earlier_run_trusted_is_looked_at_when_that_would_have)
{
	struct probing p;
	probing_init(&p, 16);
	probing_trust(&p, 64);
	EXPECT_INT(64, rounds_until(&p, PROBING_NOW, 0, false));
	probing_kept(&p);
	EXPECT_INT(128, rounds_until(&p, PROBING_NOW, 0, false));
	probing_trust(&p, 3);
	EXPECT_INT(16, rounds_until(&p, PROBING_NOW, 0, false));
	probing_trust(&p, 1000);
	EXPECT_INT(256, rounds_until(&p, PROBING_NOW, 0, false));
}

TEST(it_waits_for_samples)
{
	struct probing p;
	probing_init(&p, FIRST);
	probing_decided(&p, FULL);
	EXPECT_INT(FIRST, rounds_until(&p, PROBING_SAMPLE, 5, true));
	EXPECT_INT(PROBING_NOT_YET, probing_round(&p, 5, false));
	EXPECT_INT(PROBING_NOT_YET, probing_round(&p, 200, false));
	EXPECT_INT(PROBING_NOW, probing_round(&p, 300, false));
}

TEST(but_not_for_ever)
{
	struct probing p;
	probing_init(&p, FIRST);
	probing_decided(&p, FULL);
	EXPECT_INT(FIRST + 4, rounds_until(&p, PROBING_NOW, 5, false));
}

TEST(changes_are_looked_at_ever_later_where_they_are_only_swaying)
{
	struct probing p;
	static const uint32_t deaf[] = {0, 8, 16, 32, 64, 64, 64};
	probing_init(&p, 200);
	for (size_t i = 0; i < 7; i++) {
		EXPECT(probing_ask(&p) == !deaf[i]);
		EXPECT_INT(deaf[i] + 1, rounds_until(&p, PROBING_NOW, 0, false));
		probing_kept(&p);
	}
	/* Where there is no change the plain ones are as far apart as ever. */
	EXPECT_INT(200, rounds_until(&p, PROBING_NOW, 0, false));
	probing_changed(&p);
	EXPECT(probing_ask(&p));
	EXPECT_INT(1, rounds_until(&p, PROBING_NOW, 0, false));
}
