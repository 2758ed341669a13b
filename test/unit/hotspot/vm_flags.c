#include "hotspot/vm_flags.h"

#include <string.h>

#include "support/tap.h"
#include "support/vm_entries.h"
#include "support/vm_flag_table.h"

/* As JVMFlag: its size and the places of its fields are the VM's own matter. */
struct flag {
	uint64_t extra;
	void *address;
	const char *name;
	int type;
};

static bool probes, other = true;
static struct flag rows[] = {{.name = "UseSomething", .address = &other}, {.name = NULL},
	{.name = "DTraceAllocProbes", .address = &probes}};
static const struct flag *const flags = rows;
static const uint64_t count = sizeof(rows) / sizeof(rows[0]), many = UINT64_MAX;

struct type {
	const char *name;
	uint64_t size;
};

static struct vm_constants types_of(const struct type *t)
{
	return (struct vm_constants){
		.types = {.rows = (const char *)t,
			.stride = sizeof(*t),
			.columns = {offsetof(struct type, name), offsetof(struct type, size)}}};
}

#define ENTRIES(count_, name_at)                                                                   \
	{                                                                                          \
		VM_STATIC("JVMFlag", "flags", &flags), VM_STATIC("JVMFlag", "numFlags", count_),   \
			{.type = "JVMFlag", .field = "_name", .offset = (name_at)},                \
			{.type = "JVMFlag",                                                        \
				.field = "_addr",                                                  \
				.offset = offsetof(struct flag, address)},                         \
			VM_END                                                                     \
	}
static const struct vm_entry good[] = ENTRIES(&count, offsetof(struct flag, name)),
			     too_many[] = ENTRIES(&many, offsetof(struct flag, name)),
			     outside[] = ENTRIES(&count, sizeof(struct flag) - 4);

TEST(flags_by_name)
{
	static const struct type types[] = {
		{"Other", 8}, {"JVMFlag", sizeof(struct flag)}, {NULL, 0}};
	struct vm_structs s = vm_entries(good);
	struct vm_constants c = types_of(types);
	struct vm_flags f = vm_flags_of(&s, &c);
	EXPECT(vm_flags_find(&f, "DTraceAllocProbes") == &probes);
	EXPECT(vm_flags_find(&f, "DTraceAllocProbe") == NULL);
	EXPECT(!vm_flags_bool(&f, "DTraceAllocProbes", true));
	probes = true;
	EXPECT(vm_flags_bool(&f, "DTraceAllocProbes", false));
	EXPECT(vm_flags_bool(&f, "UseSomething", false));
	EXPECT(vm_flags_bool(&f, "UseNothing", true));
	EXPECT(!vm_flags_bool(&f, "UseNothing", false));
}

TEST(who_gave_a_flag_its_value)
{
	uint64_t wide = 7;
	uint32_t narrow[2] = {7, 7};
	struct vm_flag_row of[] = {
		{.name = "Wide", .address = &wide, .type = FLAG_SIZE, .flags = 0x30},
		{.name = "Narrow", .address = narrow, .type = FLAG_UINT, .flags = 0x30},
		{.name = "Taken", .address = &wide, .type = FLAG_SIZE, .flags = 0x35},
		{.name = "Other", .address = &wide, .type = FLAG_BOOL, .flags = 0}};
	struct vm_flags f = vm_flag_table(of, 4);
	EXPECT(vm_flags_is_free(&f, "Wide") && !vm_flags_is_free(&f, "Taken"));
	EXPECT(!vm_flags_is_free(&f, "None"));
	EXPECT(vm_flags_give(&f, "Wide", UINT64_MAX));
	EXPECT(wide == UINT64_MAX);
	EXPECT_INT(0x31, of[0].flags);
	EXPECT(!vm_flags_is_free(&f, "Wide"));
	EXPECT(!vm_flags_give(&f, "Narrow", UINT64_MAX));
	EXPECT_INT(7, narrow[0]);
	EXPECT(vm_flags_give(&f, "Narrow", 9));
	EXPECT_INT(9, narrow[0]);
	EXPECT_INT(7, narrow[1]);
	EXPECT(!vm_flags_give(&f, "Other", 1) && !vm_flags_give(&f, "None", 1));
	f.flags = f.stride; /* not told */
	EXPECT(!vm_flags_is_free(&f, "Wide") && !vm_flags_give(&f, "Wide", 1));
}

TEST(tables_that_are_not_told_or_not_sound)
{
	static const struct type none[] = {{NULL, 0}}, huge[] = {{"JVMFlag", 1 << 20}, {NULL, 0}},
				 right[] = {{"JVMFlag", sizeof(struct flag)}, {NULL, 0}};
	static const struct {
		const struct vm_entry *entries;
		const struct type *types;
	} cases[] = {{good, none}, {good, huge}, {too_many, right}, {outside, right},
		{good + 1, right}, {good + 4, right}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vm_structs s = vm_entries(cases[i].entries);
		struct vm_constants c = types_of(cases[i].types);
		struct vm_flags f = vm_flags_of(&s, &c);
		EXPECT(f.rows == NULL);
		EXPECT(vm_flags_find(&f, "DTraceAllocProbes") == NULL);
		EXPECT(vm_flags_bool(&f, "DTraceAllocProbes", true));
	}
}

/* The numbers of origins are the VM's own; where it does not tell them they are JDK 11's. */
TEST(origins_as_the_vm_numbers_them)
{
	static const struct vm_flag_row mine = {&other, "Mine", FLAG_BOOL, 0x35}, *const told =
											  &mine;
	static const uint64_t one = 1;
	static const struct vm_entry with[] = {VM_STATIC("JVMFlag", "flags", &told),
		VM_STATIC("JVMFlag", "numFlags", &one),
		{.type = "JVMFlag", .field = "_name", .offset = offsetof(struct vm_flag_row, name)},
		{.type = "JVMFlag",
			.field = "_addr",
			.offset = offsetof(struct vm_flag_row, address)},
		{.type = "JVMFlag",
			.field = "_flags",
			.offset = offsetof(struct vm_flag_row, flags)},
		VM_END};
	static const struct type types[] = {{"JVMFlag", sizeof(struct vm_flag_row)}, {NULL, 0}};
	static const struct number {
		const char *name;
		int32_t value;
	} numbers[] = {{"JVMFlag::VALUE_ORIGIN_MASK", 7}, {"JVMFlagOrigin::DEFAULT", 5},
		{"JVMFlagOrigin::COMMAND_LINE", 3}, {NULL, 0}};
	struct vm_structs s = vm_entries(with);
	struct vm_constants c = types_of(types);
	struct vm_flags f = vm_flags_of(&s, &c);
	EXPECT_INT(offsetof(struct vm_flag_row, flags), f.flags);
	EXPECT(f.origin_mask == 15 && f.origin_nobody == 0 && f.origin_user == 1);
	EXPECT(!vm_flags_is_free(&f, "Mine"));
	c.ints = (struct vm_table){.rows = (const char *)numbers,
		.stride = sizeof(numbers[0]),
		.columns = {offsetof(struct number, name), offsetof(struct number, value)}};
	f = vm_flags_of(&s, &c);
	EXPECT(f.origin_mask == 7 && f.origin_nobody == 5 && f.origin_user == 3);
	EXPECT(vm_flags_is_free(&f, "Mine"));
}

/* Before 16 types have names. */
TEST(signed_numbers)
{
	static int64_t narrow = -5, wide = 7;
	static const struct {
		void *address;
		const char *name, *type;
	} named[] = {{&wide, "Wide", "intx"}, {&narrow, "Narrow", "uintx"}};
	static const struct vm_flag_row numbered[] = {
		{&wide, "Wide", FLAG_INTX, 0}, {&narrow, "Narrow", FLAG_UINTX, 0}};
	struct vm_flags f = vm_flag_table(numbered, 2);
	EXPECT(vm_flags_signed(&f, "Wide") == &wide && !vm_flags_signed(&f, "Narrow"));
	EXPECT(!vm_flags_signed(&f, "None"));
	EXPECT_INT(0, vm_flags_width(&f, "Wide"));
	f.rows = (const char *)named;
	f.stride = sizeof(named[0]);
	f.type = 2 * sizeof(void *);
	EXPECT(vm_flags_signed(&f, "Wide") == &wide && !vm_flags_signed(&f, "Narrow"));
	EXPECT_INT(8, vm_flags_width(&f, "Narrow"));
	f.type = sizeof(named[0]) - 4; /* no room for an address */
	EXPECT(!vm_flags_signed(&f, "Wide"));
}
