#include "cli/ferry.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/crc32c.h"
#include "base/error.h"
#include "cli/draft.h"

bool ferry_needed(pid_t pid)
{
	char path[64];
	struct stat here, there;
	snprintf(path, sizeof(path), "/proc/%ld/ns/mnt", (long)pid);
	if (stat("/proc/self/ns/mnt", &here) || stat(path, &there))
		return false;
	if (here.st_ino != there.st_ino)
		return true;
	/* The same mounts, but a chroot: another root folder. */
	snprintf(path, sizeof(path), "/proc/%ld/root/.", (long)pid);
	return stat("/", &here) == 0 && stat(path, &there) == 0 &&
	       (here.st_ino != there.st_ino || here.st_dev != there.st_dev);
}

void ferry_init(struct ferry *f, int folder, pid_t pid)
{
	memset(f, 0, sizeof(*f));
	f->folder = folder;
	f->trace = f->held = -1;
	snprintf(f->file, sizeof(f->file), "mayfly-%ld-%llx.mfly", (long)pid,
		(unsigned long long)clock_wall().v);
}

/* Closes a file that was written; the last error of a write may come only here. */
static int closed(int fd, int err)
{
	int why = errno;
	if (close(fd) && !err)
		return ERR_IO;
	errno = why;
	return err;
}

/* Takes away what an attach that was killed left behind: who still needs a copy has it locked. A VM
 * that has loaded it goes on with what it has. */
static void remove_leftover(const struct ferry *f)
{
	struct stat held, there;
	int fd = openat(f->folder, f->library, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &held) == 0 && S_ISREG(held.st_mode) &&
		fstatat(f->folder, f->library, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
		held.st_ino == there.st_ino && held.st_dev == there.st_dev)
		unlinkat(f->folder, f->library, 0);
	close(fd);
}

/* Whether it is another's who takes it for a leftover, or has taken it away already. */
static bool is_taken(int fd)
{
	struct stat st;
	bool locked = flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
	return locked || fstat(fd, &st) || st.st_nlink == 0;
}

/* A new file, locked where its file system can. */
static int create(const struct ferry *f)
{
	int fd = openat(
		f->folder, f->library, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0755);
	if (fd < 0 || !is_taken(fd))
		return fd;
	close(fd);
	errno = EEXIST;
	return -1;
}

enum { NAME_ROOM = 64 };

/* After its content. */
static void name_library(int from, char out[NAME_ROOM])
{
	char bytes[65536];
	uint32_t sum = 0;
	unsigned long long len = 0;
	for (ssize_t got; (got = pread(from, bytes, sizeof(bytes), (off_t)len)) > 0;) {
		sum = crc32c(sum, bytes, (size_t)got);
		len += (unsigned long long)got;
	}
	snprintf(out, NAME_ROOM, ".mayfly-agent-%llx-%08x.so", len, sum);
}

/* A new file for the library. Where another has its name one with a name that nobody else has. */
static int create_library(struct ferry *f, int from)
{
	static_assert(sizeof(f->library) == NAME_ROOM, "names fit");
	name_library(from, f->library);
	remove_leftover(f);
	int to = create(f);
	if (to >= 0 || errno != EEXIST)
		return to;
	snprintf(f->library, sizeof(f->library), ".mayfly-agent-%ld-%llx.so", (long)getpid(),
		(unsigned long long)clock_wall().v);
	return create(f);
}

/* The VM would only say that it could not map a segment. */
static int check_folder(const struct ferry *f, struct diag *d)
{
	struct statvfs fs;
	if (fstatvfs(f->folder, &fs) == 0 && fs.f_flag & ST_NOEXEC)
		return diag_set(d, ERR_DENIED,
			"the program's /tmp is mounted noexec: nothing can be loaded from there. "
			"Mount it with exec (docker: --tmpfs /tmp:exec), or start the program "
			"with the agent on its command line");
	return 0;
}

int ferry_library(struct ferry *f, const char *local, struct diag *d)
{
	if (check_folder(f, d))
		return ERR_DENIED;
	int from = open(local, O_RDONLY | O_CLOEXEC);
	if (from < 0)
		return diag_set(d, ERR_IO, "%s: %s", local, strerror(errno));
	int to = create_library(f, from);
	if (to < 0) {
		int err = errno == EACCES || errno == EPERM ? ERR_DENIED : ERR_IO;
		f->library[0] = '\0';
		close(from);
		return diag_set(d, err, "the agent can't be copied into the program's /tmp: %s",
			strerror(errno));
	}
	int err = sink_copy(sink_fd(&to), from);
	/* The program's user must be able to load it whatever this user's umask is. */
	if (!err && fchmod(to, 0755))
		err = ERR_IO;
	f->held = fcntl(to, F_DUPFD_CLOEXEC, 0);
	err = closed(to, err);
	close(from);
	if (err) {
		diag_set(d, err, "the agent can't be copied into the program's /tmp: %s",
			strerror(errno));
		ferry_remove_library(f);
	}
	return err;
}

/* Of a descriptor's link: "/tmp/NAME", and " (deleted)" behind it once it is. */
static bool is_library(int fds, const char *fd, const char *name)
{
	char path[PATH_MAX];
	ssize_t len = readlinkat(fds, fd, path, sizeof(path) - 1);
	if (len <= 0)
		return false;
	path[len] = '\0';
	const char *last = strrchr(path, '/');
	size_t named = strlen(name);
	return last && strncmp(last + 1, name, named) == 0 &&
	       (!last[1 + named] || strcmp(last + 1 + named, " (deleted)") == 0);
}

static bool find_open(DIR *fds, const char *name, char *out, size_t room)
{
	for (const struct dirent *e; (e = readdir(fds));)
		if (is_library(dirfd(fds), e->d_name, name)) {
			snprintf(out, room, "/proc/self/fd/%s", e->d_name);
			return true;
		}
	return false;
}

bool ferry_loaded(pid_t pid, const char *local, char *out, size_t room)
{
	char path[32], name[NAME_ROOM];
	int from = open(local, O_RDONLY | O_CLOEXEC);
	if (from < 0)
		return false;
	name_library(from, name);
	close(from);
	snprintf(path, sizeof(path), "/proc/%ld/fd", (long)pid);
	DIR *fds = opendir(path);
	bool found = fds && find_open(fds, name, out, room);
	if (fds)
		closedir(fds);
	return found;
}

int ferry_create(struct ferry *f, uid_t user, gid_t group, struct diag *d)
{
	f->trace = openat(
		f->folder, f->file, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (f->trace < 0)
		return diag_set(d, errno == EACCES ? ERR_DENIED : ERR_IO,
			"no file can be made in the program's /tmp: %s", strerror(errno));
	if (user == geteuid() || fchown(f->trace, user, group) == 0)
		return ERR_NONE;
	diag_set(d, ERR_DENIED, "the file in the program's /tmp can't be given to its user: %s",
		strerror(errno));
	ferry_discard(f);
	return ERR_DENIED;
}

void ferry_discard(struct ferry *f)
{
	unlinkat(f->folder, f->file, 0);
}

bool ferry_hold(struct ferry *f)
{
	struct stat st;
	if (f->trace >= 0)
		return true;
	f->trace = openat(f->folder, f->file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (f->trace >= 0 && (fstat(f->trace, &st) || !S_ISREG(st.st_mode))) {
		close(f->trace);
		f->trace = -1;
	}
	return f->trace >= 0;
}

static int fetch(const struct ferry *f, const char *local, struct diag *d)
{
	struct draft draft;
	int err = draft_open(&draft, local, false, d);
	if (err)
		return err;
	err = lseek(f->trace, 0, SEEK_SET) < 0 ? ERR_IO : sink_copy(draft_sink(&draft), f->trace);
	if (!err)
		return draft_keep(&draft, d);
	diag_set(d, err, "the copy failed: %s", strerror(errno));
	draft_drop(&draft, d);
	return err;
}

int ferry_fetch(struct ferry *f, const char *local, struct diag *d)
{
	struct diag why = {""};
	if (!ferry_hold(f))
		return diag_set(d, ERR_NOT_FOUND, "the program wrote no trace into its /tmp");
	int err = fetch(f, local, &why);
	if (err)
		return diag_set(d, err, "%s; the trace is still in the program's /tmp as %s",
			why.text[0] ? why.text : err_text(err), f->file);
	unlinkat(f->folder, f->file, 0);
	return ERR_NONE;
}

void ferry_remove_library(struct ferry *f)
{
	if (f->library[0])
		unlinkat(f->folder, f->library, 0);
	f->library[0] = '\0';
	if (f->held >= 0)
		close(f->held);
	f->held = -1;
}

void ferry_release(struct ferry *f)
{
	ferry_remove_library(f);
	if (f->trace >= 0)
		close(f->trace);
	f->trace = -1;
}
