#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/draft.h"
#include "cli/export_format.h"
#include "cli/overwrite.h"
#include "export/push.h"

#define NS_PER_S 1000000000u

struct command_line {
	struct export export; /* first: the setters of show.h take the address of its own first */
	const char *output;   /* NULL: stdout, or the server */
	bool output_set;      /* also to stdout */
	struct push push;     /* url NULL: to no server */
	int error;            /* errno of the first write to stdout that failed */
};

static int set_format(void *arg, const char *value, struct diag *d)
{
	struct export *e = arg;
	struct buf names = {0};
	e->format = format_named(value);
	if (e->format)
		return ERR_NONE;
	format_list(&names);
	diag_set(d, ERR_FORMAT, "--to can't be '%s': it is %s", value, buf_text(&names));
	buf_release(&names);
	return ERR_FORMAT;
}

static int set_table(void *arg, const char *value, struct diag *d)
{
	struct export *e = arg;
	struct buf names = {0};
	e->relation = relation_named(value);
	e->table_set = e->relation != RELATIONS;
	if (e->table_set)
		return ERR_NONE;
	for (int id = 0; id < RELATIONS; id++)
		buf_printf(&names, "%s%s",
			id == 0               ? ""
			: id + 1 == RELATIONS ? " or "
					      : ", ",
			relation_at((enum relation_id)id)->name);
	diag_set(d, ERR_FORMAT, "--table can't be '%s': it is %s", value, buf_text(&names));
	buf_release(&names);
	return ERR_FORMAT;
}

static int set_profile(void *arg, const char *value, struct diag *d)
{
	struct export *e = arg;
	for (unsigned kind = 0; kind < PPROF_KINDS; kind++)
		if (strcmp(pprof_word(kind), value) == 0) {
			e->profile = (enum pprof_kind)kind;
			e->profile_set = true;
			return ERR_NONE;
		}
	return diag_set(d, ERR_FORMAT, "--profile can't be '%s': it is heap or lifetime", value);
}

static int set_output(void *arg, const char *value, struct diag *d)
{
	struct command_line *c = arg;
	c->output = strcmp(value, "-") ? value : NULL;
	c->output_set = true;
	return *value ? ERR_NONE : diag_set(d, ERR_FORMAT, "the file's name is empty");
}

static int set_push(void *arg, const char *value, struct diag *d)
{
	((struct command_line *)arg)->push.url = value;
	return push_check_url(value, d);
}

static int set_name(void *arg, const char *value, struct diag *d)
{
	((struct command_line *)arg)->push.name = value;
	return push_check_name(value, d);
}

static int set_label(void *arg, const char *value, struct diag *d)
{
	return push_add_label(&((struct command_line *)arg)->push, value, d);
}

static const struct args_row rows[] = {
	{"to", 't', "FORMAT", "one of the above", set_format},
	{"output", 'o', "FILE", "where to; without it, to stdout", set_output},
	{"table", 0, "NAME",
		"of csv and jsonl, in place of the report's rows: objects, ages, gcs, sites, "
		"survival, …",
		set_table},
	{"profile", 0, "WHAT", "of pprof: heap (allocated, alive at the end) or lifetime",
		set_profile},
	{"push", 0, "URL", "send pprof to the Pyroscope server there", set_push},
	{"name", 0, "NAME", "of the program, for --push (the trace's name)", set_name},
	{"label", 0, "KEY=VALUE", "for --push; may be repeated", set_label},
	{"metric", 0, "WHAT", "collapsed stacks' bytes: alloc, died0, survived or live",
		show_set_metric},
	{"by", 'b', "WHAT", "rows by site, class, method, package or thread", show_set_by},
	{"where", 'w', "KEY=GLOB", "only what matches, as in mayfly report; may be repeated",
		show_set_where},
	{"sort", 's', "WHAT", "rows by bytes of alloc, survived, died or alive", show_set_sort},
	{"clock", 'c', "CLOCK", "the rows' lifetimes: young, full, mb or ms", show_set_clock},
	{"min", 'm', "PERCENT", "leave out rows with less of the bytes sorted by (0)",
		show_set_least},
	{"limit", 'n', "N", "rows at most", show_set_limit},
	{"together", 0, NULL, "do not tell callers of a line apart", show_set_together},
};

static int write_stdout(void *arg, const void *bytes, size_t len)
{
	struct command_line *c = arg;
	int fd = STDOUT_FILENO;
	struct sink sink = sink_fd(&fd);
	int err = sink.write(sink.arg, bytes, len);
	if (err && !c->error)
		c->error = errno;
	return err;
}

static int to_stdout(struct command_line *c, struct diag *d)
{
	const char *folder = getenv("TMPDIR");
	c->export.out.sink = (struct sink){.write = write_stdout, .arg = c};
	c->export.folder = folder && *folder ? folder : "/tmp";
	int err = format_run(&c->export, d);
	if (err && c->error)
		diag_set(d, err, "the output could not be written: %s", strerror(c->error));
	return err;
}

/* Into a file that appears when it is whole. */
static int to_file(struct command_line *c, struct diag *d)
{
	struct draft draft;
	int err = draft_open(&draft, c->output, false, d);
	if (err)
		return err;
	const char *of = draft.target ? draft.target : "/tmp/.";
	char *path = mem_strndup(of, strlen(of));
	c->export.out.sink = draft_sink(&draft);
	c->export.folder = path ? dirname(path) : NULL;
	err = path ? format_run(&c->export, d) : ERR_NOMEM;
	mem_free(path);
	if (err) {
		draft_drop(&draft, d);
		return err;
	}
	return draft_keep(&draft, d);
}

static int send_off(struct command_line *c, struct slice profile, struct diag *d)
{
	struct buf name = {0};
	push_name_of_file(&name, c->export.showing.path);
	c->push.from = c->export.began / NS_PER_S;
	c->push.until = c->push.from + c->export.lasted / NS_PER_S + 1;
	c->push.name = c->push.name ? c->push.name : buf_text(&name);
	int err = name.failed ? ERR_NOMEM : push_send(&c->push, profile, d);
	if (!err)
		cli_note("sent to %s as %s", push_shown_url(&c->push), c->push.name);
	buf_release(&name);
	return err;
}

static int to_server(struct command_line *c, struct diag *d)
{
	struct buf profile = {0};
	c->export.out.sink = sink_buf(&profile);
	int err = format_run(&c->export, d);
	err = err ? err : send_off(c, buf_slice(&profile), d);
	buf_release(&profile);
	return err;
}

static int run(struct command_line *c)
{
	struct diag d = {""};
	if (!c->export.showing.least_set)
		c->export.showing.query.least = 0;
	int err = c->push.url ? to_server(c, &d) : c->output ? to_file(c, &d) : to_stdout(c, &d);
	return err ? cli_fail_err(err, &d) : EXIT_OK;
}

static int refuse_no_format(void)
{
	struct buf names = {0};
	format_list(&names);
	int status = cli_usage("export", "what to? Give --to %s", buf_text(&names));
	buf_release(&names);
	return status;
}

static int check_push(const struct command_line *c)
{
	const struct push *p = &c->push;
	if (p->url && (c->output_set || strcmp(c->export.format->name, "pprof") != 0))
		return cli_usage("export", "--push sends pprof, in place of writing it to a file");
	if (!p->url && (p->name || p->label_count))
		return cli_usage("export", "--name and --label are for --push");
	return ARGS_RUN;
}

static int check(const struct command_line *c, const char *path, int operands)
{
	const struct export *e = &c->export;
	int status = show_one_trace("export", operands);
	if (status != ARGS_RUN)
		return status;
	if (!e->format)
		return refuse_no_format();
	const char *conflict = format_conflict(e);
	if (conflict)
		return cli_usage("export", "%s", conflict);
	status = check_push(c);
	if (status != ARGS_RUN)
		return status;
	if (e->format->binary && !c->output && !c->push.url && isatty(STDOUT_FILENO))
		return cli_usage("export", "%s is not to be read on a terminal: give -o FILE",
			e->format->name);
	if (c->output && overwrite_same(path, c->output))
		return cli_usage("export", "%s is the trace itself: give another -o", c->output);
	return ARGS_RUN;
}

static int parse(struct command_line *c, int argc, char **argv, int *first)
{
	struct buf about = {0};
	buf_put_str(&about, "Turns a trace into what other tools read.\n\nFormats (--to):\n");
	format_help(&about);
	const struct args args = {.command = "export",
		.usage = "FILE --to FORMAT [options]",
		.about = buf_text(&about),
		.rows = rows,
		.count = ARRAY_SIZE(rows),
		.arg = c};
	int status = args_parse(&args, argc, argv, first);
	buf_release(&about);
	return status;
}

int cmd_export(int argc, char **argv)
{
	struct command_line *c = mem_zalloc(1, sizeof(*c));
	int first;
	if (!c)
		return cli_fail_err(ERR_NOMEM, NULL);
	showing_init(&c->export.showing);
	int status = parse(c, argc, argv, &first);
	if (status == ARGS_RUN)
		status = check(c, argv[first], argc - first);
	if (status == ARGS_RUN) {
		c->export.showing.path = argv[first];
		status = run(c);
	}
	mem_free(c);
	return status;
}
