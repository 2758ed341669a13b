#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/shrunk.h"

/* What was written must have arrived: a full disk behind a redirection is a failure. */
static int flushed(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	/* The reader of a pipe that has seen enough is no failure of ours. */
	if (errno == EPIPE)
		return status;
	return cli_fail("the output could not be written: %s", strerror(errno));
}

/* Where one of the three was closed, a file that we open would come to stand in its place, and take
 * what is written to it. As before it can't be written to (or read, stdin), and a program that we
 * start does not have it. */
static void fill_standard(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)open("/dev/null",
				(fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
}

static void pass_over(int signal_number)
{
	(void)signal_number;
}

/* Where a file may not get larger (ulimit -f) the write fails, and that is said, as of a full disk.
 * By a handler, which no program that we start inherits. */
static void outlive_limit(void)
{
	struct sigaction now;
	const struct sigaction action = {.sa_handler = pass_over, .sa_flags = SA_RESTART};
	if (sigaction(SIGXFSZ, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
		sigaction(SIGXFSZ, &action, NULL);
}

static int dispatch(int argc, char **argv)
{
	const char *name = argv[0];
	if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
		printf("mayfly %s\n", MAYFLY_VERSION);
		return EXIT_OK;
	}
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
		return cmd_help(1, argv);
	const struct command *c = command_find(name);
	return c ? c->run(argc, argv) : command_unknown(name);
}

int main(int argc, char **argv)
{
	fill_standard();
	outlive_limit();
	shrunk_watch();
	setlocale(LC_CTYPE, "");
	if (argc < 2) {
		dup2(STDERR_FILENO, STDOUT_FILENO);
		cmd_help(1, argv);
		fflush(stdout);
		return EXIT_USAGE;
	}
	return flushed(dispatch(argc - 1, argv + 1));
}
