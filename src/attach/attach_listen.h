/* Makes a VM open its attach socket: an empty file that it looks for, and SIGQUIT to have it look.
 */
#ifndef ATTACH_ATTACH_LISTEN_H
#define ATTACH_ATTACH_LISTEN_H

#include "attach/attach_socket.h"
#include "attach/target.h"

enum { ATTACH_STEP_MS = 10 }; /* between two looks at what the VM does */

/*
 * Returns once the VM listens. pidfd is the target's, or -1. Sends nothing when it listens
 * already, and nothing to a process that has no handler for SIGQUIT, which would kill it, or may
 * only just have one (target_serves): that is waited for (target_start_deadline), then ERR_BUSY.
 * ERR_GONE, ERR_STOPPED, ERR_TIMEOUT (after these two the file stays, for the VM may look yet),
 * ERR_DENIED, ERR_IO.
 */
int attach_listen(const struct target *t, const struct attach_socket *s, int pidfd,
	struct ns deadline, struct diag *d);

#endif
