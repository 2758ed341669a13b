#include "hotspot/objects.h"

#include "base/error.h"
#include "support/tap.h"
#include "support/vm_flag_table.h"
#include "support/vm_heap.h"

enum { POINT, BYTES, LONGS, MIRROR, CHUNK, FINAL, INTS, FILLER, FILLER_INTS, ODD, CLASSES };

static struct vm_name names[CLASSES];
static struct vm_klass classes[CLASSES];
static _Alignas(8) uint64_t memory[64];

static struct vm_objects made(bool compact)
{
	static const struct {
		const char *name;
		int32_t layout;
	} all[CLASSES] = {
		[POINT] = {"Point", 24},
		[BYTES] = {"[B", (int32_t)0xc0100800},
		[LONGS] = {"[J", (int32_t)0xc0100b03},
		[MIRROR] = {"java/lang/Class", 112 | 1},
		[CHUNK] = {"jdk/internal/vm/StackChunk", 64 | 1},
		[FINAL] = {"Final", 40 | 1},
		[INTS] = {"[I", (int32_t)0xc0100a02},
		[FILLER] = {"jdk/internal/vm/FillerObject", 16},
		[FILLER_INTS] = {"[Ljdk/internal/vm/FillerElement;", (int32_t)0xc0100a02},
		[ODD] = {"Odd", 0},
	};
	struct vm_objects o = vm_objects_made(classes, compact);
	for (size_t i = 0; i < CLASSES; i++) {
		vm_name_set(&names[i], all[i].name);
		classes[i] = (struct vm_klass){.layout = all[i].layout, .name = &names[i]};
	}
	o.class_klass = (uintptr_t)&classes[MIRROR];
	o.chunk_name = (uintptr_t)&names[CHUNK];
	o.filler_name = (uintptr_t)&names[FILLER];
	o.ints_name = (uintptr_t)&names[INTS];
	return o;
}

static size_t bytes_of(const struct vm_objects *o, int class, uint32_t length)
{
	vm_object_put(o, memory, &classes[class], length);
	uintptr_t klass = object_klass(o, (uintptr_t)memory);
	EXPECT(klass == (uintptr_t)&classes[class]);
	return object_bytes(o, (uintptr_t)memory, klass);
}

TEST(sizes)
{
	struct vm_objects o = made(false);
	EXPECT_INT(24, bytes_of(&o, POINT, 0));
	EXPECT_INT(40, bytes_of(&o, FINAL, 0));
	EXPECT_INT(16, bytes_of(&o, BYTES, 0));
	EXPECT_INT(24, bytes_of(&o, BYTES, 1));
	EXPECT_INT(24, bytes_of(&o, BYTES, 8));
	EXPECT_INT(32, bytes_of(&o, BYTES, 9));
	EXPECT_INT(16 + 8 * 1000, bytes_of(&o, LONGS, 1000));
	EXPECT_INT(0, bytes_of(&o, LONGS, UINT32_MAX)); /* no array is that long */
	EXPECT_INT(0, bytes_of(&o, ODD, 0));
}

TEST(instances_that_differ_in_size)
{
	struct vm_objects o = made(false);
	memory[2] = 14 | 0x7ull << 32; /* words at 16, and at 20 */
	EXPECT_INT(14 * 8, bytes_of(&o, MIRROR, 0));
	/* 7 words, and 14 bits in one more */
	EXPECT_INT(64 + 8 * (7 + 1), bytes_of(&o, CHUNK, 0));
	memory[2] = 33ull << 32;
	EXPECT_INT(64 + 8 * (33 + 2), bytes_of(&o, CHUNK, 0));
	o.oops_a_word_log = 0;
	EXPECT_INT(64 + 8 * (33 + 1), bytes_of(&o, CHUNK, 0));
	o.chunk_size = 0; /* not known: don't guess */
	EXPECT_INT(0, bytes_of(&o, CHUNK, 0));
	memory[2] = 0;
	EXPECT_INT(0, bytes_of(&o, MIRROR, 0));
	memory[2] = UINT32_MAX;
	EXPECT_INT(0, bytes_of(&o, MIRROR, 0));
}

/* Instances have it in their layout; what is computed is rounded up. */
TEST(objects_further_apart)
{
	struct vm_objects o = made(false);
	o.align = 32;
	EXPECT_INT(32, bytes_of(&o, BYTES, 16));
	EXPECT_INT(64, bytes_of(&o, BYTES, 17));
	EXPECT_INT(16 + 8 * 1000 + 16, bytes_of(&o, LONGS, 1000));
	memory[2] = 0x8ull << 32;
	EXPECT_INT(64 + 8 * (8 + 1) + 24, bytes_of(&o, CHUNK, 0));
}

TEST(how_far_apart)
{
	static const uint32_t behind[] = {16, 0x7f04}; /* an int, and what is another flag's */
	int64_t align = 16;
	struct vm_flag_row row = {&align, "ObjectAlignmentInBytes", FLAG_INTX, 0};
	struct vm_flags f = vm_flag_table(&row, 1);
	EXPECT_INT(16, vm_objects_align(&f));
	align = 48; /* nonsense */
	EXPECT_INT(8, vm_objects_align(&f));
	align = 0;
	EXPECT_INT(8, vm_objects_align(&f));
	memcpy(&align, behind, sizeof(align));
	EXPECT_INT(16, vm_objects_align(&f));
	f = vm_flag_table(&row, 0);
	EXPECT_INT(8, vm_objects_align(&f));
}

TEST(compact_headers)
{
	struct vm_objects o = made(true);
	EXPECT_INT(24, bytes_of(&o, POINT, 0));
	classes[BYTES].layout = (int32_t)0xc00c0800;
	EXPECT_INT(16, bytes_of(&o, BYTES, 4));
	EXPECT_INT(24, bytes_of(&o, BYTES, 5));
	/* One that has moved: its copy has the class. */
	vm_object_put(&o, &memory[8], &classes[POINT], 0);
	memory[0] = (uintptr_t)&memory[8] | MARK_FORWARDED;
	EXPECT(object_klass(&o, (uintptr_t)memory) == (uintptr_t)&classes[POINT]);
	EXPECT(mark_forwarded(memory[0]) == (uintptr_t)&memory[8]);
	EXPECT(mark_forwarded(memory[8]) == 0);
	/* One that could not be moved has it itself. */
	memory[8] |= 7;
	EXPECT(object_klass(&o, (uintptr_t)&memory[8]) == (uintptr_t)&classes[POINT]);
}

/* Headers of 16 bytes, with the whole address; an array's length is behind them. */
TEST(classes_that_are_not_compressed)
{
	struct vm_objects o = made(false);
	o.wide = true;
	o.header = o.array_length = 16;
	EXPECT_INT(24, bytes_of(&o, POINT, 0));
	EXPECT_INT(
		(uint32_t)(uintptr_t)&classes[POINT], object_class_number(&o, (uintptr_t)memory));
	memory[1]++;
	EXPECT(object_klass(&o, (uintptr_t)memory) == 0);
	memory[1] = 0;
	EXPECT(object_klass(&o, (uintptr_t)memory) == 0);
	classes[BYTES].layout = (int32_t)0xc0140800;
	EXPECT_INT(24, bytes_of(&o, BYTES, 4));
	EXPECT_INT(32, bytes_of(&o, BYTES, 5));
	classes[LONGS].layout = (int32_t)0xc0180b03;
	EXPECT_INT(24 + 8 * 1000, bytes_of(&o, LONGS, 1000));
}

TEST(no_class)
{
	struct vm_objects o = made(false);
	vm_object_put(&o, memory, &classes[POINT], 0);
	memory[1] = 0;
	EXPECT(object_klass(&o, (uintptr_t)memory) == 0);
	memory[1] = vm_narrow(&o, &classes[POINT]) + 4;
	EXPECT(object_klass(&o, (uintptr_t)memory) == 0);
}

TEST(names)
{
	struct vm_objects o = made(false);
	char text[64];
	EXPECT_INT(15, klass_name(&o, (uintptr_t)&classes[MIRROR], text, sizeof(text)));
	EXPECT_STR("java/lang/Class", text);
	EXPECT_INT(15, klass_name(&o, (uintptr_t)&classes[MIRROR], text, 5));
	EXPECT_STR("java", text);
	EXPECT_INT(15, klass_name(&o, (uintptr_t)&classes[MIRROR], text, 0));
	EXPECT_STR("java", text);
}

TEST(fillers)
{
	struct vm_objects o = made(false);
	for (int i = 0; i < CLASSES; i++)
		EXPECT_INT(i == FILLER || i == FILLER_INTS,
			klass_is_filler(&o, (uintptr_t)&classes[i]));
	/* A release that has none: an int[] is one of the program's. */
	o.filler_name = o.ints_name = 0;
	for (int i = 0; i < CLASSES; i++)
		EXPECT(!klass_is_filler(&o, (uintptr_t)&classes[i]));
}

static const uint64_t site = 0x2abcdeull << SITE_SHIFT, hash = 0x12345678ull << 8, age = 5 << 3;

static void expect_all(const struct vm_objects *o, uint64_t mark)
{
	EXPECT_INT(0x2abcde, mark_site(o, mark));
	EXPECT_INT(0x12345678, mark_hash(o, mark));
	EXPECT_INT(5, mark_age(o, mark));
}

TEST(marks_that_are_elsewhere)
{
	struct vm_objects o = made(false);
	uint64_t mark = site | hash | age | MARK_UNLOCKED;
	_Alignas(8) uint64_t monitor[2] = {0, mark}, lock[1] = {mark};
	o.monitor_header = 8;
	expect_all(&o, mark);
	expect_all(&o, (uintptr_t)lock | MARK_STACK_LOCKED);
	expect_all(&o, (uintptr_t)monitor | MARK_MONITOR);
	/* A lock that is being turned into a monitor, and an object that has moved. */
	EXPECT_INT(0, mark_site(&o, 0));
	EXPECT_INT(0, mark_site(&o, (uintptr_t)monitor | MARK_FORWARDED));
}

TEST(marks_that_stay_in_place)
{
	struct vm_objects o = made(false);
	o.stack_locks = false;
	o.monitor_table = true;
	expect_all(&o, site | hash | age | MARK_STACK_LOCKED);
	expect_all(&o, site | hash | age | MARK_MONITOR);
}

TEST(biased_marks_have_no_site)
{
	struct vm_objects o = made(false);
	o.biased = true;
	EXPECT_INT(0, mark_site(&o, site | 0x5000 | age | 5));
	EXPECT_INT(0, mark_hash(&o, site | 0x5000 | age | 5));
	EXPECT_INT(5, mark_age(&o, site | 0x5000 | age | 5));
}

/* The age stays; an epoch, where a hash will be, goes. */
TEST(marks_that_are_biased_to_nobody)
{
	struct vm_objects o = made(false);
	enum { NOBODY = 5, EPOCH = 1 << 8, HOLDER = 1 << 10 };
	EXPECT_INT(0, mark_unbiased(&o, NOBODY)); /* a VM without them */
	o.biased = true;
	EXPECT_INT(age | 1, mark_unbiased(&o, age | NOBODY));
	EXPECT_INT(age | 1, mark_unbiased(&o, age | EPOCH | NOBODY));
	EXPECT_INT(0, mark_unbiased(&o, HOLDER | age | NOBODY));
	EXPECT_INT(0, mark_unbiased(&o, site | age | NOBODY));
	EXPECT_INT(0, mark_unbiased(&o, age | MARK_UNLOCKED));
	EXPECT_INT(0, mark_unbiased(&o, age | MARK_FORWARDED));
}

TEST(compact_marks_have_no_site)
{
	struct vm_objects o = made(true);
	EXPECT_INT(0, mark_site(&o, site | MARK_UNLOCKED));
	EXPECT_INT(0x12345678, mark_hash(&o, site | 0x12345678ull << 11 | MARK_UNLOCKED));
}

TEST(a_library_that_tells_nothing)
{
	struct vm_objects o;
	struct diag d = {0};
	EXPECT_INT(ERR_UNSUPPORTED, vm_objects_open(&o, &entry_names, &d));
	EXPECT_STR("this VM does not tell where Klass::_layout_helper is", d.text);
}
