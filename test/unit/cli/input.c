#include "cli/input.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "support/tap.h"

/* Standard input is a pipe with the text in it, at its end. */
static void pipe_in(const char *text)
{
	int ends[2];
	EXPECT_INT(0, pipe(ends));
	EXPECT_INT((int)strlen(text), write(ends[1], text, strlen(text)));
	EXPECT_INT(STDIN_FILENO, dup2(ends[0], STDIN_FILENO));
	close(ends[0]);
	close(ends[1]);
}

static void file_in(const char *text, off_t at)
{
	char path[] = "/tmp/mayfly-input-XXXXXX";
	int fd = mkstemp(path);
	unlink(path);
	EXPECT_INT((int)strlen(text), write(fd, text, strlen(text)));
	EXPECT_INT(STDIN_FILENO, dup2(fd, STDIN_FILENO));
	EXPECT_INT(at, lseek(STDIN_FILENO, at, SEEK_SET));
	close(fd);
}

static void expect_text(const char *name, const char *text)
{
	struct source s;
	struct diag d = {""};
	char got[16] = "";
	size_t len;
	EXPECT_INT(0, input_open(&s, name, &d));
	EXPECT_STR("", d.text);
	if (!s.read)
		return;
	EXPECT_INT(0, s.read(s.arg, 0, got, sizeof(got) - 1, &len));
	EXPECT_STR(text, got);
	EXPECT_INT(0, s.read(s.arg, 2, got, 1, &len));
	EXPECT_INT(text[2], got[0]);
	source_close(&s);
}

TEST(pipe_is_read_at_offsets_and_again)
{
	pipe_in("abcdef");
	expect_text("-", "abcdef");
	expect_text("-", "abcdef");
}

TEST(file_is_read_from_its_begin)
{
	file_in("ghijkl", 3);
	expect_text("-", "ghijkl");
	expect_text("-", "ghijkl");
}

TEST(other_names_are_files)
{
	char path[] = "/tmp/mayfly-input-XXXXXX";
	struct source s;
	struct diag d = {""};
	int fd = mkstemp(path);
	EXPECT_INT(3, write(fd, "xyz", 3));
	close(fd);
	expect_text(path, "xyz");
	unlink(path);
	EXPECT_INT(ERR_NOT_FOUND, input_open(&s, path, &d));
	EXPECT(s.read == NULL);
}

TEST(nothing_to_read_from)
{
	struct source s;
	struct diag d = {""};
	int writes = open("/dev/null", O_WRONLY), terminal = posix_openpt(O_RDWR | O_NOCTTY);
	EXPECT_INT(STDIN_FILENO, dup2(writes, STDIN_FILENO));
	EXPECT_INT(ERR_IO, input_open(&s, "-", &d));
	EXPECT_STR("standard input: Bad file descriptor", d.text);
	EXPECT(s.read == NULL);
	EXPECT_INT(STDIN_FILENO, dup2(terminal, STDIN_FILENO));
	EXPECT_INT(ERR_UNSUPPORTED, input_open(&s, "-", &d));
	EXPECT_STR("standard input is a terminal, and no trace comes from there", d.text);
	close(writes);
	close(terminal);
}

TEST(no_memory)
{
	struct source s;
	struct diag d = {""};
	pipe_in("abcdef");
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, input_open(&s, "-", &d));
	mem_fail_at(0);
	EXPECT(s.read == NULL);
	expect_text("-", "abcdef"); /* nothing is lost by it */
}
