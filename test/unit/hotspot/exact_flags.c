#include "hotspot/exact_flags.h"

#include <string.h>

#include "base/compiler.h"
#include "support/tap.h"
#include "support/vm_flag_table.h"

enum { ALL = EXACT_FLAGS_VM | EXACT_FLAGS_PROBES | EXACT_FLAGS_AGES };

static bool graal, probes;
static uint64_t threshold;
static struct vm_flag_row rows[] = {{&graal, "UseJVMCICompiler", FLAG_BOOL, 0},
	{&probes, "DTraceAllocProbes", FLAG_BOOL, 0},
	{&threshold, "MaxTenuringThreshold", FLAG_UINTX, 0}};

static const char *lack(unsigned groups)
{
	struct vm_flags f = vm_flag_table(rows, ARRAY_SIZE(rows));
	return exact_flags_lack(groups, exact_flags_here, &f);
}

static void usual(void)
{
	graal = probes = false;
	threshold = 15;
}

static bool says(unsigned group, const char *part)
{
	const char *why = lack(group);
	bool told = why && strstr(why, part) && !lack(ALL & ~group);
	usual();
	return told;
}

TEST(each_is_told_in_its_group)
{
	usual();
	EXPECT(!lack(ALL));
	graal = true;
	EXPECT(says(EXACT_FLAGS_VM, "Graal"));
	probes = true;
	EXPECT(says(EXACT_FLAGS_PROBES, "-XX:+DTraceAllocProbes"));
	threshold = 16;
	EXPECT(says(EXACT_FLAGS_AGES, "MaxTenuringThreshold"));
}

TEST(a_flag_that_there_is_not_rules_nothing_out)
{
	struct vm_flags none = {.rows = NULL};
	EXPECT(!exact_flags_lack(ALL, exact_flags_here, &none));
}
