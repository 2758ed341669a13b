#include "exact/heap_followed.h"

#include <string.h>

#include "support/tap.h"
#include "support/vm_heap.h"

enum {
	POINT = 1,
	LINE,
	CLASSES,
	WORDS = 1 << 12,
	YOUNG = 0,
	OLD = 1,
	REGIONS = 2,
	FIRST_OLD = WORDS / 2
};

static struct vm_name names[CLASSES];
static struct vm_klass classes[CLASSES];
static const void *const functions[] = {names};
static struct exact_site sites[CLASSES];
static struct births births;
static _Alignas(64) uint64_t heap[WORDS];
static struct vm_objects objects;
static struct tracing t;
static struct region regions[REGIONS] = {
	[YOUNG] = {.kind = REGION_SURVIVOR}, [OLD] = {.kind = REGION_OLD}};
static const struct heap_regions after = {.at = regions, .count = REGIONS, .room = REGIONS};

static uintptr_t address(size_t word)
{
	return (uintptr_t)&heap[word];
}

static void begin(void)
{
	static const char *const texts[] = {"", "Point", "Line"};
	static const int32_t layouts[] = {16, 24, 32};
	for (size_t i = 0; i < CLASSES; i++) {
		vm_name_set(&names[i], texts[i]);
		classes[i] = (struct vm_klass){
			.functions = functions, .layout = layouts[i], .name = &names[i]};
	}
	objects = vm_objects_made(classes, false);
	for (size_t i = 0; i < CLASSES; i++)
		sites[i].klass = (uint32_t)vm_narrow(&objects, &classes[i]);
	births.sites.at = sites;
	const struct heap_layout layout = {
		.collector = HEAP_SERIAL, .base = address(0), .bytes = sizeof(heap)};
	memset(&t, 0, sizeof(t));
	EXPECT_INT(0, witness_init(&t.witness, &objects, &births, &layout));
	EXPECT_INT(0, residents_init(&t.follow.residents, 1000, REGIONS, address(0)));
	t.follow.oracle = witness_oracle(&t.witness);
}

static void end(void)
{
	residents_release(&t.follow.residents);
	witness_release(&t.witness);
}

/* A followed one of a class, and so of its site. */
static void put(size_t word, uint32_t class, uint32_t survived)
{
	struct resident_pen pen = {0};
	const struct resident o = {address(word), class, survived};
	vm_object_put(&objects, &heap[word], &classes[class], 0);
	EXPECT(residents_add(&t.follow.residents, &pen, word < FIRST_OLD ? YOUNG : OLD, &o));
	residents_rest(&t.follow.residents, &pen);
}

TEST(those_that_were_met)
{
	struct heap_count count = {.forced = false};
	begin();
	put(0, POINT, 2);
	put(3, LINE, 2);
	put(7, POINT, 1);
	put(FIRST_OLD, POINT, 9);
	put(FIRST_OLD + 3, POINT, 9);
	struct heap_known known = heap_followed(&t);
	EXPECT_INT(0, heap_count_ask(&count, false, 0));
	known.begin(known.arg);
	EXPECT(known.meet(known.arg, address(0)));
	EXPECT(!known.meet(known.arg, address(0))); /* once */
	EXPECT(known.meet(known.arg, address(3)));
	EXPECT(!known.meet(known.arg, address(12))); /* nobody knows it */
	EXPECT(known.meet(known.arg, address(FIRST_OLD)));
	known.end(known.arg, &after, &count);
	EXPECT_INT(24, count.rows[POINT].young[1].bytes);
	EXPECT_INT(0, count.rows[POINT].young[0].objects); /* the walk left it out */
	EXPECT_INT(32, count.rows[LINE].young[1].bytes);
	EXPECT_INT(1, count.rows[POINT].old.objects);
	EXPECT(!known.meet(known.arg, address(FIRST_OLD + 3))); /* all bits are given back */
	heap_count_release(&count);
	end();
}

/* The collector has written over a dead one: what the walk meets there is another. */
TEST(one_that_is_written_over)
{
	struct heap_count count = {.forced = false};
	begin();
	put(FIRST_OLD, POINT, 3);
	vm_object_put(&objects, &heap[FIRST_OLD], &classes[LINE], 0);
	struct heap_known known = heap_followed(&t);
	EXPECT_INT(0, heap_count_ask(&count, false, 0));
	known.begin(known.arg);
	EXPECT(!known.meet(known.arg, address(FIRST_OLD)));
	known.end(known.arg, &after, &count);
	EXPECT_INT(0, count.rows[POINT].old.objects);
	heap_count_release(&count);
	end();
}
