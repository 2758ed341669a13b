#include "trace/source.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "support/tap.h"

static size_t read_at(struct source *s, uint64_t offset, size_t len, char *out)
{
	size_t got = 99;
	memset(out, 0, 16);
	EXPECT_INT(0, s->read(s->arg, offset, out, len, &got));
	return got;
}

static void expect_abcdef(struct source *s)
{
	char out[16];
	EXPECT_INT(6, read_at(s, 0, 10, out));
	EXPECT_STR("abcdef", out);
	EXPECT_INT(2, read_at(s, 3, 2, out));
	EXPECT_STR("de", out);
	EXPECT_INT(1, read_at(s, 5, 2, out));
	EXPECT_INT(0, read_at(s, 6, 2, out));
	EXPECT_INT(0, read_at(s, UINT64_MAX, 2, out));
	EXPECT_INT(0, read_at(s, INT64_MAX, 2, out));
}

TEST(memory)
{
	struct source s;
	EXPECT_INT(0, source_open_memory(&s, slice("abcdef", 6)));
	expect_abcdef(&s);
	source_close(&s);
	source_close(&s);
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, source_open_memory(&s, slice("abcdef", 6)));
	mem_fail_at(0);
	source_close(&s);
}

TEST(file_that_grows)
{
	char path[] = "/tmp/mayfly-source-XXXXXX", out[16];
	int fd = mkstemp(path);
	struct source s;
	struct diag d = {""};
	EXPECT_INT(6, write(fd, "abcdef", 6));
	EXPECT_INT(0, source_open_file(&s, path, &d));
	expect_abcdef(&s);
	EXPECT_INT(2, write(fd, "gh", 2));
	EXPECT_INT(2, read_at(&s, 6, 10, out));
	EXPECT_STR("gh", out);
	source_close(&s);
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, source_open_file(&s, path, &d));
	mem_fail_at(0);
	source_close(&s);
	close(fd);
	unlink(path);
}

TEST(what_is_no_file)
{
	char path[] = "/tmp/mayfly-source-XXXXXX";
	struct source s;
	struct diag d = {""};
	EXPECT_INT(ERR_NOT_FOUND, source_open_file(&s, "/nowhere/at.mfly", &d));
	EXPECT_STR("/nowhere/at.mfly: No such file or directory", d.text);
	EXPECT_INT(ERR_UNSUPPORTED, source_open_file(&s, "/tmp", &d));
	EXPECT_STR("/tmp: not a regular file", d.text);
	close(mkstemp(path));
	unlink(path);
	EXPECT_INT(0, mkfifo(path, 0600));
	EXPECT_INT(ERR_UNSUPPORTED, source_open_file(&s, path, &d)); /* and does not wait */
	EXPECT(strstr(d.text, "a pipe is read with '-' as its name") != NULL);
	unlink(path);
	source_close(&s);
}
