#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/units.h"
#include "cli/args.h"
#include "cli/attachment.h"
#include "cli/cli.h"
#include "cli/lookout.h"
#include "cli/show.h"
#include "cli/summary.h"
#include "cli/watch.h"

#define REFRESH_LEAST 1000000000u /* ns: the agent writes no more often */

static const struct ns ask_time = {10000000000ull};

struct top {
	struct showing showing; /* first: the setters of show.h take its address; query and look */
	struct recording recording;
	bool named; /* the trace is to be kept, in the recording's file */
	struct ns every;
	struct attachment attachment;
	struct lookout lookout;
};

static int set_output(void *arg, const char *value, struct diag *d)
{
	struct top *t = arg;
	t->named = true;
	return recording_set(&t->recording, "file", value, d);
}

static int set_interval(void *arg, const char *value, struct diag *d)
{
	return recording_set(&((struct top *)arg)->recording, "interval", value, d);
}

static int set_depth(void *arg, const char *value, struct diag *d)
{
	return recording_set(&((struct top *)arg)->recording, "depth", value, d);
}

static int set_refresh(void *arg, const char *value, struct diag *d)
{
	struct top *t = arg;
	if (units_parse_time(value, &t->every.v) || t->every.v < REFRESH_LEAST)
		return diag_set(d, ERR_FORMAT,
			"--refresh can't be '%s': it is a time of a second or more", value);
	return ERR_NONE;
}

static const struct args_row rows[] = {
	{"by", 'b', "WHAT", "a row for each site, class, method, package or thread", show_set_by},
	{"where", 'w', "KEY=GLOB", "only what matches, as in mayfly report; may be repeated",
		show_set_where},
	{"sort", 's', "WHAT", "alloc, survived, died or alive: bytes, most first", show_set_sort},
	{"clock", 'c', "CLOCK", "lifetimes in young or full collections, mb allocated, or ms",
		show_set_clock},
	{"refresh", 'r', "TIME", "between two looks at the trace (1s)", set_refresh},
	{"output", 'o', "FILE", "keep the recording; PID only", set_output},
	{"interval", 'i', "SIZE", "mean number of bytes between samples (512k); PID only",
		set_interval},
	{"depth", 0, "N", "frames of call stack to keep (32); PID only", set_depth},
};

static const char about[] =
	"Shows what a program allocates, keeps and kills while it runs: attaches to the PID for\n"
	"as long as it is watched, or looks at a recording that is being written, or at one that\n"
	"has ended. Press h for the keys, q to quit.\n";

/* -- The view -- */

static void prepare(struct top *t)
{
	struct lookout *l = &t->lookout;
	const struct showing *s = &t->showing;
	state_init(&l->state);
	l->state.by = s->query.by;
	l->state.sort = s->query.sort;
	l->state.clock = s->clock;
	l->state.clock_set = s->clock_set;
	l->state.always = s->query.where;
	if (t->every.v)
		l->state.every = t->every;
	l->utf8 = s->look.utf8;
	l->color = s->look.color;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

static int look_at(struct top *t, const char *path, const char *name)
{
	struct diag d = {""};
	t->lookout.path = path;
	t->lookout.name = name;
	int err = lookout_run(&t->lookout, &d);
	return err ? cli_fail_err(err, &d) : EXIT_OK;
}

/* What can't be read at all is said without touching the screen. */
static int look_at_file(struct top *t, const char *path)
{
	struct diag d = {""};
	struct load load;
	int err = load_open(&load, path, &d);
	if (err)
		return cli_fail_err(err, &d);
	load_close(&load);
	return look_at(t, path, last_part(path));
}

/* -- A program -- */

static void name_of(const struct attachment *a, char *out, size_t room)
{
	snprintf(out, room, "PID %ld", (long)a->pid);
}

/* Watched through a descriptor, the trace can be read to its end though its name goes before: with
 * whoever else watches, or with the program's file system. */
static int look_at_open(struct top *t, const char *path, const char *name)
{
	char held[64];
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	snprintf(held, sizeof(held), "/proc/self/fd/%d", fd);
	int status = look_at(t, fd < 0 ? path : held, name);
	if (fd >= 0)
		close(fd);
	return status;
}

static void tell_joined(const struct attachment *a, const char *file)
{
	struct control_reply now;
	char its[PATH_MAX];
	struct diag d;
	int err = control_ask(a->socket, "status", ask_time, &now, &d);
	bool over = err == ERR_GONE || (!err && control_value(&now, "file", its, sizeof(its)) &&
					       strcmp(its, file) != 0);
	cli_note("process %ld was being recorded before, to %s; that %s", (long)a->pid, file,
		over ? "has ended meanwhile" : "goes on");
}

/* Somebody records there already: their trace is watched, and goes on afterwards. */
static int join(struct top *t, const struct control_reply *reply)
{
	struct attachment *a = &t->attachment;
	char file[PATH_MAX], path[PATH_MAX + 64], name[32];
	if (!control_value(reply, "file", file, sizeof(file)))
		return cli_fail("process %ld: its agent does not tell its trace", (long)a->pid);
	if (t->named || t->recording.text[0])
		return cli_fail(
			"process %ld is being recorded already, to %s; to watch that, leave "
			"-o, --interval and --depth out",
			(long)a->pid, file);
	snprintf(path, sizeof(path), "%s", file);
	if (ferry_needed(a->pid))
		snprintf(path, sizeof(path), "/proc/%ld/root%s", (long)a->pid, file);
	name_of(a, name, sizeof(name));
	t->lookout.pid = a->pid;
	int status = look_at_open(t, path, name);
	tell_joined(a, file);
	return status;
}

/* The program is left as it was: nothing records, and nothing lies about. */
static int end_recording(struct top *t)
{
	struct attachment *a = &t->attachment;
	const struct watch w = {.pid = a->pid, .socket = a->socket, .progress = cli_fancy(stderr)};
	enum watch_end end;
	struct outcome o;
	struct diag d = {""};
	if (a->hidden)
		ferry_discard(&a->ferry);
	int err = watch_stop(&w, &end, &d);
	if (w.progress)
		fprintf(stderr, "\r\033[K");
	if (err)
		return attachment_unended(a, &d);
	if (a->hidden)
		return EXIT_OK;
	err = attachment_outcome(a, &o, &d);
	return err ? cli_fail_err(err, &d) : summary_line(a->file, &o, NULL);
}

static int record(struct top *t)
{
	struct attachment *a = &t->attachment;
	char path[PATH_MAX], name[32];
	int status = attachment_load(a);
	if (status != EXIT_OK)
		return status;
	name_of(a, name, sizeof(name));
	t->lookout.pid = a->pid;
	if (attachment_trace(a, path, sizeof(path)))
		status = look_at(t, path, name);
	else
		status = cli_fail("process %ld: it wrote no trace", (long)a->pid);
	int end = end_recording(t);
	return status ? status : end;
}

static int attach(struct top *t)
{
	struct attachment *a = &t->attachment;
	struct diag d = {""};
	int err = attachment_open(a, &d);
	if (err)
		return cli_fail_err(err, &d);
	int status = record(t);
	attachment_release(a);
	return status;
}

static int look_at_program(struct top *t, pid_t pid)
{
	struct attachment *a = &t->attachment;
	struct control_reply reply;
	struct diag d = {""};
	a->recording = &t->recording;
	a->hidden = !t->named;
	a->pid = pid;
	int err = attachment_find(a, &d);
	if (err)
		return cli_fail_err(err, &d);
	err = control_ask(a->socket, "status", ask_time, &reply, &d);
	if (!err)
		return join(t, &reply);
	if (err != ERR_GONE)
		return cli_fail("process %ld: %s", (long)pid, d.text);
	return attach(t);
}

/* -- The command line -- */

static int run(struct top *t, const char *operand)
{
	struct diag d = {""};
	uint64_t pid = 0;
	bool number = units_is_digits(operand);
	if (number && (units_parse_count(operand, INT_MAX, &pid) || !pid))
		return cli_usage("top", "'%s' is not a process id", operand);
	if (!number && (t->named || t->recording.text[0]))
		return cli_usage(
			"top", "-o, --interval and --depth are for a PID; %s is a file", operand);
	if (terminal_check(&d))
		return cli_usage("top", "%s", d.text);
	prepare(t);
	return number ? look_at_program(t, (pid_t)pid) : look_at_file(t, operand);
}

int cmd_top(int argc, char **argv)
{
	struct top *t = mem_zalloc(1, sizeof(*t));
	int first;
	if (!t)
		return cli_fail_err(ERR_NOMEM, NULL);
	showing_init(&t->showing);
	recording_init(&t->recording);
	const struct args args = {.command = "top",
		.usage = "PID|FILE [options]",
		.about = about,
		.rows = rows,
		.count = ARRAY_SIZE(rows),
		.arg = t};
	int status = args_parse(&args, argc, argv, &first);
	if (status == ARGS_RUN && first == argc)
		status = cli_usage("top",
			"watch what? Give a PID (`jps -l` or `pgrep -a java` lists programs) or a "
			"trace");
	else if (status == ARGS_RUN && first + 1 != argc)
		status = cli_usage("top", "one at a time; '%s' is one too many", argv[first + 1]);
	if (status == ARGS_RUN)
		status = run(t, argv[first]);
	mem_free(t);
	return status;
}
