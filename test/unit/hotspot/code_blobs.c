#include "hotspot/code_blobs.h"

#include <stddef.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/rng.h"
#include "support/tap.h"

enum { SEGMENT = 128, SEGMENTS = 600 };

struct space {
	uintptr_t low, high;
};
struct code_heap {
	struct space memory, map;
	int32_t log;
};
struct block {
	uint64_t length;
	uint8_t used;
	uint8_t gap[7];
};
struct blob {
	const char *name;
	int32_t size, frame_size;
	uintptr_t begin, end;
	int32_t begin_at, end_at;
	uintptr_t method;
	uint32_t compilation;
};
struct array {
	int32_t length, gap;
	struct code_heap **data;
};

static _Alignas(16) uint8_t memory[SEGMENT * SEGMENTS];
static uint8_t map[SEGMENTS];
static struct code_heap heap, *heaps[] = {&heap};
static struct array array, *at = &array;

static struct code_blobs made(bool offsets)
{
	heap = (struct code_heap){.memory = {(uintptr_t)memory, (uintptr_t)memory + sizeof(memory)},
		.map = {(uintptr_t)map, (uintptr_t)map + sizeof(map)},
		.log = 7};
	array = (struct array){.length = 1, .data = heaps};
	memset(map, 255, sizeof(map));
	memset(memory, 0, sizeof(memory));
	return (struct code_blobs){.heaps = (uintptr_t)&at,
		.array_data = offsetof(struct array, data),
		.segment_map = offsetof(struct code_heap, map),
		.segment_log = offsetof(struct code_heap, log),
		.space_high = 8,
		.block_bytes = sizeof(struct block),
		.block_used = 8,
		.name = offsetof(struct blob, name),
		.size = offsetof(struct blob, size),
		.frame_size = offsetof(struct blob, frame_size),
		.code_begin =
			offsets ? offsetof(struct blob, begin_at) : offsetof(struct blob, begin),
		.code_end = offsets ? offsetof(struct blob, end_at) : offsetof(struct blob, end),
		.code_is_offset = offsets,
		.method = offsetof(struct blob, method),
		.compilation = offsetof(struct blob, compilation)};
}

/* A blob of so many segments, whose code begins 64 bytes after its head, and ends 8 before its end.
 */
static uintptr_t put(size_t first, size_t count, const char *name)
{
	struct block *k = (struct block *)(void *)&memory[first * SEGMENT];
	struct blob *b = (struct blob *)(void *)(k + 1);
	uintptr_t start = (uintptr_t)b;
	int32_t size = (int32_t)(count * SEGMENT - sizeof(*k));
	*k = (struct block){.length = count, .used = 1};
	*b = (struct blob){.name = name,
		.size = size,
		.frame_size = 6,
		.begin = start + 64,
		.end = start + (uintptr_t)size - 8,
		.begin_at = 64,
		.end_at = size - 8,
		.method = 4711,
		.compilation = 42};
	for (size_t i = 0; i < count; i++) /* the map goes back by 254 at most */
		map[first + i] = (uint8_t)(i == 0 ? 0 : (i - 1) % 254 + 1);
	return start;
}

TEST(the_blob_of_each_address)
{
	for (int offsets = 0; offsets < 2; offsets++) {
		struct code_blobs c = made(offsets);
		struct code_blob b;
		uintptr_t small = put(2, 3, "StubRoutines"), large = put(5, 590, "nmethod");
		uintptr_t end = small + 3 * SEGMENT - sizeof(struct block);
		for (uintptr_t pc = small + 64; pc < end - 8; pc++) {
			EXPECT_INT(0, code_blob_find(&c, pc, &b));
			EXPECT(b.begin == small + 64 && b.end == end - 8 && b.blob == small);
		}
		EXPECT(!b.is_nmethod && b.method == 0 && b.compilation == 0);
		EXPECT_INT(48, b.frame_bytes);
		EXPECT_STR("StubRoutines", b.name);
		EXPECT_INT(ERR_NOT_FOUND, code_blob_find(&c, small + 63, &b)); /* its head */
		EXPECT_INT(ERR_NOT_FOUND, code_blob_find(&c, end - 8, &b));
		/* Far into a large one, over several steps of the map. */
		EXPECT_INT(0, code_blob_find(&c, large + 589 * SEGMENT, &b));
		EXPECT(b.blob == large && b.is_nmethod && !b.is_native && b.method == 4711);
		EXPECT_INT(42, b.compilation);
	}
}

TEST(where_there_is_none)
{
	struct code_blobs c = made(true);
	struct code_blob b;
	uintptr_t blob = put(2, 3, "native nmethod");
	EXPECT_INT(0, code_blob_find(&c, blob + 100, &b));
	EXPECT(b.is_nmethod && b.is_native);
	EXPECT_INT(ERR_NOT_FOUND, code_blob_find(&c, (uintptr_t)memory, &b)); /* free */
	EXPECT_INT(ERR_NOT_FOUND, code_blob_find(&c, (uintptr_t)memory - 1, &b));
	EXPECT_INT(ERR_NOT_FOUND, code_blob_find(&c, (uintptr_t)memory + sizeof(memory), &b));
	memory[2 * SEGMENT + 8] = 0; /* no longer used */
	EXPECT_INT(ERR_NOT_FOUND, code_blob_find(&c, blob + 100, &b));
	at = NULL;
	EXPECT_INT(ERR_NOT_FOUND, code_blob_find(&c, blob + 100, &b));
	at = &array;
}

TEST(what_cannot_be)
{
	struct code_blobs c = made(true);
	struct code_blob b;
	uintptr_t blob = put(2, 3, "x");
	map[2] = 77; /* back beyond the heap's start */
	EXPECT_INT(ERR_NOT_FOUND, code_blob_find(&c, blob + 100, &b));
	put(2, 3, "x");
	heap.log = 40;
	EXPECT_INT(ERR_NOT_FOUND, code_blob_find(&c, blob + 100, &b));
	heap.log = 7;
	((struct blob *)blob)->end_at = 1 << 20;
	EXPECT_INT(ERR_NOT_FOUND, code_blob_find(&c, blob + 100, &b));
	put(2, 3, "x");
	((struct blob *)blob)->frame_size = -1;
	EXPECT_INT(0, code_blob_find(&c, blob + 100, &b));
	EXPECT_INT(0, b.frame_bytes);
}

static bool same(const struct code_blob *a, const struct code_blob *b)
{
	return a->blob == b->blob && a->begin == b->begin && a->end == b->end &&
	       a->frame_bytes == b->frame_bytes && a->is_nmethod == b->is_nmethod &&
	       a->is_native == b->is_native && a->method == b->method &&
	       a->compilation == b->compilation && a->name == b->name;
}

/* Code comes and goes, at other bounds and with other numbers: what is recalled is what is found.
 */
TEST(what_is_recalled_is_what_is_there)
{
	static const char *const names[] = {"nmethod", "native nmethod", "Interpreter", "n"};
	enum { PLACES = 10, EACH = 6, ROUNDS = 20000 };
	struct code_blobs c = made(true);
	struct code_blob_memo memo = {0};
	struct rng r = rng_init(tap_seed());
	uint32_t number = 42;
	unsigned found = 0, wrong = 0;
	for (int i = 0; i < ROUNDS; i++) {
		size_t place = rng_below(&r, PLACES), first = 1 + place * EACH;
		if (rng_below(&r, 8) == 0) { /* two blobs, or one over both, or none */
			size_t at_first = rng_below(&r, 2) * 3, count = at_first ? 3 : 6;
			((struct block *)(void *)&memory[first * SEGMENT])->used = 0;
			((struct block *)(void *)&memory[(first + 3) * SEGMENT])->used = 0;
			memset(map + first, 255, EACH);
			if (rng_below(&r, 4)) {
				uintptr_t blob = put(first + at_first, count,
					names[rng_below(&r, ARRAY_SIZE(names))]);
				((struct blob *)blob)->compilation = ++number;
				((struct blob *)blob)->frame_size = (int32_t)rng_below(&r, 9);
			}
		}
		struct code_blob is, got;
		uintptr_t pc = (uintptr_t)&memory[first * SEGMENT + rng_below(&r, EACH) * SEGMENT];
		int err = code_blob_find(&c, pc, &is);
		found += !err;
		wrong += err != code_blob_recall(&c, &memo, pc, &got) || !same(&is, &got);
	}
	EXPECT_INT(0, wrong);
	EXPECT(found > ROUNDS / 4);
}

TEST(a_library_that_tells_nothing)
{
	struct code_blobs c;
	struct diag d = {0};
	EXPECT_INT(ERR_UNSUPPORTED, code_blobs_open(&c, &map, &d));
	EXPECT_STR("this VM does not tell where GrowableArrayBase::_len is", d.text);
}
