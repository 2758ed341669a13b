#include "agent/live.h"

#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "support/tap.h"

enum { ROOM = 200 };

/* What a table that never reuses anything would say of each tag ever given. */
struct model {
	struct {
		int64_t tag;
		uint64_t object;
		enum { ALIVE, GONE, LEAVING } state;
	} * entries;
	size_t count;
	uint32_t alive, leaving;
};

static void model_add(struct model *m, struct live *l)
{
	struct object_id object;
	if (live_is_full(l))
		return;
	int64_t tag = live_add(l, &object);
	EXPECT(tag > 0 && tag < 1ll << 62);
	EXPECT_INT(m->count + 1, object.v);
	m->entries[m->count].tag = tag;
	m->entries[m->count].object = object.v;
	m->entries[m->count++].state = ALIVE;
	m->alive++;
}

static void model_remove(struct model *m, struct live *l, size_t i)
{
	struct object_id object = {0};
	bool there = m->entries[i].state != GONE;
	EXPECT_INT(there, live_remove(l, m->entries[i].tag, &object));
	EXPECT_INT(there ? m->entries[i].object : 0, object.v);
	m->alive -= m->entries[i].state == ALIVE;
	m->leaving -= m->entries[i].state == LEAVING;
	if (there)
		m->entries[i].state = GONE;
}

static uint32_t model_choose(struct model *m, struct live *l, int64_t *tags)
{
	struct object_id objects[LIVE_BATCH];
	uint32_t count = live_choose(l, tags, objects);
	EXPECT(count <= LIVE_BATCH && count <= m->alive / 8 + 1);
	for (uint32_t i = 0; i < count; i++) {
		size_t entry = objects[i].v - 1;
		EXPECT_INT(m->entries[entry].tag, tags[i]);
		EXPECT_INT(ALIVE, m->entries[entry].state);
		m->entries[entry].state = LEAVING;
	}
	m->alive -= count;
	m->leaving += count;
	return count;
}

/* The end of one that was chosen: found and let go, or not found. It may have died meanwhile. */
static void model_leave(struct model *m, struct live *l, int64_t tag, bool found)
{
	struct object_id object;
	size_t i = m->count - 1; /* those that live were mostly born late */
	while (m->entries[i].tag != tag)
		i--;
	bool leaving = m->entries[i].state == LEAVING;
	if (found)
		EXPECT_INT(leaving, live_evicted(l, tag, &object));
	else
		live_keep(l, tag);
	m->leaving -= leaving;
	m->alive += leaving && !found;
	if (leaving)
		m->entries[i].state = found ? GONE : ALIVE;
}

/* Births, deaths, stale and made-up tags and evictions that take their time, in any order. */
TEST(agrees_with_a_model)
{
	enum { STEPS = 60000 };
	struct live l;
	struct model m = {.entries = mem_zalloc(STEPS, sizeof(*m.entries))};
	struct rng r = rng_init(tap_seed());
	int64_t tags[LIVE_BATCH];
	uint32_t chosen = 0;
	EXPECT_INT(0, live_init(&l, ROOM, tap_seed()));
	for (int i = 0; i < STEPS; i++) {
		struct object_id object;
		switch (rng_below(&r, 8)) {
		default:
			model_add(&m, &l);
			break;
		case 4:
		case 5:
			if (m.count)
				model_remove(&m, &l, rng_below(&r, m.count));
			break;
		case 6:
			EXPECT(!live_remove(&l, -(int64_t)rng_below(&r, 1u << 31), &object));
			EXPECT(!live_remove(
				&l, (int64_t)(rng_u64(&r) | 1ull << 60) & INT64_MAX, &object));
			break;
		case 7:
			for (uint32_t k = 0; k < chosen; k++)
				model_leave(&m, &l, tags[k], rng_below(&r, 4) > 0);
			chosen = chosen ? 0 : model_choose(&m, &l, tags);
			break;
		}
		EXPECT_INT(m.alive, l.count);
		EXPECT_INT(ROOM, l.count + l.free_count + m.leaving);
	}
	EXPECT(m.count > ROOM * 10);
	mem_free(m.entries);
	live_release(&l);
}

TEST(tight_before_full)
{
	struct live l;
	struct object_id object;
	EXPECT_INT(0, live_init(&l, 16, 1));
	for (int i = 0; i < 16; i++) {
		EXPECT_INT(i >= 14, live_is_tight(&l));
		EXPECT(!live_is_full(&l));
		live_add(&l, &object);
	}
	EXPECT(live_is_full(&l) && live_is_tight(&l));
	live_release(&l);
}

/* A slot used again has another tag: the old one means nobody. */
TEST(stale_tags)
{
	struct live l;
	struct object_id object;
	int64_t last = 0;
	EXPECT_INT(0, live_init(&l, 1, 1));
	for (int i = 0; i < 1000; i++) {
		int64_t tag = live_add(&l, &object);
		EXPECT(tag != last);
		EXPECT(live_follows(&l, tag) && !live_follows(&l, last));
		EXPECT(!live_remove(&l, last, &object));
		EXPECT(live_remove(&l, tag, &object));
		EXPECT(!live_remove(&l, tag, &object));
		EXPECT(!live_follows(&l, tag) && !live_follows(&l, 0));
		last = tag;
	}
	live_release(&l);
}

/* A table begun anew knows nothing of the tags of the one before. */
TEST(stale_tags_of_another_table)
{
	int64_t old[16];
	for (int i = 0; i < 3; i++) {
		struct live l;
		struct object_id object;
		EXPECT_INT(0, live_init(&l, ARRAY_SIZE(old), 1));
		for (size_t k = 0; k < ARRAY_SIZE(old); k++) {
			int64_t tag = live_add(&l, &object);
			EXPECT(i == 0 || !live_remove(&l, old[k], &object));
			old[k] = tag;
		}
		live_release(&l);
	}
}

/* All that are in the table, those on their way out too, each once, in batches. */
TEST(all_tags)
{
	enum { ALL = 1000 };
	struct live l;
	struct object_id object, objects[LIVE_BATCH];
	int64_t tags[LIVE_BATCH], chosen[LIVE_BATCH];
	uint32_t from = 0, batches = 0, got = 0;
	EXPECT_INT(0, live_init(&l, ALL, 1));
	EXPECT_INT(0, live_tags(&l, &from, tags));
	for (int i = 0; i < ALL; i++)
		tags[0] = live_add(&l, &object);
	EXPECT(live_remove(&l, tags[0], &object));
	EXPECT(live_choose(&l, chosen, objects) > 100);
	from = 0;
	for (uint32_t n; (n = live_tags(&l, &from, tags)) > 0; got += n, batches++)
		for (uint32_t i = 0; i < n; i++) {
			EXPECT(live_remove(&l, tags[i], &object));
			EXPECT(!live_remove(&l, tags[i], &object));
		}
	EXPECT_INT(ALL - 1, got);
	EXPECT_INT((ALL + LIVE_BATCH - 1) / LIVE_BATCH, batches);
	live_release(&l);
}

/* The greatest room that options allow still has a tag for every slot. */
TEST(the_greatest_room)
{
	struct live l;
	struct object_id object, back;
	EXPECT_INT(0, live_init(&l, LIVE_ROOM_MAX, 1));
	int64_t first = live_add(&l, &object);
	l.free[l.free_count - 1] = LIVE_ROOM_MAX - 1;
	int64_t last = live_add(&l, &object);
	EXPECT(first != last);
	EXPECT_INT(LIVE_ROOM_MAX, last & ((1 << LIVE_SLOT_BITS) - 1));
	EXPECT(live_remove(&l, last, &back));
	EXPECT_INT(object.v, back.v);
	live_release(&l);
}

/*
 * Whoever is alive is as likely as any other to be let go, wherever its slot and whenever it
 * came. Chi-square over the slots; batches are drawn without replacement, which only lowers it.
 */
TEST(eviction_is_at_random)
{
	enum { RUNS = 20000 };
	uint32_t hits[ROOM] = {0}, total = 0;
	for (uint64_t run = 0; run < RUNS; run++) {
		struct live l;
		struct object_id object, objects[LIVE_BATCH];
		int64_t tags[LIVE_BATCH];
		EXPECT_INT(0, live_init(&l, ROOM, tap_seed() + run));
		while (!live_is_full(&l))
			live_add(&l, &object);
		uint32_t count = live_choose(&l, tags, objects);
		for (uint32_t i = 0; i < count; i++)
			hits[objects[i].v - 1]++;
		total += count;
		live_release(&l);
	}
	EXPECT_INT(RUNS * ROOM / 8, total);
	double want = (double)total / ROOM, chi = 0;
	for (int i = 0; i < ROOM; i++)
		chi += ((double)hits[i] - want) * ((double)hits[i] - want) / want;
	/* 199 degrees of freedom, times 7/8 for the draw without replacement. */
	EXPECT_NEAR(199 * 0.875, chi, 5 * sqrt(2 * 199.0));
}

TEST(out_of_memory)
{
	uint64_t held = mem_held();
	for (uint64_t n = 1; n <= 2; n++) {
		struct live l;
		mem_fail_at(n);
		EXPECT_INT(ERR_NOMEM, live_init(&l, 100, 1));
		mem_fail_at(0);
	}
	EXPECT_INT(held, mem_held());
}
