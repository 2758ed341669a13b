#include "agent/moves.h"

#include <pthread.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/rng.h"
#include "support/tap.h"

enum { METHODS = 40, ROUNDS = 400 };

/* Instruction i stood at i, and stands `by` further on from `from` on. */
static struct moved_code *made(uint32_t by, uint32_t from)
{
	struct moved at[10];
	struct moved_method m = {.moved = at, .count = 10, .len = 10 + by};
	for (uint32_t i = 0; i < 10; i++)
		at[i] = (struct moved){i < from ? i : i + by, i};
	return moved_code_make(&m, by);
}

TEST(what_is_between_two_belongs_to_the_one_before)
{
	struct moved_code *c = made(4, 3);
	static const int32_t was[] = {0, 1, 2, 2, 2, 2, 2, 3, 4};
	for (int32_t now = 0; now < (int32_t)ARRAY_SIZE(was); now++)
		EXPECT_INT(was[now], moved_code_was(c, now));
	EXPECT_INT(9, moved_code_was(c, 1000));
	moved_code_drop(c);
	struct moved_method none = {.count = 0};
	c = moved_code_make(&none, 1);
	EXPECT_INT(0, moved_code_was(c, 5));
	moved_code_drop(c);
}

/* Instructions of one to three bytes, some of which have grown, or had something inserted behind
 * them: held against a search through all of them. */
TEST(each_instruction_is_where_it_was)
{
	enum { MOST = 60 };
	struct rng r = rng_init(tap_seed());
	for (int round = 0; round < 300; round++) {
		struct moved at[MOST];
		struct moved_method m = {.moved = at, .count = 1 + rng_below(&r, MOST)};
		uint32_t now = 0, was = 0;
		size_t runs = 1;
		for (size_t i = 0; i < m.count; i++) {
			uint32_t len = 1 + (uint32_t)rng_below(&r, 3);
			uint32_t more = rng_below(&r, 8) ? 0 : 1 + (uint32_t)rng_below(&r, 9);
			at[i] = (struct moved){now, was};
			runs += more && i + 1 < m.count;
			now += len + more;
			was += len;
		}
		struct moved_code *c = moved_code_make(&m, 1);
		EXPECT_INT(runs, c->count);
		for (size_t i = 0; i < m.count; i++) {
			EXPECT_INT(at[i].was, moved_code_was(c, (int32_t)at[i].now));
			/* Nothing but what was inserted lies that far behind it. */
			uint32_t end = i + 1 < m.count ? at[i + 1].now : now;
			if (end - at[i].now > 3)
				EXPECT_INT(at[i].was, moved_code_was(c, (int32_t)end - 1));
		}
		moved_code_drop(c);
	}
}

/* What each method should say: 0: nothing is known. */
static uint32_t truth[METHODS];

static void expect_truth(struct moves *m)
{
	struct moves_found f;
	for (uint64_t i = 0; i < METHODS; i++) {
		EXPECT_INT(truth[i] != 0, moves_find(m, i * 7919 % 977, 9, &f));
		if (!truth[i])
			continue;
		EXPECT_INT(truth[i], f.outline);
		EXPECT_INT(truth[i] + 10, f.len);
		EXPECT_INT(truth[i] > 9 ? 0 : 9 - truth[i], f.was);
	}
}

TEST(changes_replace_add_and_take_away)
{
	struct rng r = rng_init(tap_seed());
	struct moves m = {.now = NULL};
	for (int round = 0; round < ROUNDS; round++) {
		struct moves_change c[METHODS];
		size_t count = 0;
		for (uint64_t i = 0; i < METHODS; i++) {
			uint32_t by = (uint32_t)rng_below(&r, 5);
			if (rng_below(&r, 4))
				continue;
			truth[i] = by;
			c[count++] = (struct moves_change){i * 7919 % 977, by ? made(by, 0) : NULL};
		}
		EXPECT_INT(0, moves_change(&m, c, count));
		for (size_t i = 0; i < count; i++)
			moved_code_drop(c[i].code);
		expect_truth(&m);
	}
	moves_release(&m);
	EXPECT(!moves_find(&m, 0, 0, &(struct moves_found){0}));
}

TEST(no_memory_changes_nothing)
{
	struct moves m = {.now = NULL};
	struct moves_change c[] = {{5, made(1, 0)}, {6, NULL}};
	struct moves_found f;
	EXPECT_INT(0, moves_change(&m, c, 1));
	for (uint64_t fail = 1; fail <= 2; fail++) {
		struct moves_change away[] = {{5, NULL}};
		mem_fail_at(fail);
		EXPECT_INT(ERR_NOMEM, moves_change(&m, away, 1));
		mem_fail_at(0);
		EXPECT(moves_find(&m, 5, 1, &f) && f.was == 0);
	}
	moved_code_drop(c[0].code);
	moves_release(&m);
}

static struct moves shared;
static _Atomic bool over;
static _Atomic uint64_t wrong, reads;

/* len, outline and was are those of one version, whichever. */
static void *read_all(void *arg)
{
	(void)arg;
	while (!atomic_load(&over)) {
		struct moves_found f;
		if (!moves_find(&shared, 1, 9, &f))
			continue;
		atomic_fetch_add(&reads, 1);
		if (f.len != 10 + f.outline || f.was != 9 - (int32_t)f.outline)
			atomic_fetch_add(&wrong, 1);
	}
	return NULL;
}

/* Under a sanitizer, too: what is replaced is not read after it was freed. */
TEST(readers_see_one_version_or_another)
{
	pthread_t readers[2];
	for (int i = 0; i < 2; i++)
		EXPECT_INT(0, pthread_create(&readers[i], NULL, read_all, NULL));
	for (uint32_t i = 0; i < 20000 || atomic_load(&reads) < 1000; i++) {
		struct moves_change c = {1, i % 6 ? made(i % 6, 0) : NULL};
		EXPECT_INT(0, moves_change(&shared, &c, 1));
		moved_code_drop(c.code);
	}
	atomic_store(&over, true);
	for (int i = 0; i < 2; i++)
		pthread_join(readers[i], NULL);
	EXPECT_INT(0, atomic_load(&wrong));
	moves_release(&shared);
}
