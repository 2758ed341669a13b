#include "agent/call_path.h"

#include <stdlib.h>

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
