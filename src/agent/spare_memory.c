#include "agent/spare_memory.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"

/* The number behind `key` in a file; without a key, its first one. UINT64_MAX: there is none, as
 * in "max". */
static uint64_t read_number(const char *root, const char *path, const char *key)
{
	char name[PATH_MAX], line[256];
	uint64_t found = UINT64_MAX;
	snprintf(name, sizeof(name), "%s%s", root, path);
	FILE *f = fopen(name, "re");
	if (!f)
		return UINT64_MAX;
	while (found == UINT64_MAX && fgets(line, sizeof(line), f)) {
		size_t skip = key ? strlen(key) : 0;
		char *end, *from = line + skip;
		if (key && strncmp(line, key, skip) != 0)
			continue;
		uint64_t value = strtoull(from, &end, 10);
		if (end != from)
			found = value;
	}
	fclose(f);
	return found;
}

uint64_t spare_memory(const char *root)
{
	/* In a container its own group is mounted there; elsewhere these files are not there. */
	static const struct {
		const char *limit, *used;
	} groups[] = {{"sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory.current"},
		{"sys/fs/cgroup/memory/memory.limit_in_bytes",
			"sys/fs/cgroup/memory/memory.usage_in_bytes"}};
	uint64_t kb = read_number(root, "proc/meminfo", "MemAvailable:");
	uint64_t spare = kb > UINT64_MAX / 1024 ? 0 : kb * 1024;
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++) {
		uint64_t limit = read_number(root, groups[i].limit, NULL);
		uint64_t used = read_number(root, groups[i].used, NULL);
		uint64_t left = used < limit ? limit - used : 0;
		if (limit != UINT64_MAX && used != UINT64_MAX && left < spare)
			spare = left;
	}
	return spare;
}
