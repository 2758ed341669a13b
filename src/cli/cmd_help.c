#include <string.h>

#include "cli/cli.h"

static void overview(void)
{
	printf("usage: mayfly COMMAND [options]\n\n"
	       "mayfly tells how long the objects of a running Java program live, by the code\n"
	       "that allocates them.\n\n");
	const struct command *c;
	for (unsigned i = 0; (c = command_row(i)); i++)
		printf("  %-8s %s\n", c->name, c->summary);
	printf("\nStart with:\n"
	       "  mayfly record -- java -jar app.jar\n"
	       "  mayfly attach PID -d 30s\n\n"
	       "'mayfly COMMAND --help' has the options, 'mayfly --version' the version.\n");
}

/* Every command answers --help itself; that of help is the overview. */
int cmd_help(int argc, char **argv)
{
	if (argc < 2 || argv[1][0] == '-' || strcmp(argv[1], "help") == 0) {
		overview();
		return EXIT_OK;
	}
	const struct command *c = command_find(argv[1]);
	if (!c)
		return command_unknown(argv[1]);
	char name[16], option[] = "--help";
	snprintf(name, sizeof(name), "%s", c->name);
	return c->run(2, (char *[]){name, option, NULL});
}
