#include "attach/attach_listen.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"

static int send_quit(const struct target *t, int pidfd, struct diag *d)
{
	/* A pidfd can't come to mean another process, as a pid can. */
	long sent = pidfd >= 0 ? syscall(SYS_pidfd_send_signal, pidfd, SIGQUIT, NULL, 0)
			       : kill(t->pid, SIGQUIT);
	if (sent == 0)
		return 0;
	if (errno == ESRCH)
		return diag_set(d, ERR_GONE, "process %d has ended", (int)t->pid);
	return diag_set(d, errno == EPERM ? ERR_DENIED : ERR_IO, "can't signal process %d: %s",
		(int)t->pid, strerror(errno));
}

/* What has become of the target while we wait. */
static int check_alive(const struct target *t, struct diag *d)
{
	struct proc_status now;
	int err = proc_status_read(&now, t->proc, t->pid);
	if (err == ERR_NO_PROCESS || (!err && now.state == 'Z'))
		return diag_set(d, ERR_GONE, "process %d has ended", (int)t->pid);
	if (!err && now.state == 'T')
		return diag_set(d, ERR_STOPPED, "process %d has been stopped (kill -CONT %d)",
			(int)t->pid, (int)t->pid);
	return 0;
}

static int check_handler(const struct target *t, struct diag *d)
{
	struct proc_status now;
	int err = proc_status_read(&now, t->proc, t->pid);
	if (err == ERR_NO_PROCESS)
		return diag_set(d, ERR_GONE, "process %d has ended", (int)t->pid);
	if (err)
		return diag_set(d, err, "process %d: %s", (int)t->pid, err_text(err));
	if (!proc_status_catches(&now, SIGQUIT))
		return diag_set(d, ERR_BUSY,
			"the Java VM of process %d does not handle SIGQUIT: it has been starting "
			"for long, try again; or it runs with -Xrs and has lost its socket",
			(int)t->pid);
	return 0;
}

/*
 * Right behind the handler a VM that starts removes the socket that an earlier one may have left
 * (AttachListener::vm_start), and would remove its own, were it asked for one before. So a handler
 * that may have only just come is not used before there is a sign that the VM is past that. One
 * that shows none within the ten seconds is held up elsewhere: by a debugger, say.
 */
static int wait_for_start(const struct target *t, struct ns deadline, struct diag *d)
{
	struct ns until = target_start_deadline(deadline);
	for (;;) {
		struct target now;
		int err = target_read(&now, t->proc, t->pid, d);
		if (err || target_serves(&now))
			return err;
		err = check_alive(t, d);
		if (err)
			return err;
		if (clock_now().v >= deadline.v)
			return diag_set(d, ERR_BUSY,
				"process %d is still starting: try again in a moment", (int)t->pid);
		if (clock_now().v >= until.v)
			return 0;
		poll(NULL, 0, ATTACH_STEP_MS);
	}
}

/* A VM that starts has none at first. */
static int wait_for_handler(const struct target *t, struct ns deadline, struct diag *d)
{
	struct ns until = target_start_deadline(deadline);
	for (;;) {
		int err = check_handler(t, d);
		if (err != ERR_BUSY || clock_now().v >= until.v)
			return err;
		err = check_alive(t, d);
		if (err)
			return err;
		poll(NULL, 0, ATTACH_STEP_MS);
	}
}

static int wait_until_it_listens(
	const struct target *t, const struct attach_socket *s, struct ns deadline, struct diag *d)
{
	for (;;) {
		int err = attach_socket_probe(s, deadline, d);
		if (err != ERR_NOT_FOUND && err != ERR_GONE)
			return err;
		err = check_alive(t, d);
		if (err)
			return err;
		if (clock_now().v >= deadline.v)
			return diag_set(d, ERR_TIMEOUT,
				"process %d did not open its attach socket in time: its Java VM is "
				"busy or stuck (it does so when it comes to it)",
				(int)t->pid);
		poll(NULL, 0, ATTACH_STEP_MS);
	}
}

/* Asked, the VM would say nothing, and print a thread dump where it finds no file. */
static int check_folder(const struct target *t, const struct attach_socket *s, struct diag *d)
{
	struct statvfs fs;
	if (fstatvfs(s->dir, &fs) == 0 && fs.f_flag & ST_RDONLY)
		return diag_set(d, ERR_DENIED,
			"the /tmp of process %d can't be written: its Java VM can't open its "
			"attach socket there. Give it one (docker: --tmpfs /tmp:exec), or start "
			"it with the agent on its command line",
			(int)t->pid);
	return 0;
}

/* 0 when the file is there and the VM will take it for good: its own user's, or root's. */
static int make_file(int dir, const char *name, const struct attach_socket *s)
{
	int fd = openat(dir, name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0) {
		int err = geteuid() != s->uid && fchown(fd, s->uid, s->gid) != 0 ? ERR_IO : 0;
		close(fd);
		if (err)
			unlinkat(dir, name, 0);
		return err;
	}
	struct stat st;
	int left_over = errno == EEXIST && fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
			S_ISREG(st.st_mode) && (st.st_uid == s->uid || st.st_uid == 0);
	return left_over ? 0 : ERR_IO;
}

/* In the target's /tmp, where its socket will be; else in its current directory, where the VM looks
 * first. */
static int make_trigger(const struct target *t, const struct attach_socket *s, const char *name)
{
	if (make_file(s->dir, name, s) == 0)
		return dup(s->dir);
	char cwd[TARGET_PATH_MAX + 32];
	snprintf(cwd, sizeof(cwd), "%s/%d/cwd", t->proc, (int)t->pid);
	int dir = open(cwd, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir >= 0 && make_file(dir, name, s) == 0)
		return dir;
	if (dir >= 0)
		close(dir);
	return -1;
}

/* A VM that has not come to the signal looks for the file when it does, and takes the signal for
 * what a person asks for a thread dump with where there is none: it prints one to the program's
 * stdout. */
static bool may_look_yet(int err)
{
	return err == ERR_TIMEOUT || err == ERR_STOPPED;
}

int attach_listen(const struct target *t, const struct attach_socket *s, int pidfd,
	struct ns deadline, struct diag *d)
{
	int err = attach_socket_probe(s, deadline, d);
	if (err != ERR_NOT_FOUND && err != ERR_GONE)
		return err;
	err = check_folder(t, s, d);
	if (!err)
		err = wait_for_handler(t, deadline, d);
	if (!err)
		err = wait_for_start(t, deadline, d);
	if (err)
		return err;
	char name[32];
	snprintf(name, sizeof(name), ".attach_pid%d", (int)s->nspid);
	int dir = make_trigger(t, s, name);
	if (dir < 0)
		return diag_set(d, ERR_DENIED, "can't make %s in %s or in process %d's directory",
			name, t->tmp, (int)t->pid);
	err = send_quit(t, pidfd, d);
	if (!err)
		err = wait_until_it_listens(t, s, deadline, d);
	if (!may_look_yet(err))
		unlinkat(dir, name, 0);
	close(dir);
	return err;
}
