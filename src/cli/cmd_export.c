#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/show.h"
#include "report/collapsed.h"
#include "report/csv.h"
#include "report/json.h"

/* A format: what of the lives it needs, and who writes it. */
struct format {
	const char *name;
	unsigned clocks;
	int (*put)(struct showing *s, struct buf *out);
};

struct export
{
	struct showing showing; /* first: the setters of show.h take its address */
	const struct format *format;
	const char *output; /* NULL: stdout */
};

static int put_csv(struct showing *s, struct buf *out)
{
	return showing_put(s, out, csv_put);
}

static int put_json(struct showing *s, struct buf *out)
{
	return showing_put(s, out, json_put);
}

static int put_collapsed(struct showing *s, struct buf *out)
{
	return collapsed_put(out, &s->load.model, &s->ledger, &s->query.where, s->metric);
}

static const struct format formats[] = {
	{"collapsed", 0, put_collapsed},
	{"csv", 0, put_csv},
	{"json", CLOCKS_ALL, put_json},
};

static int set_format(void *arg, const char *value, struct diag *d)
{
	struct export *e = arg;
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (strcmp(formats[i].name, value) == 0)
			e->format = &formats[i];
	if (e->format && strcmp(e->format->name, value) == 0)
		return ERR_NONE;
	return diag_set(d, ERR_FORMAT, "--to can't be '%s': it is collapsed, csv or json", value);
}

static int set_output(void *arg, const char *value, struct diag *d)
{
	(void)d;
	((struct export *)arg)->output = value;
	return ERR_NONE;
}

static const struct args_row rows[] = {
	{"to", 't', "FORMAT",
		"collapsed (stacks for flame graphs), csv or json (the report's rows)", set_format},
	{"output", 'o', "FILE", "where to; without it, to stdout", set_output},
	{"metric", 0, "WHAT", "the stacks' bytes: alloc, died0, survived or live", show_set_metric},
	{"by", 'b', "WHAT", "rows by site, class, method, package or thread", show_set_by},
	{"where", 'w', "KEY=GLOB", "only what matches, as in mayfly report; may be repeated",
		show_set_where},
	{"sort", 's', "WHAT", "rows by bytes of alloc, survived, died or alive", show_set_sort},
	{"clock", 'c', "CLOCK", "the csv's lifetimes: young, full, mb or ms", show_set_clock},
	{"min", 'm', "PERCENT", "leave out rows with less of the bytes sorted by (0)",
		show_set_least},
	{"limit", 'n', "N", "rows at most", show_set_limit},
	{"together", 0, NULL, "do not tell callers of a line apart", show_set_together},
};

static int write_out(const struct export *e, const struct buf *out)
{
	if (!e->output) {
		fwrite(out->at, 1, out->len, stdout);
		return EXIT_OK;
	}
	FILE *f = fopen(e->output, "wb");
	if (!f)
		return cli_fail("%s can't be written: %s", e->output, strerror(errno));
	bool whole = fwrite(out->at, 1, out->len, f) == out->len;
	if (fclose(f) || !whole)
		return cli_fail("%s could not be written: %s", e->output, strerror(errno));
	return EXIT_OK;
}

static int run(struct export *e)
{
	struct diag d = {""};
	struct buf out = {0};
	if (!e->showing.least_set)
		e->showing.query.least = 0;
	int err = showing_load(&e->showing, e->format->clocks, &d);
	if (err)
		return cli_fail_err(err, &d);
	err = e->format->put(&e->showing, &out);
	int status = err ? cli_fail_err(err, NULL) : write_out(e, &out);
	buf_release(&out);
	showing_release(&e->showing);
	return status;
}

static int check(const struct export *e, int operands)
{
	if (operands != 1)
		return cli_usage(
			"export", operands ? "one trace at a time" : "which trace? Give its file");
	if (!e->format)
		return cli_usage("export", "what to? Give --to collapsed, csv or json");
	return ARGS_RUN;
}

int cmd_export(int argc, char **argv)
{
	struct export *e = mem_zalloc(1, sizeof(*e));
	int first;
	if (!e)
		return cli_fail_err(ERR_NOMEM, NULL);
	showing_init(&e->showing);
	const struct args args = {.command = "export",
		.usage = "FILE --to FORMAT [options]",
		.about = "Turns a trace into what other tools read.\n",
		.rows = rows,
		.count = ARRAY_SIZE(rows),
		.arg = e};
	int status = args_parse(&args, argc, argv, &first);
	if (status == ARGS_RUN)
		status = check(e, argc - first);
	if (status == ARGS_RUN) {
		e->showing.path = argv[first];
		status = run(e);
	}
	mem_free(e);
	return status;
}
