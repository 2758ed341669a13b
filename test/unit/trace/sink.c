#include "trace/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "support/tap.h"

TEST(fd)
{
	char path[] = "/tmp/mayfly-sink-XXXXXX", back[8] = "";
	int fd = mkstemp(path);
	struct sink s = sink_fd(&fd);
	EXPECT_INT(0, s.write(s.arg, "abc", 3));
	EXPECT_INT(0, s.write(s.arg, "", 0));
	EXPECT_INT(0, s.write(s.arg, "def", 3));
	EXPECT_INT(6, pread(fd, back, 8, 0));
	EXPECT_STR("abcdef", back);
	close(fd);
	EXPECT_INT(ERR_IO, s.write(s.arg, "x", 1));
	unlink(path);
}

TEST(what_is_left_of_a_file)
{
	char path[] = "/tmp/mayfly-sink-XXXXXX";
	int fd = mkstemp(path), full = open("/dev/full", O_WRONLY), nothing = -1;
	struct buf b = {0};
	EXPECT_INT(6, write(fd, "abcdef", 6));
	EXPECT_INT(2, lseek(fd, 2, SEEK_SET));
	EXPECT_INT(0, sink_copy(sink_buf(&b), fd));
	EXPECT_STR("cdef", buf_text(&b));
	EXPECT_INT(0, sink_copy(sink_buf(&b), fd));
	EXPECT_STR("cdef", buf_text(&b));
	EXPECT_INT(0, lseek(fd, 0, SEEK_SET));
	EXPECT_INT(ERR_IO, sink_copy(sink_fd(&full), fd));
	EXPECT_INT(ENOSPC, errno);
	EXPECT_INT(ERR_IO, sink_copy(sink_buf(&b), nothing));
	EXPECT_INT(EBADF, errno);
	buf_release(&b);
	close(full);
	close(fd);
	unlink(path);
}

TEST(full_disk)
{
	int fd = open("/dev/full", O_WRONLY);
	struct sink s = sink_fd(&fd);
	EXPECT_INT(ERR_IO, s.write(s.arg, "x", 1));
	close(fd);
}

/* A pipe that takes less than what is written forces short writes, until it would block. */
TEST(short_writes_go_on)
{
	enum { LEN = 3000000 };
	int ends[2];
	EXPECT_INT(0, pipe2(ends, O_NONBLOCK));
	struct sink s = sink_fd(&ends[1]);
	uint8_t *bytes = mem_zalloc(LEN, 1);
	EXPECT_INT(ERR_IO, s.write(s.arg, bytes, LEN));
	mem_free(bytes);
	close(ends[0]);
	close(ends[1]);
}

TEST(memory)
{
	struct buf b = {0};
	struct sink s = sink_buf(&b);
	EXPECT_INT(0, s.write(s.arg, "ab", 2));
	EXPECT_INT(0, s.write(s.arg, "c", 1));
	EXPECT_STR("abc", buf_text(&b));
	buf_release(&b);
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, s.write(s.arg, "c", 1));
	mem_fail_at(0);
	buf_release(&b);
}
