#include "cli/attachment.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "cli/cli.h"
#include "cli/place.h"
#include "cli/watch.h"

enum { SETTLE_MS = 2000, START_STEP_MS = 50 };

static const struct ns open_time = {15000000000ull}, load_time = {60000000000ull};

/* Anyone may put a socket of that name into /tmp: only the program's own user's is its agent's. */
static int check_owner(const struct attachment *a, uid_t owner, struct diag *d)
{
	struct stat st;
	if (lstat(a->socket, &st) == 0 && st.st_uid != owner && st.st_uid != 0)
		return diag_set(
			d, ERR_DENIED, "%s belongs to another user than the program", a->socket);
	return ERR_NONE;
}

int attachment_find(struct attachment *a, struct diag *d)
{
	struct proc_status status;
	int err = target_status(&status, "/proc", a->pid, d);
	if (err)
		return err;
	control_path(
		a->pid, status.nspid, a->recording->options.control, a->socket, sizeof(a->socket));
	err = control_check(a->socket, d);
	return err ? err : check_owner(a, status.euid, d);
}

int attachment_open(struct attachment *a, struct diag *d)
{
	int err = attach_open(&a->attach, "/proc", a->pid, open_time, d);
	if (!err)
		ferry_init(&a->ferry, a->attach.tmp, a->pid);
	return err;
}

void attachment_release(struct attachment *a)
{
	ferry_release(&a->ferry);
	attach_release(&a->attach);
}

/* What Agent_OnAttach can answer (doc/control.md), as a person needs it. */
static int refused(const struct attachment *a, int result)
{
	static const struct {
		int err;
		const char *text;
	} answers[] = {
		{ERR_RUNNING,
			"mayfly records there already: `mayfly attach PID --status` shows it, "
			"`mayfly attach PID --stop` ends it"},
		{ERR_BUSY, "another agent holds the VM's allocation sampling (async-profiler, "
			   "ddprof, an IDE's profiler?); stop that one first"},
		{ERR_USAGE, "the agent did not take the options; the program's stderr says why"},
		{ERR_FORMAT, "the agent did not take the options; the program's stderr says why"},
		{ERR_NOT_FOUND,
			"the agent did not take the options; the program's stderr says why"},
		{ERR_LIMIT, "the agent did not take the options; the program's stderr says why"},
		{ERR_IO, "the program can't write the trace there, or listen on its control socket "
			 "(its stderr says which); name another place with -o FILE, --control "
			 "PATH"},
		{ERR_DENIED, "the program's user may not write the trace there; name another place "
			     "with -o FILE"},
		{ERR_UNSUPPORTED, "this VM can't sample allocations; mayfly needs HotSpot of JDK "
				  "11 or later"},
		{ERR_STARTING, "the program has been starting for long; try again in a moment"},
		{ERR_NOMEM, "the program has no memory left for the agent"},
	};
	if (-result == ERR_UNSUPPORTED && a->recording->options.exact == EXACT_REQUIRE)
		return cli_fail("process %ld: the exact engine can't be had there (the program's "
				"stderr says why, and so may `mayfly info --vm %ld`); with --exact "
				"alone samples would do",
			(long)a->pid, (long)a->pid);
	for (size_t i = 0; i < ARRAY_SIZE(answers); i++)
		if (answers[i].err == -result)
			return cli_fail("process %ld: %s", (long)a->pid, answers[i].text);
	return cli_fail(
		"process %ld: the agent gave up with code %d; the program's stderr says why",
		(long)a->pid, result);
}

/* The pattern's %p and %t are filled in here, so that the trace's name is known on both sides. */
static int prepare_file(struct attachment *a, struct diag *d)
{
	char pattern[OPTION_PATH];
	const struct proc_status *program = &a->attach.target.status;
	if (a->hidden)
		return ferry_create(&a->ferry, program->euid, program->egid, d);
	int err = place_absolute(a->recording->options.file, pattern, sizeof(pattern), d);
	if (!err)
		err = options_expand_file(
			pattern, (long)a->pid, time(NULL), a->file, sizeof(a->file), d);
	/* Another user's program may not write where root may, and the other way round: the agent
	 * tells. */
	if (!err && (a->elsewhere || program->euid == geteuid()))
		err = place_writable(pattern, d);
	return err;
}

/* An agent that is told the path where it listens by itself does not record where it can't: nobody
 * could end that. */
static int name_socket(struct attachment *a, struct diag *d)
{
	char root[32];
	int len = snprintf(root, sizeof(root), "/proc/%ld/root", (long)a->pid);
	if (*a->recording->options.control)
		return ERR_NONE;
	if (!options_append(a->options, sizeof(a->options), "control", a->socket + len))
		return ERR_NONE;
	return diag_set(d, ERR_LIMIT, "the options are longer than %d bytes", OPTION_STRING_MAX);
}

static int name_agent(struct attachment *a, const char *local, struct diag *d)
{
	snprintf(a->agent, sizeof(a->agent), "%s", local);
	if (!a->elsewhere ||
		(a->attach.target.musl && ferry_loaded(a->pid, local, a->agent, sizeof(a->agent))))
		return ERR_NONE;
	int err = ferry_library(&a->ferry, local, d);
	snprintf(a->agent, sizeof(a->agent), "/tmp/%s", a->ferry.library);
	return err;
}

/* The agent and the trace as the program has to call them. */
static int prepare_names(struct attachment *a, struct diag *d)
{
	char local[PATH_MAX], file[OPTION_PATH];
	int err = place_agent(local, sizeof(local), d);
	if (err)
		return err;
	err = name_agent(a, local, d);
	if (a->elsewhere || a->hidden)
		snprintf(file, sizeof(file), "/tmp/%s", a->ferry.file);
	else
		err = place_literal(a->file, file, sizeof(file), d);
	if (!err)
		err = recording_string(a->recording, file, a->options, sizeof(a->options), d);
	return err ? err : name_socket(a, d);
}

static int prepare(struct attachment *a, struct diag *d)
{
	a->elsewhere = ferry_needed(a->pid);
	int err = prepare_file(a, d);
	if (!err)
		err = prepare_names(a, d);
	if (!err && strlen(a->options) > ATTACH_ARG_MAX)
		return diag_set(d, ERR_LIMIT,
			"the options are longer than the %d bytes that can be sent to a running VM",
			ATTACH_ARG_MAX);
	if (!err && a->elsewhere)
		cli_note("process %ld sees another file system (a container?): the agent %s, and "
			 "the trace %s",
			(long)a->pid,
			a->ferry.library[0] ? "is copied into its /tmp for the moment of loading"
					    : "is there from before",
			a->hidden ? "is read there" : "is brought here at the end");
	return err;
}

/* In a VM that has not started yet no agent can do a thing: it is asked again until it has. */
static int load_started(struct attachment *a, int *result, struct diag *d)
{
	struct ns until = target_start_deadline(a->attach.deadline);
	for (;;) {
		int err = attach_load(&a->attach, a->agent, a->options, result, d);
		if (err || *result != -ERR_STARTING || clock_now().v >= until.v)
			return err;
		poll(NULL, 0, START_STEP_MS);
	}
}

/* A VM that ends hangs up on whoever waits for its answer. */
static int unloaded(const struct attachment *a, int err, const struct diag *d)
{
	bool hung_up = err == ERR_TRUNCATED || err == ERR_GONE;
	if (hung_up && watch_settle(a->pid, SETTLE_MS))
		return cli_fail("process %ld ended while it was to load the agent", (long)a->pid);
	return cli_fail_err(err, d);
}

static int load(struct attachment *a)
{
	struct diag d = {""};
	int result = 0;
	if (target_warns(&a->attach.target, a->agent))
		cli_note("JDK %d prints a warning about agents loaded late to the program's "
			 "stderr; it is harmless, and -XX:+EnableDynamicAgentLoading silences it",
			a->attach.target.jdk);
	attach_deadline(&a->attach, load_time);
	int err = load_started(a, &result, &d);
	if (a->elsewhere)
		ferry_remove_library(&a->ferry);
	if (err == ERR_TIMEOUT)
		return cli_fail("process %ld: %s; it may load the agent when it comes to it, and "
				"be recorded then: `mayfly attach %ld --stop` ends that",
			(long)a->pid, d.text, (long)a->pid);
	if (err)
		return unloaded(a, err, &d);
	return result ? refused(a, result) : EXIT_OK;
}

int attachment_load(struct attachment *a)
{
	struct diag d = {""};
	watch_signals(); /* before there is anything to be taken away again */
	int err = prepare(a, &d);
	int status = err ? cli_fail_err(err, &d) : load(a);
	if (status != EXIT_OK && a->hidden && a->ferry.trace >= 0)
		ferry_discard(&a->ferry);
	return status;
}

void attachment_hold(void *arg)
{
	struct attachment *a = arg;
	if (a->elsewhere || a->hidden)
		ferry_hold(&a->ferry);
}

bool attachment_trace(struct attachment *a, char *out, size_t room)
{
	if (!a->elsewhere && !a->hidden) {
		snprintf(out, room, "%s", a->file);
		return true;
	}
	attachment_hold(a);
	snprintf(out, room, "/proc/self/fd/%d", a->ferry.trace);
	return a->ferry.trace >= 0;
}

int attachment_unended(const struct attachment *a, const struct diag *d)
{
	return cli_fail(
		"process %ld: %s; the recording may go on there: `mayfly attach %ld --stop` "
		"ends it",
		(long)a->pid, d->text, (long)a->pid);
}

static int read_outcome(struct attachment *a, struct outcome *o, struct diag *d)
{
	int err = a->elsewhere ? ferry_fetch(&a->ferry, a->file, d) : ERR_NONE;
	return err ? err : outcome_read(o, a->file, d);
}

int attachment_outcome(struct attachment *a, struct outcome *o, struct diag *d)
{
	int err = read_outcome(a, o, d);
	/* The socket goes first when a program ends; the trace is whole when the program is gone.
	 */
	if (!err && !o->complete) {
		bool gone = watch_settle(a->pid, SETTLE_MS);
		err = read_outcome(a, o, d);
		o->runs = !gone;
	}
	return err;
}
