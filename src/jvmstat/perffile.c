#include "jvmstat/perffile.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/proc_status.h"

enum { PATH_ROOM = 1024 };

/* As the VM itself demands of the directory: the user's own, and nobody else's to write. */
static bool trusted(const char *dir, const char *file, uid_t owner)
{
	struct stat st;
	if (lstat(dir, &st) != 0 || !S_ISDIR(st.st_mode) || st.st_uid != owner ||
		(st.st_mode & (S_IWGRP | S_IWOTH)))
		return false;
	return lstat(file, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == owner;
}

static bool fits(int written, size_t size)
{
	return written >= 0 && (size_t)written < size;
}

/* 1 found, 0 not this one. */
static int try_directory(
	const char *tmp, const char *name, pid_t nspid, uid_t owner, char *path, size_t size)
{
	char dir[PATH_ROOM];
	if (strncmp(name, "hsperfdata_", 11) != 0)
		return 0;
	if (!fits(snprintf(dir, sizeof(dir), "%s/%s", tmp, name), sizeof(dir)))
		return 0;
	if (!fits(snprintf(path, size, "%s/%d", dir, (int)nspid), size))
		return 0;
	return trusted(dir, path, owner);
}

int perffile_find(
	const char *tmp, pid_t nspid, uid_t owner, char *path, size_t size, struct diag *d)
{
	DIR *dir = opendir(tmp);
	if (!dir)
		return diag_set(d, errno == EACCES || errno == EPERM ? ERR_DENIED : ERR_IO,
			"%s: %s", tmp, strerror(errno));
	int found = 0;
	for (struct dirent *entry; !found && (entry = readdir(dir));)
		found = try_directory(tmp, entry->d_name, nspid, owner, path, size);
	closedir(dir);
	if (found)
		return 0;
	return diag_set(d, ERR_NOT_FOUND,
		"process %d keeps no counters in %s: not a HotSpot VM, or one that runs with "
		"-XX:-UsePerfData or -XX:+PerfDisableSharedMem",
		(int)nspid, tmp);
}

static int open_in(struct perfdata *p, const char *tmp, pid_t nspid, uid_t owner, struct diag *d)
{
	char path[PATH_ROOM];
	int err = perffile_find(tmp, nspid, owner, path, sizeof(path), d);
	return err ? err : perfdata_open(p, path, owner, d);
}

int perffile_open_self(struct perfdata *p, struct diag *d)
{
	*p = (struct perfdata){0};
	return open_in(p, "/tmp", getpid(), geteuid(), d);
}

int perffile_open_pid(struct perfdata *p, const char *proc, pid_t pid, struct diag *d)
{
	*p = (struct perfdata){0};
	struct proc_status status;
	int err = proc_status_read(&status, proc, pid);
	if (err)
		return diag_set(d, err, "process %d: %s", (int)pid, err_text(err));
	char tmp[PATH_ROOM];
	if (!fits(snprintf(tmp, sizeof(tmp), "%s/%d/root/tmp", proc, (int)pid), sizeof(tmp)))
		return diag_set(d, ERR_LIMIT, "%s: path too long", proc);
	err = open_in(p, tmp, status.nspid, status.euid, d);
	/* Its root may be out of bounds where its files are not. */
	if (err == ERR_DENIED && status.nspid == pid)
		err = open_in(p, "/tmp", pid, status.euid, d);
	if (err || perfdata_ready(p))
		return err;
	perfdata_release(p);
	return diag_set(d, ERR_BUSY, "the Java VM of process %d is still starting", (int)pid);
}
