/* Where hot places may have doors. */
#include "agent/doors.h"

#include <stddef.h>

#include "hotspot/probe_call.h"
#include "support/tap.h"

struct row {
	const char *name;
	void *at;
};

static bool moves;
static struct row rows[] = {{"UseG1GC", &moves}, {"NMethodRelocation", &moves}};

static struct vm_flags flags_of(uint64_t count)
{
	return (struct vm_flags){.rows = (const char *)rows,
		.count = count,
		.stride = sizeof(struct row),
		.name = offsetof(struct row, name),
		.address = offsetof(struct row, at)};
}

static bool opens(const struct vm_flags *f, const struct landmarks *m)
{
	static struct code_blobs blobs;
	struct births *b = births_get();
	b->doors.oracle.code = NULL;
	doors_open(b, &blobs, m, f);
	return b->doors.oracle.code != NULL;
}

static const struct landmarks landmarks = {
	.found = {[LANDMARK_ALLOC_THREAD] = {.state = LANDMARK_FOUND,
			  .object = LANDMARK_OBJECT_RSI,
			  .at = (uint8_t *)0x1000},
		[LANDMARK_ALLOC] = {.state = LANDMARK_FOUND,
			.object = LANDMARK_OBJECT_RDI,
			.at = (uint8_t *)0x2000}}};

TEST(functions_that_get_the_object_in_rsi)
{
	struct vm_flags none = flags_of(1);
	EXPECT(opens(&none, &landmarks) == code_fence_can());
	const struct birth_door_oracle *o = &births_get()->doors.oracle;
	unsigned count = 0;
	for (int i = 0; i < BIRTH_PROBES && o->code; i++) {
		EXPECT(!o->probes[i] || o->probes[i] == 0x1000);
		count += o->probes[i] != 0;
	}
	EXPECT_INT(code_fence_can(), count);
}

/* A copy of a call would lead to the same door. */
TEST(none_where_the_vm_copies_compiled_code)
{
	struct vm_flags knows = flags_of(2);
	moves = false;
	EXPECT(opens(&knows, &landmarks) == code_fence_can());
	moves = true;
	EXPECT(!opens(&knows, &landmarks));
	moves = false;
}
