#include "hotspot/exact_flags.h"

#include <stdint.h>
#include <string.h>

#include "base/compiler.h"
#include "hotspot/tenuring_bound.h"

enum rule { IS, IS_ABOVE };
enum { BOOL = 1, NUMBER = 4 }; /* bytes: numbers may have more, and are small */

static const struct {
	enum exact_flags_group group;
	const char *flag;
	unsigned width;
	enum rule rule;
	uint32_t value;
	const char *why;
} bans[] = {
	{EXACT_FLAGS_VM, "UseJVMCICompiler", BOOL, IS, 1,
		"the Graal compiler does not call the VM's allocation probes"},
	{EXACT_FLAGS_PROBES, "DTraceAllocProbes", BOOL, IS, 1,
		"the VM's allocation probes are on already, for someone else: leave out "
		"-XX:+DTraceAllocProbes and -XX:+ExtendedDTraceProbes, or stop the tool that uses "
		"them"},
	{EXACT_FLAGS_AGES, "MaxTenuringThreshold", NUMBER, IS_ABOVE, TENURING_BOUND_MOST,
		"objects stay young for longer than an age can count, 15 collections: it needs a "
		"MaxTenuringThreshold of 15 or less, and no -XX:+NeverTenure"},
};

static bool is_bad(enum rule rule, uint32_t value, uint32_t than)
{
	return rule == IS ? value == than : value > than;
}

const char *exact_flags_lack(unsigned groups, exact_flags_read *read, const void *arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(bans); i++) {
		uint32_t value = 0;
		if ((bans[i].group & groups) && read(arg, bans[i].flag, bans[i].width, &value) &&
			is_bad(bans[i].rule, value, bans[i].value))
			return bans[i].why;
	}
	return NULL;
}

bool exact_flags_here(const void *arg, const char *name, unsigned width, void *out)
{
	const void *at = vm_flags_find(arg, name);
	if (at)
		memcpy(out, at, width);
	return at != NULL;
}
