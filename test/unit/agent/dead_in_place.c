/* VMs that are tables of flags. */
#include "agent/dead_in_place.h"

#include "support/tap.h"
#include "support/vm_flag_table.h"

static struct {
	bool unloading, serial, parallel, g1;
} vm;
static struct vm_flag_row rows[] = {{&vm.unloading, "ClassUnloading", FLAG_BOOL, 0},
	{&vm.serial, "UseSerialGC", FLAG_BOOL, 0}, {&vm.parallel, "UseParallelGC", FLAG_BOOL, 0},
	{&vm.g1, "UseG1GC", FLAG_BOOL, 0}};

static bool left(bool *collector, bool unloading, int major)
{
	struct vm_flags f = vm_flag_table(rows, 4);
	vm.serial = vm.parallel = vm.g1 = false;
	*collector = true;
	vm.unloading = unloading;
	return dead_in_place(&f, major);
}

TEST(by_g1_of_16_to_19_without_class_unloading)
{
	EXPECT(!left(&vm.g1, false, 11));
	EXPECT(left(&vm.g1, false, 16));
	EXPECT(left(&vm.g1, false, 19));
	EXPECT(!left(&vm.g1, false, 20));
	EXPECT(!left(&vm.g1, true, 17));
	EXPECT(!left(&vm.serial, false, 17));
	EXPECT(!left(&vm.parallel, false, 17));
}

TEST(a_vm_that_tells_no_flags)
{
	struct vm_flags f = vm_flag_table(rows, 0);
	EXPECT(!dead_in_place(&f, 17));
}
