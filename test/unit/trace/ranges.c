#include "trace/ranges.h"

#include "base/rng.h"
#include "support/tap.h"

enum { ROUNDS = 400, MOST = 12, SPACE = 64 };

static bool naive_has(const struct range *list, size_t count, uint64_t address)
{
	for (size_t i = 0; i < count; i++)
		if (address >= list[i].from && address < list[i].to)
			return true;
	return false;
}

static enum ranges_part naive_part(
	const struct range *list, size_t count, uint64_t first, uint64_t last)
{
	uint64_t in = 0;
	for (uint64_t a = first; a <= last; a++)
		in += naive_has(list, count, a);
	return !in ? RANGES_NONE : in == last - first + 1 ? RANGES_WHOLE : RANGES_PART;
}

static void compare(const struct ranges *r, const struct range *list, size_t count)
{
	for (uint64_t a = 0; a < SPACE; a++) {
		EXPECT(naive_has(list, count, a) == ranges_has(r, a));
		for (uint64_t last = a; last < SPACE; last += 3) {
			enum ranges_part want = naive_part(list, count, a, last);
			EXPECT(want == ranges_part(r, a, last));
		}
	}
	for (size_t i = 1; i < r->list.count; i++)
		EXPECT(r->list.at[i - 1].to < r->list.at[i].from);
}

TEST(as_asking_each)
{
	struct rng rng = rng_init(tap_seed());
	for (int n = 0; n < ROUNDS; n++) {
		struct ranges r = {0};
		struct range list[MOST];
		size_t count = rng_below(&rng, MOST);
		for (size_t i = 0; i < count; i++) {
			list[i].from = rng_below(&rng, SPACE - 1);
			list[i].to = list[i].from + 1 + rng_below(&rng, SPACE / 4);
			EXPECT_INT(0, ranges_add(&r, list[i].from, list[i].to));
		}
		ranges_settle(&r);
		compare(&r, list, count);
		ranges_release(&r);
	}
}

TEST(up_to_the_last_address)
{
	struct ranges r = {0};
	EXPECT_INT(0, ranges_add(&r, 8, UINT64_MAX));
	ranges_settle(&r);
	EXPECT(ranges_has(&r, UINT64_MAX - 1) && !ranges_has(&r, UINT64_MAX));
	EXPECT(ranges_part(&r, 8, UINT64_MAX - 1) == RANGES_WHOLE);
	EXPECT(ranges_part(&r, 0, UINT64_MAX) == RANGES_PART);
	ranges_release(&r);
}
