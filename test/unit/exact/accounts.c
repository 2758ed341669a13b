#include "exact/accounts.h"

#include <pthread.h>
#include <sched.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/rng.h"
#include "exact/pages.h"
#include "support/tap.h"

static struct accounts *open_ring(void)
{
	struct accounts *a = mem_alloc(sizeof(*a));
	EXPECT_INT(0, accounts_init(a));
	return a;
}

static void close_ring(struct accounts *a)
{
	accounts_release(a);
	mem_free(a);
}

/* Cell i of account n can be told from all others. */
static struct account_cell cell_of(uint64_t n, uint32_t i)
{
	return (struct account_cell){.site = (uint32_t)(n * 7 + i),
		.what = (uint8_t)(i % 4),
		.survived = (uint8_t)(n % 17),
		.objects = n << 20 | i,
		.bytes = hash64(n << 20 | i)};
}

static void put(struct accounts *a, uint64_t n, uint32_t cells)
{
	for (uint32_t i = 0; i < cells; i++) {
		struct account_cell c = cell_of(n, i);
		accounts_cell(a, &c);
	}
	accounts_put(a, &(struct account){.young = n, .births = n * 3, .cost = cells});
}

/* Takes the oldest, which must be account n. */
static bool take(struct accounts *a, uint64_t n)
{
	const struct account *got = accounts_next(a);
	bool good = got && got->young == n && got->births == n * 3 && got->cells == got->cost;
	for (uint32_t i = 0; good && i < got->cells; i++) {
		const struct account_cell want = cell_of(n, i), *c = accounts_at(a, got, i);
		good = c->site == want.site && c->what == want.what &&
		       c->survived == want.survived && c->objects == want.objects &&
		       c->bytes == want.bytes;
	}
	if (got)
		accounts_done(a);
	return good;
}

TEST(empty)
{
	struct accounts *a = open_ring();
	EXPECT(!accounts_next(a));
	EXPECT(accounts_room(a, 0));
	EXPECT(accounts_room(a, ACCOUNT_CELLS));
	EXPECT(!accounts_room(a, ACCOUNT_CELLS + 1));
	EXPECT(!accounts_room(a, UINT64_MAX));
	EXPECT(!accounts_room(a, 1ull << 32));
	put(a, 1, 0);
	EXPECT(take(a, 1));
	EXPECT(!accounts_next(a));
	close_ring(a);
}

TEST(full_of_accounts)
{
	struct accounts *a = open_ring();
	for (uint64_t n = 0; n < ACCOUNTS_ROOM; n++) {
		EXPECT(accounts_room(a, 1));
		put(a, n, 1);
	}
	EXPECT(!accounts_room(a, 0));
	EXPECT(take(a, 0));
	EXPECT(accounts_room(a, 1));
	put(a, ACCOUNTS_ROOM, 1);
	EXPECT(!accounts_room(a, 1));
	for (uint64_t n = 1; n <= ACCOUNTS_ROOM; n++)
		EXPECT(take(a, n));
	EXPECT(!accounts_next(a));
	close_ring(a);
}

TEST(full_of_cells)
{
	struct accounts *a = open_ring();
	put(a, 1, ACCOUNT_CELLS - 100);
	EXPECT(accounts_room(a, 100));
	EXPECT(!accounts_room(a, 101));
	put(a, 2, 100);
	EXPECT(accounts_room(a, 0));
	EXPECT(!accounts_room(a, 1));
	EXPECT(take(a, 1));
	EXPECT(accounts_room(a, ACCOUNT_CELLS - 100));
	EXPECT(!accounts_room(a, ACCOUNT_CELLS - 99));
	put(a, 3, ACCOUNT_CELLS - 100);
	EXPECT(take(a, 2));
	EXPECT(take(a, 3));
	EXPECT(accounts_room(a, ACCOUNT_CELLS));
	close_ring(a);
}

TEST(crowded_from_the_half_on)
{
	struct accounts *a = open_ring();
	for (uint64_t n = 0; n < ACCOUNTS_ROOM / 2; n++) {
		EXPECT(!accounts_crowded(a));
		put(a, n, 1);
	}
	EXPECT(accounts_crowded(a));
	EXPECT(take(a, 0));
	EXPECT(!accounts_crowded(a));
	put(a, ACCOUNTS_ROOM / 2, ACCOUNT_CELLS / 2 - ACCOUNTS_ROOM / 2);
	EXPECT(accounts_crowded(a));
	EXPECT(take(a, 1) && take(a, 2));
	EXPECT(!accounts_crowded(a));
	put(a, ACCOUNTS_ROOM / 2 + 1, 3);
	EXPECT(accounts_crowded(a));
	close_ring(a);
}

/* Positions are counted on, beyond 2^32 too. */
static void begin_at(struct accounts *a, uint32_t accounts, uint32_t cells)
{
	a->written = a->read = accounts;
	a->cells_written = a->cells_read = cells;
}

TEST(around_the_ring)
{
	struct accounts *a = open_ring();
	struct rng r = rng_init(tap_seed());
	uint64_t put_at = 0, taken = 0;
	begin_at(a, UINT32_MAX - 100, UINT32_MAX - 100000);
	while (taken < 3000) {
		uint32_t cells = (uint32_t)rng_below(&r, rng_below(&r, 10) ? 300 : 60000);
		if (rng_below(&r, 2) && accounts_room(a, cells))
			put(a, put_at++, cells);
		else if (accounts_next(a))
			EXPECT(take(a, taken++));
	}
	while (taken < put_at)
		EXPECT(take(a, taken++));
	EXPECT(!accounts_next(a));
	EXPECT(accounts_room(a, ACCOUNT_CELLS));
	close_ring(a);
}

/* What was read makes room at once: a ring that is read as it is written stays small. */
TEST(no_more_memory_than_was_waited_for)
{
	struct accounts *a = open_ring();
	uint64_t most = 0;
	for (uint64_t n = 0; n < 300; n += 2) {
		put(a, n, 5000);
		put(a, n + 1, 5000);
		EXPECT(take(a, n) && take(a, n + 1));
		uint64_t now = pages_resident();
		most = now > most ? now : most;
	}
	EXPECT(most >= 10000 * sizeof(struct account_cell));
	EXPECT(most <= 10000 * sizeof(struct account_cell) + 3 * 4096);
	close_ring(a);
}

enum { HANDED = 4000 };

static void *produce(void *arg)
{
	struct rng r = rng_init(7);
	for (uint64_t n = 0; n < HANDED; n++) {
		uint32_t cells = (uint32_t)rng_below(&r, 2000);
		while (!accounts_room(arg, cells))
			sched_yield();
		put(arg, n, cells);
	}
	return NULL;
}

TEST(one_writes_and_one_reads)
{
	struct accounts *a = open_ring();
	pthread_t thread;
	uint64_t wrong = 0;
	begin_at(a, UINT32_MAX - 1000, UINT32_MAX - 1000);
	EXPECT_INT(0, pthread_create(&thread, NULL, produce, a));
	for (uint64_t n = 0; n < HANDED;) {
		if (accounts_next(a))
			wrong += !take(a, n++);
		else
			sched_yield();
	}
	pthread_join(thread, NULL);
	EXPECT_INT(0, wrong);
	EXPECT(!accounts_next(a));
	close_ring(a);
}
