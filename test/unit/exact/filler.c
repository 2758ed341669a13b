#include "exact/filler.h"

#include "exact/birth_mark.h"
#include "support/tap.h"
#include "support/vm_heap.h"

enum { OBJECT, INTS, BYTES, THING, CLASSES };

static struct vm_name names[CLASSES];
static struct vm_klass classes[CLASSES];
static const void *const functions[] = {names};
static _Alignas(8) uint64_t memory[4];

static struct vm_objects begin(void)
{
	static const char *const texts[] = {"java/lang/Object", "[I", "[B", "java/lang/Thing"};
	static const int32_t layouts[] = {16, (int32_t)0xc0100a02, (int32_t)0xc0100800, 16};
	for (int i = 0; i < CLASSES; i++) {
		vm_name_set(&names[i], texts[i]);
		classes[i] = (struct vm_klass){
			.functions = functions, .layout = layouts[i], .name = &names[i]};
	}
	return vm_objects_made(classes, false);
}

static bool is_one(const struct vm_objects *o, int class, uint64_t bits)
{
	vm_object_put(o, memory, &classes[class], 2);
	*memory |= bits;
	return filler_unnamed(o, (uintptr_t)memory, (uintptr_t)&classes[class]);
}

TEST(its_class)
{
	const struct vm_objects o = begin();
	EXPECT(is_one(&o, OBJECT, 0));
	EXPECT(is_one(&o, INTS, 0));
	EXPECT(!is_one(&o, BYTES, 0));
	EXPECT(!is_one(&o, THING, 0));
}

TEST(its_mark)
{
	const struct vm_objects o = begin();
	EXPECT(!is_one(&o, INTS, 1ull << SITE_SHIFT));
	EXPECT(!is_one(&o, INTS, 2)); /* forwarded */
}

/* From JDK 19 or so on it is told by that, and elsewhere. */
TEST(where_it_has_a_name)
{
	struct vm_objects o = begin();
	o.filler_name = (uintptr_t)&names[THING];
	EXPECT(!is_one(&o, OBJECT, 0));
	EXPECT(!is_one(&o, INTS, 0));
}
