/* In a VM that is a table of flags. */
#include "agent/collector_flag.h"

#include "base/compiler.h"
#include "support/tap.h"
#include "support/vm_flag_table.h"

static bool serial, parallel, g1, epsilon, z;
static struct vm_flag_row rows[] = {{&z, "UseZGC", FLAG_BOOL, 0},
	{&serial, "UseSerialGC", FLAG_BOOL, 0}, {&parallel, "UseParallelGC", FLAG_BOOL, 0},
	{&g1, "UseG1GC", FLAG_BOOL, 0}, {&epsilon, "UseEpsilonGC", FLAG_BOOL, 0}};

static enum gc with(bool *on)
{
	struct vm_flags f = vm_flag_table(rows, ARRAY_SIZE(rows));
	*on = true;
	enum gc gc = collector_flag(&f);
	*on = false;
	return gc;
}

TEST(one_flag_says_all)
{
	EXPECT_INT(GC_SERIAL, with(&serial));
	EXPECT_INT(GC_PARALLEL, with(&parallel));
	EXPECT_INT(GC_G1, with(&g1));
	EXPECT_INT(GC_EPSILON, with(&epsilon));
}

TEST(nothing_is_guessed)
{
	struct vm_flags none = {.rows = NULL};
	EXPECT_INT(GC_UNKNOWN, with(&z)); /* which of its two modes, the flag does not say */
	EXPECT_INT(GC_UNKNOWN, collector_flag(&none));
}
