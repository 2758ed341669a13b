/* Of a real VM: test/cli/vm.py. */
#include "hotspot/process_flags.h"

#include <unistd.h>

#include "support/tap.h"

TEST(a_process_without_the_library_has_none)
{
	struct process_flags f;
	struct vm_library l = {.file = {0}};
	uint8_t value;
	EXPECT(!process_flags_open(&f, getpid(), &l));
	EXPECT(!f.recorded);
	EXPECT(!process_flags_read(&f, "UseSerialGC", 1, &value));
	EXPECT(!process_flags_open(&f, -1, &l));
}
