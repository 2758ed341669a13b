#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"
#include "cli/args.h"
#include "cli/attachment.h"
#include "cli/cli.h"
#include "cli/summary.h"
#include "cli/watch.h"
#include "trace/format.h"

enum { SETTLE_MS = 2000 };

static const struct ns ask_time = {10000000000ull}, stop_time = {60000000000ull};

struct session {
	struct ending ending; /* first: ENDING_ROWS */
	const char *request;  /* status, start or stop of a recording that runs; NULL: record */
	struct attachment attachment;
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

/* --status, --start, --stop: one question to an agent that is there already. */
static int ask(struct session *s)
{
	struct control_reply reply;
	struct diag d = {""};
	char file[PATH_MAX];
	long pid = s->attachment.pid;
	const char *socket = s->attachment.socket;
	int err = attachment_find(&s->attachment, &d);
	if (err)
		return cli_fail_err(err, &d);
	err = control_ask(socket, "status", ask_time, &reply, &d);
	control_value(&reply, "file", file, sizeof(file));
	if (!err && strcmp(s->request, "status") != 0)
		err = control_ask(socket, s->request, stop_time, &reply, &d);
	if (err)
		return cli_fail("process %ld: %s", pid, d.text);
	if (strcmp(s->request, "status") == 0)
		print_status(&reply);
	else
		printf("%s the recording of process %ld: %s\n", past(s->request), pid, file);
	return EXIT_OK;
}

/* The trace is there; says how the recording ended, and shows it. */
static int conclude(struct session *s)
{
	struct attachment *a = &s->attachment;
	struct outcome o;
	struct diag d = {""};
	int err = attachment_outcome(a, &o, &d);
	if (err)
		return cli_fail_err(err, &d);
	if (o.complete && o.reason == END_VM)
		cli_note("process %ld has ended; what it did until then is recorded", (long)a->pid);
	return summary_show(a->file, &o, s->ending.show);
}

static int record(struct session *s)
{
	struct attachment *a = &s->attachment;
	struct diag d = {""};
	enum watch_end end;
	int status = attachment_load(a);
	if (status)
		return status;
	const struct watch w = {a->pid, a->socket, {s->ending.recording.options.duration},
		attachment_hold, a, cli_fancy(stderr)};
	if (!w.progress)
		cli_note("recording process %ld%s", (long)a->pid,
			w.duration.v ? "" : "; Ctrl-C ends it");
	int err = watch_wait(&w, &end, &d);
	if (err)
		return cli_fail("process %ld: %s", (long)a->pid, d.text);
	if (end == WATCH_GONE)
		watch_settle(a->pid, SETTLE_MS);
	return conclude(s);
}

static int attach(struct session *s)
{
	struct diag d = {""};
	int err = attachment_find(&s->attachment, &d);
	if (!err)
		err = attachment_open(&s->attachment, &d);
	if (err)
		return cli_fail_err(err, &d);
	int status = record(s);
	attachment_release(&s->attachment);
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
	s->attachment.pid = (pid_t)pid;
	return EXIT_OK;
}

int cmd_attach(int argc, char **argv)
{
	static struct session s;
	int first;
	recording_init(&s.ending.recording);
	s.attachment.recording = &s.ending.recording;
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
