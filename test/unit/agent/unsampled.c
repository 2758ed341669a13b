/* VMs that are tables of flags. */
#include "agent/unsampled.h"

#include "support/tap.h"
#include "support/vm_flag_table.h"

static struct {
	bool tlab, serial, parallel, g1;
} vm;
static struct vm_flag_row rows[] = {{&vm.tlab, "UseTLAB", FLAG_BOOL, 0},
	{&vm.serial, "UseSerialGC", FLAG_BOOL, 0}, {&vm.parallel, "UseParallelGC", FLAG_BOOL, 0},
	{&vm.g1, "UseG1GC", FLAG_BOOL, 0}};

static bool mostly(bool *collector, bool tlab, int major)
{
	struct vm_flags f = vm_flag_table(rows, 4);
	vm.serial = vm.parallel = vm.g1 = false;
	*collector = true;
	vm.tlab = tlab;
	return unsampled_mostly(&f, major);
}

TEST(without_buffers_and_before_20)
{
	EXPECT(mostly(&vm.serial, false, 11));
	EXPECT(mostly(&vm.parallel, false, 19));
	EXPECT(!mostly(&vm.parallel, false, 20));
	EXPECT(!mostly(&vm.parallel, true, 17));
	EXPECT(!mostly(&vm.g1, false, 17));
}

TEST(a_vm_that_tells_no_flags)
{
	struct vm_flags f = vm_flag_table(rows, 0);
	EXPECT(!unsampled_mostly(&f, 11));
}
