#include "exact/headcount.h"

#include "base/mem.h"
#include "base/rng.h"
#include "exact/aged_mark.h"
#include "support/census_read.h"
#include "support/tap.h"
#include "support/vm_heap.h"

/* G1's regions, full of objects of some sites, of which one thread and several count the same. */
enum { REGIONS = 64, WORDS = 3, OBJECTS = 300, SITES = 40, OBJECT = WORDS * 8, HELPERS = 3 };

static struct vm_name name;
static struct vm_klass klass;
static const void *const functions[] = {&name};

struct rig {
	struct vm_objects objects;
	struct heap_layout layout;
	struct region was[REGIONS], is[REGIONS];
	struct heap_regions before, after;
	struct region_walk walk;
	struct census census;
	struct survivors survivors;
	struct crew crew;
	struct headcount headcount;
	uint64_t memory[REGIONS][OBJECTS][WORDS];
};

static void fill(struct rig *r, size_t region, uint64_t seed)
{
	struct rng rng = rng_init(seed + region);
	for (size_t i = 0; i < OBJECTS; i++) {
		uint64_t *at = r->memory[region][i];
		vm_object_put(&r->objects, at, &klass, 0);
		*at |= (SITE_FIRST + rng_below(&rng, SITES)) << SITE_SHIFT |
		       (1 + rng_below(&rng, 15)) * AGE_ONE;
	}
}

static struct region region_of(struct rig *r, size_t i, enum region_kind kind)
{
	uintptr_t at = (uintptr_t)r->memory[i], end = at + sizeof(r->memory[i]);
	return (struct region){.bottom = at,
		.top = kind == REGION_FREE ? at : end,
		.end = end,
		.kind = (uint8_t)kind};
}

/* So many regions have survivors, every other one in the old generation. */
static void fill_all(struct rig *r, size_t regions, uint64_t seed)
{
	for (size_t i = 0; i < REGIONS; i++) {
		enum region_kind kind = i % 2 ? REGION_OLD : REGION_SURVIVOR;
		r->was[i] = region_of(r, i, REGION_FREE);
		r->is[i] = region_of(r, i, i < regions ? kind : REGION_FREE);
		fill(r, i, seed);
	}
}

static struct rig *begin(uint32_t helpers)
{
	struct rig *r = mem_zalloc(1, sizeof(*r));
	vm_name_set(&name, "Thing");
	klass = (struct vm_klass){.functions = functions, .layout = OBJECT, .name = &name};
	r->layout.collector = HEAP_G1;
	r->objects = vm_objects_made(&klass, false);
	r->before = (struct heap_regions){.at = r->was, .count = REGIONS, .room = REGIONS};
	r->after = (struct heap_regions){.at = r->is, .count = REGIONS, .room = REGIONS};
	r->walk = (struct region_walk){&r->layout, &r->objects, NULL};
	EXPECT_INT(0, census_init(&r->census));
	r->census.first = SITE_FIRST;
	r->survivors = (struct survivors){
		&r->walk, &r->before, &r->after, PAUSE_YOUNG, &r->census, NULL, NULL, 0, 0};
	crew_start(&r->crew, helpers);
	EXPECT_INT(0, headcount_init(&r->headcount, &r->crew));
	return r;
}

static void end(struct rig *r)
{
	crew_stop(&r->crew); /* its owner may stop it before */
	headcount_release(&r->headcount);
	census_release(&r->census);
	mem_free(r);
}

static void expect_same_cell(
	const struct rig *a, const struct rig *b, uint32_t site, unsigned survived, bool promoted)
{
	struct census_cell one = census_read(&a->census, site, survived, promoted);
	struct census_cell other = census_read(&b->census, site, survived, promoted);
	EXPECT_INT(one.objects, other.objects);
	EXPECT_INT(one.bytes, other.bytes);
}

static void expect_same(const struct rig *a, const struct rig *b)
{
	for (uint32_t site = SITE_FIRST; site < SITE_FIRST + SITES; site++)
		for (unsigned survived = 1; survived <= CENSUS_AGES; survived++) {
			expect_same_cell(a, b, site, survived, false);
			expect_same_cell(a, b, site, survived, true);
		}
	EXPECT_INT(a->census.unknown.objects, b->census.unknown.objects);
}

static uint64_t counted(struct rig *r)
{
	struct census_sums s = census_sum(&r->census);
	return s.young.objects + s.promoted.objects + r->census.unknown.objects;
}

/* One alone is the oracle; none is counted twice, nor left out. */
TEST(counts_what_one_alone_counts)
{
	struct rig *alone = begin(0), *many = begin(HELPERS);
	for (uint64_t round = 0; round < 20; round++) {
		size_t regions = 1 + (size_t)round * 3;
		fill_all(alone, regions, round);
		fill_all(many, regions, round);
		EXPECT_INT(0, headcount_take(&alone->headcount, &alone->survivors));
		EXPECT_INT(0, headcount_take(&many->headcount, &many->survivors));
		EXPECT_INT(regions * OBJECTS, counted(alone));
		EXPECT_INT(regions * OBJECTS, counted(many));
		expect_same(alone, many);
		census_clear(&alone->census);
		census_clear(&many->census);
	}
	end(alone);
	end(many);
}

/* Numbers of another recording are unknown to the helpers' counts too. */
TEST(of_another_recording)
{
	struct rig *r = begin(HELPERS);
	r->census.first = SITE_FIRST + SITES;
	for (uint64_t round = 0; round < 200; round++) { /* some of which the helpers come to */
		fill_all(r, REGIONS, round);
		EXPECT_INT(0, headcount_take(&r->headcount, &r->survivors));
		EXPECT_INT(REGIONS * OBJECTS, r->census.unknown.objects);
		EXPECT_INT(0, r->census.count);
		census_clear(&r->census);
	}
	end(r);
}

/* Whoever meets it: the whole can't be told. */
TEST(one_that_cannot_be_read)
{
	struct rig *r = begin(HELPERS);
	fill_all(r, REGIONS, 1);
	r->memory[REGIONS - 1][OBJECTS / 2][1] = 0;
	EXPECT(headcount_take(&r->headcount, &r->survivors) != 0);
	end(r);
}
