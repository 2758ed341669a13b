#include "agent/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/rng.h"
#include "support/tap.h"

enum { DEPTH = 32 };

/* As the VM makes them: methods lie close to each other in memory, bcis are small. */
static void random_stack(struct rng *r, struct stack_frame *stack)
{
	for (int i = 0; i < DEPTH; i++)
		stack[i] = (struct stack_frame){
			0x7f00aa001000ull + 8 * rng_below(r, 3), (int32_t)rng_below(r, 4) - 1};
}

static bool same(const struct stack_frame *a, const struct stack_frame *b, uint32_t depth)
{
	for (uint32_t i = 0; i < depth; i++)
		if (a[i].vm_method != b[i].vm_method || a[i].bci != b[i].bci)
			return false;
	return true;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static size_t distinct(uint64_t *keys, size_t count)
{
	size_t found = 0;
	qsort(keys, count, sizeof(*keys), by_value);
	for (size_t i = 0; i < count; i++)
		found += i == 0 || keys[i] != keys[i - 1];
	return found;
}

/* Every stack of up to 5 frames out of 9: 66 430 stacks, as many keys. */
TEST(different_stacks_have_different_keys)
{
	enum { FRAMES = 9, MOST = 5, ALL = 1 + 9 + 81 + 729 + 6561 + 59049 };
	static uint64_t keys[ALL];
	size_t count = 0;
	for (uint32_t depth = 0, combinations = 1; depth <= MOST; depth++, combinations *= FRAMES)
		for (uint32_t n = 0; n < combinations; n++) {
			struct stack_frame stack[MOST];
			for (uint32_t i = 0, rest = n; i < depth; i++, rest /= FRAMES)
				stack[i] = (struct stack_frame){0x7f00aa001000ull + 8 * (rest % 3),
					(int32_t)(rest / 3 % 3) - 1};
			keys[count++] = stacks_key(7, stack, depth, false);
		}
	EXPECT_INT(ALL, count);
	EXPECT_INT(ALL, distinct(keys, count));
}

TEST(one_change_is_another_key)
{
	struct rng r = rng_init(tap_seed());
	for (int i = 0; i < 20000; i++) {
		struct stack_frame a[DEPTH], b[DEPTH];
		random_stack(&r, a);
		memcpy(b, a, sizeof(a));
		uint64_t at = rng_below(&r, DEPTH), from = rng_below(&r, DEPTH);
		b[at] = a[from];
		EXPECT_INT(same(a, b, DEPTH),
			stacks_key(3, a, DEPTH, false) == stacks_key(3, b, DEPTH, false));
		EXPECT(stacks_key(3, a, DEPTH, false) != stacks_key(4, a, DEPTH, false));
		EXPECT(stacks_key(3, a, DEPTH, false) != stacks_key(3, a, DEPTH, true));
		EXPECT(stacks_key(3, a, DEPTH, false) != stacks_key(3, a, DEPTH - 1, false));
	}
}

/* Against a model that forgets nothing: what is found is what was kept, and the last ways that were
 * kept in a row are there. */
TEST(found_as_kept)
{
	enum { KEYS = STACKS_ROOM * 2, STEPS = 100000 };
	struct stacks s = {0};
	struct rng r = rng_init(tap_seed());
	uint64_t held = mem_held();
	size_t hits = 0;
	EXPECT_INT(0, stacks_find(&s, 0));
	for (uint32_t i = 0; i < STEPS; i++) {
		uint32_t n = (uint32_t)rng_below(&r, KEYS);
		uint64_t key = hash64(n + 1);
		uint32_t site = stacks_find(&s, key);
		EXPECT(site == 0 || site == n + 1);
		hits += site != 0;
		if (!site)
			stacks_keep(&s, key, n + 1);
		EXPECT_INT(n + 1, stacks_find(&s, key));
	}
	EXPECT(hits > STEPS / 4);
	EXPECT(mem_held() - held < STACKS_ROOM * 20);
	stacks_release(&s);
	EXPECT_INT(held, mem_held());
}

/* Keys of one row: the last few stay, older ones go. */
TEST(the_oldest_of_a_row_goes)
{
	struct stacks s = {0};
	for (uint64_t i = 1; i <= 10; i++) {
		stacks_keep(&s, i * STACKS_ROOM + 5, (uint32_t)i);
		for (uint64_t k = 1; k <= i; k++)
			EXPECT_INT(
				k + STACKS_WAYS > i ? k : 0, stacks_find(&s, k * STACKS_ROOM + 5));
	}
	stacks_release(&s);
}

TEST(out_of_memory)
{
	struct stacks s = {0};
	mem_fail_at(1);
	stacks_keep(&s, 5, 9);
	mem_fail_at(0);
	EXPECT_INT(0, stacks_find(&s, 5));
	stacks_keep(&s, 5, 9);
	EXPECT_INT(9, stacks_find(&s, 5));
	stacks_release(&s);
}
