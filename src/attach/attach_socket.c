#include "attach/attach_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "attach/attach_reply.h"
#include "attach/identity.h"
#include "base/clock.h"
#include "base/error.h"

enum { CHUNK = 64 << 10, BUSY_WAIT_MS = 10 };

/* Milliseconds left, for poll; 0 when the time is over. */
static int left(struct ns deadline)
{
	uint64_t now = clock_now().v;
	if (now >= deadline.v)
		return 0;
	uint64_t ms = (deadline.v - now + 999999) / 1000000;
	return ms < INT_MAX ? (int)ms : INT_MAX;
}

static int timed_out(struct diag *d)
{
	return diag_set(d, ERR_TIMEOUT, "the Java VM did not answer in time");
}

/* 0 when fd is ready for events. */
static int wait_for(int fd, short events, struct ns deadline, struct diag *d)
{
	for (;;) {
		struct pollfd p = {.fd = fd, .events = events};
		int n = poll(&p, 1, left(deadline));
		if (n > 0)
			return 0;
		if (n == 0)
			return timed_out(d);
		if (errno != EINTR)
			return diag_set(d, ERR_IO, "poll: %s", strerror(errno));
	}
}

static int check_file(const struct attach_socket *s, const char *name, struct diag *d)
{
	struct stat st;
	if (fstatat(s->dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT ? diag_set(d, ERR_NOT_FOUND, "the Java VM does not listen")
				       : diag_set(d, ERR_IO, "%s: %s", name, strerror(errno));
	if (!S_ISSOCK(st.st_mode) || st.st_uid != s->uid)
		return diag_set(d, ERR_DENIED,
			"%s in the target's /tmp is not a socket of user %u: remove it", name,
			(unsigned)s->uid);
	return 0;
}

/* The listener's user, as the kernel noted it. */
static int check_peer(int fd, uid_t uid, struct diag *d)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
		return diag_set(d, ERR_IO, "attach socket: %s", strerror(errno));
	if (peer.uid != uid)
		return diag_set(d, ERR_DENIED, "user %u listens in place of the Java VM of user %u",
			(unsigned)peer.uid, (unsigned)uid);
	return 0;
}

static int connect_error(int error, struct diag *d)
{
	if (error == ECONNREFUSED || error == ENOENT)
		return diag_set(d, ERR_GONE, "the Java VM no longer listens");
	if (error == EACCES || error == EPERM)
		return diag_set(d, ERR_DENIED, "attach socket: %s", strerror(error));
	return diag_set(d, ERR_IO, "attach socket: %s", strerror(error));
}

/* A Unix socket connects at once, or says EAGAIN while too many others wait. */
static int connect_until(int fd, const struct sockaddr_un *to, struct ns deadline, struct diag *d)
{
	while (connect(fd, (const struct sockaddr *)to, sizeof(*to)) != 0) {
		if (errno != EAGAIN && errno != EINTR)
			return connect_error(errno, d);
		if (left(deadline) == 0)
			return timed_out(d);
		poll(NULL, 0, BUSY_WAIT_MS);
	}
	return 0;
}

/* By way of the open directory: the path through /proc/PID/root may be too long, or closed to the
 * target's user. */
static int connect_as_target(
	const struct attach_socket *s, int fd, struct ns deadline, struct diag *d)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	snprintf(to.sun_path, sizeof(to.sun_path), "/proc/self/fd/%d/.java_pid%d", s->dir,
		(int)s->nspid);
	struct identity identity;
	int err = identity_take(&identity, s->uid, s->gid, d);
	if (err)
		return err;
	err = connect_until(fd, &to, deadline, d);
	int back = identity_restore(&identity, d);
	return back ? back : err;
}

/* An open connection, or an error. */
static int open_connection(const struct attach_socket *s, struct ns deadline, struct diag *d)
{
	char name[32];
	snprintf(name, sizeof(name), ".java_pid%d", (int)s->nspid);
	int err = check_file(s, name, d);
	if (err)
		return err;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return diag_set(d, ERR_IO, "attach socket: %s", strerror(errno));
	err = connect_as_target(s, fd, deadline, d);
	if (!err)
		err = check_peer(fd, s->uid, d);
	if (!err)
		return fd;
	close(fd);
	return err;
}

int attach_socket_probe(const struct attach_socket *s, struct ns deadline, struct diag *d)
{
	int fd = open_connection(s, deadline, d);
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static int send_all(int fd, struct slice bytes, struct ns deadline, struct diag *d)
{
	while (bytes.len > 0) {
		ssize_t n = send(fd, bytes.at, bytes.len, MSG_NOSIGNAL);
		if (n > 0) {
			bytes = slice(bytes.at + n, bytes.len - (size_t)n);
			continue;
		}
		if (errno == EPIPE || errno == ECONNRESET)
			return diag_set(d, ERR_GONE, "the Java VM hung up");
		if (errno != EAGAIN && errno != EINTR)
			return diag_set(d, ERR_IO, "attach socket: %s", strerror(errno));
		int err = wait_for(fd, POLLOUT, deadline, d);
		if (err)
			return err;
	}
	return 0;
}

/* 1: more may come; 0: the end. */
static int receive_some(int fd, struct buf *reply, struct diag *d)
{
	if (buf_reserve(reply, CHUNK))
		return diag_set(d, ERR_NOMEM, "no memory for the Java VM's answer");
	ssize_t n = recv(fd, reply->at + reply->len, CHUNK, 0);
	if (n == 0)
		return 0;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 1;
	if (n < 0)
		return errno == ECONNRESET
			       ? diag_set(d, ERR_GONE, "the Java VM hung up")
			       : diag_set(d, ERR_IO, "attach socket: %s", strerror(errno));
	reply->len += (size_t)n;
	if (reply->len > ATTACH_REPLY_MAX)
		return diag_set(d, ERR_LIMIT, "the Java VM's answer is over %d MiB",
			ATTACH_REPLY_MAX >> 20);
	return 1;
}

static int receive_all(int fd, struct buf *reply, struct ns deadline, struct diag *d)
{
	for (;;) {
		int err = wait_for(fd, POLLIN, deadline, d);
		if (err)
			return err;
		int more = receive_some(fd, reply, d);
		if (more <= 0)
			return more;
		if (left(deadline) == 0)
			return timed_out(d);
	}
}

int attach_socket_exchange(const struct attach_socket *s, struct slice request, struct ns deadline,
	struct buf *reply, struct diag *d)
{
	int fd = open_connection(s, deadline, d);
	if (fd < 0)
		return fd == ERR_NOT_FOUND ? ERR_GONE : fd;
	int err = send_all(fd, request, deadline, d);
	if (!err)
		err = receive_all(fd, reply, deadline, d);
	close(fd);
	return err;
}
