#include "cli/shrunk.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "support/tap.h"

enum { BYTES = 4096 };

/* Returns how the child ended that read a file which was cut behind its back. */
static int read_cut(int say)
{
	char path[] = "/tmp/mayfly-shrunk-XXXXXX";
	int status = 0, fd = mkstemp(path);
	EXPECT_INT(0, ftruncate(fd, BYTES));
	volatile char *at = mmap(NULL, BYTES, PROT_READ, MAP_SHARED, fd, 0);
	EXPECT_INT(0, ftruncate(fd, 0));
	pid_t child = fork();
	if (child == 0) {
		dup2(say, STDERR_FILENO);
		signal(SIGBUS, SIG_DFL);
		shrunk_watch();
		_exit(at[0] ? 70 : 71);
	}
	waitpid(child, &status, 0);
	munmap((void *)(uintptr_t)at, BYTES);
	close(fd);
	unlink(path);
	return status;
}

TEST(a_sentence)
{
	char text[200] = "";
	int ends[2];
	EXPECT_INT(0, pipe(ends));
	int status = read_cut(ends[1]);
	close(ends[1]);
	EXPECT(WIFEXITED(status));
	EXPECT_INT(EXIT_FAILED, WEXITSTATUS(status));
	EXPECT(read(ends[0], text, sizeof(text) - 1) > 0);
	EXPECT_STR("mayfly: a file that is being read was cut meanwhile; try again when nothing "
		   "writes it.\n",
		text);
	close(ends[0]);
}

/* What somebody sends ends it as ever. */
TEST(a_signal)
{
	int status = 0;
	pid_t child = fork();
	if (child == 0) {
		signal(SIGBUS, SIG_DFL);
		shrunk_watch();
		raise(SIGBUS);
		_exit(70);
	}
	waitpid(child, &status, 0);
	EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
}
