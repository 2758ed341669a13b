#include "base/own_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/tap.h"

static char folder[64], file[80];

static void begin(void)
{
	snprintf(folder, sizeof(folder), "/tmp/mayfly-test-XXXXXX");
	EXPECT(mkdtemp(folder) != NULL);
	snprintf(file, sizeof(file), "%s/f", folder);
}

static void end(void)
{
	unlink(file);
	EXPECT_INT(0, rmdir(folder));
}

static int make(void)
{
	return open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
}

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

/* Other files that the program may have open under that number. */
static int move(int from, int to)
{
	if (from == to)
		return to;
	EXPECT_INT(to, dup3(from, to, O_CLOEXEC));
	close(from);
	return to;
}

static int null_as(int fd)
{
	return move(open("/dev/null", O_RDWR | O_CLOEXEC), fd);
}

static int pipe_as(int fd)
{
	int ends[2];
	EXPECT_INT(0, pipe2(ends, O_CLOEXEC));
	int other = ends[ends[0] == fd];
	move(ends[ends[0] != fd], fd);
	close(other);
	return fd;
}

static int socket_as(int fd)
{
	return move(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), fd);
}

static int file_as(int fd)
{
	char other[96];
	snprintf(other, sizeof(other), "%s.other", file);
	int got = open(other, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	unlink(other);
	return move(got, fd);
}

static int (*const others[])(int fd) = {null_as, pipe_as, socket_as, file_as};

TEST(none)
{
	struct own_fd none[] = {{0}, own_fd_take(-1)};
	for (size_t i = 0; i < 2; i++) {
		errno = 0;
		EXPECT_INT(-1, own_fd_get(&none[i]));
		EXPECT_INT(EBADF, errno);
		own_fd_close(&none[i]); /* not the program's standard input */
		EXPECT(is_open(0));
	}
}

TEST(its_own)
{
	begin();
	int fd = make();
	struct own_fd own = own_fd_take(fd);
	EXPECT_INT(fd, own_fd_get(&own));
	EXPECT_INT(3, write(own_fd_get(&own), "abc", 3));
	EXPECT_INT(0, unlink(file));
	EXPECT_INT(fd, own_fd_get(&own));
	own_fd_close(&own);
	EXPECT(!is_open(fd));
	EXPECT_INT(-1, own_fd_get(&own));
	end();
}

/* Closed behind its back, and given to another. */
static void expect_left(struct own_fd own, int (*other)(int fd))
{
	close(own.fd);
	errno = 0;
	EXPECT_INT(-1, own_fd_get(&own));
	EXPECT_INT(EBADF, errno);
	struct own_fd late = own;
	int fd = other(own.fd);
	EXPECT_INT(-1, own_fd_get(&own));
	own_fd_close(&own);
	own_fd_close(&late);
	EXPECT(is_open(fd));
	close(fd);
}

TEST(anothers)
{
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		int ends[2];
		begin();
		expect_left(own_fd_take(make()), others[i]);
		EXPECT_INT(0, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
		expect_left(own_fd_take(ends[0]), others[i]);
		expect_left(own_fd_take(ends[1]), others[i]);
		end();
	}
}

/* The ends of a pair of sockets are two. */
TEST(ends_of_a_pair)
{
	int ends[2];
	EXPECT_INT(0, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
	struct own_fd one = own_fd_take(ends[0]), two = own_fd_take(ends[1]);
	EXPECT(!file_id_same(one.id, two.id));
	EXPECT_INT(ends[0], dup3(ends[1], ends[0], O_CLOEXEC));
	EXPECT_INT(-1, own_fd_get(&one));
	EXPECT_INT(ends[1], own_fd_get(&two));
	own_fd_close(&two);
	close(ends[0]);
}

TEST(paths)
{
	char link[96];
	begin();
	EXPECT_INT(0, file_id_at(file).type);
	EXPECT(!file_id_same(file_id_at(file), file_id_at(file)));
	struct own_fd own = own_fd_take(make());
	EXPECT(file_id_same(own.id, file_id_at(file)));
	snprintf(link, sizeof(link), "%s.link", file);
	EXPECT_INT(0, symlink(file, link));
	EXPECT(!file_id_same(own.id, file_id_at(link)));
	EXPECT_INT(0, rename(link, file));
	EXPECT(!file_id_same(own.id, file_id_at(file)));
	own_fd_close(&own);
	end();
}
