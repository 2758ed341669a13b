#include "agent/control.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "support/tap.h"

enum { NOBODY = 65534, LINE_MAX_LEN = 8192 };

static struct control control;
static char folder[64], path[100];

static void begin(void)
{
	struct diag d = {0};
	snprintf(folder, sizeof(folder), "/tmp/mayfly-test-XXXXXX");
	EXPECT(mkdtemp(folder) != NULL);
	snprintf(path, sizeof(path), "%s/s", folder);
	EXPECT_INT(0, control_open(&control, path, &d));
	EXPECT_STR("", d.text);
}

static void end(void)
{
	struct stat st;
	control_close(&control);
	EXPECT(lstat(path, &st) != 0);
	EXPECT_INT(0, rmdir(folder));
}

static int dial(const char *to)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	snprintf(a.sun_path, sizeof(a.sun_path), "%.100s", to);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct timeval patience = {
		.tv_sec = 20}; /* for a reply that never comes, which is a failure */
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (connect(fd, (const struct sockaddr *)&a, sizeof(a)) == 0)
		return fd;
	close(fd);
	return -1;
}

static void say(int fd, const char *text, size_t len)
{
	EXPECT_INT(len, send(fd, text, len, MSG_NOSIGNAL));
}

/* The reply to the end of file. */
static const char *hear(int fd)
{
	static char reply[20000];
	size_t len = 0;
	for (ssize_t n; len + 1 < sizeof(reply) &&
			(n = read(fd, reply + len, sizeof(reply) - 1 - len)) > 0;)
		len += (size_t)n;
	reply[len] = '\0';
	close(fd);
	return reply;
}

static const char unknown[] = "error 8 the requests are status, start, stop, flush and heap\n";

TEST(requests)
{
	static const struct {
		const char *line;
		enum request request;
	} rows[] = {
		{"status\n", REQUEST_STATUS},
		{"start\n", REQUEST_START},
		{"stop\n", REQUEST_STOP},
		{"flush\n", REQUEST_FLUSH},
		{"stop\nstatus\n", REQUEST_STOP},
		{"Stop\n", REQUEST_NONE},
		{"stop \n", REQUEST_NONE},
		{"stops\n", REQUEST_NONE},
		{"\n", REQUEST_NONE},
		{"\xff\xfe\n", REQUEST_NONE},
	};
	begin();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct buf body = {0};
		int fd = dial(path);
		say(fd, rows[i].line, strlen(rows[i].line));
		EXPECT_INT(rows[i].request, control_accept(&control));
		buf_put_str(&body, "a 1\nb 2\n");
		if (rows[i].request)
			control_answer(&control, ERR_NONE, "", &body);
		EXPECT_STR(rows[i].request ? "ok\na 1\nb 2\n" : unknown, hear(fd));
		EXPECT(!own_fd_has(&control.client));
		buf_release(&body);
	}
	end();
}

/* A NUL does not hide what comes after it. */
TEST(bytes_behind_a_nul)
{
	begin();
	int fd = dial(path);
	say(fd, "stop\0x\n", 7);
	EXPECT_INT(REQUEST_NONE, control_accept(&control));
	EXPECT_STR(unknown, hear(fd));
	end();
}

TEST(errors_are_told)
{
	begin();
	int fd = dial(path);
	say(fd, "start\n", 6);
	EXPECT_INT(REQUEST_START, control_accept(&control));
	control_answer(&control, ERR_RUNNING, "it already records", NULL);
	EXPECT_STR("error 18 it already records\n", hear(fd));
	control_answer(&control, ERR_NONE, "", NULL); /* nobody asked: nothing happens */
	end();
}

/* A line may come in pieces. */
static void *slowly(void *arg)
{
	for (const char *c = "flush\n"; *c; c++)
		say(*(int *)arg, c, 1);
	return NULL;
}

TEST(a_line_in_pieces)
{
	pthread_t thread;
	begin();
	int fd = dial(path);
	pthread_create(&thread, NULL, slowly, &fd);
	EXPECT_INT(REQUEST_FLUSH, control_accept(&control));
	pthread_join(thread, NULL);
	control_answer(&control, ERR_NONE, "", NULL);
	EXPECT_STR("ok\n", hear(fd));
	end();
}

TEST(too_long_a_line)
{
	static char line[LINE_MAX_LEN + 2];
	begin();
	memset(line, 'x', sizeof(line));
	int fd = dial(path);
	say(fd, line, sizeof(line));
	EXPECT_INT(REQUEST_NONE, control_accept(&control));
	EXPECT(strncmp(hear(fd), "error 8 ", 8) == 0);
	end();
}

/* Who says nothing, or goes away, holds the writer for a bounded time: this ends. */
TEST(silent_clients)
{
	begin();
	int silent = dial(path);
	EXPECT_INT(REQUEST_NONE, control_accept(&control));
	EXPECT_STR(unknown, hear(silent));
	int gone = dial(path);
	close(gone);
	EXPECT_INT(REQUEST_NONE, control_accept(&control));
	int half = dial(path);
	say(half, "sto", 3);
	close(half);
	EXPECT_INT(REQUEST_NONE, control_accept(&control));
	EXPECT_INT(REQUEST_NONE, control_accept(&control)); /* nobody is there at all */
	end();
}

/* A client that does not read a long reply is given up, too. */
TEST(a_client_that_does_not_read)
{
	struct buf body = {0};
	begin();
	for (int i = 0; i < 200000; i++)
		buf_put_str(&body, "0123456789\n");
	int fd = dial(path);
	say(fd, "status\n", 7);
	EXPECT_INT(REQUEST_STATUS, control_accept(&control));
	control_answer(&control, ERR_NONE, "", &body);
	EXPECT(!own_fd_has(&control.client));
	close(fd);
	buf_release(&body);
	end();
}

/* Only root and the program's own user are answered. Others can't even connect: mode 0600. */
TEST(others_are_turned_away)
{
	struct stat st;
	int status = 0;
	begin();
	EXPECT_INT(0, lstat(path, &st));
	EXPECT(S_ISSOCK(st.st_mode));
	EXPECT_INT(0600, st.st_mode & 0777);
	if (geteuid() == 0) {
		EXPECT_INT(0, chmod(folder, 0755));
		pid_t child = fork();
		if (child == 0)
			_exit(setresuid(NOBODY, NOBODY, NOBODY) || dial(path) >= 0);
		waitpid(child, &status, 0);
		EXPECT_INT(0, status);
		/* Somebody has opened the mode: the peer's credentials still count. */
		EXPECT_INT(0, chmod(path, 0777));
		child = fork();
		if (child == 0) {
			int fd = setresuid(NOBODY, NOBODY, NOBODY) ? -1 : dial(path);
			/* The connection may be closed before anything is said. */
			send(fd, "stop\n", 5, MSG_NOSIGNAL);
			_exit(fd < 0 || strcmp(hear(fd), "error 10 only the program's own user and "
							 "root are answered\n") != 0);
		}
		struct timeval patience = {.tv_sec = 10};
		fcntl(control.listener.fd, F_SETFL, 0);
		setsockopt(
			control.listener.fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
		EXPECT_INT(REQUEST_NONE, control_accept(&control));
		waitpid(child, &status, 0);
		EXPECT_INT(0, status);
	}
	end();
}

/* The program has no descriptor left for whoever knocks, and is not to be kept busy by that. */
TEST(no_descriptor_left)
{
	struct rlimit before, none;
	begin();
	EXPECT_INT(0, getrlimit(RLIMIT_NOFILE, &before));
	int fd = dial(path);
	say(fd, "status\n", 7);
	none = (struct rlimit){(rlim_t)fd + 1, before.rlim_max};
	EXPECT_INT(0, setrlimit(RLIMIT_NOFILE, &none));
	EXPECT_INT(control.listener.fd, control_awaits(&control, clock_now()));
	EXPECT_INT(REQUEST_NONE, control_accept(&control));
	EXPECT_INT(0, setrlimit(RLIMIT_NOFILE, &before));
	EXPECT_INT(-1, control_awaits(&control, clock_now()));
	struct ns later = {clock_now().v + 1000000000};
	EXPECT_INT(control.listener.fd, control_awaits(&control, later));
	EXPECT_INT(REQUEST_STATUS, control_accept(&control));
	control_answer(&control, 0, "", NULL);
	EXPECT_STR("ok\n", hear(fd));
	end();
}

TEST(a_socket_left_over_is_replaced)
{
	struct diag d = {0};
	begin();
	close(control.listener.fd); /* as if the process had been killed */
	EXPECT(dial(path) < 0);
	EXPECT_INT(0, control_open(&control, path, &d));
	int fd = dial(path);
	EXPECT(fd >= 0);
	close(fd);
	end();
}

TEST(a_socket_in_use_stays)
{
	struct control second;
	struct diag d = {0};
	begin();
	EXPECT(control_open(&second, path, &d) != 0);
	EXPECT(strstr(d.text, path) != NULL);
	EXPECT(!own_fd_has(&second.listener));
	control_close(&second); /* not ours: it stays */
	int fd = dial(path), queued[16], n = 0;
	EXPECT(fd >= 0);
	close(fd);
	/* With a full queue as well. */
	for (; n < 16; n++) {
		queued[n] = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
		struct sockaddr_un a = {.sun_family = AF_UNIX};
		snprintf(a.sun_path, sizeof(a.sun_path), "%s", path);
		if (connect(queued[n], (const struct sockaddr *)&a, sizeof(a)))
			break;
	}
	EXPECT(n < 16);
	EXPECT(control_open(&second, path, &d) != 0);
	struct stat st;
	EXPECT_INT(0, lstat(path, &st));
	for (int i = 0; i <= n; i++)
		close(queued[i]);
	end();
}

/* Without descriptors nobody can tell whether it is in use: it stays. */
TEST(a_socket_stays_where_it_can_not_be_tried)
{
	struct control second;
	struct diag d = {0};
	struct rlimit limit, none;
	begin();
	EXPECT_INT(0, getrlimit(RLIMIT_NOFILE, &limit));
	none = limit;
	none.rlim_cur = 0;
	EXPECT_INT(0, setrlimit(RLIMIT_NOFILE, &none));
	EXPECT_INT(ERR_IO, control_open(&second, path, &d));
	EXPECT_INT(0, setrlimit(RLIMIT_NOFILE, &limit));
	int fd = dial(path);
	EXPECT(fd >= 0);
	close(fd);
	end();
}

/* The process with a recording is killed; the next one takes its place. */
TEST(a_killed_program_s_socket_is_replaced)
{
	struct diag d = {0};
	int status = 0, ready[2];
	char byte;
	begin();
	control_close(&control);
	EXPECT_INT(0, pipe(ready));
	pid_t child = fork();
	if (child == 0) {
		byte = control_open(&control, path, &d) ? 'n' : 'y';
		EXPECT_INT(1, write(ready[1], &byte, 1));
		for (;;)
			pause();
	}
	EXPECT_INT(1, read(ready[0], &byte, 1));
	EXPECT_INT('y', byte);
	struct control second;
	EXPECT_INT(ERR_IO, control_open(&second, path, &d)); /* it lives */
	EXPECT_INT(0, kill(child, SIGKILL));
	EXPECT_INT(child, waitpid(child, &status, 0));
	struct stat st;
	EXPECT_INT(0, lstat(path, &st));
	EXPECT(dial(path) < 0);
	EXPECT_INT(0, control_open(&control, path, &d));
	close(ready[0]);
	close(ready[1]);
	end();
}

TEST(what_is_no_socket_stays)
{
	struct control c;
	struct diag d = {0};
	struct stat st;
	begin();
	control_close(&control);
	close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	EXPECT_INT(ERR_IO, control_open(&c, path, &d));
	EXPECT(strstr(d.text, path) != NULL);
	control_close(&c);
	EXPECT(lstat(path, &st) == 0 && S_ISREG(st.st_mode));
	unlink(path);
	/* A link to a socket is not one of ours. */
	EXPECT_INT(0, symlink("/tmp/nowhere", path));
	EXPECT_INT(ERR_IO, control_open(&c, path, &d));
	EXPECT(lstat(path, &st) == 0 && S_ISLNK(st.st_mode));
	unlink(path);
	end();
}

TEST(paths)
{
	struct diag d = {0};
	char longest[OPTION_SOCKET], usual[64];
	struct stat st;
	EXPECT_INT(0, control_open(&control, "none", &d));
	EXPECT(!own_fd_has(&control.listener));
	EXPECT_INT(REQUEST_NONE, control_accept(&control));
	control_close(&control);
	EXPECT_INT(0, control_open(&control, "", &d));
	snprintf(usual, sizeof(usual), "/tmp/.mayfly-%ld.sock", (long)getpid());
	EXPECT_STR(usual, control.path);
	EXPECT_INT(0, lstat(usual, &st));
	control_close(&control);
	EXPECT(lstat(usual, &st) != 0);
	memset(longest, 'x', sizeof(longest));
	memcpy(longest, "/tmp/", 5);
	longest[sizeof(longest) - 1] = '\0';
	int err = control_open(&control, longest, &d);
	EXPECT(err == ERR_NONE || err == ERR_LIMIT);
	control_close(&control);
	EXPECT_INT(ERR_IO, control_open(&control, "/no/such/folder/s", &d));
	EXPECT(!own_fd_has(&control.listener));
}

/* The program has closed all that it has, and listens itself under that number: whoever connects to
 * it is the program's alone, and the agent's own path is gone. */
TEST(closed_by_the_program)
{
	struct stat st;
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	char own[120];
	begin();
	EXPECT(!control_lost(&control));
	snprintf(own, sizeof(own), "%s.own", path);
	snprintf(a.sun_path, sizeof(a.sun_path), "%.100s", own);
	int mine = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	EXPECT_INT(0, bind(mine, (const struct sockaddr *)&a, sizeof(a)));
	EXPECT_INT(0, listen(mine, 4));
	int fd = control.listener.fd;
	EXPECT_INT(fd, dup3(mine, fd, O_CLOEXEC));
	close(mine);
	int knocks = dial(own);
	EXPECT_INT(-1, control_awaits(&control, clock_now()));
	EXPECT_INT(REQUEST_NONE, control_accept(&control));
	EXPECT(control_lost(&control));
	EXPECT(!control_lost(&control));
	EXPECT(lstat(path, &st) != 0);
	control_close(&control);
	mine = accept(fd, NULL, NULL);
	EXPECT(mine >= 0);
	close(mine);
	close(knocks);
	close(fd);
	unlink(own);
	end();
}

/* Whoever asked is gone, and the program has another connection under that number. */
TEST(a_client_closed_by_the_program)
{
	struct buf body = {0};
	int mine[2];
	char byte;
	begin();
	int fd = dial(path);
	say(fd, "status\n", 7);
	EXPECT_INT(REQUEST_STATUS, control_accept(&control));
	EXPECT_INT(0, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, mine));
	int client = control.client.fd;
	EXPECT_INT(client, dup3(mine[0], client, O_CLOEXEC));
	control_answer(&control, ERR_NONE, "", &body);
	EXPECT_STR("", hear(fd));
	EXPECT(recv(mine[1], &byte, 1, 0) < 0);
	EXPECT(fcntl(client, F_GETFD) >= 0);
	close(client);
	close(mine[0]);
	close(mine[1]);
	end();
}

/* What somebody else has put in its path's place stays, wherever the program goes. */
TEST(its_own_path)
{
	char elsewhere[] = "/tmp/mayfly-test-XXXXXX";
	struct diag d = {0};
	struct stat st;
	begin();
	control_close(&control);
	EXPECT_INT(0, chdir(folder));
	EXPECT_INT(0, control_open(&control, "s", &d));
	EXPECT_STR(path, control.path);
	EXPECT(mkdtemp(elsewhere) != NULL && chdir(elsewhere) == 0);
	close(open("s", O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	control_close(&control);
	EXPECT(lstat(path, &st) != 0);
	EXPECT_INT(0, unlink("s"));
	EXPECT(chdir("/") == 0 && rmdir(elsewhere) == 0);
	EXPECT_INT(0, control_open(&control, path, &d));
	EXPECT_INT(0, unlink(path));
	close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	control_close(&control);
	EXPECT_INT(0, unlink(path));
	end();
}
