#include "analyze/waiting.h"

#include "base/error.h"
#include "base/rng.h"
#include "support/tap.h"

static void expect_order(const struct waiting *w, const uint32_t *order)
{
	for (size_t i = 1; i < w->lives.count; i++) {
		uint32_t before = w->lives.at[order[i - 1]].account;
		uint32_t at = w->lives.at[order[i]].account;
		EXPECT(before < at || (before == at && order[i - 1] < order[i]));
	}
}

TEST(by_account_and_then_as_they_came)
{
	enum { ACCOUNTS = 50 };
	struct rng r = rng_init(tap_seed());
	for (size_t count = 0; count < 300; count += 1 + count / 3) {
		struct waiting w = {0};
		bool seen[300] = {false};
		for (size_t i = 0; i < count; i++) {
			struct waiting_life life = {.account = (uint32_t)rng_below(&r, ACCOUNTS)};
			EXPECT_INT(0, vec_push(&w.lives, life));
		}
		uint32_t *order = waiting_order(&w, ACCOUNTS);
		expect_order(&w, order);
		for (size_t i = 0; i < count; i++)
			seen[order[i]] = true;
		for (size_t i = 0; i < count; i++)
			EXPECT(seen[i]);
		mem_free(order);
		waiting_release(&w);
	}
}

TEST(out_of_memory)
{
	struct waiting w = {0};
	for (uint64_t n = 1; n <= 2; n++) {
		mem_fail_at(n);
		EXPECT(waiting_order(&w, 3) == NULL);
		mem_fail_at(0);
	}
}
