/* What all threads and the table hold is told once; and sites that go. */
#include "exact/birth_blocks.h"
#include "exact/birth_sites.h"
#include "support/tap.h"

enum { KLASS = 3, GONE = 4, SITES = 64 };

static void define(
	void *arg, struct exact_site *s, const struct birth *b, const struct birth_place *p)
{
	(void)arg, (void)b, (void)p;
	s->bytes1 = 16;
}

static struct births *begin(void)
{
	static const struct birth_oracle oracle = {.define = define};
	struct births *b = births_get();
	EXPECT_INT(0, births_open(b, &oracle, NULL));
	if (!births_here)
		birth_block_begin(b);
	return b;
}

struct sums {
	uint64_t objects[SITES], bytes[SITES], outside[SITES], visits;
};

static void add(void *arg, const struct birth_sum *s)
{
	struct sums *sums = arg;
	uint32_t i = s->site - births_get()->sites.first;
	EXPECT(i < SITES && s->objects);
	sums->objects[i] += s->objects;
	sums->bytes[i] += s->bytes;
	sums->outside[i] += s->outside_objects;
	sums->visits++;
}

static struct birth_slot *slot_of(struct births *b, uint64_t key, uint32_t klass)
{
	const struct birth_place p = {.key = key};
	return birth_slot_make(b, births_here, &(struct birth){0}, &p, klass);
}

static uint32_t number(const struct births *b, const struct birth_slot *s)
{
	return (s->site & SITE_MASK) - b->sites.first;
}

TEST(all_is_told_once)
{
	struct births *b = begin();
	struct sums sums = {.visits = 0};
	struct birth_slot *s = slot_of(b, 1000, KLASS);
	struct birth_walks *w = birth_block_walks(births_here);
	uint32_t i = number(b, s);
	s->objects = 5;
	birth_slot_put(b, &w->slots, 2000, KLASS, s->site & SITE_MASK)->objects = 6;
	birth_sums_add(&b->sums, &(struct birth_sum){s->site & SITE_MASK, 7, 700, 2, 200});
	births_take(b, add, &sums);
	EXPECT(sums.objects[i] == 18 && sums.bytes[i] == 5 * 16 + 6 * 16 + 700);
	EXPECT(sums.outside[i] == 2 && sums.visits == 3);
	births_take(b, add, &sums);
	EXPECT_INT(3, sums.visits);
	births_close(b);
}

static bool is_gone(void *arg, const struct exact_site *s)
{
	(void)arg;
	return s->klass == GONE;
}

/* Their counts are told still, and who comes to the place is new. */
TEST(sites_that_go)
{
	struct births *b = begin();
	struct sums sums = {.visits = 0};
	struct birth_slot *gone = slot_of(b, 1000, GONE), *stays = slot_of(b, 1001, KLASS);
	uint32_t was = number(b, gone), other = number(b, stays);
	gone->objects = 3;
	stays->objects = 4;
	EXPECT(births_forget(b, is_gone, NULL));
	EXPECT(!births_forget(b, is_gone, NULL));
	EXPECT(!birth_slots_find(&births_here->slots, 1000, GONE));
	EXPECT(birth_slots_find(&births_here->slots, 1001, KLASS));
	EXPECT(number(b, slot_of(b, 1000, GONE)) != was);
	births_take(b, add, &sums);
	EXPECT(sums.objects[was] == 3 && sums.bytes[was] == 48 && sums.objects[other] == 4);
	births_close(b);
}
