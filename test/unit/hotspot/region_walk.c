#include "hotspot/region_walk.h"

#include "support/tap.h"
#include "support/vm_heap.h"

enum { POINT, FILLER, CLASSES, OBJECTS = 10, WORDS = OBJECTS * 3 };

static struct vm_name names[CLASSES];
static struct vm_klass classes[CLASSES];
static const void *const functions[] = {names};
static _Alignas(8) uint64_t memory[WORDS];
static struct vm_objects objects;

/* A heap with a table of one region, as G1's. */
static struct {
	uint64_t gap;
	uintptr_t *regions;
	uint64_t count;
} heap;
static uintptr_t region_table[1];
static uint64_t the_region;

static size_t seen;

static void see(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	EXPECT(arg == &seen && klass == (uintptr_t)&classes[POINT] && bytes == 24);
	EXPECT_INT((uintptr_t)memory + 48 * seen, address);
	seen++;
}

/* As the VM's: every second object is dead, by what it knows. */
static void vm_walk(void *region, void *closure)
{
	struct {
		void (**functions)(void *closure, uintptr_t object);
	} *c = closure;
	EXPECT(region == &the_region);
	for (size_t i = 0; i < OBJECTS; i += 2)
		c->functions[0](closure, (uintptr_t)&memory[3 * i]);
}

static struct heap_layout begin(enum heap_collector collector)
{
	static const char *const texts[] = {"Point", "jdk/internal/vm/FillerObject"};
	for (size_t i = 0; i < CLASSES; i++) {
		vm_name_set(&names[i], texts[i]);
		classes[i] =
			(struct vm_klass){.functions = functions, .layout = 24, .name = &names[i]};
	}
	objects = vm_objects_made(classes, false);
	objects.filler_name = (uintptr_t)&names[FILLER];
	for (size_t i = 0; i < OBJECTS; i++)
		vm_object_put(&objects, &memory[3 * i], &classes[i % 2 ? FILLER : POINT], 0);
	region_table[0] = (uintptr_t)&the_region;
	heap.regions = region_table;
	heap.count = 1;
	seen = 0;
	return (struct heap_layout){.collector = collector,
		.heap = (uintptr_t)&heap,
		.table_base = (uint32_t)((uintptr_t)&heap.regions - (uintptr_t)&heap),
		.table_length = (uint32_t)((uintptr_t)&heap.count - (uintptr_t)&heap)};
}

static struct region region(enum region_kind kind)
{
	return (struct region){.bottom = (uintptr_t)memory,
		.top = (uintptr_t)&memory[WORDS],
		.end = (uintptr_t)&memory[WORDS],
		.kind = (uint8_t)kind};
}

static uint64_t walk(const struct heap_layout *l, region_objects *g1, enum region_kind kind)
{
	struct region r = region(kind);
	struct heap_regions all = {.at = &r, .count = 1};
	struct region_walk w = {l, &objects, g1};
	uint64_t unread = 0;
	seen = 0;
	EXPECT(region_walk_can(&w) == (g1 || l->collector != HEAP_G1));
	region_walk(&w, &all, 0, r.top, see, &seen, &unread);
	return unread;
}

TEST(from_the_bottom)
{
	struct heap_layout l = begin(HEAP_PARALLEL);
	EXPECT_INT(0, walk(&l, NULL, REGION_OLD));
	EXPECT_INT(OBJECTS / 2, seen); /* the others are fillers */
	memory[3 * 4 + 1] = 0;         /* no class */
	EXPECT_INT((WORDS - 3 * 4) * 8, walk(&l, NULL, REGION_OLD));
	EXPECT_INT(2, seen);
}

TEST(by_the_vm)
{
	struct heap_layout l = begin(HEAP_G1);
	EXPECT_INT(0, walk(&l, vm_walk, REGION_OLD));
	EXPECT_INT(OBJECTS / 2, seen);
	EXPECT_INT(WORDS * 8, walk(&l, NULL, REGION_OLD));
	EXPECT_INT(0, seen);
}

/* What was made for who waits for the pause to end. */
TEST(humongous_and_not_written)
{
	struct heap_layout l = begin(HEAP_G1);
	EXPECT_INT(0, walk(&l, vm_walk, REGION_HUMONGOUS));
	EXPECT_INT(OBJECTS / 2, seen);
	memory[1] = 0;
	EXPECT_INT(0, walk(&l, vm_walk, REGION_HUMONGOUS));
	EXPECT_INT(0, seen);
}
