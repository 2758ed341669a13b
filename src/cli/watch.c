#include "cli/watch.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/units.h"
#include "cli/control.h"

enum { LOOK_MS = 250 };

static const struct ns status_time = {5000000000ull};
static const struct ns stop_time = {
	60000000000ull}; /* what is pending may have to be written first */

/* Whether one of the signals has come; written in the handler. */
static volatile sig_atomic_t interrupted;

static void note(int signal_number)
{
	(void)signal_number;
	interrupted = 1;
}

/* By nohup; a shell has SIGINT and SIGQUIT ignored by all that it starts with &, which is not meant
 * so. */
static bool stays_ignored(int number)
{
	struct sigaction now;
	return number == SIGHUP && sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

void watch_signals(void)
{
	static const int numbers[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = note, .sa_flags = (int)SA_RESETHAND};
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (!stays_ignored(numbers[i]))
			sigaction(numbers[i], &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

bool watch_interrupted(void)
{
	return interrupted;
}

int watch_open(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

/* Waits a moment; whether the process has ended meanwhile. Without pidfds (Linux before 5.3) a
 * zombie counts as running. */
static bool gone_after(int pidfd, pid_t pid, int ms)
{
	struct pollfd p = {.fd = pidfd, .events = POLLIN};
	int got = poll(&p, pidfd >= 0 ? 1 : 0, ms);
	return pidfd >= 0 ? got > 0 : kill(pid, 0) && errno == ESRCH;
}

bool watch_gone(int pidfd, pid_t pid)
{
	return gone_after(pidfd, pid, 0);
}

/* "12 s", "0.5 s", "2 h 05 min". */
static char *in_seconds(double ns, char *out)
{
	if (ns >= 600e9)
		return units_time(ns, out);
	snprintf(out, UNITS_MAX, "%.3g s", ns / 1e9);
	return out;
}

static void draw(const struct watch *w, const struct control_reply *status)
{
	char done[UNITS_MAX], all[UNITS_MAX] = "", samples[UNITS_MAX], state[32];
	if (!w->progress)
		return;
	control_value(status, "state", state, sizeof(state));
	in_seconds((double)control_number(status, "seconds") * 1e9, done);
	if (w->duration.v)
		in_seconds((double)w->duration.v, all);
	units_count(control_number(status, "samples"), samples);
	fprintf(stderr, "\r%s %ld: %s%s%s, %s samples (Ctrl-C ends it)\033[K", state, (long)w->pid,
		done, *all ? " of " : "", all, samples);
	fflush(stderr);
}

int watch_stop(const struct watch *w, enum watch_end *end, struct diag *d)
{
	struct control_reply reply;
	if (w->progress)
		fprintf(stderr, "\rstopping %ld …\033[K", (long)w->pid);
	int err = control_ask(w->socket, "stop", stop_time, &reply, d);
	*end = WATCH_STOPPED;
	return err == ERR_GONE ? ERR_NONE : err; /* it was just stopping by itself */
}

static int wait_for(const struct watch *w, int pidfd, enum watch_end *end, struct diag *d)
{
	struct control_reply status;
	for (;;) {
		if (w->look)
			w->look(w->arg);
		if (interrupted)
			return watch_stop(w, end, d);
		int err = control_ask(w->socket, "status", status_time, &status, d);
		if (err == ERR_NONE)
			draw(w, &status);
		*end = WATCH_GONE;
		if (gone_after(pidfd, w->pid, err == ERR_GONE ? 0 : LOOK_MS))
			return ERR_NONE;
		*end = WATCH_DONE;
		if (err == ERR_GONE)
			return ERR_NONE;
		if (err && err != ERR_TIMEOUT)
			return err;
	}
}

int watch_wait(const struct watch *w, enum watch_end *end, struct diag *d)
{
	int pidfd = watch_open(w->pid);
	int err = wait_for(w, pidfd, end, d);
	if (w->progress)
		fprintf(stderr, "\r\033[K");
	if (pidfd >= 0)
		close(pidfd);
	return err;
}

bool watch_settle(pid_t pid, int ms)
{
	int pidfd = watch_open(pid);
	bool gone = (pidfd < 0 && errno == ESRCH) || gone_after(pidfd, pid, ms);
	if (pidfd >= 0)
		close(pidfd);
	return gone;
}
