#include "agent/probe_records.h"

#include <sys/mman.h>
#include <unistd.h>

#include "support/tap.h"
#include "support/vm_heap.h"

enum { SEGMENT = 4096, CODE = 64, END = 0x118, OTHER = 99 };

/* A code heap of two blobs: compiled code, and a stub that it calls. */
struct block {
	uint64_t length, used;
};
struct blob {
	struct block block;
	const char *name;
	int32_t size, frame_size;
	uintptr_t method;
	int32_t begin, end;
	uint8_t gap[SEGMENT - 48];
};
struct space {
	uintptr_t low, high;
};
struct code_heap {
	struct space memory, map;
	int32_t log;
};
static struct blob blobs[2];
static uint8_t map[2];
static struct code_heap heap, *heaps[] = {&heap};
static struct {
	int32_t length, gap;
	struct code_heap **data;
} array = {.length = 1, .data = heaps}, *array_at = &array;

/* One method, whose bytecode makes X at 0 and at 4, and Y at 8. */
enum { CLASS_X = 1, NAME_X, CLASS_Y, NAME_Y, NAME, ENTRIES };
static struct {
	int32_t length;
	uint8_t data[8];
} tags = {ENTRIES, {0, 7, 1, 7, 1, 1}};
static struct vm_name x, y, init;
static struct vm_klass class_x = {.layout = 16, .name = &x}, class_y = {.layout = 16, .name = &y};
static struct {
	const void *tags, *holder;
	int32_t length, gap;
	const void *entries[ENTRIES];
} pool = {&tags, &class_x, ENTRIES, 0,
	{NULL, (void *)(NAME_X << 16), &x, (void *)(NAME_Y << 16), &y, &init}};
static struct {
	const void *pool;
	uint16_t flags, code_bytes, name, descriptor;
	uint8_t code[16];
} of = {&pool, 0, 16, NAME, NAME,
	{0xbb, 0, CLASS_X, 0x59, 0xbb, 0, CLASS_X, 0x59, 0xbb, 0, CLASS_Y}};
static struct {
	const void *functions, *of;
} method = {NULL, &of};
static const void *method_at = &method; /* a jmethodID is where that is */

static struct code_map code;
static struct code_blobs code_blobs;
static struct vm_methods methods;
static struct probe_records records;

static void put_blob(size_t i, const char *name)
{
	blobs[i] = (struct blob){.block = {1, 1},
		.name = name,
		.size = SEGMENT - (int32_t)sizeof(struct block),
		.begin = CODE - (int32_t)sizeof(struct block),
		.end = SEGMENT - (int32_t)sizeof(struct block)};
}

static void begin(const char *compiled, const char *stub)
{
	vm_name_set(&x, "a/X");
	vm_name_set(&y, "a/Y");
	vm_name_set(&init, "<init>");
	put_blob(0, compiled);
	put_blob(1, stub);
	heap = (struct code_heap){{(uintptr_t)blobs, (uintptr_t)(blobs + 2)},
		{(uintptr_t)map, (uintptr_t)(map + 2)}, 12};
	code_blobs = (struct code_blobs){.heaps = (uintptr_t)&array_at,
		.array_data = 8,
		.segment_map = offsetof(struct code_heap, map),
		.segment_log = offsetof(struct code_heap, log),
		.space_high = 8,
		.block_bytes = sizeof(struct block),
		.block_used = 8,
		.size = 8,
		.frame_size = 12,
		.method = 16,
		.code_begin = 24,
		.code_end = 28,
		.code_is_offset = true};
	methods = (struct vm_methods){.objects = vm_objects_made(&class_x, false),
		.pools = {.holder = 8, .length = 16, .bytes = 24, .array_data = 4},
		.const_method = 8,
		.flags = 8,
		.code_bytes = 10,
		.name = 12,
		.descriptor = 14,
		.header = 16};
	static const struct method_ids ids; /* as up to 25 */
	records = (struct probe_records){.code = &code,
		.blobs = &code_blobs,
		.methods = &methods,
		.ids = &ids,
		.alloc = {END}};
	code_map_init(&code);
}

static uintptr_t pc_of(size_t offset)
{
	return (uintptr_t)&blobs[0] + CODE + offset;
}

static uint8_t *code_at(size_t offset)
{
	return (uint8_t *)&blobs[0] + CODE + offset;
}

/* A call of the stub that returns to the offset. */
static void put_call(size_t offset)
{
	int32_t distance = (int32_t)((uintptr_t)&blobs[1] + CODE - pc_of(offset));
	code_at(offset)[-5] = 0xe8;
	memcpy(code_at(offset) - 4, &distance, sizeof(distance));
}

/* cmp END(%r15), %r13; jae slow: the fast path is at `offset` + 9. */
static void put_check(size_t offset, uint8_t distance)
{
	memcpy(code_at(offset), (const uint8_t[]){0x4d, 0x3b, 0xaf, 0x18, 1, 0, 0, 0x73, distance},
		9);
}

struct given {
	size_t offset;
	int32_t bci;
};

/* All of the one method, called by another at bci 70, which is none. */
static void put_records(const struct given *given, uint32_t count)
{
	struct code_frame frames[8][2];
	struct code_place places[8];
	for (uint32_t i = 0; i < count; i++) {
		frames[i][0] = (struct code_frame){(uint64_t)(uintptr_t)&method_at, given[i].bci};
		frames[i][1] = (struct code_frame){0, 70};
		places[i] = (struct code_place){pc_of(given[i].offset), frames[i], 2};
	}
	EXPECT_INT(0, code_map_add(&code, pc_of(0), SEGMENT - CODE, OTHER, places, count));
}
#define PUT_RECORDS(...)                                                                           \
	put_records((const struct given[]){__VA_ARGS__},                                           \
		sizeof((const struct given[]){__VA_ARGS__}) / sizeof(struct given))

static void expect_place(size_t pc, const struct vm_klass *made, int32_t bci, uint32_t depth)
{
	struct code_frame got[CODE_MAP_DEPTH] = {{0}};
	uint64_t whose = 0;
	EXPECT_INT(depth, probe_records_find(&records, pc_of(pc), (uintptr_t)made, got, &whose));
	EXPECT_INT(bci, got[0].bci);
	EXPECT_INT(OTHER, whose);
}

static void end(void)
{
	code_map_release(&code);
}

TEST(the_slow_path_tells)
{
	begin("nmethod", "_new_instance_Java");
	put_check(0, 200); /* slow from 209 on, the other from 309 */
	put_check(20, 255 - 256 + 127);
	put_call(230);
	put_call(190);
	PUT_RECORDS({12, 4}, {40, 4}, {190, 4}, {215, 4}, {230, 0}, {300, 4});
	expect_place(60, &class_x, 4, 2); /* slow from 155 on */
	code_at(0)[8] = 120;
	memset(code_at(20), 0, 9);
	expect_place(15, &class_x, 4, 2); /* from 129 */
	memset(code_at(185), 0, 5);       /* no call there: the next */
	expect_place(15, &class_x, 0, 2);
	end();
}

/* Several places make X, one makes Y. */
TEST(the_only_one_of_its_class)
{
	begin("nmethod", "C2 Runtime new_instance");
	put_call(200);
	put_call(300);
	put_call(400);
	put_call(500);
	PUT_RECORDS({100, 4}, {200, 8}, {300, 0}, {400, 4}, {500, 8});
	expect_place(310, &class_y, 8, 2);
	expect_place(410, &class_y, 8, 2);
	expect_place(310, &class_x, 4, 2); /* the nearest, the next one first */
	expect_place(250, &class_x, 0, 2);
	end();
}

TEST(a_record_behind_the_bytecode)
{
	begin("nmethod", "other");
	PUT_RECORDS({100, 14}, {200, 8 + 3}, {300, 14});
	expect_place(150, &class_y, 8, 2);
	end();
}

/* What makes nothing of the class is believed, but never the object's own constructor. */
TEST(nothing_makes_it)
{
	begin("nmethod", "_new_instance_Java");
	PUT_RECORDS({100, 14}, {200, 15});
	expect_place(150, &class_y, 15, 2);
	expect_place(100, &class_y, 14, 2);
	expect_place(150, &class_x, 70, 1);
	records.stale_here = true;
	expect_place(100, &class_y, 15, 2);
	end();
}

/* Nothing of it is read: what the record itself says is believed. */
TEST(a_class_that_is_gone)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *gone = mmap(NULL, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct vm_klass nameless = {.layout = 16, .name = gone};
	begin("nmethod", "C2 Runtime new_instance");
	put_call(200);
	PUT_RECORDS({100, 14}, {200, 8}, {300, 14});
	expect_place(250, &class_y, 8, 2);
	expect_place(250, gone, 14, 2);
	expect_place(250, &nameless, 14, 2);
	end();
	munmap(gone, page);
}

TEST(code_that_is_gone)
{
	begin("other", "_new_instance_Java");
	put_check(0, 120);
	put_call(150);
	PUT_RECORDS({50, 14}, {150, 8});
	expect_place(20, &class_y, 8, 2); /* still near */
	expect_place(20, &class_x, 4, 2); /* which ends there */
	struct code_frame got[CODE_MAP_DEPTH];
	uint64_t whose;
	EXPECT_INT(0, probe_records_find(&records, 4096, (uintptr_t)&class_x, got, &whose));
	end();
}
