#include "attach/attach.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "attach/attach_listen.h"
#include "attach/attach_reply.h"
#include "attach/attach_socket.h"
#include "base/clock.h"
#include "base/error.h"

static struct attach_socket socket_of(const struct attach *a)
{
	const struct proc_status *s = &a->target.status;
	return (struct attach_socket){
		.dir = a->tmp,
		.nspid = s->nspid,
		.uid = s->euid,
		.gid = s->egid,
	};
}

void attach_deadline(struct attach *a, struct ns timeout)
{
	uint64_t now = clock_now().v;
	a->deadline.v = timeout.v > UINT64_MAX - now ? UINT64_MAX : now + timeout.v;
}

static int open_tmp(struct attach *a, struct diag *d)
{
	a->tmp = open(a->target.tmp, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (a->tmp >= 0)
		return 0;
	return diag_set(d, errno == EACCES || errno == EPERM ? ERR_DENIED : ERR_IO, "%s: %s",
		a->target.tmp, strerror(errno));
}

/* A VM that starts is waited for: not before it has opened its counters does it say whether it can
 * be attached to, and take an agent. */
static int find_started(struct attach *a, const char *proc, pid_t pid, struct diag *d)
{
	struct ns until = target_start_deadline(a->deadline);
	for (;;) {
		int err = target_read(&a->target, proc, pid, d);
		if (err || !target_starts(&a->target) || clock_now().v >= until.v)
			return err;
		poll(NULL, 0, ATTACH_STEP_MS);
	}
}

static int open_checked(struct attach *a, const char *proc, pid_t pid, int pidfd, struct diag *d)
{
	int err = find_started(a, proc, pid, d);
	if (!err)
		err = target_check(&a->target, geteuid(), d);
	if (!err)
		err = open_tmp(a, d);
	if (err)
		return err;
	struct attach_socket s = socket_of(a);
	err = attach_listen(&a->target, &s, pidfd, a->deadline, d);
	/* Its counters may have come meanwhile, closed still. */
	return err ? err : find_started(a, proc, pid, d);
}

/* Where /proc is that of another PID namespace (unshare --pid without --mount-proc) a process has
 * another number there than the one to send it a signal by, which may be somebody else's. */
static int check_numbers(const char *proc, struct diag *d)
{
	char path[TARGET_PATH_MAX], self[32];
	snprintf(path, sizeof(path), "%s/self", proc);
	ssize_t len = readlink(path, self, sizeof(self) - 1);
	self[len > 0 ? len : 0] = '\0';
	if (len <= 0 || strtol(self, NULL, 10) == getpid())
		return 0;
	return diag_set(d, ERR_DENIED,
		"%s is of another PID namespace than mayfly, which is %s there and %d here: run "
		"mayfly where that /proc is from",
		proc, self, (int)getpid());
}

int attach_open(struct attach *a, const char *proc, pid_t pid, struct ns timeout, struct diag *d)
{
	*a = (struct attach){.tmp = -1};
	if (pid <= 0)
		return diag_set(d, ERR_NO_PROCESS, "%d is not the number of a process", (int)pid);
	int err = check_numbers(proc, d);
	if (err)
		return err;
	attach_deadline(a, timeout);
	/* Before all checks, so that what is signalled in the end is what was checked. */
	int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	err = open_checked(a, proc, pid, pidfd, d);
	if (pidfd >= 0)
		close(pidfd);
	if (err)
		attach_release(a);
	return err;
}

void attach_release(struct attach *a)
{
	if (a->tmp >= 0)
		close(a->tmp);
	a->tmp = -1;
}

/* An argument as the VM takes it: NUL-terminated, and no longer than its buffer. */
static int put_argument(struct buf *request, const char *text, size_t max, struct diag *d)
{
	size_t len = strlen(text);
	if (len > max)
		return diag_set(d, ERR_USAGE,
			"the Java VM takes arguments of at most %zu bytes; this one has %zu", max,
			len);
	buf_put(request, text, len + 1);
	return 0;
}

/* Version, command and always three arguments. */
static int make_request(struct buf *request, const char *command, const char *const *args,
	size_t arg_count, struct diag *d)
{
	if (arg_count > ATTACH_ARGS_MAX)
		return diag_set(
			d, ERR_USAGE, "the Java VM takes at most %d arguments", ATTACH_ARGS_MAX);
	int err = put_argument(request, "1", 1, d);
	if (!err)
		err = put_argument(request, command, ATTACH_NAME_MAX, d);
	for (size_t i = 0; !err && i < ATTACH_ARGS_MAX; i++)
		err = put_argument(request, i < arg_count ? args[i] : "", ATTACH_ARG_MAX, d);
	if (!err && request->failed)
		err = diag_set(d, ERR_NOMEM, "no memory for an attach command");
	return err;
}

static int exchange(struct attach *a, const char *command, const char *const *args,
	size_t arg_count, struct buf *reply, struct diag *d)
{
	struct buf request = {0};
	struct attach_socket s = socket_of(a);
	int err = make_request(&request, command, args, arg_count, d);
	if (!err)
		err = attach_socket_exchange(&s, buf_slice(&request), a->deadline, reply, d);
	buf_release(&request);
	return err;
}

int attach_load(struct attach *a, const char *library_path, const char *options, int *agent_result,
	struct diag *d)
{
	if (library_path[0] != '/')
		return diag_set(
			d, ERR_USAGE, "%s: the path of an agent must be absolute", library_path);
	/* "true": the path is a file, not a name to look for in the VM's own directories. */
	const char *const args[] = {library_path, "true", options ? options : ""};
	struct buf reply = {0};
	int err = exchange(a, "load", args, ARRAY_SIZE(args), &reply, d);
	if (!err)
		err = attach_reply_load(buf_slice(&reply), agent_result, d);
	buf_release(&reply);
	return err;
}

int attach_command(struct attach *a, const char *command, const char *const *args, size_t arg_count,
	int *status, struct buf *reply, struct diag *d)
{
	struct buf whole = {0};
	struct slice text = {0};
	int err = exchange(a, command, args, arg_count, &whole, d);
	if (!err)
		err = attach_reply_parse(buf_slice(&whole), status, &text, d);
	if (!err) {
		buf_put(reply, text.at, text.len);
		if (reply->failed)
			err = diag_set(d, ERR_NOMEM, "no memory for the Java VM's answer");
	}
	buf_release(&whole);
	return err;
}
