#include "hotspot/tenuring_bound.h"

#include <stddef.h>
#include <string.h>

#include "support/tap.h"
#include "support/vm_flag_table.h"

/* As JVMFlag of 11, which names its types. */
struct named_flag {
	const char *type, *name;
	void *address;
};

static struct {
	uint32_t value, behind;
} narrow;
static uint64_t wide;
static int64_t other;

static void move(const struct tenuring_bound *b)
{
	EXPECT_INT(15, b->own);
	tenuring_bound_set(b, 2);
	EXPECT_INT(2, tenuring_bound_get(b));
	tenuring_bound_set(b, 99);
	EXPECT_INT(15, tenuring_bound_get(b));
	tenuring_bound_set(b, 0);
	EXPECT_INT(0, tenuring_bound_get(b));
	tenuring_bound_restore(b);
	EXPECT_INT(15, tenuring_bound_get(b));
}

TEST(four_bytes_and_no_more)
{
	struct vm_flag_row rows[] = {
		{&other, "Other", FLAG_INTX, 0}, {&narrow, "MaxTenuringThreshold", FLAG_UINT, 0}};
	struct vm_flags f = vm_flag_table(rows, 2);
	narrow.value = 15;
	narrow.behind = UINT32_MAX;
	struct tenuring_bound b = tenuring_bound_find(&f);
	EXPECT(b.at == &narrow);
	EXPECT_INT(4, b.width);
	move(&b);
	EXPECT(narrow.behind == UINT32_MAX);
}

TEST(eight_bytes)
{
	struct vm_flag_row rows[] = {{&wide, "MaxTenuringThreshold", FLAG_UINTX, 0}};
	struct vm_flags f = vm_flag_table(rows, 1);
	wide = 15;
	struct tenuring_bound b = tenuring_bound_find(&f);
	EXPECT_INT(8, b.width);
	move(&b);
	wide = UINT64_MAX;
	tenuring_bound_set(&b, 1);
	EXPECT(wide == 1);
}

TEST(types_by_name)
{
	struct named_flag rows[] = {
		{"intx", "Other", &other}, {"uintx", "MaxTenuringThreshold", &wide}};
	struct vm_flags f = {.rows = (const char *)rows,
		.count = 2,
		.stride = sizeof(*rows),
		.name = offsetof(struct named_flag, name),
		.address = offsetof(struct named_flag, address),
		.type = offsetof(struct named_flag, type)};
	wide = 15;
	struct tenuring_bound b = tenuring_bound_find(&f);
	EXPECT_INT(8, b.width);
	move(&b);
	EXPECT_INT(0, vm_flags_width(&f, "Other"));
}

TEST(what_is_not_told_is_not_touched)
{
	struct vm_flag_row rows[] = {{&wide, "MaxTenuringThreshold", FLAG_INTX, 0}};
	struct vm_flags f = vm_flag_table(rows, 1);
	EXPECT(tenuring_bound_find(&f).at == NULL);
	f.type = f.stride; /* the VM does not say where types are */
	rows[0].type = FLAG_UINTX;
	EXPECT(tenuring_bound_find(&f).at == NULL);
	f = vm_flag_table(rows, 0);
	EXPECT(tenuring_bound_find(&f).at == NULL);
	f = (struct vm_flags){.rows = NULL};
	EXPECT(tenuring_bound_find(&f).at == NULL);
}
