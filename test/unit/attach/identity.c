#include "attach/identity.h"

#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "support/fake_process.h"
#include "support/tap.h"

TEST(own_ids_are_left_alone)
{
	struct identity i;
	EXPECT_INT(0, identity_take(&i, geteuid(), getegid(), NULL));
	EXPECT(!i.taken);
	EXPECT_INT(0, identity_restore(&i, NULL));
}

static int as_root(void)
{
	struct identity i;
	if (identity_take(&i, 65534, 65534, NULL) != 0)
		return 1;
	if (geteuid() != 65534 || getegid() != 65534)
		return 2;
	if (identity_restore(&i, NULL) != 0)
		return 3;
	if (geteuid() != 0 || getegid() != 0)
		return 4;
	return prctl(PR_GET_DUMPABLE) == 1 ? 0 : 5;
}

static int as_nobody(void)
{
	struct identity i;
	if (setgid(65534) != 0 || setuid(65534) != 0)
		return 1;
	if (identity_take(&i, 0, 0, NULL) != 0 || i.taken)
		return 2;
	return geteuid() == 65534 && identity_restore(&i, NULL) == 0 ? 0 : 3;
}

static int in_a_child(int (*run)(void))
{
	int status = -1;
	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0)
		_exit(run());
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(there_and_back)
{
	if (geteuid() != 0) {
		printf("# skipped: needs root\n");
		return;
	}
	EXPECT_INT(0, in_a_child(as_root));
	EXPECT_INT(0, in_a_child(as_nobody));
}
