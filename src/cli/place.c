#include "cli/place.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/error.h"
#include "options/options.h"
#include "trace/rewritable.h"

#define AGENT "libmayfly.so"

/* Writes the folder of this program with its slash. 0 or ERR_NOT_FOUND. */
static int own_folder(char *out, size_t room)
{
	ssize_t len = readlink("/proc/self/exe", out, room - 1);
	if (len <= 0)
		return ERR_NOT_FOUND;
	out[len] = '\0';
	char *slash = strrchr(out, '/');
	if (!slash)
		return ERR_NOT_FOUND;
	slash[1] = '\0';
	return ERR_NONE;
}

static int accept(const char *path, char *out, size_t room, struct diag *d)
{
	char real[PATH_MAX];
	if (!realpath(path, real) || access(real, R_OK))
		return ERR_NOT_FOUND;
	if (strlen(real) >= room)
		return diag_set(d, ERR_LIMIT, "the path of %s is too long", path);
	/* The JVM takes what follows the first '=' for options. */
	if (strchr(real, '='))
		return diag_set(d, ERR_UNSUPPORTED,
			"the JVM can't load %s: there is a '=' in its path; move it, or set "
			"MAYFLY_AGENT to a copy",
			real);
	snprintf(out, room, "%s", real);
	return ERR_NONE;
}

int place_agent(char *out, size_t room, struct diag *d)
{
	static const char *const beside[] = {AGENT, "../lib/mayfly/" AGENT};
	const char *named = getenv("MAYFLY_AGENT");
	char folder[PATH_MAX], path[PATH_MAX + 32];
	if (named && *named) {
		int err = accept(named, out, room, d);
		return err != ERR_NOT_FOUND
			       ? err
			       : diag_set(d, err, "MAYFLY_AGENT names %s, which can't be read",
					 named);
	}
	if (own_folder(folder, sizeof(folder)))
		return diag_set(d, ERR_NOT_FOUND,
			"/proc is needed to find " AGENT "; set MAYFLY_AGENT to its path");
	for (size_t i = 0; i < ARRAY_SIZE(beside); i++) {
		snprintf(path, sizeof(path), "%s%s", folder, beside[i]);
		int err = accept(path, out, room, d);
		if (err != ERR_NOT_FOUND)
			return err;
	}
	return diag_set(d, ERR_NOT_FOUND,
		AGENT
		" is neither in %s nor in ../lib/mayfly beside it; set MAYFLY_AGENT to its path",
		folder);
}

int place_literal(const char *path, char *out, size_t room, struct diag *d)
{
	size_t len = 0;
	for (const char *p = path; *p; p++) {
		if (len + 3 > room)
			return diag_set(
				d, ERR_LIMIT, "the path of the trace is too long: %.80s…", path);
		if (*p == '%')
			out[len++] = '%';
		out[len++] = *p;
	}
	out[len] = '\0';
	return ERR_NONE;
}

int place_absolute(const char *pattern, char *out, size_t room, struct diag *d)
{
	char cwd[PATH_MAX] = "";
	if (pattern[0] != '/' && !getcwd(cwd, sizeof(cwd)))
		return diag_set(d, ERR_IO, "the current folder is gone: %s", strerror(errno));
	int err = place_literal(cwd, out, room, d);
	if (err)
		return err;
	size_t len = strlen(out);
	int n = snprintf(out + len, room - len, "%s%s", len ? "/" : "", pattern);
	if (n < 0 || (size_t)n >= room - len)
		return diag_set(d, ERR_LIMIT, "the path of the trace is too long: %.80s…", pattern);
	return ERR_NONE;
}

/* Whether the pattern has the letter after a percent sign that is not doubled. */
static int has(const char *pattern, char letter)
{
	for (const char *p = pattern; *p; p++)
		if (*p == '%' && *++p == letter)
			return 1;
		else if (!*p)
			break;
	return 0;
}

int place_add_pid(char *pattern, size_t room)
{
	static const char added[] = {'.', '%', 'p'};
	if (has(pattern, 'p') || strlen(pattern) + sizeof(added) + 1 > room)
		return 0;
	char *name = strrchr(pattern, '/');
	name = name ? name + 1 : pattern;
	char *dot = strrchr(name, '.');
	char *at = dot && dot > name ? dot : name + strlen(name);
	memmove(at + sizeof(added), at, strlen(at) + 1);
	memcpy(at, added, sizeof(added));
	return 1;
}

/* Tries it: on a full or read-only file system the permission bits tell nothing. */
static int try_folder(const char *folder, struct diag *d)
{
	char probe[PATH_MAX + 32];
	snprintf(probe, sizeof(probe), "%s.mayfly-XXXXXX", folder);
	int fd = mkostemp(probe, O_CLOEXEC);
	if (fd >= 0) {
		close(fd);
		unlink(probe);
		return ERR_NONE;
	}
	int err = errno == ENOENT ? ERR_NOT_FOUND : ERR_DENIED;
	return diag_set(d, err,
		"no trace can be written to %s: %s; name another place with -o FILE", folder,
		strerror(errno));
}

int place_writable(const char *pattern, struct diag *d)
{
	char path[PATH_MAX], folder[PATH_MAX];
	struct stat st;
	int err = options_expand_file(pattern, getpid(), time(NULL), path, sizeof(path), d);
	if (err)
		return err;
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return diag_set(
			d, ERR_DENIED, "%s is not a plain file; name another with -o FILE", path);
	if (!rewritable(path))
		return diag_set(d, ERR_DENIED,
			"%s is there and is no trace: it is not written over; name another place "
			"with -o FILE",
			path);
	if (access(path, F_OK) == 0 && access(path, W_OK))
		return diag_set(d, ERR_DENIED, "%s is there and can't be written: %s", path,
			strerror(errno));
	const char *slash = strrchr(path, '/');
	size_t len = slash ? (size_t)(slash - path) + 1 : 0;
	if (!path[len])
		return diag_set(d, ERR_FORMAT, "%s is a folder; name a file in it with -o", path);
	snprintf(folder, sizeof(folder), "%.*s", (int)len, path);
	return try_folder(len ? folder : "./", d);
}

/* The glob of all names that the pattern can become. */
static void glob_of(struct buf *out, const char *pattern, pid_t pid)
{
	for (const char *p = pattern; *p; p++) {
		if (*p == '%' && p[1] == 'p' && pid)
			buf_printf(out, "%ld", (long)pid);
		else if (*p == '%' && (p[1] == 'p' || p[1] == 't'))
			buf_put_str(out, "[0-9]*");
		else if (*p == '%')
			buf_put_u8(out, '%');
		else if (strchr("*?[]\\", *p))
			buf_printf(out, "\\%c", *p);
		else
			buf_put_u8(out, (uint8_t)*p);
		if (*p == '%' && p[1])
			p++;
	}
}

bool place_locked(const char *path)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	bool held = fd >= 0 && fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
	if (fd >= 0)
		close(fd);
	return held;
}

/* Of a name without a process's number it can't be told who will record to it. */
static int keep(struct place_before *before, const char *pattern, const char *path)
{
	struct place_file file;
	if (stat(path, &file.stat) || !S_ISREG(file.stat.st_mode))
		return ERR_NONE;
	file.locked = has(pattern, 'p') && place_locked(path);
	return vec_push(&before->files, file);
}

int place_look(const char *pattern, struct place_before *before)
{
	glob_t g;
	struct buf expression = {0};
	*before = (struct place_before){.since = time(NULL) - 1}; /* file systems round */
	glob_of(&expression, pattern, 0);
	int none = glob(buf_text(&expression), GLOB_NOSORT, NULL, &g);
	int err = expression.failed || none == GLOB_NOSPACE ? ERR_NOMEM : ERR_NONE;
	for (size_t i = 0; !err && !none && i < g.gl_pathc; i++)
		err = keep(before, pattern, g.gl_pathv[i]);
	if (!none)
		globfree(&g);
	buf_release(&expression);
	return err;
}

void place_forget(struct place_before *before)
{
	vec_release(&before->files);
}

/* What was locked has changed, but not by the run. */
static bool was_there(const struct stat *now, const struct place_file *f)
{
	const struct stat *old = &f->stat;
	if (now->st_dev != old->st_dev || now->st_ino != old->st_ino)
		return false;
	return f->locked ||
	       (now->st_size == old->st_size && now->st_mtim.tv_sec == old->st_mtim.tv_sec &&
		       now->st_mtim.tv_nsec == old->st_mtim.tv_nsec);
}

/* Whether it came to be what it is since then. */
static bool is_new(const char *path, const struct place_before *before)
{
	struct stat st;
	if (stat(path, &st) || !S_ISREG(st.st_mode) || st.st_mtime < before->since)
		return false;
	for (size_t i = 0; i < before->files.count; i++)
		if (was_there(&st, &before->files.at[i]))
			return false;
	return true;
}

size_t place_written(const char *pattern, pid_t pid, const struct place_before *before,
	void (*found)(void *arg, const char *path), void *arg)
{
	struct buf expression = {0};
	glob_t g;
	size_t count = 0;
	glob_of(&expression, pattern, pid);
	if (glob(buf_text(&expression), 0, NULL, &g) == 0) {
		for (size_t i = 0; i < g.gl_pathc; i++) {
			if (!is_new(g.gl_pathv[i], before))
				continue;
			found(arg, g.gl_pathv[i]);
			count++;
		}
		globfree(&g);
	}
	buf_release(&expression);
	return count;
}
