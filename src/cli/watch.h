/*
 * Stands by while an agent records in another process: until it is done, the process is gone,
 * or a person presses Ctrl-C (which ends the recording, not the program).
 */
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/diag.h"
#include "base/types.h"

enum watch_end {
	WATCH_DONE,    /* the agent has stopped by itself: the duration is over, or trouble */
	WATCH_STOPPED, /* it was told to, here */
	WATCH_GONE,    /* the process has ended */
};

struct watch {
	pid_t pid;
	const char *socket;      /* control_path; borrowed */
	struct ns duration;      /* for the progress line; 0: until it is stopped */
	void (*look)(void *arg); /* called about four times a second; may be NULL */
	void *arg;
	bool progress; /* a line on stderr that is redrawn */
};

/*
 * SIGINT, SIGQUIT, SIGTERM and SIGHUP are noted from now on, for watch_wait to act upon, instead of
 * ending this process; each once, so that a second Ctrl-C does end it (the agent stops all the
 * same). A SIGHUP that is ignored (nohup) stays so. SIGPIPE is ignored: who listens to what is said
 * may go (2>&1 | head -1), but the recording must be ended.
 */
void watch_signals(void);

/* Whether one of them has come. */
bool watch_interrupted(void);

/* Tells the agent to stop, and waits for that. As watch_wait. */
int watch_stop(const struct watch *w, enum watch_end *end, struct diag *d);

/*
 * Waits. 0 with the way it ended, or ERR_TIMEOUT and others where the agent did not answer the
 * request to stop, with a sentence.
 */
int watch_wait(const struct watch *w, enum watch_end *end, struct diag *d);

/* A descriptor that becomes readable when the process ends; -1 where the kernel has none (Linux
 * before 5.3). */
int watch_open(pid_t pid);
/* Whether it has ended; without a descriptor a zombie counts as running. */
bool watch_gone(int pidfd, pid_t pid);

/* Gives a process that may be about to end the time to do so: at most ms milliseconds. Whether it
 * has. */
bool watch_settle(pid_t pid, int ms);

#endif
