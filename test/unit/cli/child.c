#include "cli/child.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "support/tap.h"

static int run(struct child *c, const char *script, const char *name, const char *value)
{
	char *argv[] = {(char[]){"sh"}, (char[]){"-c"}, (char *)(uintptr_t)script, NULL};
	struct diag d = {""};
	return child_run(c, "/bin/sh", argv, name, value, &d);
}

TEST(exit_status)
{
	struct child c;
	EXPECT_INT(0, run(&c, "exit 0", NULL, NULL));
	EXPECT_INT(0, c.status);
	EXPECT_INT(0, run(&c, "exit 77", NULL, NULL));
	EXPECT_INT(77, c.status);
	EXPECT_INT(0, run(&c, "kill -KILL $$", NULL, NULL));
	EXPECT_INT(128 + SIGKILL, c.status);
	EXPECT_INT(0, run(&c, "kill -TERM $$", NULL, NULL));
	EXPECT_INT(128 + SIGTERM, c.status);
}

TEST(exit_status_where_children_are_ignored)
{
	struct child c;
	signal(SIGCHLD, SIG_IGN);
	EXPECT_INT(0, run(&c, "exit 6", NULL, NULL));
	EXPECT_INT(6, c.status);
}

TEST(environment)
{
	struct child c;
	EXPECT_INT(0, run(&c, "test \"$JAVA_TOOL_OPTIONS\" = 'a b'", "JAVA_TOOL_OPTIONS", "a b"));
	EXPECT_INT(0, c.status);
	EXPECT(!getenv("JAVA_TOOL_OPTIONS"));
}

/* $PPID is this process: what it gets while it waits must reach the child, or leave both alone. */
TEST(signals_are_passed_on)
{
	struct child c;
	EXPECT_INT(0,
		run(&c, "trap 'exit 41' TERM; kill -TERM $PPID; while :; do :; done", NULL, NULL));
	EXPECT_INT(41, c.status);
	EXPECT_INT(
		0, run(&c, "trap 'exit 42' HUP; kill -HUP $PPID; while :; do :; done", NULL, NULL));
	EXPECT_INT(42, c.status);
	EXPECT_INT(0, run(&c, "kill -INT $PPID; kill -QUIT $PPID; exit 43", NULL, NULL));
	EXPECT_INT(43, c.status);
}

TEST(dispositions_come_back)
{
	struct child c;
	struct sigaction now;
	signal(SIGHUP, SIG_IGN);
	/* As under nohup: the child inherits it, and nothing is passed on. */
	EXPECT_INT(0, run(&c, "kill -HUP $$; kill -HUP $PPID; exit 5", NULL, NULL));
	EXPECT_INT(5, c.status);
	sigaction(SIGHUP, NULL, &now);
	EXPECT(now.sa_handler == SIG_IGN);
	sigaction(SIGINT, NULL, &now);
	EXPECT(now.sa_handler == SIG_DFL);
	signal(SIGHUP, SIG_DFL);
}

TEST(what_can_not_be_started)
{
	char *argv[] = {(char[]){"x"}, NULL};
	struct child c;
	struct diag d = {""};
	EXPECT_INT(ERR_IO, child_run(&c, "/nowhere/x", argv, NULL, NULL, &d));
	EXPECT_STR("/nowhere/x can't be started: No such file or directory", d.text);
}

static void make_script(char *path, const char *text)
{
	int fd = mkstemp(path);
	EXPECT(fd >= 0 && dprintf(fd, "%s", text) > 0 && fchmod(fd, 0700) == 0);
	close(fd);
}

TEST(scripts)
{
	char plain[] = "/tmp/mayfly-script-XXXXXX", lost[] = "/tmp/mayfly-script-XXXXXX";
	char *argv[] = {(char[]){"x"}, (char[]){"4"}, (char[]){"5"}, NULL}, want[200];
	struct child c;
	struct diag d = {""};
	make_script(plain, "exit $1$2\n"); /* no first line that names the shell */
	EXPECT_INT(0, child_run(&c, plain, argv, NULL, NULL, &d));
	EXPECT_INT(45, c.status);
	make_script(lost, "#!/nowhere/sh\n");
	EXPECT_INT(ERR_IO, child_run(&c, lost, argv, NULL, NULL, &d));
	snprintf(want, sizeof(want),
		"%s can't be started: the program that is to run it is not there; see its first "
		"line (a script) or `ldd` (a program)",
		lost);
	EXPECT_STR(want, d.text);
	unlink(plain);
	unlink(lost);
}
