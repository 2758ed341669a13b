#include "cli/shrunk.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

/* Only what may be called in a handler. */
static void tell(int number, siginfo_t *info, void *context)
{
	static const char text[] = "mayfly: a file that is being read was cut meanwhile; try "
				   "again when nothing writes it.\n";
	(void)context;
	if (info->si_code != BUS_ADRERR) {
		raise(number); /* as if this were not here: it is reset */
		return;
	}
	ssize_t written = write(STDERR_FILENO, text, sizeof(text) - 1);
	(void)written;
	_exit(EXIT_FAILED);
}

void shrunk_watch(void)
{
	struct sigaction now;
	struct sigaction action = {
		.sa_sigaction = tell, .sa_flags = SA_SIGINFO | (int)SA_RESETHAND};
	/* A sanitizer has its own. */
	if (sigaction(SIGBUS, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
		sigaction(SIGBUS, &action, NULL);
}
