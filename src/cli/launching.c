#include "cli/launching.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/jdk.h"
#include "cli/place.h"
#include "report/text.h"

/* As env, nohup and timeout exit when the command can't be run. */
enum { EXIT_NO_PROGRAM = 126, EXIT_NOT_FOUND = 127 };

int launching_set_verbose(void *arg, const char *value, struct diag *d)
{
	(void)value, (void)d;
	((struct launching *)arg)->verbose = true;
	return ERR_NONE;
}

/* Everything that can be refused before anything is started, in the order in which a person would
 * look. */
static int prepare_place(struct launching *l, struct diag *d)
{
	const struct options *o = &l->ending.recording.options;
	int err = place_absolute(o->file, l->file, sizeof(l->file), d);
	if (!err && !l->launch.java && place_add_pid(l->file, sizeof(l->file)))
		cli_note("several JVMs may run below %s, so each trace gets its process id: %s",
			l->launch.program, l->file);
	if (!err)
		err = place_writable(l->file, d);
	if (!err)
		err = place_agent(l->agent, sizeof(l->agent), d);
	if (!err)
		err = recording_settle(&l->ending.recording, d);
	if (!err)
		err = recording_string(
			&l->ending.recording, l->file, l->options, sizeof(l->options), d);
	return err;
}

static int prepare_jdk(const struct launching *l, struct diag *d)
{
	struct jdk jdk;
	if (!l->launch.java || jdk_find(&jdk, l->launch.real))
		return ERR_NONE;
	if (l->verbose)
		cli_note("%s is JDK %s", l->launch.real, jdk.version);
	if (l->verbose && jdk_method_ids_unsafe(&jdk))
		cli_note("JDK %s can crash any profiler while classes are unloaded (JDK-8313816); "
			 "22, 21.0.3, 17.0.11 and 11.0.23 have that mended",
			jdk.version);
	return jdk_refusal(&jdk, d);
}

static void tell(const struct launching *l)
{
	if (!l->verbose)
		return;
	cli_note("the trace goes to %s", l->file);
	if (l->launch.tool_options)
		cli_note("JAVA_TOOL_OPTIONS=%s", l->launch.tool_options);
	fprintf(stderr, "mayfly: runs %s", l->launch.program);
	for (size_t i = 1; i + 1 < l->launch.args.count; i++)
		fprintf(stderr, " %s", l->launch.args.at[i]);
	fprintf(stderr, "\n");
}

static void found(void *arg, const char *path)
{
	struct launching *l = arg;
	struct outcome o;
	struct diag d = {""};
	l->traces++;
	int err = outcome_read(&o, path, &d);
	if (err) {
		l->bad++;
		cli_fail_err(err, &d);
		return;
	}
	o.among = !l->single;
	o.ended = true;
	/* Several reports only for who asked: the answer would scroll away. */
	bool shows = l->single || l->ending.show == SHOW_REPORT;
	l->bad += summary_show(path, &o, &l->ending, shows ? l->ending.show : SHOW_LINE) != EXIT_OK;
}

static void count_only(void *arg, const char *path)
{
	(void)arg, (void)path;
}

/* A JVM that the program starts with its own options has the agent in it too: JMH's forks, say. Of
 * other recordings to this name they can't be told apart. */
static void tell_further(const struct launching *l, const struct place_before *before)
{
	size_t all = place_written(l->file, 0, before, count_only, NULL);
	size_t more = all > l->traces ? all - l->traces : 0;
	struct buf shown = {0};
	text_clean(&shown, slice_str(l->file));
	if (more)
		cli_note("%zu more trace%s written under this name meanwhile, by JVMs that the "
			 "program started with its own options (as JMH does) or by other "
			 "recordings: %s",
			more, more == 1 ? " was" : "s were", buf_text(&shown));
	buf_release(&shown);
}

/* The exit status is the program's; only where that is 0 does a failed recording show. */
static int conclude(struct launching *l, const struct place_before *before)
{
	pid_t pid = l->launch.java ? l->child.pid : 0;
	size_t count = place_written(l->file, pid, before, count_only, NULL);
	if (!count && pid) /* a version manager's `java` that runs the real one below itself */
		count = place_written(l->file, pid = 0, before, count_only, NULL);
	l->single = count == 1;
	place_written(l->file, pid, before, found, l);
	if (l->traces)
		tell_further(l, before);
	if (!l->traces && l->launch.java)
		cli_fail("no trace was written: the agent did not begin (what it or the JVM says "
			 "about that stands above), or its file was taken away meanwhile");
	else if (!l->traces)
		cli_fail("no trace was written: %s started no JVM, or one that can't be recorded "
			 "(it says why above) or does not read JAVA_TOOL_OPTIONS; put `mayfly "
			 "%s --` in front of the java command itself",
			l->launch.program, l->command);
	if (l->child.status)
		return l->child.status;
	return l->traces && !l->bad ? EXIT_OK : EXIT_FAILED;
}

static int run_and_conclude(struct launching *l, const struct place_before *before)
{
	struct diag d = {""};
	int err = child_run(&l->child, l->launch.program, l->launch.args.at,
		l->launch.tool_options ? "JAVA_TOOL_OPTIONS" : NULL, l->launch.tool_options, &d);
	if (!err)
		return conclude(l, before);
	cli_fail_err(err, &d);
	return EXIT_NO_PROGRAM;
}

static int run(struct launching *l, char **argv)
{
	struct diag d = {""};
	struct place_before before;
	int err =
		launch_arm(&l->launch, argv, l->agent, l->options, getenv("JAVA_TOOL_OPTIONS"), &d);
	if (err)
		return cli_fail_err(err, &d);
	tell(l);
	fflush(NULL);
	err = place_look(l->file, &before);
	int status = err ? cli_fail_err(err, &d) : run_and_conclude(l, &before);
	place_forget(&before);
	return status;
}

static int not_found(const struct launching *l, const char *command, int err, const struct diag *d)
{
	const char *option = recording_meant(&l->ending.recording, command);
	if (option)
		return cli_usage(l->command, "there is no command '%s'; did you mean --%s=%s?",
			command, option, command);
	cli_fail_err(err, d);
	return err == ERR_NOT_FOUND ? EXIT_NOT_FOUND : EXIT_NO_PROGRAM;
}

static int start(struct launching *l, char **argv)
{
	struct diag d = {""};
	int err = launch_find(&l->launch, argv[0], &d);
	if (err)
		return not_found(l, argv[0], err, &d);
	err = prepare_jdk(l, &d);
	if (!err)
		err = prepare_place(l, &d);
	return err ? cli_fail_err(err, &d) : run(l, argv);
}

int launching_run(struct launching *l, char **argv)
{
	int status = start(l, argv);
	launch_release(&l->launch);
	return status;
}
