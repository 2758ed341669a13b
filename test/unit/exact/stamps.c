#include "exact/stamps.h"

#include "exact/aged_mark.h"
#include "exact/survivors.h"
#include "support/sim_spaces.h"
#include "support/census_read.h"
#include "support/tap.h"

enum { SEEDS = 60, PAUSES = 40 };

struct rig {
	struct sim_spaces heap;
	struct stamps stamps;
	struct heap_regions before, after;
	struct census census;
	bool deaf; /* nobody tells of young collections */
};

static struct rig rig;

static void young_begins(void *arg)
{
	struct rig *r = arg;
	enum stamps_young young;
	if (!r->deaf && stamps_young_look(&r->stamps, &young))
		stamps_young(&r->stamps);
}

static void full_begins(void *arg)
{
	struct rig *r = arg;
	enum stamps_young young;
	if (stamps_full_look(&r->stamps, &young))
		stamps_full(&r->stamps);
}

static struct rig *begin(uint64_t seed)
{
	struct rig *r = &rig;
	*r = (struct rig){.deaf = false};
	sim_spaces_init(&r->heap, seed);
	r->heap.young_begins = young_begins;
	r->heap.full_begins = full_begins;
	r->heap.arg = r;
	EXPECT_INT(0, heap_regions_init(&r->before, &r->heap.layout));
	EXPECT_INT(0, heap_regions_init(&r->after, &r->heap.layout));
	EXPECT_INT(0, census_init(&r->census));
	r->census.first = SITE_FIRST;
	r->stamps = (struct stamps){.layout = &r->heap.layout,
		.objects = &r->heap.objects,
		.before = &r->before,
		.part = &r->before,
		.gaps = {.list = (uintptr_t)&r->heap.thread_list},
		.hash = seed + 1,
		.parts = true};
	EXPECT_INT(0, heap_regions_init(&r->stamps.now, &r->heap.layout));
	EXPECT_INT(0, heap_regions_init(&r->stamps.between, &r->heap.layout));
	return r;
}

static void end(struct rig *r)
{
	heap_regions_release(&r->before);
	heap_regions_release(&r->after);
	stamps_release(&r->stamps);
	census_release(&r->census);
}

static void pause_starts(struct rig *r)
{
	EXPECT_INT(0, heap_regions_read(&r->heap.layout, &r->before));
	stamps_start(&r->stamps);
}

/* The census of the pause, as the agent makes it. */
static void pause_ends(struct rig *r)
{
	EXPECT_INT(0, heap_regions_read(&r->heap.layout, &r->after));
	const struct region_walk walk = {&r->heap.layout, &r->heap.objects, NULL};
	struct survivors s = {&walk, &r->before, &r->after,
		heap_pause_kind(&r->heap.layout, &r->before, &r->after), &r->census, NULL, NULL, 0,
		0};
	census_clear(&r->census);
	for (size_t i = 0; i < r->after.count; i++)
		EXPECT_INT(0, s.pause == PAUSE_FULL ? survivors_look_full(&s, i, r->stamps.done)
						    : survivors_look(&s, i));
}

static void expect_counts(struct rig *r, const struct spaces_counts *want)
{
	uint64_t wrong = 0;
	for (uint32_t i = 0; i < SPACES_SITES; i++) {
		for (unsigned age = 0; age < SPACES_AGES; age++)
			for (int old = 0; old < 2; old++)
				wrong += census_read(&r->census, SITE_FIRST + i, age + 1, old)
						 .objects != want->of[i][age][old];
	}
	EXPECT_INT(0, wrong);
}

/* As the VM does it where memory runs out: young collections and full ones in turn, as many as it
 * takes; where a young one fails a full one follows at once. */
static void collect(struct rig *r)
{
	struct sim_spaces *h = &r->heap;
	uint64_t rounds = rng_below(&h->rng, 4);
	bool done = sim_spaces_young(h);
	if (rounds == 0 && done)
		return;
	for (uint64_t i = 0; i < rounds + !done; i++) {
		if (done && rng_below(&h->rng, 3))
			done = sim_spaces_young(h);
		sim_spaces_drop(h, 1 + (rng_below(&h->rng, 4) == 0));
		sim_spaces_full(h);
		done = rng_below(&h->rng, 4) > 0;
	}
}

static void turn(struct rig *r)
{
	struct sim_spaces *h = &r->heap;
	struct spaces_counts want = {.unknown = 0};
	sim_spaces_make(h, 40 + (unsigned)rng_below(&h->rng, 50));
	sim_spaces_drop(h, 2 + (unsigned)rng_below(&h->rng, 9));
	h->threshold = 1 + (uint32_t)rng_below(&h->rng, 15);
	pause_starts(r);
	collect(r);
	sim_spaces_end(h, &want);
	pause_ends(r);
	expect_counts(r, &want);
}

/* Held to what the heap knows of each object: how many pauses it has lived through. */
TEST(a_pause_is_one_collection_however_many_there_are_in_it)
{
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct rig *r = begin(tap_seed() + seed);
		for (int i = 0; i < PAUSES; i++)
			turn(r);
		end(r);
	}
}

/* One young, one full: what all fulls were before 24, and needs nobody to tell. */
static void one_full(struct rig *r, int young)
{
	struct spaces_counts want = {.unknown = 0};
	sim_spaces_make(&r->heap, 50);
	sim_spaces_drop(&r->heap, 10);
	pause_starts(r);
	for (int i = 0; i < young; i++)
		EXPECT(sim_spaces_young(&r->heap));
	sim_spaces_full(&r->heap);
	sim_spaces_end(&r->heap, &want);
	pause_ends(r);
	if (r->stamps.done)
		expect_counts(r, &want);
}

TEST(several_that_nobody_tells_of_are_not_followed)
{
	struct rig *r = begin(3);
	r->deaf = true;
	r->stamps.parts = false;
	one_full(r, 1);
	EXPECT(r->stamps.done);
	one_full(r, 2);
	EXPECT(!r->stamps.done);
	EXPECT_INT(0, r->census.count);
	one_full(r, 1);
	EXPECT(r->stamps.done);
	end(r);
}

TEST(a_second_full_one_may_have_had_a_young_one_before_it)
{
	struct rig *r = begin(4);
	r->deaf = true;
	r->stamps.parts = false;
	sim_spaces_make(&r->heap, 50);
	sim_spaces_drop(&r->heap, 10);
	pause_starts(r);
	sim_spaces_full(&r->heap);
	EXPECT(r->stamps.done);
	sim_spaces_full(&r->heap);
	EXPECT(!r->stamps.done);
	end(r);
}

TEST(an_identity_is_given_once)
{
	struct rig *r = begin(5);
	sim_spaces_make(&r->heap, 50);
	pause_starts(r);
	full_begins(r);
	uint64_t hash = 0, sum = 0;
	for (size_t i = 0; i < r->heap.count; i++) {
		struct spaces_object *o = &r->heap.all[i];
		hash += (*o->at & 7) == MARK_UNLOCKED && mark_hash(&r->heap.objects, *o->at) == 0;
		sum += *o->at;
	}
	EXPECT_INT(0, hash);
	full_begins(r);
	for (size_t i = 0; i < r->heap.count; i++)
		sum -= *r->heap.all[i].at;
	EXPECT_INT(0, sum);
	end(r);
}

/* Who is followed has an identity by then; a biased mark is its holder's, or will be made anew. */
TEST(where_locks_are_biased_ages_are_of_who_has_an_identity)
{
	enum { AGE = 3 << 3, KINDS = 4 };
	static const uint64_t marks[KINDS] = {1 | 77 << 8, 1, 5, 5 | 1 << 10};
	struct rig *r = begin(6);
	r->heap.objects.biased = true;
	r->heap.objects.sites = false;
	sim_spaces_make(&r->heap, 50);
	for (size_t i = 0; i < r->heap.count; i++)
		*r->heap.all[i].at = marks[i % KINDS] | AGE;
	pause_starts(r);
	full_begins(r);
	uint64_t wrong = 0;
	for (size_t i = 0; i < r->heap.count; i++)
		wrong += *r->heap.all[i].at !=
			 (marks[i % KINDS] | (i % KINDS == 0 ? AGE + AGE_ONE : AGE));
	EXPECT(r->heap.count >= KINDS);
	EXPECT_INT(0, wrong);
	end(r);
}
