#include "agent/control.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/full_path.h"

enum { LINE_MAX_LEN = 8192, PATIENCE_MS = 1000, REST_NS = 100000000 };

static int address_of(struct control *c, const char *path, struct sockaddr_un *a, struct diag *d)
{
	memset(a, 0, sizeof(*a));
	a->sun_family = AF_UNIX;
	int n = *path ? snprintf(a->sun_path, sizeof(a->sun_path), "%s", path)
		      : snprintf(a->sun_path, sizeof(a->sun_path), "/tmp/.mayfly-%ld.sock",
				(long)getpid());
	if (n < 0 || (size_t)n >= sizeof(a->sun_path))
		return diag_set(d, ERR_LIMIT,
			"the path of the control socket is longer than %zu bytes",
			sizeof(a->sun_path) - 1);
	(void)full_path(a->sun_path, c->path, sizeof(c->path)); /* as it is, where it must be */
	return ERR_NONE;
}

/* Whether it is sure that nobody listens there: only a refused connection says so. Any other
 * trouble (no descriptors, a full queue) may be ours. */
static bool is_abandoned(const struct sockaddr_un *a)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	bool refused = fd >= 0 && connect(fd, (const struct sockaddr *)a, sizeof(*a)) != 0 &&
		       errno == ECONNREFUSED;
	if (fd >= 0)
		close(fd);
	return refused;
}

/* A socket of ours that nobody listens on any more: the program was killed, and its number has come
 * round again. */
static void remove_stale(const struct sockaddr_un *a)
{
	struct stat st;
	if (lstat(a->sun_path, &st) == 0 && S_ISSOCK(st.st_mode) && st.st_uid == geteuid() &&
		is_abandoned(a))
		unlink(a->sun_path);
}

static int bind_private(struct control *c, const struct sockaddr_un *a)
{
	int fd = c->listener.fd;
	/* Linux takes the mode of the socket file from the descriptor's own, so there is no moment
	 * in which others may connect. */
	if (fchmod(fd, 0600) || bind(fd, (const struct sockaddr *)a, sizeof(*a)) ||
		chmod(a->sun_path, 0600))
		return -1;
	c->file = file_id_at(a->sun_path);
	return listen(fd, 4);
}

int control_open(struct control *c, const char *path, struct diag *d)
{
	struct sockaddr_un a;
	*c = (struct control){.path = ""};
	if (strcmp(path, "none") == 0)
		return ERR_NONE;
	int err = address_of(c, path, &a, d);
	if (err)
		return err;
	remove_stale(&a);
	c->listener = own_fd_take(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
	if (own_fd_has(&c->listener) && bind_private(c, &a) == 0)
		return ERR_NONE;
	err = diag_set(
		d, ERR_IO, "can't listen on the control socket %s: %s", c->path, strerror(errno));
	own_fd_close(&c->listener);
	return err;
}

void control_close(struct control *c)
{
	if (!own_fd_has(&c->listener))
		return;
	/* In this order: whom the closing lets go must find the path gone. */
	if (file_id_same(c->file, file_id_at(c->path)))
		unlink(c->path);
	own_fd_close(&c->listener);
}

bool control_lost(struct control *c)
{
	bool lost = own_fd_has(&c->listener) && own_fd_get(&c->listener) < 0;
	if (lost)
		control_close(c);
	return lost;
}

static bool peer_allowed(int fd)
{
	struct ucred cred;
	socklen_t len = sizeof(cred);
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len))
		return false;
	return cred.uid == geteuid() || cred.uid == 0;
}

/* Reads up to the newline within PATIENCE_MS. The length without it, or -1. */
static int read_line(const struct own_fd *client, char *line)
{
	uint64_t deadline = clock_now().v + PATIENCE_MS * 1000000ull;
	size_t len = 0;
	for (;;) {
		uint64_t now = clock_now().v;
		struct pollfd p = {.fd = own_fd_get(client), .events = POLLIN};
		if (p.fd < 0 || now >= deadline ||
			poll(&p, 1, (int)((deadline - now) / 1000000) + 1) <= 0)
			return -1;
		ssize_t n = recv(own_fd_get(client), line + len, LINE_MAX_LEN - len, MSG_DONTWAIT);
		if (n <= 0)
			return -1;
		len += (size_t)n;
		char *end = memchr(line, '\n', len);
		if (end)
			return (int)(end - line);
		if (len == LINE_MAX_LEN)
			return -1;
	}
}

static enum request request_of(const char *line)
{
	static const struct {
		const char *word;
		enum request request;
	} words[] = {{"status", REQUEST_STATUS}, {"start", REQUEST_START}, {"stop", REQUEST_STOP},
		{"flush", REQUEST_FLUSH}, {"heap", REQUEST_HEAP}, {"heap gc", REQUEST_HEAP_GC}};
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strcmp(line, words[i].word) == 0)
			return words[i].request;
	return REQUEST_NONE;
}

int control_awaits(const struct control *c, struct ns now)
{
	return now.v < c->rests.v ? -1 : own_fd_get(&c->listener);
}

enum request control_accept(struct control *c)
{
	char line[LINE_MAX_LEN + 1];
	int fd = accept4(own_fd_get(&c->listener), NULL, NULL, SOCK_CLOEXEC);
	c->client = own_fd_take(fd);
	if (fd < 0) {
		c->rests.v = clock_now().v + REST_NS;
		return REQUEST_NONE;
	}
	if (!peer_allowed(fd)) {
		control_answer(
			c, ERR_DENIED, "only the program's own user and root are answered", NULL);
		return REQUEST_NONE;
	}
	int len = read_line(&c->client, line);
	line[len < 0 ? 0 : len] = '\0';
	/* A NUL would hide what stands behind it. */
	enum request request =
		len < 0 || strlen(line) < (size_t)len ? REQUEST_NONE : request_of(line);
	if (request == REQUEST_NONE)
		control_answer(
			c, ERR_USAGE, "the requests are status, start, stop, flush and heap", NULL);
	return request;
}

static void send_all(const struct own_fd *client, const char *text, size_t len)
{
	while (len) {
		struct pollfd p = {.fd = own_fd_get(client), .events = POLLOUT};
		if (p.fd < 0 || poll(&p, 1, PATIENCE_MS) <= 0)
			return;
		ssize_t n = send(own_fd_get(client), text, len, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n <= 0)
			return;
		text += n;
		len -= (size_t)n;
	}
}

void control_answer(struct control *c, int err, const char *sentence, struct buf *body)
{
	char first[LINE_MAX_LEN];
	if (own_fd_get(&c->client) < 0)
		return;
	int n = err ? snprintf(first, sizeof(first), "error %d %s\n", -err, sentence)
		    : snprintf(first, sizeof(first), "ok\n");
	send_all(&c->client, first, (size_t)n);
	if (!err && body && !body->failed)
		send_all(&c->client, (const char *)body->at, body->len);
	own_fd_close(&c->client);
}
