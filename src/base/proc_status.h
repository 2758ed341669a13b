/*
 * What /proc/PID/status says of a process. Text from the kernel, but the process names itself in
 * it, so it is read by whole lines and never trusted past its end.
 */
#ifndef BASE_PROC_STATUS_H
#define BASE_PROC_STATUS_H

#include <stdint.h>
#include <sys/types.h>

#include "base/slice.h"

struct proc_status {
	char state; /* R S D T t Z X …; 0 when not said */
	pid_t tgid; /* the process that it is a thread of: its own pid for a process's first */
	pid_t pid,
		nspid; /* nspid: its id in its own, innermost, PID namespace; pid where not said */
	uid_t euid;    /* (uid_t)-1 when not said */
	gid_t egid;    /* (gid_t)-1 when not said */
	uint64_t caught; /* signals with a handler: bit n-1 for signal n */
};

/* Parses the text of such a file. ERR_FORMAT when it has no Pid line. */
int proc_status_parse(struct proc_status *s, struct slice text);

/* Reads proc/PID/status; proc is "/proc" outside tests. ERR_NO_PROCESS, ERR_IO, ERR_FORMAT,
 * ERR_LIMIT. */
int proc_status_read(struct proc_status *s, const char *proc, pid_t pid);

static inline int proc_status_catches(const struct proc_status *s, int signal)
{
	return (int)(s->caught >> (signal - 1) & 1);
}

#endif
