#include "exact/witness.h"

#include "base/error.h"
#include "exact/pages.h"
#include "support/tap.h"
#include "support/vm_heap.h"

enum { POINT, BYTES, INTS, FILLER, CLASSES, WORDS = 1024, SITES = 4 };

static struct vm_name names[CLASSES];
static struct vm_klass classes[CLASSES];
static const void *const functions[] = {names};
static _Alignas(64) uint64_t heap[WORDS];
static struct exact_site sites[SITES];

struct rig {
	struct vm_objects objects;
	struct births births;
	struct witness witness;
	struct follow_oracle oracle;
};

static void make_classes(struct vm_objects *o, bool compact, bool old_fillers)
{
	static const char *const texts[] = {"Point", "[B", "[I", "jdk/internal/vm/FillerObject"};
	static const int32_t layouts[] = {24, (int32_t)0xc0100800, (int32_t)0xc0100a02, 16};
	for (size_t i = 0; i < CLASSES; i++) {
		vm_name_set(&names[i], texts[i]);
		classes[i] = (struct vm_klass){
			.functions = functions, .layout = layouts[i], .name = &names[i]};
	}
	*o = vm_objects_made(classes, compact);
	o->ints_name = (uintptr_t)&names[INTS];
	o->filler_name = old_fillers ? 0 : (uintptr_t)&names[FILLER];
}

static void rig_init(struct rig *r, bool compact, bool old_fillers)
{
	memset(heap, 0, sizeof(heap));
	make_classes(&r->objects, compact, old_fillers);
	r->births = (struct births){.sites = {.at = sites}};
	for (uint32_t i = 0; i < CLASSES - 1; i++)
		sites[i].klass = (uint32_t)vm_narrow(&r->objects, &classes[i]);
	EXPECT_INT(0,
		witness_init(&r->witness, &r->objects, &r->births, (uintptr_t)heap, sizeof(heap)));
	r->oracle = witness_oracle(&r->witness);
}

static uintptr_t address(size_t word)
{
	return (uintptr_t)&heap[word];
}

static uintptr_t where(struct rig *r, enum region_fate fate, size_t word)
{
	return r->oracle.where(r->oracle.arg, fate, address(word));
}

TEST(where_an_object_has_gone)
{
	struct rig r;
	rig_init(&r, false, false);
	vm_object_put(&r.objects, &heap[0], &classes[POINT], 0);
	vm_object_put(&r.objects, &heap[3], &classes[POINT], 0);
	heap[0] = address(100) | MARK_FORWARDED;
	EXPECT_INT(address(100), where(&r, FATE_EVACUATED, 0));
	EXPECT_INT(0, where(&r, FATE_EVACUATED, 3));
	EXPECT_INT(address(100), where(&r, FATE_KEPT, 0));
	EXPECT_INT(address(3), where(&r, FATE_KEPT, 3));
	witness_release(&r.witness);
}

/* point, filler over two dead ones, bytes, and one that has been moved away. */
TEST(where_evacuation_failed)
{
	for (int old = 0; old < 2; old++) {
		struct rig r;
		rig_init(&r, false, old);
		vm_object_put(&r.objects, &heap[0], &classes[POINT], 0);
		vm_object_put(&r.objects, &heap[3], &classes[INTS], 6);
		if (!old)
			vm_object_put(&r.objects, &heap[3], &classes[FILLER], 0);
		vm_object_put(&r.objects, &heap[5], &classes[old ? INTS : FILLER], 0);
		size_t next = old ? 8 : 7;
		vm_object_put(&r.objects, &heap[next], &classes[BYTES], 8);
		vm_object_put(&r.objects, &heap[next + 3], &classes[INTS], 2);
		heap[next + 3] |= 2ull << SITE_SHIFT; /* the program's own */
		EXPECT_INT(0, witness_look(&r.witness, address(0), address(next + 6)));
		EXPECT_INT(address(0), where(&r, FATE_FAILED, 0));
		EXPECT_INT(0, where(&r, FATE_FAILED, 3)); /* dead, where a filler begins */
		EXPECT_INT(0, where(&r, FATE_FAILED, 4)); /* in the middle of it */
		EXPECT_INT(address(next), where(&r, FATE_FAILED, next));
		EXPECT_INT(address(next + 3), where(&r, FATE_FAILED, next + 3));
		heap[4] = address(200) | MARK_FORWARDED;
		EXPECT_INT(address(200), where(&r, FATE_FAILED, 4));
		witness_forget(&r.witness);
		EXPECT_INT(0, where(&r, FATE_FAILED, 0));
		witness_release(&r.witness);
	}
}

TEST(a_region_that_can_not_be_read)
{
	struct rig r;
	rig_init(&r, false, false);
	vm_object_put(&r.objects, &heap[0], &classes[POINT], 0);
	EXPECT_INT(ERR_CORRUPT, witness_look(&r.witness, address(0), address(1)));
	EXPECT_INT(0, where(&r, FATE_FAILED, WORDS + 100));
	witness_release(&r.witness);
}

TEST(identities_of_free_marks_alone)
{
	for (int compact = 0; compact < 2; compact++) {
		struct rig r;
		rig_init(&r, compact, false);
		vm_object_put(&r.objects, &heap[0], &classes[POINT], 0);
		uint64_t mark = heap[0];
		EXPECT_INT(77, r.oracle.identify(r.oracle.arg, address(0), 77));
		EXPECT_INT(mark | 77ull << r.objects.hash_shift, heap[0]);
		EXPECT_INT(77, r.oracle.identify(r.oracle.arg, address(0), 78));
		uint64_t displaced = 1 | 99ull << r.objects.hash_shift;
		heap[0] = (uintptr_t)&displaced; /* locked, and had a hash */
		EXPECT_INT(99, r.oracle.identify(r.oracle.arg, address(0), 78));
		displaced = 1;
		EXPECT_INT(0, r.oracle.identify(r.oracle.arg, address(0), 78));
		EXPECT_INT(1, displaced);
		EXPECT_INT((uintptr_t)&displaced, heap[0]);
		witness_release(&r.witness);
	}
}

TEST(the_same_by_class)
{
	for (int compact = 0; compact < 2; compact++) {
		struct rig r;
		rig_init(&r, compact, false);
		vm_object_put(&r.objects, &heap[0], &classes[BYTES], 5);
		EXPECT(r.oracle.same(r.oracle.arg, BYTES, address(0)));
		EXPECT(!r.oracle.same(r.oracle.arg, POINT, address(0)));
		witness_release(&r.witness);
	}
}
