#include "agent/waker.h"

#include <sys/socket.h>

#include "base/error.h"

int waker_open(struct waker *w)
{
	int ends[2];
	*w = (struct waker){.alone = false};
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends))
		return ERR_IO;
	w->writer = own_fd_take(ends[0]);
	w->caller = own_fd_take(ends[1]);
	return ERR_NONE;
}

void waker_call(const struct waker *w)
{
	int fd = own_fd_get(&w->caller);
	if (fd >= 0 && send(fd, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		return; /* it is full: it is awake anyway */
}

/* Of one end alone the other would be ready at once, for its end of file. */
int waker_awaits(const struct waker *w)
{
	return own_fd_get(&w->caller) < 0 ? -1 : own_fd_get(&w->writer);
}

size_t waker_heed(const struct waker *w)
{
	char calls[512];
	size_t sum = 0;
	int fd = own_fd_get(&w->writer);
	for (ssize_t n; fd >= 0 && (n = recv(fd, calls, sizeof(calls), MSG_DONTWAIT)) > 0;)
		sum += (size_t)n;
	return sum;
}

bool waker_lost(struct waker *w)
{
	bool lost = !w->alone && own_fd_has(&w->writer) && waker_awaits(w) < 0;
	w->alone |= lost;
	return lost;
}

void waker_close(struct waker *w)
{
	own_fd_close(&w->writer);
	own_fd_close(&w->caller);
}
