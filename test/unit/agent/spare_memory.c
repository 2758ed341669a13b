#include "agent/spare_memory.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "support/tap.h"

static char root[64];

static void put(const char *path, const char *text)
{
	char name[PATH_MAX];
	snprintf(name, sizeof(name), "%s%s", root, path);
	for (char *c = name + 1; *c; c++)
		if (*c == '/') {
			*c = 0;
			mkdir(name, 0700);
			*c = '/';
		}
	FILE *f = fopen(name, "w");
	EXPECT(f != NULL);
	if (!f)
		return;
	fputs(text, f);
	fclose(f);
}

static void begin(void)
{
	snprintf(root, sizeof(root), "/tmp/mayfly-test-XXXXXX");
	EXPECT(mkdtemp(root) != NULL);
	snprintf(root + 23, sizeof(root) - 23, "/");
}

static void end(void)
{
	char command[128];
	snprintf(command, sizeof(command), "rm -r %s", root);
	EXPECT_INT(0, system(command));
}

TEST(what_the_kernel_has)
{
	begin();
	EXPECT_INT(0, spare_memory(root));
	put("proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    5000 kB\n");
	EXPECT_INT(5000 * 1024, spare_memory(root));
	end();
}

TEST(what_its_group_may_have)
{
	begin();
	put("proc/meminfo", "MemAvailable:    5000 kB\n");
	put("sys/fs/cgroup/memory.max", "max\n");
	put("sys/fs/cgroup/memory.current", "1000000\n");
	EXPECT_INT(5000 * 1024, spare_memory(root));
	put("sys/fs/cgroup/memory.max", "3000000\n");
	EXPECT_INT(2000000, spare_memory(root));
	put("sys/fs/cgroup/memory.current", "4000000\n");
	EXPECT_INT(0, spare_memory(root));
	end();
}

TEST(the_older_groups)
{
	begin();
	put("proc/meminfo", "MemAvailable:    5000 kB\n");
	put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
	put("sys/fs/cgroup/memory/memory.usage_in_bytes", "100\n");
	EXPECT_INT(5000 * 1024, spare_memory(root));
	put("sys/fs/cgroup/memory/memory.limit_in_bytes", "1100\n");
	EXPECT_INT(1000, spare_memory(root));
	end();
}
