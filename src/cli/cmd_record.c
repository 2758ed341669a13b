#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/args.h"
#include "cli/child.h"
#include "cli/cli.h"
#include "cli/jdk.h"
#include "cli/launch.h"
#include "cli/place.h"
#include "cli/recording.h"
#include "cli/summary.h"

/* As env, nohup and timeout exit when the command can't be run. */
enum { EXIT_NO_PROGRAM = 126, EXIT_NOT_FOUND = 127 };

struct record {
	struct ending ending; /* first: ENDING_ROWS */
	bool verbose;
	char file[OPTION_PATH];              /* the trace's absolute path, as a pattern */
	char agent[PATH_MAX];                /* libmayfly.so */
	char options[OPTION_STRING_MAX + 1]; /* for the agent */
	struct launch launch;
	struct child child;
	size_t traces, bad; /* written, and of them bad */
	bool single;        /* one trace is to be expected, so it may be shown */
};

static int set_verbose(void *arg, const char *value, struct diag *d)
{
	(void)value, (void)d;
	((struct record *)arg)->verbose = true;
	return ERR_NONE;
}

static const struct args_row rows[] = {
	ENDING_ROWS,
	{"verbose", 'v', NULL, "say what is being done", set_verbose},
};

static const char about[] =
	"Starts COMMAND with mayfly's agent in it and writes a trace. COMMAND is java with its\n"
	"arguments, or something that starts java in the end (a script, mvn, gradle): then\n"
	"every JVM below it writes a trace of its own. The exit status is COMMAND's.\n";

/* Everything that can be refused before anything is started, in the order in which a person would
 * look. */
static int prepare_place(struct record *r, struct diag *d)
{
	const struct options *o = &r->ending.recording.options;
	int err = place_absolute(o->file, r->file, sizeof(r->file), d);
	if (!err && !r->launch.java && place_add_pid(r->file, sizeof(r->file)))
		cli_note("several JVMs may run below %s, so each trace gets its process id: %s",
			r->launch.program, r->file);
	if (!err)
		err = place_writable(r->file, d);
	if (!err)
		err = place_agent(r->agent, sizeof(r->agent), d);
	if (!err)
		err = recording_string(
			&r->ending.recording, r->file, r->options, sizeof(r->options), d);
	return err;
}

static int prepare_jdk(const struct record *r, struct diag *d)
{
	struct jdk jdk;
	if (!r->launch.java || jdk_find(&jdk, r->launch.real))
		return ERR_NONE;
	if (r->verbose)
		cli_note("%s is JDK %s", r->launch.real, jdk.version);
	if (r->verbose && jdk_method_ids_unsafe(&jdk))
		cli_note("JDK %s can crash any profiler while classes are unloaded (JDK-8313816); "
			 "22, 21.0.3, 17.0.11 and 11.0.23 have that mended",
			jdk.version);
	return jdk_refusal(&jdk, d);
}

static void tell(const struct record *r)
{
	if (!r->verbose)
		return;
	cli_note("the trace goes to %s", r->file);
	if (r->launch.tool_options)
		cli_note("JAVA_TOOL_OPTIONS=%s", r->launch.tool_options);
	fprintf(stderr, "mayfly: runs %s", r->launch.program);
	for (size_t i = 1; i + 1 < r->launch.args.count; i++)
		fprintf(stderr, " %s", r->launch.args.at[i]);
	fprintf(stderr, "\n");
}

static void found(void *arg, const char *path)
{
	struct record *r = arg;
	struct outcome o;
	struct diag d = {""};
	r->traces++;
	int err = outcome_read(&o, path, &d);
	if (err) {
		r->bad++;
		cli_fail_err(err, &d);
		return;
	}
	o.among = !r->single;
	/* Several reports only for who asked: the answer would scroll away. */
	bool shows = r->single || r->ending.show == SHOW_REPORT;
	r->bad += summary_show(path, &o, shows ? r->ending.show : SHOW_LINE) != EXIT_OK;
}

static void count_only(void *arg, const char *path)
{
	(void)arg, (void)path;
}

/* The exit status is the program's; only where that is 0 does a failed recording show. */
static int conclude(struct record *r, time_t start)
{
	pid_t pid = r->launch.java ? r->child.pid : 0;
	size_t count = place_written(r->file, pid, start, count_only, NULL);
	if (!count && pid) /* a version manager's `java` that runs the real one below itself */
		count = place_written(r->file, pid = 0, start, count_only, NULL);
	r->single = count == 1;
	place_written(r->file, pid, start, found, r);
	if (!r->traces && r->launch.java)
		cli_fail("no trace was written: the JVM did not start the agent; what it says "
			 "about that stands above");
	else if (!r->traces)
		cli_fail("no trace was written: %s started no JVM, or one that can't be recorded "
			 "(it says why above) or does not read JAVA_TOOL_OPTIONS; put `mayfly "
			 "record --` in front of the java command itself",
			r->launch.program);
	if (r->child.status)
		return r->child.status;
	return r->traces && !r->bad ? EXIT_OK : EXIT_FAILED;
}

static int run(struct record *r, char **argv)
{
	struct diag d = {""};
	time_t start = time(NULL) - 1;
	int err =
		launch_arm(&r->launch, argv, r->agent, r->options, getenv("JAVA_TOOL_OPTIONS"), &d);
	if (err)
		return cli_fail_err(err, &d);
	tell(r);
	fflush(NULL);
	err = child_run(&r->child, r->launch.program, r->launch.args.at,
		r->launch.tool_options ? "JAVA_TOOL_OPTIONS" : NULL, r->launch.tool_options, &d);
	if (err) {
		cli_fail_err(err, &d);
		return EXIT_NO_PROGRAM;
	}
	return conclude(r, start);
}

static int record(struct record *r, char **argv)
{
	struct diag d = {""};
	int err = launch_find(&r->launch, argv[0], &d);
	if (err) {
		cli_fail_err(err, &d);
		return err == ERR_NOT_FOUND ? EXIT_NOT_FOUND : EXIT_NO_PROGRAM;
	}
	err = prepare_jdk(r, &d);
	if (!err)
		err = prepare_place(r, &d);
	return err ? cli_fail_err(err, &d) : run(r, argv);
}

int cmd_record(int argc, char **argv)
{
	static struct record r; /* too large for the stack's taste */
	int first;
	recording_init(&r.ending.recording);
	const struct args args = {"record", "[options] [--] COMMAND…", about, rows,
		ARRAY_SIZE(rows), &r, &r.ending.recording, true};
	int status = args_parse(&args, argc, argv, &first);
	if (status != ARGS_RUN)
		return status;
	if (first == argc)
		return cli_usage("record", "there is no COMMAND to start; for a program that runs "
					   "already: mayfly attach PID");
	status = record(&r, argv + first);
	launch_release(&r.launch);
	return status;
}
