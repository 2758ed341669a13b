#include <string.h>

#include "base/error.h"
#include "cli/args.h"
#include "cli/attaching.h"
#include "cli/cli.h"
#include "cli/launching.h"

struct asked {
	struct launching launching; /* first: ENDING_ROWS, LAUNCHING_ROWS */
	struct attaching attaching;
	const char *only; /* learn-only, apply-only, dry-run, or NULL */
	const char *pid;  /* of a program that runs already, or NULL */
};

static int set(void *arg, const char *name, const char *value, struct diag *d)
{
	return recording_set(&((struct asked *)arg)->launching.ending.recording, name, value, d);
}

static int set_only(void *arg, const char *only, const char *value, struct diag *d)
{
	struct asked *a = arg;
	if (a->only && strcmp(a->only, only) != 0)
		return diag_set(
			d, ERR_USAGE, "--%s and --%s can't be asked for together", a->only, only);
	a->only = only;
	return set(arg, "tenure", value, d);
}

static int set_learn(void *arg, const char *value, struct diag *d)
{
	(void)value;
	return set_only(arg, "learn-only", "learn", d);
}

static int set_apply(void *arg, const char *value, struct diag *d)
{
	(void)value;
	return set_only(arg, "apply-only", "apply", d);
}

static int set_dry_run(void *arg, const char *value, struct diag *d)
{
	(void)value;
	return set_only(arg, "dry-run", "dry-run", d);
}

static int set_round(void *arg, const char *value, struct diag *d)
{
	int err = set(arg, "tenure-round", value, d);
	if (err)
		diag_set(d, err, "--round can't be '%s': it is a whole number from 4 to 1000",
			value);
	return err;
}

static int set_attach(void *arg, const char *value, struct diag *d)
{
	(void)d;
	((struct asked *)arg)->pid = value;
	return ERR_NONE;
}

static const struct args_row rows[] = {
	{"round", 0, "N", "young collections between decisions (16)", set_round},
	{"learn-only", 0, NULL, "change nothing: only say what would be gained, and save it",
		set_learn},
	{"apply-only", 0, NULL, "do what --decisions says, and learn nothing", set_apply},
	{"dry-run", 0, NULL, "as --learn-only, and save nothing", set_dry_run},
	{"attach", 0, "PID", "in a program that runs already; undone when the recording ends",
		set_attach},
	ENDING_ROWS,
	LAUNCHING_ROWS,
};

/* Learning is by samples: few places are enough, but it should not take minutes to find them. What
 * the agent takes where nobody asks for another: src/agent/tenure.c. */
static const struct args_preset presets[] = {{"tenure", "yes", true, false},
	{"tenure-round", NULL, true, false}, {"interval", "128k", false, true},
	{"depth", "8", false, true}, {"max-live", "65536", false, true},
	{"max-walks", "4000", false, true}, {"max-rate", "0", false, true},
	{NULL, NULL, false, false}};

static const char about[] =
	"Starts COMMAND (as mayfly record does) and learns while it runs which of its objects\n"
	"grow old. These go to the old generation when they are first copied, instead of being\n"
	"copied again and again; what did not pay is taken back. Says at the end what came of "
	"it.\n";

static int attach(struct asked *a, int count, char **argv)
{
	if (count)
		return cli_usage("tenure",
			"a program is started or attached to, not both: '%s' and --attach %s",
			argv[0], a->pid);
	int status = attaching_set_pid(&a->attaching, "tenure", a->pid);
	return status ? status : attaching_run(&a->attaching);
}

static int run(struct asked *a, int count, char **argv)
{
	const struct options *o = &a->launching.ending.recording.options;
	if (o->tenure == TENURE_APPLY && !*o->decisions)
		return cli_usage("tenure", "--apply-only needs --decisions FILE");
	if (a->pid)
		return attach(a, count, argv);
	if (!count)
		return cli_usage("tenure", "there is no COMMAND to start; for a program that runs "
					   "already: mayfly tenure --attach PID");
	return launching_run(&a->launching, argv);
}

int cmd_tenure(int argc, char **argv)
{
	static struct asked a = {
		.launching = {.command = "tenure", .ending = {.view = "--tenure"}}};
	int first;
	recording_init(&a.launching.ending.recording);
	attaching_init(&a.attaching, &a.launching.ending);
	const struct args args = {.command = "tenure",
		.usage = "[options] [--] COMMAND… | --attach PID [-d TIME] [options]",
		.about = about,
		.rows = rows,
		.count = ARRAY_SIZE(rows),
		.arg = &a,
		.recording = &a.launching.ending.recording,
		.presets = presets,
		.command_follows = true};
	int status = args_parse(&args, argc, argv, &first);
	return status == ARGS_RUN ? run(&a, argc - first, argv + first) : status;
}
