#include "cli/heap_live.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "attach/target.h"
#include "base/error.h"
#include "cli/attachment.h"
#include "cli/cli.h"
#include "report/holdings_view.h"

/* A full collection of a large heap takes its time. */
static const struct ns count_time = {300000000000ull};

struct heap_look {
	struct showing *showing; /* borrowed */
	pid_t pid;
	bool forced;
	uint64_t young, full; /* the clocks of the count */
	char path[PATH_MAX + 64];
};

/* Only what could be recorded is told how: to attach to another thing would be refused. */
static int not_recorded(const struct heap_look *l)
{
	struct target t;
	struct diag d = {""};
	if (target_read(&t, "/proc", l->pid, &d) || target_check(&t, geteuid(), &d))
		return cli_fail("%s", d.text);
	return cli_fail(
		"process %ld is not being recorded; start a recording with the exact engine: "
		"mayfly attach %ld --exact",
		(long)l->pid, (long)l->pid);
}

static int refused(const struct heap_look *l, int err, const struct diag *d)
{
	if (err == ERR_GONE)
		return not_recorded(l);
	if (err == ERR_USAGE)
		return cli_fail(
			"process %ld: its agent is an older one, which can't count the heap",
			(long)l->pid);
	if (err == ERR_NO_PROCESS)
		return cli_fail("%s", d->text);
	return cli_fail("process %ld: %s", (long)l->pid, d->text);
}

/* 0, or an error with a sentence. */
static int ask(struct heap_look *l, struct diag *d)
{
	struct recording recording;
	struct attachment a = {.recording = &recording, .pid = l->pid};
	struct control_reply reply;
	char file[PATH_MAX];
	recording_init(&recording);
	int err = attachment_find(&a, d);
	if (err)
		return err;
	err = control_ask(a.socket, l->forced ? "heap gc" : "heap", count_time, &reply, d);
	if (err)
		return err;
	if (!control_value(&reply, "file", file, sizeof(file)))
		return diag_set(d, ERR_FORMAT, "its agent does not tell its trace");
	l->young = control_number(&reply, "young");
	l->full = control_number(&reply, "full");
	snprintf(l->path, sizeof(l->path), "%s", file);
	if (ferry_needed(l->pid))
		snprintf(l->path, sizeof(l->path), "/proc/%ld/root%s", (long)l->pid, file);
	return ERR_NONE;
}

static int put(const struct heap_look *l, const struct holdings *holdings)
{
	struct showing *s = l->showing;
	struct buf out = {0};
	struct holdings_view v = {.view = showing_view(s, NULL), .holdings = holdings};
	int err = s->json ? holdings_json_put(&out, &v) : holdings_screen_put(&out, &v);
	err = show_out(&out, err);
	return err;
}

static int show(struct heap_look *l, struct diag *d)
{
	struct showing *s = l->showing;
	const struct model *m = &s->load.model;
	struct holdings holdings;
	int err = load_replay(&s->load, NULL, d);
	if (err)
		return err;
	if (!m->heap.whole || m->heap.head.young != l->young || m->heap.head.full != l->full)
		return diag_set(d, ERR_FORMAT, "the count is not in %s, where the agent said it is",
			l->path);
	err = holdings_notes(&s->notes, m);
	err = err ? err : holdings_find(&holdings, m, &s->query);
	if (err)
		return err;
	err = put(l, &holdings);
	holdings_release(&holdings);
	return err;
}

int heap_live(struct showing *s, pid_t pid, bool forced)
{
	struct heap_look l = {.showing = s, .pid = pid, .forced = forced};
	struct diag d = {""};
	if (query_by_thread(&s->query))
		return cli_usage("heap",
			"an object does not tell which thread made it: --by thread and "
			"--where thread= are for a FILE");
	int err = ask(&l, &d);
	if (err)
		return refused(&l, err, &d);
	s->path = l.path;
	err = load_open(&s->load, s->path, &d);
	if (err)
		return cli_fail_err(err, &d);
	err = show(&l, &d);
	showing_release(s);
	return err ? cli_fail_err(err, &d) : EXIT_OK;
}
