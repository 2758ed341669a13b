#include "cli/control.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"

enum { QUEUE_STEP_MS = 10 };

void control_path(pid_t pid, pid_t own_pid, const char *named, char *out, size_t room)
{
	if (named && *named)
		snprintf(out, room, "/proc/%ld/root%s", (long)pid, named);
	else
		snprintf(
			out, room, "/proc/%ld/root/tmp/.mayfly-%ld.sock", (long)pid, (long)own_pid);
}

int control_check(const char *path, struct diag *d)
{
	if (strlen(path) < sizeof((struct sockaddr_un){0}.sun_path))
		return ERR_NONE;
	return diag_set(d, ERR_LIMIT, "the path of the control socket is too long: %s", path);
}

/* Milliseconds left for poll, at least 0. */
static int left(struct ns deadline)
{
	uint64_t now = clock_now().v;
	if (now >= deadline.v)
		return 0;
	uint64_t ms = (deadline.v - now) / 1000000 + 1;
	return ms > 3600000 ? 3600000 : (int)ms;
}

/* Waits until the socket is ready. 0, ERR_TIMEOUT or ERR_IO. */
static int await(int fd, short events, struct ns deadline)
{
	struct pollfd p = {.fd = fd, .events = events};
	for (;;) {
		int got = poll(&p, 1, left(deadline));
		if (got > 0)
			return ERR_NONE;
		if (got == 0)
			return ERR_TIMEOUT;
		if (errno != EINTR)
			return ERR_IO;
	}
}

static int trouble(int err, const char *path, struct diag *d)
{
	switch (err) {
	case ERR_TIMEOUT:
		return diag_set(d, err,
			"the agent does not answer in time; the program may be stopped or very "
			"busy");
	case ERR_LIMIT:
		return diag_set(d, err, "the agent's answer is too long");
	default:
		return diag_set(
			d, err, "talking to the agent at %s failed: %s", path, strerror(errno));
	}
}

/* Too many may wait there already: our own questions, where the program has been stopped for long.
 */
static int connect_until(int fd, const struct sockaddr_un *address, struct ns deadline)
{
	while (connect(fd, (const struct sockaddr *)address, sizeof(*address))) {
		if (errno != EAGAIN || clock_now().v >= deadline.v)
			return -1;
		poll(NULL, 0, QUEUE_STEP_MS);
	}
	return 0;
}

static int connected(const char *path, int *fd, struct ns deadline, struct diag *d)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int err = control_check(path, d);
	if (err)
		return err;
	memcpy(address.sun_path, path, strlen(path) + 1);
	*fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (*fd < 0)
		return trouble(ERR_IO, path, d);
	if (connect_until(*fd, &address, deadline) == 0)
		return ERR_NONE;
	int why = errno;
	close(*fd);
	errno = why;
	if (why == EAGAIN)
		return trouble(ERR_TIMEOUT, path, d);
	if (why == EACCES || why == EPERM)
		return diag_set(d, ERR_DENIED,
			"only the program's own user and root may talk to the agent");
	if (why == ECONNREFUSED)
		return diag_set(d, ERR_GONE,
			"no agent is recording there; %s is left over from a program that was "
			"killed",
			path);
	if (why == ENOENT || why == ENOTDIR || why == ESRCH)
		return diag_set(d, ERR_GONE, "no agent is recording there");
	return trouble(ERR_IO, path, d);
}

static int send_all(int fd, const char *text, size_t len, struct ns deadline)
{
	while (len) {
		int err = await(fd, POLLOUT, deadline);
		if (err)
			return err;
		ssize_t sent = send(fd, text, len, MSG_NOSIGNAL);
		if (sent < 0 && errno != EAGAIN && errno != EINTR)
			return errno == EPIPE || errno == ECONNRESET
				       ? ERR_NONE
				       : ERR_IO; /* it may have answered already */
		if (sent > 0) {
			text += sent;
			len -= (size_t)sent;
		}
	}
	return ERR_NONE;
}

static int receive_all(int fd, char *text, size_t room, size_t *len, struct ns deadline)
{
	*len = 0;
	for (;;) {
		int err = await(fd, POLLIN, deadline);
		if (err)
			return err;
		ssize_t got = recv(fd, text + *len, room - *len, 0);
		if (got == 0 ||
			(got < 0 && errno == ECONNRESET)) /* it closed before it accepted us */
			return ERR_NONE;
		if (got < 0 && errno != EAGAIN && errno != EINTR)
			return ERR_IO;
		if (got > 0)
			*len += (size_t)got;
		if (*len == room)
			return ERR_LIMIT;
	}
}

/* Bytes that a terminal would act on become '?'. */
static void tame(char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] != '\n' && ((unsigned char)text[i] < 0x20 || text[i] == 0x7f))
			text[i] = '?';
}

/* "error NUMBER SENTENCE": the number is one of base/error.def without its sign. */
static int refused(const char *line, struct diag *d)
{
	char *end;
	long number = strtol(line, &end, 10);
	if (end == line || number <= 0 || number > 255)
		return diag_set(d, ERR_FORMAT, "the agent's answer makes no sense");
	while (*end == ' ')
		end++;
	return diag_set(d, (int)-number, "%s", *end ? end : err_text((int)-number));
}

int control_parse(char *text, size_t len, struct control_reply *reply, struct diag *d)
{
	reply->text[0] = '\0';
	if (len >= CONTROL_REPLY_MAX)
		return trouble(ERR_LIMIT, "", d);
	tame(text, len);
	text[len] = '\0';
	char *rest = strchr(text, '\n');
	if (!rest)
		return len ? diag_set(d, ERR_FORMAT, "the agent's answer makes no sense")
			   : diag_set(d, ERR_GONE, "the agent hung up without an answer");
	*rest++ = '\0';
	if (strncmp(text, "error ", 6) == 0)
		return refused(text + 6, d);
	if (strcmp(text, "ok") != 0)
		return diag_set(d, ERR_FORMAT, "the agent's answer makes no sense");
	snprintf(reply->text, sizeof(reply->text), "%s", rest);
	return ERR_NONE;
}

int control_ask(const char *path, const char *request, struct ns timeout,
	struct control_reply *reply, struct diag *d)
{
	struct ns deadline = {clock_now().v + timeout.v};
	char line[64], text[CONTROL_REPLY_MAX];
	size_t len = 0;
	int fd = -1;
	reply->text[0] = '\0';
	int err = connected(path, &fd, deadline, d);
	if (err)
		return err;
	int n = snprintf(line, sizeof(line), "%s\n", request);
	err = send_all(fd, line, (size_t)n, deadline);
	if (!err)
		err = receive_all(fd, text, sizeof(text), &len, deadline);
	if (err)
		err = trouble(err, path, d);
	else
		err = control_parse(text, len, reply, d);
	close(fd);
	return err;
}

bool control_value(const struct control_reply *reply, const char *name, char *out, size_t room)
{
	size_t len = strlen(name);
	for (const char *line = reply->text; *line;) {
		size_t end = strcspn(line, "\n");
		if (end > len && strncmp(line, name, len) == 0 && line[len] == ' ') {
			snprintf(out, room, "%.*s", (int)(end - len - 1), line + len + 1);
			return true;
		}
		line += end + (line[end] == '\n');
	}
	if (room)
		out[0] = '\0';
	return false;
}

uint64_t control_number(const struct control_reply *reply, const char *name)
{
	char value[32];
	if (!control_value(reply, name, value, sizeof(value)) || !isdigit((unsigned char)value[0]))
		return 0;
	return strtoull(value, NULL, 10);
}
