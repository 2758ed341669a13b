#include "attach/identity.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/error.h"

int identity_take(struct identity *i, uid_t uid, gid_t gid, struct diag *d)
{
	*i = (struct identity){.uid = geteuid(), .gid = getegid()};
	if (i->uid != 0 || (i->uid == uid && i->gid == gid))
		return 0;
	i->dumpable = prctl(PR_GET_DUMPABLE);
	/* The group first: without root's user id it could not be changed. */
	if (setegid(gid) != 0)
		return diag_set(
			d, ERR_DENIED, "can't act as group %u: %s", (unsigned)gid, strerror(errno));
	i->taken = true;
	if (seteuid(uid) == 0)
		return 0;
	int error = errno;
	identity_restore(i, NULL);
	return diag_set(d, ERR_DENIED, "can't act as user %u: %s", (unsigned)uid, strerror(error));
}

int identity_restore(struct identity *i, struct diag *d)
{
	if (!i->taken)
		return 0;
	if (seteuid(i->uid) != 0 || setegid(i->gid) != 0)
		return diag_set(d, ERR_DENIED, "can't go back to user %u, group %u: %s",
			(unsigned)i->uid, (unsigned)i->gid, strerror(errno));
	/* Changing ids made the process undumpable. */
	if (i->dumpable == 1)
		prctl(PR_SET_DUMPABLE, 1);
	i->taken = false;
	return 0;
}
