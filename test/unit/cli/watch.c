#include "cli/watch.h"

#include <signal.h>
#include <sys/wait.h>

#include "base/error.h"
#include "unit/cli/fake_agent.h"

#define STATUS "ok\nstate recording\nseconds 1\nsamples 7\n"

/* A process that lives until its pipe is closed. */
static pid_t a_process(int *hold)
{
	int ends[2];
	EXPECT_INT(0, pipe(ends));
	pid_t pid = fork();
	if (pid == 0) {
		char byte;
		close(ends[1]);
		_exit(read(ends[0], &byte, 1) == 0 ? 0 : 1);
	}
	close(ends[0]);
	*hold = ends[1];
	return pid;
}

static void count(void *arg)
{
	++*(int *)arg;
}

TEST(ends_with_the_socket)
{
	int hold, looks = 0;
	struct fake_agent f = {.replies = {STATUS, STATUS, STATUS}, .closes = true};
	struct diag d = {""};
	enum watch_end end;
	pid_t pid = a_process(&hold);
	fake_agent_start(&f);
	const struct watch w = {.pid = pid, .socket = f.path, .look = count, .arg = &looks};
	EXPECT_INT(0, watch_wait(&w, &end, &d));
	EXPECT_INT(WATCH_DONE, end);
	EXPECT_INT(4, looks);
	fake_agent_stop(&f);
	EXPECT_STR("status\nstatus\nstatus\n", f.requests);
	close(hold);
	waitpid(pid, NULL, 0);
}

TEST(ends_with_the_process)
{
	int hold;
	struct fake_agent f = {.replies = {STATUS, STATUS, STATUS}};
	struct diag d = {""};
	enum watch_end end;
	pid_t pid = a_process(&hold);
	close(hold); /* it ends; not waited for, so a zombie: that counts as gone */
	siginfo_t info;
	EXPECT_INT(0, waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT));
	fake_agent_start(&f);
	const struct watch w = {.pid = pid, .socket = f.path};
	EXPECT_INT(0, watch_wait(&w, &end, &d));
	EXPECT_INT(WATCH_GONE, end);
	fake_agent_stop(&f);
	watch_settle(pid, 100000); /* at once */
	waitpid(pid, NULL, 0);
}

/* A recording begun with nohup outlives the shell that it was begun from. */
TEST(nohup)
{
	struct sigaction now;
	signal(SIGHUP, SIG_IGN);
	watch_signals();
	sigaction(SIGHUP, NULL, &now);
	EXPECT(now.sa_handler == SIG_IGN);
	raise(SIGHUP);
	EXPECT(!watch_interrupted());
	signal(SIGHUP, SIG_DFL);
}

/* Ctrl-\: without a core, and without a terminal or a recording left as they were. */
TEST(quit_is_noted)
{
	struct sigaction now;
	signal(SIGQUIT, SIG_IGN); /* a shell's &, not meant so */
	watch_signals();
	sigaction(SIGQUIT, NULL, &now);
	EXPECT(now.sa_handler != SIG_IGN && now.sa_handler != SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
}

/* The reader of our sentences is gone before the recording is. */
TEST(nobody_listens)
{
	int ends[2];
	signal(SIGPIPE, SIG_DFL);
	watch_signals();
	EXPECT_INT(0, pipe(ends));
	close(ends[0]);
	EXPECT_INT(-1, write(ends[1], "x", 1)); /* and not the end of this test */
	close(ends[1]);
}

TEST(an_interrupt_stops_the_agent)
{
	int hold;
	struct fake_agent f = {.replies = {"ok\n"}};
	struct diag d = {""};
	enum watch_end end;
	pid_t pid = a_process(&hold);
	fake_agent_start(&f);
	watch_signals();
	raise(SIGINT);
	const struct watch w = {.pid = pid, .socket = f.path};
	EXPECT_INT(0, watch_wait(&w, &end, &d));
	EXPECT_INT(WATCH_STOPPED, end);
	fake_agent_stop(&f);
	EXPECT_STR("stop\n", f.requests);
	struct sigaction now;
	sigaction(SIGINT, NULL, &now);
	EXPECT(now.sa_handler == SIG_DFL); /* a second one ends the tool */
	close(hold);
	waitpid(pid, NULL, 0);
}
