#include "exact/birth_slots.h"

#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "support/tap.h"

static birth_set narrow[BIRTH_SETS];
static uint16_t narrow_used[BIRTH_SETS];

/* As a thread does: the newcomer first, the last one out. */
static void put(struct birth_slots *s, uint64_t key, uint32_t klass, uint32_t site)
{
	uint64_t tag = birth_tag(key, klass);
	uint32_t at = birth_slots_at(s, tag);
	struct birth_slot *set = s->sets[at];
	if (!set[0].site)
		birth_slots_began(s, at);
	set[1] = set[0];
	set[0] = (struct birth_slot){.tag = tag, .objects = site * 10, .bytes = site};
	set[0].site = site;
}

static struct birth_slots begin(void)
{
	struct birth_slots s;
	memset(narrow, 0, sizeof(narrow));
	birth_slots_use(&s, narrow, narrow_used, BIRTH_SETS);
	return s;
}

static uint64_t objects_in(const struct birth_slots *s, uint32_t *slots)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < s->used_count; i++)
		for (int way = 0; way < BIRTH_WAYS; way++) {
			sum += s->sets[s->used[i]][way].objects;
			*slots += s->sets[s->used[i]][way].site != 0;
		}
	return sum;
}

TEST(all_is_there_in_the_wide_table)
{
	struct birth_wide *wide = mem_zalloc(1, sizeof(*wide));
	struct rng r = rng_init(tap_seed());
	struct birth_slots s = begin();
	for (uint32_t i = 1; i <= 5000; i++)
		put(&s, rng_u64(&r), 1 + (uint32_t)rng_below(&r, 50), i);
	struct birth_slots before = s;
	uint32_t slots = 0, then = 0;
	uint64_t sum = objects_in(&before, &slots);
	EXPECT(!birth_slots_wide(&s));
	birth_slots_widen(&s, wide);
	EXPECT(birth_slots_wide(&s));
	EXPECT_INT(sum, objects_in(&s, &then));
	EXPECT_INT(slots, then);
	unsigned wrong = 0;
	for (uint32_t i = 0; i < BIRTH_SETS * BIRTH_WAYS; i++) {
		const struct birth_slot *old = &narrow[i / BIRTH_WAYS][i % BIRTH_WAYS];
		const struct birth_slot *now = birth_slots_find(&s, old->tag, 0);
		wrong += old->site &&
			 (!now || now->site != old->site || now->objects != old->objects ||
				 now->bytes != old->bytes);
	}
	EXPECT_INT(0, wrong);
	mem_free(wide);
}

/* Those of one set that stay together keep their order: the older one goes first. */
TEST(the_older_of_two_stays_the_older)
{
	struct birth_wide *wide = mem_zalloc(1, sizeof(*wide));
	struct birth_slots s = begin();
	uint64_t first = 0x1000, second = first + (1ull << 48);
	put(&s, first, 7, 1);
	put(&s, second, 7, 2);
	birth_slots_widen(&s, wide);
	struct birth_slot *set = s.sets[birth_slots_at(&s, birth_tag(first, 7))];
	EXPECT(set[0].tag == birth_tag(second, 7) && set[1].tag == birth_tag(first, 7));
	EXPECT_INT(1, s.used_count);
	mem_free(wide);
}

TEST(what_is_never_met_is_left_behind)
{
	struct birth_wide *wide = mem_zalloc(1, sizeof(*wide));
	struct birth_slots s = begin();
	put(&s, 0x1000, 7, 1);
	s.sets[birth_slots_at(&s, birth_tag(0x1000, 7))][0].tag = 0;
	birth_slots_widen(&s, wide);
	EXPECT_INT(0, s.used_count);
	mem_free(wide);
}

TEST(both_tables_have_sets_for_all)
{
	struct birth_wide *wide = mem_zalloc(1, sizeof(*wide));
	struct rng r = rng_init(tap_seed());
	struct birth_slots s = begin();
	for (int t = 0; t < 2; t++) {
		uint32_t count = t ? BIRTH_WIDE_SETS : BIRTH_SETS, least = count, most = 0;
		for (int i = 0; i < 100000; i++) {
			uint32_t at = birth_slots_at(&s, birth_tag(rng_u64(&r), 9));
			least = at < least ? at : least;
			most = at > most ? at : most;
		}
		EXPECT_INT(0, least);
		EXPECT_INT(count - 1, most);
		birth_slots_widen(&s, wide);
	}
	mem_free(wide);
}
