#include "analyze/ledger.h"

#include "base/error.h"
#include "base/rng.h"
#include "support/tap.h"

enum { SITES = 300, LIVES = 3 * WAITING_MAX + 100 };

static struct object any_object(struct rng *r)
{
	uint64_t site = rng_below(r, SITES);
	return (struct object){.site = (uint32_t)(rng_below(r, 2) ? site : site % 7),
		.size = 8 * rng_below(r, 100),
		.weight = 1 + (double)rng_below(r, 1000)};
}

static struct life any_life(struct rng *r)
{
	uint64_t age = rng_below(r, 40), clock = rng_below(r, 1000000);
	return (struct life){.died = rng_below(r, 10) > 0,
		.young = age,
		.full = age / 8,
		.full_clock = rng_below(r, 50),
		.full_found = rng_below(r, 2) > 0,
		.bytes = {clock, clock + rng_below(r, 100000)},
		.ns = {clock / 2, clock}};
}

static void expect_same_ages(const struct ages *want, const struct ages *got)
{
	EXPECT_INT(want->rows.count, got->rows.count);
	EXPECT(memcmp(&want->all, &got->all, sizeof(want->all)) == 0);
	for (size_t i = 0; i < want->rows.count && i < got->rows.count; i++)
		EXPECT(memcmp(&want->rows.at[i], &got->rows.at[i], sizeof(*want->rows.at)) == 0);
}

static void expect_same(struct tally *want, const struct tally *got)
{
	EXPECT_INT(0, tally_settle(want, 0));
	EXPECT(memcmp(&want->died, &got->died, sizeof(want->died)) == 0);
	EXPECT(memcmp(&want->untracked, &got->untracked, sizeof(want->untracked)) == 0);
	EXPECT(memcmp(&want->outlived, &got->outlived, sizeof(want->outlived)) == 0);
	for (int i = 0; i < MEASURES; i++) {
		expect_same_ages(&want->lives[i].young, &got->lives[i].young);
		expect_same_ages(&want->lives[i].full, &got->lives[i].full);
	}
	EXPECT_INT(want->bytes.rows.count, got->bytes.rows.count);
	EXPECT_INT(want->ns.rows.count, got->ns.rows.count);
}

/* To the last bit what adding each life when it comes would give. */
TEST(lives_that_waited_are_all_added_in_their_order)
{
	static struct tally want[SITES];
	struct rng r = rng_init(tap_seed());
	struct model m = {0};
	struct ledger l = {.clocks = CLOCKS_ALL};
	struct listener listener = ledger_listener(&l);
	for (int i = 0; i < LIVES; i++) {
		struct object o = any_object(&r);
		struct life life = any_life(&r);
		struct lived lived = {life, o.size, o.weight, DEATHS_COLLECTION, false, false};
		EXPECT_INT(0, tally_life(&want[o.site], &lived, CLOCKS_ALL));
		EXPECT_INT(0, life.died ? listener.on_death(&l, &m, &o, &life)
					: listener.on_untrack(&l, &m, &o, &life, UNTRACK_EVICTED));
	}
	EXPECT_INT(0, ledger_settle(&l, &m));
	EXPECT_INT(SITES, l.accounts.count);
	for (size_t i = 0; i < l.accounts.count; i++) {
		expect_same(&want[l.accounts.at[i].site], &l.accounts.at[i].tally);
		tally_release(&want[l.accounts.at[i].site]);
	}
	ledger_release(&l);
}

TEST(out_of_memory_is_told_at_any_allocation)
{
	for (uint64_t n = 1;; n++) {
		struct rng r = rng_init(tap_seed());
		struct model m = {0};
		struct ledger l = {.clocks = CLOCKS_ALL};
		struct listener listener = ledger_listener(&l);
		int err = 0;
		mem_fail_at(n);
		for (int i = 0; i < 200 && !err; i++) {
			struct object o = any_object(&r);
			struct life life = any_life(&r);
			err = listener.on_death(&l, &m, &o, &life);
		}
		err = err ? err : ledger_settle(&l, &m);
		mem_fail_at(0);
		ledger_release(&l);
		if (!err)
			break;
		EXPECT_INT(ERR_NOMEM, err);
	}
}
