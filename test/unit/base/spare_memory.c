#include "base/spare_memory.h"

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

static uint64_t spare(void)
{
	uint64_t bytes;
	return spare_memory(root, &bytes) ? bytes : UINT64_MAX;
}

TEST(what_the_kernel_has)
{
	begin();
	EXPECT(spare() == UINT64_MAX);
	put("proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    5000 kB\n");
	EXPECT_INT(5000 * 1024, spare());
	end();
}

TEST(what_its_group_may_have)
{
	begin();
	put("proc/meminfo", "MemAvailable:    5000 kB\n");
	put("sys/fs/cgroup/memory.max", "max\n");
	put("sys/fs/cgroup/memory.current", "1000000\n");
	EXPECT_INT(5000 * 1024, spare());
	put("sys/fs/cgroup/memory.max", "3000000\n");
	EXPECT_INT(2000000, spare());
	put("sys/fs/cgroup/memory.current", "4000000\n");
	EXPECT_INT(0, spare());
	end();
}

TEST(the_older_groups)
{
	begin();
	put("proc/meminfo", "MemAvailable:    5000 kB\n");
	put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
	put("sys/fs/cgroup/memory/memory.usage_in_bytes", "100\n");
	EXPECT_INT(5000 * 1024, spare());
	put("sys/fs/cgroup/memory/memory.limit_in_bytes", "1100\n");
	EXPECT_INT(1000, spare());
	end();
}

/* Files' pages that nothing has mapped are as good as free. */
TEST(pages_of_files)
{
	begin();
	put("proc/meminfo", "MemAvailable:    5000 kB\n");
	put("sys/fs/cgroup/memory.max", "3000000\n");
	put("sys/fs/cgroup/memory.current", "2900000\n");
	put("sys/fs/cgroup/memory.stat",
		"anon 900000\nfile_mapped 300000\ninactive_file 1200000\nactive_file 800000\n");
	EXPECT_INT(1800000, spare());
	put("sys/fs/cgroup/memory.stat",
		"file_mapped 300000\ninactive_file 100000\nactive_file 100000\n");
	EXPECT_INT(100000, spare());
	put("sys/fs/cgroup/memory.stat", "file_mapped 0\ninactive_file 4000000\nactive_file 0\n");
	EXPECT_INT(3000000, spare());
	end();
}

TEST(pages_of_files_in_the_older_groups)
{
	begin();
	put("proc/meminfo", "MemAvailable:    5000 kB\n");
	put("sys/fs/cgroup/memory/memory.limit_in_bytes", "1100\n");
	put("sys/fs/cgroup/memory/memory.usage_in_bytes", "1000\n");
	put("sys/fs/cgroup/memory/memory.stat",
		"inactive_file 1\nactive_file 2\ntotal_mapped_file 30\n"
		"total_inactive_file 100\ntotal_active_file 200\n");
	EXPECT_INT(370, spare());
	end();
}

/* A service's own bounds, and those of what it is in. */
TEST(its_own_group_and_those_above)
{
	begin();
	put("proc/meminfo", "MemAvailable:    5000 kB\n");
	put("proc/self/cgroup", "0::/system.slice/a.service\n");
	put("sys/fs/cgroup/system.slice/a.service/memory.max", "max\n");
	put("sys/fs/cgroup/system.slice/a.service/memory.current", "100\n");
	EXPECT_INT(5000 * 1024, spare());
	put("sys/fs/cgroup/system.slice/a.service/memory.max", "1000\n");
	EXPECT_INT(900, spare());
	put("sys/fs/cgroup/system.slice/memory.max", "1500\n");
	put("sys/fs/cgroup/system.slice/memory.current", "1100\n");
	EXPECT_INT(400, spare());
	put("sys/fs/cgroup/system.slice/b.service/memory.max", "10\n");
	put("sys/fs/cgroup/system.slice/b.service/memory.current", "10\n");
	EXPECT_INT(400, spare());
	end();
}

TEST(its_own_older_group)
{
	begin();
	put("proc/meminfo", "MemAvailable:    5000 kB\n");
	put("proc/self/cgroup", "12:cpu,cpuacct:/cpu\n9:memory,hugetlb:/docker/1\n0::/unified\n");
	put("sys/fs/cgroup/memory/memory.limit_in_bytes", "2000\n"); /* as a container sees it */
	put("sys/fs/cgroup/memory/memory.usage_in_bytes", "500\n");
	EXPECT_INT(1500, spare());
	put("sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes", "1000\n");
	put("sys/fs/cgroup/memory/docker/1/memory.usage_in_bytes", "200\n");
	EXPECT_INT(800, spare());
	end();
}

TEST(groups_that_make_no_sense)
{
	static const char *const lines[] = {"", "\n", "0\n", "0:\n", "0::\n", "0::a\n", "::/\n",
		"0::/a", "0::///\n", "9:memory\n"};
	begin();
	put("sys/fs/cgroup/memory.max", "3000\n");
	put("sys/fs/cgroup/memory.current", "1000\n");
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		put("proc/self/cgroup", lines[i]);
		EXPECT_INT(2000, spare());
	}
	end();
}
