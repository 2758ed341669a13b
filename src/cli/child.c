#include "cli/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"

/* Written before the handlers can run (signals are blocked), read in them. */
static volatile sig_atomic_t child_pid;

static void pass_on(int signal_number)
{
	int before = errno;
	kill((pid_t)child_pid, signal_number);
	errno = before;
}

static const struct {
	int number;
	void (*handler)(int);
} handled[] = {{SIGINT, SIG_IGN}, {SIGQUIT, SIG_IGN}, {SIGTERM, pass_on}, {SIGHUP, pass_on}};

struct dispositions {
	struct sigaction action[ARRAY_SIZE(handled)];
	sigset_t mask;
};

static void block(struct dispositions *old)
{
	sigset_t set;
	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(handled); i++)
		sigaddset(&set, handled[i].number);
	sigprocmask(SIG_BLOCK, &set, &old->mask);
}

/* What is ignored on purpose (nohup) stays ignored. */
static void handle(struct dispositions *old)
{
	for (size_t i = 0; i < ARRAY_SIZE(handled); i++) {
		struct sigaction action = {
			.sa_handler = handled[i].handler, .sa_flags = SA_RESTART};
		sigaction(handled[i].number, NULL, &old->action[i]);
		if (old->action[i].sa_handler != SIG_IGN)
			sigaction(handled[i].number, &action, NULL);
	}
}

static void restore(const struct dispositions *old)
{
	for (size_t i = 0; i < ARRAY_SIZE(handled); i++)
		sigaction(handled[i].number, &old->action[i], NULL);
	sigprocmask(SIG_SETMASK, &old->mask, NULL);
}

/* What has no first line that names another is the shell's, as for execvp, and so for env, nohup
 * and timeout. */
static void become_script(const char *file, char *const *argv)
{
	size_t count = 1;
	while (argv[count])
		count++;
	const char **all = mem_zalloc(count + 2, sizeof(*all));
	if (!all)
		return;
	all[0] = "sh";
	all[1] = file;
	memcpy(all + 2, argv + 1, (count - 1) * sizeof(*all));
	execv("/bin/sh", (char *const *)(uintptr_t)all); /* which writes to none of them */
	mem_free(all);
}

/* In the child: never returns. errno goes to the parent through the pipe, which exec closes. */
static void become(int report, const struct dispositions *old, const char *file, char *const *argv,
	const char *name, const char *value)
{
	sigprocmask(SIG_SETMASK, &old->mask, NULL);
	if (!name || setenv(name, value, 1) == 0)
		execv(file, argv);
	int why = errno;
	if (why == ENOEXEC)
		become_script(file, argv);
	ssize_t written = write(report, &why, sizeof(why));
	_exit(written == sizeof(why) ? 126 : 127);
}

/* 0 once exec has succeeded, else the errno that it failed with. */
static int exec_result(int report)
{
	int why = 0;
	ssize_t got;
	do
		got = read(report, &why, sizeof(why));
	while (got < 0 && errno == EINTR);
	return got == sizeof(why) ? why : 0;
}

static int wait_for(pid_t pid)
{
	int status;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* That of a script or a program that is there can only be of what is to run it. */
static int refuse(const char *file, int why, struct diag *d)
{
	if (why == ENOENT && access(file, F_OK) == 0)
		return diag_set(d, ERR_IO,
			"%s can't be started: the program that is to run it is not there; see its "
			"first line (a script) or `ldd` (a program)",
			file);
	return diag_set(d, ERR_IO, "%s can't be started: %s", file, strerror(why));
}

int child_run(struct child *c, const char *file, char *const *argv, const char *name,
	const char *value, struct diag *d)
{
	struct dispositions old;
	int report[2];
	if (pipe2(report, O_CLOEXEC))
		return refuse(file, errno, d);
	signal(SIGCHLD, SIG_DFL); /* where it is ignored, there is nothing to wait for */
	block(&old);
	c->pid = fork();
	if (c->pid == 0)
		become(report[1], &old, file, argv, name, value);
	int why = errno;
	close(report[1]);
	if (c->pid > 0) {
		child_pid = c->pid;
		handle(&old);
		sigprocmask(SIG_SETMASK, &old.mask, NULL);
		why = exec_result(report[0]);
		c->status = wait_for(c->pid);
		restore(&old);
	} else {
		sigprocmask(SIG_SETMASK, &old.mask, NULL);
	}
	close(report[0]);
	return why ? refuse(file, why, d) : ERR_NONE;
}
