/* A control socket that answers as it is told: one reply to each connection, in order. */
#ifndef UNIT_CLI_FAKE_AGENT_H
#define UNIT_CLI_FAKE_AGENT_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "support/tap.h"

enum { FAKE_REPLIES = 8 };

struct fake_agent {
	char folder[32], path[64];
	/* A reply is sent in one piece, then the connection ends; NULL: hang up at once; "" with
	 * silent set: say nothing. */
	const char *replies[FAKE_REPLIES];
	bool silent;        /* the last one is never answered nor closed before fake_agent_stop */
	bool closes;        /* the socket is taken away after the last reply */
	char requests[512]; /* read by the test after fake_agent_stop */
	int listener, last;
	pthread_t thread;
};

static void fake_agent_answer(struct fake_agent *f, int fd, const char *reply)
{
	char line[64];
	ssize_t got = recv(fd, line, sizeof(line) - 1, 0);
	line[got > 0 ? got : 0] = '\0';
	strncat(f->requests, line, sizeof(f->requests) - strlen(f->requests) - 1);
	if (reply)
		send(fd, reply, strlen(reply), MSG_NOSIGNAL);
}

static void *fake_agent_run(void *arg)
{
	struct fake_agent *f = arg;
	for (size_t i = 0; i < FAKE_REPLIES && (f->replies[i] || i == 0); i++) {
		int fd = accept(f->listener, NULL, NULL);
		if (fd < 0)
			break;
		if (f->silent && (i + 1 == FAKE_REPLIES || !f->replies[i + 1])) {
			f->last = fd;
			break;
		}
		fake_agent_answer(f, fd, f->replies[i]);
		if (f->closes && (i + 1 == FAKE_REPLIES || !f->replies[i + 1]))
			unlink(f->path);
		close(fd);
	}
	return NULL;
}

static void fake_agent_listen(struct fake_agent *f, int queue)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	snprintf(f->folder, sizeof(f->folder), "/tmp/mayfly-fake-XXXXXX");
	EXPECT(mkdtemp(f->folder) != NULL);
	snprintf(f->path, sizeof(f->path), "%s/sock", f->folder);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", f->path);
	f->last = -1;
	f->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	EXPECT_INT(0, bind(f->listener, (struct sockaddr *)&address, sizeof(address)));
	EXPECT_INT(0, listen(f->listener, queue));
}

static void fake_agent_start(struct fake_agent *f)
{
	fake_agent_listen(f, 8);
	EXPECT_INT(0, pthread_create(&f->thread, NULL, fake_agent_run, f));
}

static void fake_agent_remove(struct fake_agent *f)
{
	close(f->listener);
	unlink(f->path);
	rmdir(f->folder);
}

static void fake_agent_stop(struct fake_agent *f)
{
	shutdown(f->listener, SHUT_RDWR); /* wakes accept */
	pthread_join(f->thread, NULL);
	if (f->last >= 0)
		close(f->last);
	fake_agent_remove(f);
}

#endif
