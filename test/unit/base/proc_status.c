#include "base/proc_status.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "support/tap.h"

static const char java[] =
	"Name:\tjava\nUmask:\t0022\nState:\tS (sleeping)\nTgid:\t4711\nPid:\t4711\n"
	"PPid:\t1\nUid:\t1000\t1001\t1002\t1003\nGid:\t100\t101\t102\t103\n"
	"NStgid:\t4711\t7\nNSpid:\t4711\t7\nThreads:\t20\nSigBlk:\t0\n"
	"SigCgt:\t2000000181005ccf\n";

TEST(reads_what_it_names)
{
	struct proc_status s;
	EXPECT_INT(0, proc_status_parse(&s, slice_str(java)));
	EXPECT_INT('S', s.state);
	EXPECT_INT(4711, s.tgid);
	EXPECT_INT(4711, s.pid);
	EXPECT_INT(7, s.nspid);
	EXPECT_INT(1001, s.euid);
	EXPECT_INT(101, s.egid);
	EXPECT(proc_status_catches(&s, SIGQUIT));
	EXPECT(!proc_status_catches(&s, SIGKILL));
	EXPECT(!proc_status_catches(&s, SIGALRM));
}

TEST(a_thread)
{
	struct proc_status s;
	EXPECT_INT(0, proc_status_parse(&s, slice_str("Tgid:\t12\nPid:\t14\n")));
	EXPECT_INT(12, s.tgid);
	EXPECT_INT(14, s.pid);
	EXPECT_INT(0, proc_status_parse(&s, slice_str("Pid:\t14\n")));
	EXPECT_INT(14, s.tgid);
}

TEST(no_namespaces_no_users)
{
	struct proc_status s;
	EXPECT_INT(0, proc_status_parse(&s, slice_str("Pid:\t12\n")));
	EXPECT_INT(12, s.nspid);
	EXPECT(s.euid == (uid_t)-1);
	EXPECT(s.egid == (gid_t)-1);
	EXPECT_INT(0, s.state);
	EXPECT_INT(0, proc_status_parse(&s, slice_str("Pid:\t12\nUid:\t1\nNSpid:\n")));
	EXPECT(s.euid == (uid_t)-1);
	EXPECT_INT(12, s.nspid);
}

TEST(not_such_a_file)
{
	struct proc_status s;
	EXPECT_INT(ERR_FORMAT, proc_status_parse(&s, slice_str("")));
	EXPECT_INT(ERR_FORMAT, proc_status_parse(&s, slice_str("hello\nPid:\tx\n")));
	EXPECT_INT(ERR_FORMAT, proc_status_parse(&s, slice_str("Name:\tPid:\t5\n")));
}

TEST(a_line_of_any_length)
{
	char text[2048];
	int at = snprintf(text, sizeof(text), "Groups:\t");
	while (at < 1900)
		at += snprintf(text + at, sizeof(text) - (size_t)at, "1000 ");
	snprintf(text + at, sizeof(text) - (size_t)at, "\nPid:\t9");
	struct proc_status s;
	EXPECT_INT(0, proc_status_parse(&s, slice_str(text)));
	EXPECT_INT(9, s.pid);
}

TEST(every_prefix_is_safe)
{
	for (size_t len = 0; len <= strlen(java); len++) {
		char *cut = malloc(len ? len : 1);
		memcpy(cut, java, len);
		struct proc_status s;
		int err = proc_status_parse(&s, slice(cut, len));
		EXPECT(err == 0 || err == ERR_FORMAT);
		free(cut);
	}
}

TEST(this_process)
{
	struct proc_status s;
	EXPECT_INT(0, proc_status_read(&s, "/proc", getpid()));
	EXPECT_INT(getpid(), s.pid);
	EXPECT_INT(geteuid(), s.euid);
	EXPECT_INT('R', s.state);
}

/* As the kernel writes them, between the ids and the signals. */
TEST(a_user_in_many_groups)
{
	char proc[] = "/tmp/proc_status.XXXXXX", path[64];
	EXPECT(mkdtemp(proc) != NULL);
	snprintf(path, sizeof(path), "%s/9", proc);
	EXPECT_INT(0, mkdir(path, 0700));
	snprintf(path, sizeof(path), "%s/9/status", proc);
	FILE *f = fopen(path, "w");
	EXPECT(f != NULL);
	fprintf(f, "Pid:\t9\nGroups:\t");
	for (int i = 0; i < 65536; i++)
		fprintf(f, "SigCgt:\t%d ", i); /* not at the line's begin */
	fprintf(f, "\nNSpid:\t9\t7\nSigCgt:\t4\n");
	fclose(f);
	struct proc_status s;
	EXPECT_INT(0, proc_status_read(&s, proc, 9));
	EXPECT_INT(7, s.nspid);
	EXPECT_INT(4, s.caught);
	unlink(path);
	snprintf(path, sizeof(path), "%s/9", proc);
	rmdir(path);
	rmdir(proc);
}

TEST(no_process)
{
	char dir[] = "/tmp/proc_status.XXXXXX";
	EXPECT(mkdtemp(dir) != NULL);
	struct proc_status s;
	EXPECT_INT(ERR_NO_PROCESS, proc_status_read(&s, dir, 1));
	rmdir(dir);
}
