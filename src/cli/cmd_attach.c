#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "cli/args.h"
#include "cli/attaching.h"
#include "cli/cli.h"

static const struct ns ask_time = {10000000000ull}, stop_time = {60000000000ull};

struct session {
	struct ending ending; /* first: ENDING_ROWS */
	const char *request;  /* status, start or stop of a recording that runs; NULL: record */
	struct attaching attaching;
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
	struct attachment *a = &s->attaching.attachment;
	long pid = a->pid;
	const char *socket = a->socket;
	int err = attachment_find(a, &d);
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

/* Who writes `--start -d 30s` would wait for an end that does not come. */
static int check_request(const struct session *s)
{
	const char *given = recording_given(&s->ending.recording, "control");
	if (!given && s->ending.show != SHOW_AUTO)
		given = s->ending.show == SHOW_REPORT ? "report" : "no-report";
	if (!s->request || !given)
		return EXIT_OK;
	return cli_usage("attach",
		"--%s is for a recording that begins here, and says nothing to --%s", given,
		s->request);
}

static int operand(struct session *s, int count, char **argv)
{
	if (count == 0)
		return cli_usage(
			"attach", "there is no PID; `jps -l` or `pgrep -a java` lists programs");
	if (count > 1)
		return cli_usage("attach", "one PID at a time; '%s' is one too many", argv[1]);
	return attaching_set_pid(&s->attaching, "attach", argv[0]);
}

int cmd_attach(int argc, char **argv)
{
	static struct session s;
	int first;
	recording_init(&s.ending.recording);
	attaching_init(&s.attaching, &s.ending);
	const struct args args = {.command = "attach",
		.usage = "PID [-d TIME] [options]",
		.about = about,
		.rows = rows,
		.count = ARRAY_SIZE(rows),
		.arg = &s,
		.recording = &s.ending.recording};
	int status = args_parse(&args, argc, argv, &first);
	if (status != ARGS_RUN)
		return status;
	status = operand(&s, argc - first, argv + first);
	status = status ? status : check_request(&s);
	if (status)
		return status;
	return s.request ? ask(&s) : attaching_run(&s.attaching);
}
