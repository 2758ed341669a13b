#include "base/slots.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/rng.h"
#include "support/tap.h"

enum { THINGS = 5000 };

static uint64_t things[THINGS + 1];

/* Few different ones: most have neighbours. */
static uint64_t hash_of(uint64_t thing)
{
	return thing % 97 * 11;
}

static uint32_t find(const struct slots *s, uint64_t thing)
{
	if (!s->room)
		return 0;
	size_t i = slots_home(s, hash_of(thing));
	while (s->at[i] && things[s->at[i]] != thing)
		i = slots_next(s, i);
	return s->at[i];
}

static uint32_t search(uint32_t count, uint64_t thing)
{
	for (uint32_t n = 1; n <= count; n++)
		if (things[n] == thing)
			return n;
	return 0;
}

static void add(struct slots *s, uint32_t *count, uint64_t thing)
{
	if (slots_tight(s, *count)) {
		EXPECT_INT(0, slots_grow(s));
		for (uint32_t n = 1; n <= *count; n++)
			slots_put(s, hash_of(things[n]), n);
	}
	things[++*count] = thing;
	slots_put(s, hash_of(thing), *count);
}

TEST(agrees_with_a_search)
{
	struct slots s = {NULL, 0};
	struct rng r = rng_init(tap_seed());
	uint32_t count = 0;
	for (int i = 0; i < THINGS; i++) {
		uint64_t thing = rng_below(&r, 3000);
		uint32_t want = search(count, thing);
		EXPECT_INT(want, find(&s, thing));
		if (!want)
			add(&s, &count, thing);
	}
	EXPECT(count > 1500 && s.room > 2000); /* it grew */
	EXPECT(count <= s.room / 4 * 3);
	for (uint32_t n = 1; n <= count; n++)
		EXPECT_INT(n, find(&s, things[n]));
	slots_release(&s);
}

TEST(out_of_memory)
{
	struct slots s = {NULL, 0};
	EXPECT(slots_tight(&s, 0));
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, slots_grow(&s));
	mem_fail_at(0);
	EXPECT_INT(0, slots_grow(&s));
	EXPECT(!slots_tight(&s, 0));
	slots_put(&s, 5, 7);
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, slots_grow(&s));
	mem_fail_at(0);
	EXPECT_INT(7, s.at[slots_home(&s, 5)]);
	slots_release(&s);
}
