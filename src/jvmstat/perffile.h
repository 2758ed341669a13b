/*
 * Where a VM keeps its counter file: /tmp/hsperfdata_USER/PID, whatever java.io.tmpdir says.
 * USER is not asked for: of all such files the one that belongs to the VM's user is taken.
 * There is none with -XX:-UsePerfData or -XX:+PerfDisableSharedMem.
 */
#ifndef JVMSTAT_PERFFILE_H
#define JVMSTAT_PERFFILE_H

#include "jvmstat/perfdata.h"

/* Opens the counters of the VM that this process is. From VMInit on: at Agent_OnLoad there are none
 * yet. */
int perffile_open_self(struct perfdata *p, struct diag *d);

/*
 * Opens the counters of another process, in its own mount and PID namespace. proc is where
 * procfs is mounted, "/proc" outside tests. Errors as perfdata_open; ERR_NO_PROCESS, and
 * ERR_BUSY while the VM is still starting.
 */
int perffile_open_pid(struct perfdata *p, const char *proc, pid_t pid, struct diag *d);

/*
 * Looks in tmp ("/tmp", or the like seen through a /proc/PID/root) for an hsperfdata_x/nspid
 * that belongs to owner, and writes its path. ERR_NOT_FOUND, ERR_LIMIT (path too long), ERR_IO.
 */
int perffile_find(
	const char *tmp, pid_t nspid, uid_t owner, char *path, size_t size, struct diag *d);

#endif
