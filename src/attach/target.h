/*
 * What can be known about a process before touching it: whether it is a Java VM to attach to,
 * and where it looks for its files. Reads only.
 */
#ifndef ATTACH_TARGET_H
#define ATTACH_TARGET_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/diag.h"
#include "base/proc_status.h"
#include "base/types.h"

enum { TARGET_PATH_MAX = 512, TARGET_VERSION_MAX = 64, TARGET_OLDEST_JDK = 11 };

enum target_vm {
	TARGET_NO_VM,
	TARGET_HOTSPOT,
	TARGET_OPENJ9,
};

struct target {
	pid_t pid;
	struct proc_status status;  /* state, id in its own namespace, effective user and group */
	char proc[TARGET_PATH_MAX]; /* where procfs is: "/proc" outside tests */
	char tmp[TARGET_PATH_MAX];  /* its /tmp as seen from here: proc/PID/root/tmp */
	bool hidden;                /* /proc does not show this user what is mapped in it */
	enum target_vm vm;
	char libjvm[TARGET_PATH_MAX];     /* as the process itself names it; "" when no VM */
	bool replaced;                    /* the file of it was taken away since it was mapped */
	bool musl;                        /* its C library is musl, Alpine's */
	int jdk;                          /* 8, 11, 17, …; 0 when not known */
	char version[TARGET_VERSION_MAX]; /* "17.0.9"; "" when not known */
	bool expects;                     /* its options say that agents may be loaded late */
	bool attach_off; /* its counters say that -XX:+DisableAttachMechanism is set */
	bool counted;    /* its counters are open: it has started */
	bool starting;   /* the VM has not opened its counters yet, or a launcher has no VM yet */
};

/*
 * Reads proc/PID/status of a process. /proc has a thread's too, though it does not list it, and a
 * signal to a thread's number reaches the process: that is ERR_NO_PROCESS, as where there is none.
 * ERR_FORMAT, ERR_LIMIT, ERR_IO; all with a sentence.
 */
int target_status(struct proc_status *s, const char *proc, pid_t pid, struct diag *d);

/*
 * Reads what there is to know of a process; a process that is no VM is no error here. proc is
 * "/proc", or a tree made alike by a test. ERR_NO_PROCESS (or a thread), ERR_FORMAT, ERR_LIMIT
 * (path too long), ERR_IO.
 */
int target_read(struct target *t, const char *proc, pid_t pid, struct diag *d);

/*
 * Whether `self` (an effective user id) can attach to it: 0, or the first of
 * ERR_ZOMBIE, ERR_DENIED (another user's, or hidden), ERR_NOT_JVM, ERR_OTHER_VM, ERR_UNSUPPORTED
 * (its C library), ERR_OLD_VM, ERR_STOPPED, ERR_ATTACH_OFF, with a sentence that names the process
 * and the remedy.
 */
int target_check(const struct target *t, uid_t self, struct diag *d);

/*
 * Whether the VM prints a warning as it loads this library late (JDK 21 on): not where its options
 * say that it may, as far as its counters tell these, nor where it has it already.
 */
bool target_warns(const struct target *t, const char *library);

/* Whether waiting for it may help: it is starting, and neither stopped nor at its end. */
bool target_starts(const struct target *t);
/*
 * Whether the VM is past what it does behind its signal handler at its start: its counters are
 * open, or it runs the thread that HotSpot starts after that (11 to 25: "Service Thread").
 */
bool target_serves(const struct target *t);
/* Until when a VM that starts is waited for: ten seconds, unless the deadline comes before. */
struct ns target_start_deadline(struct ns deadline);

#endif
