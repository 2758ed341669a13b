#include "base/task_name.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "support/tap.h"

TEST(our_own)
{
	char id[32], name[TASK_NAME_MAX];
	DIR *tasks = opendir("/proc/self/task");
	EXPECT(tasks != NULL);
	snprintf(id, sizeof(id), "%d", (int)getpid());
	EXPECT_INT(0, prctl(PR_SET_NAME, "Service Thread"));
	task_name_read(dirfd(tasks), id, name);
	EXPECT_STR("Service Thread", name);
	EXPECT_INT(0, prctl(PR_SET_NAME, "fifteen bytes!! and more"));
	task_name_read(dirfd(tasks), id, name);
	EXPECT_STR("fifteen bytes!!", name);
	EXPECT_INT(0, prctl(PR_SET_NAME, ""));
	task_name_read(dirfd(tasks), id, name);
	EXPECT_STR("", name);
	closedir(tasks);
}

TEST(none)
{
	char name[TASK_NAME_MAX] = "old";
	DIR *tasks = opendir("/proc/self/task");
	task_name_read(dirfd(tasks), "0", name);
	EXPECT_STR("", name);
	task_name_read(-1, "1", name);
	EXPECT_STR("", name);
	closedir(tasks);
}
