#include "agent/call_path.h"

#include <stdlib.h>

#include "base/error.h"

#include "support/code_cache.h"
#include "support/tap.h"

enum { OTHERS = 1 << 14 };

/* As much of the VM's as a key is made of. */
struct pool {
	uint64_t before, holder;
};
struct const_method {
	uint64_t before, names;
	struct pool *pool;
};
static struct pool pool;
static struct const_method consts = {.pool = &pool};
static struct {
	uint64_t before;
	struct const_method *at;
} method = {.at = &consts};

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* Classes that come and go leave their methods' memory to those of others. */
TEST(methods_that_stood_in_one_place_have_ids_of_their_own)
{
	static uint64_t ids[2 * OTHERS];
	_Atomic uint32_t epoch = 0;
	const struct vm_methods methods = {
		.key = {.const_method = 8, .names = 8, .pool = 16, .holder = 8}};
	const struct probe_records r = {.methods = &methods, .epoch = &epoch};
	for (uint32_t i = 0; i < OTHERS; i++) {
		epoch = i;
		pool.holder = 0x7000000000ull + 512ull * i;
		ids[2 * i] = call_path_method(&r, (uintptr_t)&method);
		epoch = i + 1;
		ids[2 * i + 1] = call_path_method(&r, (uintptr_t)&method);
	}
	qsort(ids, 2 * OTHERS, sizeof(*ids), by_number);
	int same = 0;
	for (uint32_t i = 1; i < 2 * OTHERS; i++)
		same += ids[i] == ids[i - 1];
	EXPECT_INT(0, same);
	EXPECT(ids[0] >> 63 == 1); /* no jmethodID */
	EXPECT_INT(0, call_path_method(&r, 0));
}

TEST(a_path_tells_where_its_methods_are)
{
	struct path_frame frames[] = {{.at = 0x1000}, {.method = 7, .address = 0x2000}};
	const struct call_path path = {.count = 2, .frames = frames};
	EXPECT_INT(0x2000, call_path_address(&path, 7));
	EXPECT_INT(0, call_path_address(&path, 8));
}

/* A path of one frame, in compiled code that was not told of. */
static const struct call_path *waiting(
	struct call_path_room *room, const struct probe_records *r, uintptr_t pc)
{
	static struct java_stack stack;
	stack = (struct java_stack){.frames = {{.at = pc}}, .count = 1, .end = STACK_ROOT};
	return call_path_of(room, &stack, r, 0);
}

/* Code that is not entered any more when its turn comes is never told of: what is told of at its
 * addresses is what came there later. */
TEST(a_path_is_not_in_code_that_came_later)
{
	static struct code_map map;
	struct code_blobs blobs = code_cache_made(0);
	blobs.compilation = offsetof(struct cache_blob, compilation);
	const struct probe_records r = {.code = &map, .blobs = &blobs};
	uintptr_t begin = cache_pc(CACHE_SMALL, 0), pc = cache_pc(CACHE_SMALL, 12);
	struct call_path_room early, late;
	code_map_init(&map);
	EXPECT(call_path_waits(waiting(&early, &r, pc)));
	cache_blob(CACHE_SMALL)->compilation++;
	EXPECT(call_path_waits(waiting(&late, &r, pc)));
	EXPECT_INT(ERR_NONE, code_map_add(&map, begin, CACHE_CODE, 7, NULL, 0));
	call_path_told(&early.path, &r, begin, begin + CACHE_CODE);
	call_path_told(&late.path, &r, begin, begin + CACHE_CODE);
	EXPECT(!call_path_waits(&early.path) && call_path_lost(&early.path));
	EXPECT(!call_path_waits(&late.path) && !call_path_lost(&late.path));
	code_map_release(&map);
}
