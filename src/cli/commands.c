#include <string.h>

#include "base/nearest.h"
#include "cli/cli.h"

static const struct command commands[] = {
#define COMMAND(name, summary) {#name, (summary), cmd_##name},
#include "cli/commands.def"
#undef COMMAND
};

const struct command *command_row(unsigned i)
{
	return i < ARRAY_SIZE(commands) ? &commands[i] : NULL;
}

const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

int command_unknown(const char *name)
{
	const char *names[ARRAY_SIZE(commands) + 2] = {"--version", "--help"};
	const char *what = name[0] == '-' ? "option" : "command";
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		names[i + 2] = commands[i].name;
	const char *best = nearest_find(name, names, ARRAY_SIZE(names));
	if (best)
		fprintf(stderr, "mayfly: no %s '%s'; did you mean '%s'?\n", what, name, best);
	else
		fprintf(stderr, "mayfly: no %s '%s'.\n", what, name);
	fprintf(stderr, "Try 'mayfly help'.\n");
	return EXIT_USAGE;
}
