#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"
#include "cli/args.h"
#include "cli/churning.h"
#include "cli/cli.h"
#include "cli/show.h"

enum { ROWS_SHOWN = 8 }; /* of a window, on the screen */

struct asked {
	struct showing showing; /* first: the setters of show.h take its address; query and look */
	struct churn_query query;
};

static int set_windows(void *arg, const char *value, struct diag *d)
{
	struct asked *c = arg;
	uint64_t n;
	if (units_parse_count(value, WINDOWS_MAX, &n) || !n)
		return diag_set(d, ERR_FORMAT,
			"--limit can't be '%s': it is a number of windows, 1 to %d", value,
			WINDOWS_MAX);
	c->query.limit = (size_t)n;
	return ERR_NONE;
}

/* "31.5..40", "500ms..2m": times since recording began. */
static int set_window(void *arg, const char *value, struct diag *d)
{
	struct churn_range *r = &((struct asked *)arg)->query.hand;
	const char *dots = strstr(value, "..");
	char from[UNITS_MAX];
	size_t length = dots ? (size_t)(dots - value) : 0;
	bool good = dots && length < sizeof(from);
	if (good) {
		memcpy(from, value, length);
		from[length] = '\0';
		good = !units_parse_time(from, &r->from) && !units_parse_time(dots + 2, &r->to) &&
		       r->from < r->to;
	}
	return good ? ERR_NONE
		    : diag_set(d, ERR_FORMAT,
			      "--window can't be '%s': it is FROM..TO, times since recording "
			      "began, as in "
			      "31.5s..40s",
			      value);
}

static const struct args_row rows[] = {
	{"window", 0, "FROM..TO", "look into this window, and search for none", set_window},
	{"limit", 'n', "N", "windows at most (3)", set_windows},
	{"by", 'b', "WHAT", "rows by site, class, method, package or thread", show_set_by},
	{"where", 'w', "KEY=GLOB", "only what matches, as in mayfly report", show_set_where},
	{"min", 'm', "PERCENT", "leave out rows with less of the window's garbage (1)",
		show_set_least},
	{"together", 0, NULL, "do not tell callers of a line apart, even where lives differ",
		show_set_together},
	{"json", 0, NULL, "as JSON", show_set_json},
	{"width", 0, "COLUMNS", "of the screen; 0 for no bound", show_set_width},
};

static int put(const struct asked *a, const struct churning *c)
{
	struct buf out = {0};
	struct churn_view v = churning_view(c, a->showing.path, &a->showing.query);
	v.view.look = a->showing.look;
	int err = a->showing.json ? churn_json_put(&out, &v) : churn_screen_put(&out, &v);
	err = show_out(&out, err);
	return err;
}

static int run(struct asked *a)
{
	struct diag d = {""};
	struct churning c;
	a->query.by_thread = query_by_thread(&a->showing.query);
	a->showing.query.limit = a->showing.json ? 0 : ROWS_SHOWN;
	int err = churning_open(&c, a->showing.path, &a->query, &d);
	if (err == ERR_USAGE)
		return cli_usage("churn", "%s", d.text);
	if (!err) {
		err = put(a, &c);
		churning_release(&c);
	}
	return err ? cli_fail_err(err, &d) : EXIT_OK;
}

int cmd_churn(int argc, char **argv)
{
	struct asked *c = mem_zalloc(1, sizeof(*c));
	int first;
	if (!c)
		return cli_fail_err(ERR_NOMEM, NULL);
	showing_init(&c->showing);
	c->showing.query = churning_rows();
	c->query = churning_query();
	const struct args args = {.command = "churn",
		.usage = "FILE [options]",
		.about = "Finds when a program makes most garbage, and the code that makes it "
			 "then.\n",
		.rows = rows,
		.count = ARRAY_SIZE(rows),
		.arg = c};
	int status = args_parse(&args, argc, argv, &first);
	if (status == ARGS_RUN)
		status = show_one_trace("churn", argc - first);
	if (status == ARGS_RUN && show_no_shape(&c->showing))
		status = cli_usage("churn", "%s", show_no_shape(&c->showing));
	if (status == ARGS_RUN) {
		c->showing.path = argv[first];
		status = run(c);
	}
	mem_free(c);
	return status;
}
