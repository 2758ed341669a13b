#include <stdlib.h>
#include <string.h>

#include "analyze/tree.h"
#include "base/error.h"
#include "base/units.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/show.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/paths.h"
#include "report/screen.h"
#include "report/story_view.h"

#define TREE_LEAST 0.01 /* of the bytes: a path below that is left out */

enum { PLACES_DEFAULT = 15 };

enum form { FORM_SCREEN, FORM_JSON, FORM_CSV, FORM_DOWN, FORM_UP };

struct report {
	struct showing showing; /* first: the setters of show.h take its address */
	enum form form;
	bool tenure; /* its story, in place of rows */
};

/* One form, but a tree may be told twice: --tree --inverted is the inverted one. */
static int set_form(struct report *r, enum form form, struct diag *d)
{
	static const char *const options[] = {[FORM_JSON] = "--json",
		[FORM_CSV] = "--csv",
		[FORM_DOWN] = "--tree",
		[FORM_UP] = "--inverted"};
	bool trees = r->form >= FORM_DOWN && form >= FORM_DOWN;
	if (r->form != FORM_SCREEN && r->form != form && !trees)
		return diag_set(d, ERR_USAGE, "%s and %s can't be asked for together",
			options[r->form], options[form]);
	r->form = r->form == FORM_UP ? FORM_UP : form;
	return ERR_NONE;
}

static int set_json(void *arg, const char *value, struct diag *d)
{
	(void)value;
	return set_form(arg, FORM_JSON, d);
}

static int set_csv(void *arg, const char *value, struct diag *d)
{
	(void)value;
	return set_form(arg, FORM_CSV, d);
}

static int set_tree(void *arg, const char *value, struct diag *d)
{
	(void)value;
	return set_form(arg, FORM_DOWN, d);
}

static int set_inverted(void *arg, const char *value, struct diag *d)
{
	(void)value;
	return set_form(arg, FORM_UP, d);
}

static int set_no_events(void *arg, const char *value, struct diag *d)
{
	(void)value;
	(void)d;
	((struct report *)arg)->showing.no_events = true;
	return ERR_NONE;
}

static int set_tenure(void *arg, const char *value, struct diag *d)
{
	(void)value;
	(void)d;
	((struct report *)arg)->tenure = true;
	return ERR_NONE;
}

static const struct args_row rows[] = {
	{"by", 'b', "WHAT", "a row for each site, class, method, package or thread", show_set_by},
	{"where", 'w', "KEY=GLOB",
		"only class=, site=, method=, package=, thread=, stack= (any frame) or shape= that "
		"match; may be repeated, all must hold",
		show_set_where},
	{"sort", 's', "WHAT", "alloc, survived, died or alive: bytes, most first", show_set_sort},
	{"clock", 'c', "CLOCK", "lifetimes in young or full collections, mb allocated, or ms",
		show_set_clock},
	{"min", 'm', "PERCENT",
		"leave out what has less of the bytes sorted by (0.5; all for JSON and CSV)",
		show_set_least},
	{"limit", 'n', "N", "rows at most", show_set_limit},
	{"together", 0, NULL, "do not tell callers of a line apart, even where lives differ",
		show_set_together},
	{"tree", 't', NULL, "call paths in place of rows, down from the entry points", set_tree},
	{"inverted", 0, NULL, "call paths up from the classes", set_inverted},
	{"metric", 0, "WHAT", "the tree's bytes: alloc, died0, survived or live", show_set_metric},
	{"no-events", 0, NULL,
		"do not read the events of --exact=trace: faster, and deaths in the old generation "
		"are estimated",
		set_no_events},
	{"tenure", 0, NULL, "what mayfly tenure decided, and what came of it", set_tenure},
	{"json", 0, NULL, "as JSON, every clock in it", set_json},
	{"csv", 0, NULL, "as comma-separated values", set_csv},
	{"width", 0, "COLUMNS", "of the screen; 0 for no bound", show_set_width},
};

static int put_tree(struct report *r, struct buf *out)
{
	struct showing *s = &r->showing;
	struct query q = s->query;
	struct lifetimes l;
	struct tree tree;
	bool up = r->form == FORM_UP;
	q.least = 2; /* no rows: only the totals are wanted */
	int err = lifetimes_find(&l, &s->load.model, &s->ledger, &q);
	if (err)
		return err;
	struct view v = showing_view(s, &l);
	err = tree_build(&tree, &s->load.model, &s->ledger, &s->query.where, up, s->metric);
	if (!err) {
		err = paths_put(
			out, &v, &tree, s->metric, s->least_set ? s->query.least : TREE_LEAST, up);
		tree_release(&tree);
	}
	lifetimes_release(&l);
	return err;
}

static int put(struct report *r, struct buf *out)
{
	switch (r->form) {
	case FORM_JSON:
		return showing_put(&r->showing, out, json_put);
	case FORM_CSV:
		return showing_put(&r->showing, out, csv_put);
	case FORM_DOWN:
	case FORM_UP:
		return put_tree(r, out);
	case FORM_SCREEN:
	default:
		return showing_put(&r->showing, out, screen_put);
	}
}

/* Rows don't show all that was paid for. */
static int note_paths(struct report *r)
{
	const struct walk_counts *w = &r->showing.load.model.exact.walks;
	uint64_t every = w->every;
	char count[UNITS_MAX];
	if (r->form != FORM_SCREEN || r->showing.query.by != BY_SITE || !every)
		return ERR_NONE;
	return notes_add(&r->showing.notes,
		"%s%s allocation%s walked: --tree and --inverted show whole call paths%s, scaled "
		"to what was counted. Rows tell callers apart only where their objects live "
		"differently.",
		every > 1 ? "One in " : "", every > 1 ? units_count(every, count) : "Every",
		every > 1 ? "s was" : " was",
		walk_counts_short(w) ? ", of those that found room" : "");
}

static int run(struct report *r)
{
	struct diag d = {""};
	struct buf out = {0};
	if (!r->showing.least_set && (r->form == FORM_JSON || r->form == FORM_CSV))
		r->showing.query.least = 0;
	int err = showing_load(&r->showing, r->form == FORM_JSON ? CLOCKS_ALL : 0, &d);
	if (err)
		return cli_fail_err(err, &d);
	err = note_paths(r);
	err = err ? err : put(r, &out);
	err = show_out(&out, err);
	showing_release(&r->showing);
	return err ? cli_fail_err(err, NULL) : EXIT_OK;
}

static int put_story(const struct report *r, struct buf *out)
{
	const struct showing *s = &r->showing;
	struct story story;
	int err = story_find(&story, &s->load.model);
	if (err)
		return err;
	const struct story_view v = {.view = showing_view(s, NULL),
		.story = &story,
		.limit = s->limit_set ? s->query.limit : PLACES_DEFAULT};
	err = r->form == FORM_JSON ? story_json_put(out, &v) : story_screen_put(out, &v);
	story_release(&story);
	return err;
}

/* No lives are needed for it. */
static int run_tenure(struct report *r)
{
	struct showing *s = &r->showing;
	struct diag d = {""};
	struct buf out = {0};
	int err = load_open(&s->load, s->path, &d);
	if (err)
		return cli_fail_err(err, &d);
	err = load_replay(&s->load, NULL, &d);
	err = err ? err : notes_find(&s->notes, &s->load.model);
	err = err ? err : put_story(r, &out);
	err = show_out(&out, err);
	showing_release(s);
	return err ? cli_fail_err(err, &d) : EXIT_OK;
}

/* Options that say nothing to what is asked for. NULL: none. */
static const char *conflict(const struct report *r)
{
	const struct showing *s = &r->showing;
	const bool tree = r->form >= FORM_DOWN && !r->tenure, no_rows = tree || r->tenure;
	const struct {
		bool is;
		const char *why;
	} rows_only[] = {
		{s->metric_set && !tree, "--metric is for --tree and --inverted"},
		{s->by_set && no_rows,
			"--by is for rows: leave out --tree, --inverted or --tenure"},
		{s->sort_set && no_rows,
			"--sort is for rows: leave out --tree, --inverted or --tenure"},
		{s->clock_set && no_rows,
			"--clock is for rows: leave out --tree, --inverted or --tenure"},
		{s->limit_set && tree, "--limit is for rows: leave out --tree or --inverted"},
		{!s->query.split && no_rows,
			"--together is for rows: leave out --tree, --inverted or --tenure"},
		{s->least_set && r->tenure, "--min is for rows and trees: leave out --tenure"},
		{s->no_events && r->tenure,
			"--no-events is for rows and trees: leave out --tenure"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows_only); i++)
		if (rows_only[i].is)
			return rows_only[i].why;
	return NULL;
}

static int start(struct report *r)
{
	const char *why = conflict(r);
	if (why)
		return cli_usage("report", "%s", why);
	if (!r->tenure)
		return run(r);
	if (r->form != FORM_SCREEN && r->form != FORM_JSON)
		return cli_usage("report", "--tenure is a screen, or JSON");
	return run_tenure(r);
}

int cmd_report(int argc, char **argv)
{
	struct report *r = mem_zalloc(1, sizeof(*r));
	int first;
	if (!r)
		return cli_fail_err(ERR_NOMEM, NULL);
	showing_init(&r->showing);
	const struct args args = {.command = "report",
		.usage = "FILE [options]",
		.about = "Shows what lives how long, by the code that allocated it.\n",
		.rows = rows,
		.count = ARRAY_SIZE(rows),
		.arg = r};
	int status = args_parse(&args, argc, argv, &first);
	if (status == ARGS_RUN)
		status = show_one_trace("report", argc - first);
	if (status == ARGS_RUN) {
		r->showing.path = argv[first];
		status = start(r);
	}
	mem_free(r);
	return status;
}
