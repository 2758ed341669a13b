#include "cli/child.h"

#include <signal.h>
#include <stdlib.h>
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
