/*
 * Another user's effective ids for a moment, so that what root does is seen as that user's doing:
 * the VM looks at the user and group at the other end of its socket. All threads of the process
 * change.
 */
#ifndef ATTACH_IDENTITY_H
#define ATTACH_IDENTITY_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/diag.h"

struct identity {
	bool taken;
	uid_t uid; /* to go back to */
	gid_t gid;
	int dumpable;
};

/* Takes the ids. Does nothing when they are this process's, or when it is not root. ERR_DENIED. */
int identity_take(struct identity *i, uid_t uid, gid_t gid, struct diag *d);

/* Goes back. ERR_DENIED, which must not be ignored: the process is then still the other user. */
int identity_restore(struct identity *i, struct diag *d);

#endif
