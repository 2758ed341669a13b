#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "attach/attach.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/units.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/control.h"
#include "cli/ferry.h"
#include "cli/place.h"
#include "cli/recording.h"
#include "cli/summary.h"
#include "cli/watch.h"
#include "trace/format.h"

enum { WARNS_FROM_JDK = 21, SETTLE_MS = 2000 };

static const struct ns open_time = {15000000000ull}, load_time = {60000000000ull},
		       ask_time = {10000000000ull}, stop_time = {60000000000ull};

struct session {
	struct ending ending; /* first: ENDING_ROWS */
	const char *request;  /* status, start or stop of a recording that runs; NULL: record */
	pid_t pid;
	struct attach attach;
	struct ferry ferry;
	bool elsewhere; /* the program sees another file system */
	char socket[CONTROL_PATH_MAX];
	char file[PATH_MAX];  /* the trace's path here */
	char agent[PATH_MAX]; /* libmayfly.so, as the program sees it */
	char options[OPTION_STRING_MAX + 1];
};

static int request(void *arg, const char *what, struct diag *d)
{
	struct session *s = arg;
	if (s->request)
		return diag_set(d, ERR_USAGE, "--%s and --%s can't be asked for together",
			s->request, what);
	s->request = what;
	return ERR_NONE;
}

static int set_status(void *arg, const char *value, struct diag *d)
{
	(void)value;
	return request(arg, "status", d);
}

static int set_start(void *arg, const char *value, struct diag *d)
{
	(void)value;
	return request(arg, "start", d);
}

static int set_stop(void *arg, const char *value, struct diag *d)
{
	(void)value;
	return request(arg, "stop", d);
}

static const struct args_row rows[] = {
	{"status", 0, NULL, "show what the agent in the program is doing", set_status},
	{"start", 0, NULL, "let an agent that waits (--paused, --delay) begin", set_start},
	{"stop", 0, NULL, "end the recording that runs in the program", set_stop},
	ENDING_ROWS,
};

static const char about[] =
	"Loads mayfly's agent into a running JVM of your own (root: of anybody), records, and\n"
	"takes out all it put in. Ends after the duration, with Ctrl-C, or with the program.\n";

static const char *past(const char *word)
{
	return strcmp(word, "stop") == 0 ? "stopped" : "started";
}

/* Prints the agent's lines in two columns. */
static void print_status(const struct control_reply *reply)
{
	for (const char *line = reply->text; *line;) {
		int end = (int)strcspn(line, "\n"), name = (int)strcspn(line, " \n");
		int gap = name < end;
		printf("%-9.*s %.*s\n", name, line, end - name - gap, line + name + gap);
		line += end + (line[end] == '\n');
	}
}

/* Anyone may put a socket of that name into /tmp: only the program's own user's is its agent's. */
static int check_owner(const struct session *s, uid_t owner, struct diag *d)
{
	struct stat st;
	if (lstat(s->socket, &st) == 0 && st.st_uid != owner && st.st_uid != 0)
		return diag_set(
			d, ERR_DENIED, "%s belongs to another user than the program", s->socket);
	return ERR_NONE;
}

/* Finds where the agent of a process listens, be the process a VM or not. */
static int find_socket(struct session *s, struct diag *d)
{
	struct proc_status status;
	int err = proc_status_read(&status, "/proc", s->pid);
	if (err == ERR_NO_PROCESS)
		return diag_set(d, err, "there is no process %ld", (long)s->pid);
	if (err)
		return diag_set(d, err, "process %ld: %s", (long)s->pid, err_text(err));
	control_path(s->pid, status.nspid, s->ending.recording.options.control, s->socket,
		sizeof(s->socket));
	return check_owner(s, status.euid, d);
}

/* --status, --start, --stop: one question to an agent that is there already. */
static int ask(struct session *s)
{
	struct control_reply reply;
	struct diag d = {""};
	char file[PATH_MAX];
	int err = find_socket(s, &d);
	if (err)
		return cli_fail_err(err, &d);
	err = control_ask(s->socket, "status", ask_time, &reply, &d);
	control_value(&reply, "file", file, sizeof(file));
	if (!err && strcmp(s->request, "status") != 0)
		err = control_ask(s->socket, s->request, stop_time, &reply, &d);
	if (err)
		return cli_fail("process %ld: %s", (long)s->pid, d.text);
	if (strcmp(s->request, "status") == 0)
		print_status(&reply);
	else
		printf("%s the recording of process %ld: %s\n", past(s->request), (long)s->pid,
			file);
	return EXIT_OK;
}

/* What Agent_OnAttach can answer (doc/control.md), as a person needs it. */
static int refused(const struct session *s, int result)
{
	static const struct {
		int err;
		const char *text;
	} answers[] = {
		{ERR_RUNNING, "mayfly records there already; --status shows it, --stop ends it"},
		{ERR_BUSY, "another agent holds the VM's allocation sampling (async-profiler, "
			   "ddprof, an IDE's profiler?); stop that one first"},
		{ERR_USAGE, "the agent did not take the options; the program's stderr says why"},
		{ERR_FORMAT, "the agent did not take the options; the program's stderr says why"},
		{ERR_NOT_FOUND,
			"the agent did not take the options; the program's stderr says why"},
		{ERR_LIMIT, "the agent did not take the options; the program's stderr says why"},
		{ERR_IO, "the program can't write the trace there; name a place where its user may "
			 "write with -o FILE"},
		{ERR_DENIED, "the program's user may not write the trace there; name another place "
			     "with -o FILE"},
		{ERR_UNSUPPORTED, "this VM can't sample allocations; mayfly needs HotSpot of JDK "
				  "11 or later"},
		{ERR_NOMEM, "the program has no memory left for the agent"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(answers); i++)
		if (answers[i].err == -result)
			return cli_fail("process %ld: %s", (long)s->pid, answers[i].text);
	return cli_fail(
		"process %ld: the agent gave up with code %d; the program's stderr says why",
		(long)s->pid, result);
}

/* The pattern's %p and %t are filled in here, so that the trace's name is known on both sides. */
static int prepare_file(struct session *s, struct diag *d)
{
	char pattern[OPTION_PATH];
	int err = place_absolute(s->ending.recording.options.file, pattern, sizeof(pattern), d);
	if (!err)
		err = options_expand_file(
			pattern, (long)s->pid, time(NULL), s->file, sizeof(s->file), d);
	/* Another user's program may not write where root may, and the other way round: the agent
	 * tells. */
	if (!err && (s->elsewhere || s->attach.target.status.euid == geteuid()))
		err = place_writable(pattern, d);
	return err;
}

/* The agent and the trace as the program has to call them. */
static int prepare_names(struct session *s, struct diag *d)
{
	char local[PATH_MAX], file[OPTION_PATH];
	int err = place_agent(local, sizeof(local), d);
	if (err)
		return err;
	if (!s->elsewhere) {
		snprintf(s->agent, sizeof(s->agent), "%s", local);
		err = place_literal(s->file, file, sizeof(file), d);
	} else {
		err = ferry_library(&s->ferry, local, d);
		snprintf(s->agent, sizeof(s->agent), "/tmp/%s", s->ferry.library);
		snprintf(file, sizeof(file), "/tmp/%s", s->ferry.file);
	}
	if (!err)
		err = recording_string(
			&s->ending.recording, file, s->options, sizeof(s->options), d);
	return err;
}

static int prepare(struct session *s, struct diag *d)
{
	s->elsewhere = ferry_needed(s->pid);
	int err = prepare_file(s, d);
	if (!err)
		err = prepare_names(s, d);
	if (!err && strlen(s->options) > ATTACH_ARG_MAX)
		return diag_set(d, ERR_LIMIT,
			"the options are longer than the %d bytes that can be sent to a running VM",
			ATTACH_ARG_MAX);
	if (!err && s->elsewhere)
		cli_note("process %ld sees another file system (a container?): the agent is copied "
			 "into its /tmp for the moment of loading, and the trace is brought here "
			 "at the end",
			(long)s->pid);
	return err;
}

static int load(struct session *s)
{
	struct diag d = {""};
	int result = 0;
	if (s->attach.target.jdk >= WARNS_FROM_JDK)
		cli_note("JDK %d prints a warning about agents loaded late to the program's "
			 "stderr; it is harmless, and -XX:+EnableDynamicAgentLoading silences it",
			s->attach.target.jdk);
	watch_signals();
	attach_deadline(&s->attach, load_time);
	int err = attach_load(&s->attach, s->agent, s->options, &result, &d);
	if (s->elsewhere)
		ferry_remove_library(&s->ferry);
	if (err)
		return cli_fail_err(err, &d);
	return result ? refused(s, result) : EXIT_OK;
}

static void hold(void *arg)
{
	struct session *s = arg;
	if (s->elsewhere)
		ferry_hold(&s->ferry);
}

static int read_outcome(struct session *s, struct outcome *o, struct diag *d)
{
	int err = s->elsewhere ? ferry_fetch(&s->ferry, s->file, d) : ERR_NONE;
	return err ? err : outcome_read(o, s->file, d);
}

/* The trace is there; says how the recording ended, and shows it. */
static int conclude(struct session *s)
{
	struct outcome o;
	struct diag d = {""};
	int err = read_outcome(s, &o, &d);
	/* The socket goes first when a program ends; the trace is whole when the program is gone.
	 */
	if (!err && !o.complete) {
		watch_settle(s->pid, SETTLE_MS);
		err = read_outcome(s, &o, &d);
	}
	if (err)
		return cli_fail_err(err, &d);
	if (o.complete && o.reason == END_VM)
		cli_note("process %ld has ended; what it did until then is recorded", (long)s->pid);
	return summary_show(s->file, &o, s->ending.show);
}

static int record(struct session *s)
{
	struct diag d = {""};
	enum watch_end end;
	int err = prepare(s, &d);
	if (err)
		return cli_fail_err(err, &d);
	int status = load(s);
	if (status)
		return status;
	const struct watch w = {s->pid, s->socket, {s->ending.recording.options.duration}, hold, s,
		cli_fancy(stderr)};
	if (!w.progress)
		cli_note("recording process %ld%s", (long)s->pid,
			w.duration.v ? "" : "; Ctrl-C ends it");
	err = watch_wait(&w, &end, &d);
	if (err)
		return cli_fail("process %ld: %s", (long)s->pid, d.text);
	if (end == WATCH_GONE)
		watch_settle(s->pid, SETTLE_MS);
	return conclude(s);
}

static int attach(struct session *s)
{
	struct diag d = {""};
	int err = find_socket(s, &d);
	if (!err)
		err = attach_open(&s->attach, "/proc", s->pid, open_time, &d);
	if (err)
		return cli_fail_err(err, &d);
	ferry_init(&s->ferry, s->attach.tmp, s->pid);
	int status = record(s);
	ferry_release(&s->ferry);
	attach_release(&s->attach);
	return status;
}

static int operand(struct session *s, int count, char **argv)
{
	uint64_t pid = 0;
	if (count == 0)
		return cli_usage(
			"attach", "there is no PID; `jps -l` or `pgrep -a java` lists programs");
	if (count > 1)
		return cli_usage("attach", "one PID at a time; '%s' is one too many", argv[1]);
	if (units_parse_count(argv[0], INT_MAX, &pid) || !pid)
		return cli_usage("attach", "'%s' is not a process id", argv[0]);
	if (strcmp(s->ending.recording.options.control, "none") == 0)
		return cli_usage("attach", "without a control socket the recording could not be "
					   "ended; leave --control out");
	s->pid = (pid_t)pid;
	return EXIT_OK;
}

int cmd_attach(int argc, char **argv)
{
	static struct session s;
	int first;
	recording_init(&s.ending.recording);
	const struct args args = {"attach", "PID [-d TIME] [options]", about, rows,
		ARRAY_SIZE(rows), &s, &s.ending.recording, false};
	int status = args_parse(&args, argc, argv, &first);
	if (status != ARGS_RUN)
		return status;
	status = operand(&s, argc - first, argv + first);
	if (status)
		return status;
	return s.request ? ask(&s) : attach(&s);
}
