#include "cli/attaching.h"

#include <string.h>

#include "base/error.h"
#include "base/units.h"
#include "cli/cli.h"
#include "cli/watch.h"
#include "trace/format.h"

enum { SETTLE_MS = 2000 };

void attaching_init(struct attaching *s, struct ending *e)
{
	s->ending = e;
	s->attachment.recording = &e->recording;
}

static int check_control(const char *command, const char *path)
{
	if (strcmp(path, "none") == 0)
		return cli_usage(command, "without a control socket the recording could not be "
					  "ended; leave --control out");
	if (*path && *path != '/')
		return cli_usage(command,
			"--control %s: the program is in a folder of its own, so the path must "
			"begin with /",
			path);
	return EXIT_OK;
}

int attaching_set_pid(struct attaching *s, const char *command, const char *text)
{
	uint64_t pid = 0;
	if (units_parse_count(text, INT_MAX, &pid) || !pid)
		return cli_usage(command, "'%s' is not a process id", text);
	s->attachment.pid = (pid_t)pid;
	return check_control(command, s->ending->recording.options.control);
}

/* The trace is there; says how the recording ended, and shows it. */
static int conclude(struct attaching *s)
{
	struct attachment *a = &s->attachment;
	struct outcome o;
	struct diag d = {""};
	int err = attachment_outcome(a, &o, &d);
	if (err)
		return cli_fail_err(err, &d);
	if (o.complete && o.reason == END_VM)
		cli_note("process %ld has ended; what it did until then is recorded", (long)a->pid);
	return summary_show(a->file, &o, s->ending, s->ending->show);
}

static int record(struct attaching *s)
{
	struct attachment *a = &s->attachment;
	struct diag d = {""};
	enum watch_end end;
	int status = attachment_load(a);
	if (status)
		return status;
	const struct watch w = {a->pid, a->socket, {s->ending->recording.options.duration},
		attachment_hold, a, cli_fancy(stderr)};
	if (!w.progress)
		cli_note("recording process %ld%s", (long)a->pid,
			w.duration.v ? "" : "; Ctrl-C ends it");
	int err = watch_wait(&w, &end, &d);
	if (err)
		return attachment_unended(a, &d);
	if (end == WATCH_GONE)
		watch_settle(a->pid, SETTLE_MS);
	return conclude(s);
}

int attaching_run(struct attaching *s)
{
	struct diag d = {""};
	int err = recording_settle(&s->ending->recording, &d);
	if (!err)
		err = attachment_find(&s->attachment, &d);
	if (!err)
		err = attachment_open(&s->attachment, &d);
	if (err)
		return cli_fail_err(err, &d);
	int status = record(s);
	attachment_release(&s->attachment);
	return status;
}
