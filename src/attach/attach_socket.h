/*
 * One connection to a VM's attach socket, with the target's user and group for as long as the
 * connection is made, where this process is root and the target is not.
 */
#ifndef ATTACH_ATTACH_SOCKET_H
#define ATTACH_ATTACH_SOCKET_H

#include <sys/types.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/types.h"

struct attach_socket {
	int dir;     /* the target's /tmp, O_PATH; borrowed */
	pid_t nspid; /* names the socket: .java_pidNSPID */
	uid_t uid;   /* the target's; the socket must be its own */
	gid_t gid;
};

/*
 * Whether the target listens there now: connects, and hangs up. 0; ERR_NOT_FOUND: no such socket;
 * ERR_GONE: left by an earlier process; ERR_DENIED: not the target's, or not a socket; ERR_TIMEOUT;
 * ERR_IO.
 */
int attach_socket_probe(const struct attach_socket *s, struct ns deadline, struct diag *d);

/*
 * Sends request and collects all of the reply until the VM closes. deadline is a clock_now() time.
 * ERR_GONE: nobody listens there (any more); ERR_TIMEOUT; ERR_LIMIT: a reply over
 * ATTACH_REPLY_MAX; ERR_DENIED; ERR_NOMEM; ERR_IO.
 */
int attach_socket_exchange(const struct attach_socket *s, struct slice request, struct ns deadline,
	struct buf *reply, struct diag *d);

#endif
