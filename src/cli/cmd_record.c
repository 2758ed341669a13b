#include "cli/args.h"
#include "cli/cli.h"
#include "cli/launching.h"

static const struct args_row rows[] = {ENDING_ROWS, LAUNCHING_ROWS};

static const char about[] =
	"Starts COMMAND with mayfly's agent in it and writes a trace. COMMAND is java with its\n"
	"arguments, or something that starts java in the end (a script, mvn, gradle): then\n"
	"every JVM below it writes a trace of its own. The exit status is COMMAND's.\n";

int cmd_record(int argc, char **argv)
{
	static struct launching l = {.command = "record"}; /* too large for the stack's taste */
	int first;
	recording_init(&l.ending.recording);
	const struct args args = {.command = "record",
		.usage = "[options] [--] COMMAND…",
		.about = about,
		.rows = rows,
		.count = ARRAY_SIZE(rows),
		.arg = &l,
		.recording = &l.ending.recording,
		.command_follows = true};
	int status = args_parse(&args, argc, argv, &first);
	if (status != ARGS_RUN)
		return status;
	if (first == argc)
		return cli_usage("record", "there is no COMMAND to start; for a program that runs "
					   "already: mayfly attach PID");
	return launching_run(&l, argv + first);
}
