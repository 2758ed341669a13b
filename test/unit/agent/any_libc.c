/* What stands in the agent for names of glibc's own. */
#undef _FORTIFY_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/compiler.h"
#include "support/tap.h"

int any_snprintf(char *out, size_t size, int flag, size_t room, const char *format, ...) __asm__(
	"__snprintf_chk") MF_PRINTF(5, 6);
int any_fprintf(FILE *out, int flag, const char *format, ...) __asm__("__fprintf_chk")
	MF_PRINTF(3, 4);
void *any_memcpy(void *to, const void *from, size_t len, size_t room) __asm__("__memcpy_chk");
int any_open(const char *path, int flags) __asm__("__open_2");
char *any_realpath(const char *path, char *out, size_t room) __asm__("__realpath_chk");
int any_atfork(void (*before)(void), void (*parent)(void), void (*child)(void)) __asm__(
	"pthread_atfork");

/* As glibc's where there is room; where there is not, no more than that. */
TEST(text)
{
	char out[8] = "-------";
	EXPECT_INT(3, any_snprintf(out, sizeof(out), 0, sizeof(out), "%d", 123));
	EXPECT_STR("123", out);
	memset(out, '-', sizeof(out) - 1);
	EXPECT_INT(6, any_snprintf(out, 100, 0, 4, "%d", 123456));
	EXPECT_STR("123", out);
	EXPECT_STR("---", out + 4);
}

TEST(bytes)
{
	char out[8] = "-------";
	EXPECT(any_memcpy(out, "abc", 3, sizeof(out)) == out);
	EXPECT_STR("abc----", out);
	EXPECT(any_memcpy(out, "vwxyz", 5, 2) == out);
	EXPECT_STR("vwc----", out);
}

TEST(files)
{
	char path[] = "/tmp/mayfly-any-XXXXXX", text[PATH_MAX] = "", small[4] = "no";
	close(mkstemp(path));
	int fd = any_open(path, O_RDWR | O_CREAT);
	FILE *f = fdopen(fd, "r+");
	EXPECT_INT(4, f ? any_fprintf(f, 0, "%s", "text") : -1);
	if (f)
		fclose(f);
	EXPECT(any_realpath(path, text, sizeof(text)) == text);
	EXPECT(strlen(text) >= strlen(path));
	EXPECT(!any_realpath(path, small, sizeof(small)) && errno == ERANGE);
	EXPECT_STR("no", small);
	unlink(path);
	EXPECT_INT(-1, any_open(path, O_RDWR | O_CREAT));
}

static int parents, children;

static void in_parent(void)
{
	parents++;
}

static void in_child(void)
{
	children++;
}

TEST(forks)
{
	int status = 0;
	EXPECT_INT(0, any_atfork(NULL, in_parent, in_child));
	pid_t child = fork();
	if (child == 0)
		_exit(children == 1 && !parents ? 7 : 1);
	EXPECT(waitpid(child, &status, 0) == child);
	EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 7);
	EXPECT(parents == 1 && !children);
}
