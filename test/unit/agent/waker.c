#include "agent/waker.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "support/tap.h"

static struct waker waker;

static bool is_ready(void)
{
	struct pollfd p = {.fd = waker_awaits(&waker), .events = POLLIN};
	return p.fd >= 0 && poll(&p, 1, 0) > 0;
}

TEST(calls)
{
	EXPECT_INT(0, waker_open(&waker));
	EXPECT(!is_ready());
	EXPECT_INT(0, waker_heed(&waker));
	waker_call(&waker);
	waker_call(&waker);
	EXPECT(is_ready());
	EXPECT_INT(2, waker_heed(&waker));
	EXPECT(!is_ready());
	EXPECT(!waker_lost(&waker));
	waker_close(&waker);
	EXPECT_INT(-1, waker_awaits(&waker));
	EXPECT(!waker_lost(&waker));
	waker_call(&waker);
}

/* Whoever calls never waits, and one that is full of calls wakes as one with a few does. */
TEST(full_of_calls)
{
	enum { CALLS = 100000 };
	EXPECT_INT(0, waker_open(&waker));
	for (int i = 0; i < CALLS; i++)
		waker_call(&waker);
	EXPECT(is_ready());
	size_t heeded = waker_heed(&waker);
	EXPECT(heeded > 0 && heeded < CALLS);
	EXPECT(!is_ready());
	waker_call(&waker);
	EXPECT_INT(1, waker_heed(&waker));
	waker_close(&waker);
}

/* The program's own file under the number of either end. What is called then goes nowhere, and
 * raises no signal. */
static void expect_lost(bool writers, bool callers)
{
	int mine[2], got[2];
	char byte;
	EXPECT_INT(0, waker_open(&waker));
	waker_call(&waker);
	EXPECT_INT(0, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, mine));
	EXPECT_INT(1, send(mine[0], "x", 1, 0)); /* that its reader is to have */
	got[0] = writers ? dup3(mine[1], waker.writer.fd, O_CLOEXEC) : -1;
	got[1] = callers ? dup3(mine[1], waker.caller.fd, O_CLOEXEC) : -1;
	EXPECT_INT(-1, waker_awaits(&waker));
	EXPECT(waker_lost(&waker));
	EXPECT(!waker_lost(&waker));
	waker_call(&waker);
	(void)waker_heed(&waker);
	waker_close(&waker);
	EXPECT(recv(mine[0], &byte, 1, 0) < 0);
	EXPECT_INT(1, recv(mine[1], &byte, 1, 0));
	EXPECT_INT('x', byte);
	for (size_t i = 0; i < 2; i++) {
		EXPECT(got[i] < 0 || fcntl(got[i], F_GETFD) >= 0);
		if (got[i] >= 0)
			close(got[i]);
		close(mine[i]);
	}
}

TEST(closed_by_the_program)
{
	signal(SIGPIPE, SIG_DFL);
	expect_lost(true, false);
	expect_lost(false, true);
	expect_lost(true, true);
}

TEST(no_descriptor_left)
{
	struct rlimit before, none;
	EXPECT_INT(0, getrlimit(RLIMIT_NOFILE, &before));
	none = (struct rlimit){0, before.rlim_max};
	EXPECT_INT(0, setrlimit(RLIMIT_NOFILE, &none));
	EXPECT_INT(ERR_IO, waker_open(&waker));
	EXPECT_INT(0, setrlimit(RLIMIT_NOFILE, &before));
	EXPECT_INT(-1, waker_awaits(&waker));
	EXPECT(!waker_lost(&waker));
	waker_close(&waker);
}
