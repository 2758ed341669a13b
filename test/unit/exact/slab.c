#include "exact/slab.h"

#include <pthread.h>

#include "exact/pages.h"
#include "support/tap.h"

enum { PIECES = 64, THREADS = 4, ROUNDS = 20000, HELD = 8 };

TEST(all_pieces_and_no_more)
{
	struct slab s;
	void *at[PIECES];
	EXPECT_INT(0, slab_init(&s, 24, PIECES));
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < PIECES; i++) {
			at[i] = slab_take(&s);
			EXPECT(at[i] != NULL);
			memset(at[i], i, 24);
		}
		EXPECT(slab_take(&s) == NULL);
		EXPECT_INT(PIECES, slab_held(&s));
		for (int i = 0; i < PIECES; i++) {
			EXPECT_INT(i, *(uint8_t *)at[i]);
			EXPECT_INT(i, ((uint8_t *)at[i])[23]);
			slab_give(&s, at[i]);
		}
		EXPECT_INT(0, slab_held(&s));
	}
	slab_release(&s);
}

/* What was given back is there as if it had never been taken, and takes no memory. */
TEST(cleared)
{
	struct slab s;
	void *at[PIECES];
	EXPECT_INT(0, slab_init(&s, 8192, PIECES));
	uint64_t none = pages_resident();
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < PIECES; i++) {
			at[i] = slab_take(&s);
			EXPECT(at[i] != NULL);
			memset(at[i], 1, 8192);
		}
		EXPECT(pages_resident() >= none + (uint64_t)PIECES * 8192);
		for (int i = 0; i < PIECES; i++)
			slab_give(&s, at[i]);
		slab_clear(&s);
		EXPECT_INT(none, pages_resident());
	}
	slab_release(&s);
}

/* Each writes to what it has: two that had the same piece would see it. */
static void *hammer(void *arg)
{
	struct slab *s = arg;
	uint64_t *at[HELD] = {0}, self = (uint64_t)pthread_self(), twice = 0;
	for (uint64_t i = 0; i < ROUNDS; i++) {
		uint64_t **mine = &at[i * 7 % HELD];
		if (*mine) {
			twice += **mine != self;
			slab_give(s, *mine);
		}
		*mine = slab_take(s);
		if (*mine)
			**mine = self;
	}
	for (int i = 0; i < HELD; i++)
		if (at[i])
			slab_give(s, at[i]);
	return (void *)(uintptr_t)twice;
}

TEST(taken_by_one_thread_at_a_time)
{
	struct slab s;
	pthread_t threads[THREADS];
	EXPECT_INT(0, slab_init(&s, 8, THREADS * HELD - 5)); /* at times there is none */
	for (int i = 0; i < THREADS; i++)
		EXPECT_INT(0, pthread_create(&threads[i], NULL, hammer, &s));
	for (int i = 0; i < THREADS; i++) {
		void *twice;
		pthread_join(threads[i], &twice);
		EXPECT(twice == NULL);
	}
	EXPECT_INT(0, slab_held(&s));
	for (int i = 0; i < THREADS * HELD - 5; i++)
		EXPECT(slab_take(&s) != NULL);
	EXPECT(slab_take(&s) == NULL);
	slab_release(&s);
}
