/*
 * Attaches to a running HotSpot VM: has it open its attach socket, and sends it commands. The
 * protocol is HotSpot's own (what jcmd and jstack speak), version 1, which 11 to 25 understand.
 *
 * While it makes the VM listen it puts an empty file .attach_pidNSPID into the target's /tmp and
 * takes it away again, unless the VM may yet look for it. The VM keeps its socket until it exits.
 *
 * Not for many threads at once: as root it takes the target's effective user and group for a
 * moment.
 */
#ifndef ATTACH_ATTACH_H
#define ATTACH_ATTACH_H

#include "attach/target.h"
#include "base/buf.h"
#include "base/types.h"

enum { ATTACH_ARGS_MAX = 3, ATTACH_NAME_MAX = 16, ATTACH_ARG_MAX = 1024 };

struct attach {
	struct target target;
	int tmp;            /* owned: the target's /tmp, O_PATH */
	struct ns deadline; /* clock_now() after which everything is ERR_TIMEOUT */
};

/*
 * Finds the process, checks it (errors of target_check, before any signal is sent) and makes it
 * listen. A VM that is starting is waited for, up to ten seconds. timeout counts for this and all
 * that follows, until attach_deadline. proc is "/proc" outside tests. Further errors: ERR_TIMEOUT,
 * ERR_GONE (ended meanwhile), ERR_BUSY (does not handle SIGQUIT, which would kill it: still
 * starting after that), ERR_DENIED (also where proc numbers processes otherwise than this process
 * does), ERR_IO.
 */
int attach_open(struct attach *a, const char *proc, pid_t pid, struct ns timeout, struct diag *d);

/* Sets a new time limit, from now on. */
void attach_deadline(struct attach *a, struct ns timeout);

void attach_release(struct attach *a);

/*
 * Loads an agent library and waits for its Agent_OnAttach. The path is one in the target's file
 * system, absolute. options may be NULL; at most ATTACH_ARG_MAX bytes. *agent_result is what
 * Agent_OnAttach returned. Errors: ERR_LIBRARY, ERR_USAGE, ERR_JVM, and those of attach_command.
 */
int attach_load(struct attach *a, const char *library_path, const char *options, int *agent_result,
	struct diag *d);

/*
 * Any command ("jcmd", "properties", "threaddump", …) with up to ATTACH_ARGS_MAX arguments, each at
 * most ATTACH_ARG_MAX bytes. The VM's status goes to *status, its text to the end of reply. A
 * connection of its own for each. ERR_USAGE, ERR_GONE, ERR_TIMEOUT, ERR_LIMIT, ERR_DENIED,
 * ERR_FORMAT, ERR_NOMEM, ERR_IO.
 */
int attach_command(struct attach *a, const char *command, const char *const *args, size_t arg_count,
	int *status, struct buf *reply, struct diag *d);

#endif
