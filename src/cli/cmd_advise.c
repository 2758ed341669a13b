#include <stdlib.h>
#include <string.h>

#include "analyze/advise.h"
#include "base/error.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/show.h"
#include "report/advise_view.h"

enum { LIMIT_DEFAULT = 10 };

struct advising {
	struct showing showing; /* first: the setters of show.h take its address */
	int only;               /* enum rule; -1: all */
	bool json;
	struct evidence_log log;
	struct advise advise;
};

static int set_json(void *arg, const char *value, struct diag *d)
{
	(void)value;
	(void)d;
	((struct advising *)arg)->json = true;
	return ERR_NONE;
}

static int set_rule(void *arg, const char *value, struct diag *d)
{
	struct advising *a = arg;
	struct buf words = {0};
	for (int r = 0; r < RULES; r++) {
		if (strcmp(value, rule_word((enum rule)r)) == 0) {
			a->only = r;
			buf_release(&words);
			return ERR_NONE;
		}
		buf_printf(&words, "%s%s", r ? ", " : "", rule_word((enum rule)r));
	}
	int err = diag_set(
		d, ERR_FORMAT, "--rule can't be '%s': it is one of %s", value, buf_text(&words));
	buf_release(&words);
	return err;
}

static const struct args_row rows[] = {
	{"rule", 'r', "NAME", "only findings of this rule", set_rule},
	{"where", 'w', "KEY=GLOB", "only places that match, as in mayfly report", show_set_where},
	{"min", 'm', "PERCENT", "leave out what costs less of the time in pauses (0.5)",
		show_set_least},
	{"limit", 'n', "N", "findings at most (10; 0: all)", show_set_limit},
	{"together", 0, NULL, "do not tell callers of a line apart, even where lives differ",
		show_set_together},
	{"json", 0, NULL, "as JSON", set_json},
	{"width", 0, "COLUMNS", "of the screen; 0 for no bound", show_set_width},
};

/* What can't be judged, and why. */
static int put_notes(struct advising *a)
{
	struct showing *s = &a->showing;
	const struct model *m = &s->load.model;
	const struct advise_run *r = &a->advise.run;
	int err = notes_find(&s->notes, m);
	if (err || !m->gcs.list.count)
		return err;
	if (r->collector == COLLECTOR_OTHER)
		return notes_add(&s->notes,
			"This collector has no survivor spaces, or the VM does not tell young "
			"deaths "
			"apart: copying, promotion and short lives were not judged.");
	if (!r->ages_known)
		return notes_add(&s->notes, "Too little was seen to judge copying and promotion.");
	if (!r->cost_known)
		err = notes_add(
			&s->notes, r->vm_known ? "What copying costs can't be told: pauses do not "
						 "grow with what is copied, or "
						 "there were too few. Times in GC are upper bounds."
					       : "The VM told no heap sizes: what copying costs "
						 "can't be told. Times in GC are "
						 "upper bounds.");
	if (!err && !m->now.full)
		err = notes_add(&s->notes,
			"A leak can't be told from garbage that no such collection looked for.");
	return err;
}

static int put(struct advising *a, const struct advise_query *q)
{
	struct buf out = {0};
	struct advise_view v = {.view = showing_view(&a->showing, NULL),
		.advise = &a->advise,
		.ledger = &a->log.ledger,
		.least = q->least,
		.narrowed = q->only >= 0 || q->where.count};
	int err = a->json ? advise_json_put(&out, &v) : advise_screen_put(&out, &v);
	if (!err)
		fwrite(out.at, 1, out.len, stdout);
	buf_release(&out);
	return err;
}

static int look(struct advising *a, const struct advise_query *q, struct diag *d)
{
	struct showing *s = &a->showing;
	struct listener listener = evidence_listener(&a->log);
	int err = load_replay(&s->load, &listener, d);
	err = err ? err : evidence_settle(&a->log, &s->load.model);
	err = err ? err : advise_find(&a->advise, &s->load.model, &a->log, q);
	err = err ? err : put_notes(a);
	return err ? err : put(a, q);
}

static int run(struct advising *a)
{
	struct diag d = {""};
	const struct query *shown = &a->showing.query;
	struct advise_query q = {.where = shown->where,
		.split = shown->split,
		.least = a->showing.least_set ? shown->least : ADVISE_LEAST,
		.limit = shown->limit,
		.only = a->only};
	evidence_init(&a->log, query_by_thread(shown));
	int err = load_open(&a->showing.load, a->showing.path, &d);
	if (!err) {
		err = look(a, &q, &d);
		advise_release(&a->advise);
		showing_release(&a->showing);
	}
	evidence_release(&a->log);
	return err ? cli_fail_err(err, &d) : EXIT_OK;
}

int cmd_advise(int argc, char **argv)
{
	struct advising *a = mem_zalloc(1, sizeof(*a));
	int first;
	if (!a)
		return cli_fail_err(ERR_NOMEM, NULL);
	showing_init(&a->showing);
	a->showing.query.limit = LIMIT_DEFAULT;
	a->only = -1;
	const struct args args = {.command = "advise",
		.usage = "FILE [options]",
		.about = "Finds what is worth changing, in the code or in the VM's options, and "
			 "what "
			 "would come of it.\n",
		.rows = rows,
		.count = ARRAY_SIZE(rows),
		.arg = a};
	int status = args_parse(&args, argc, argv, &first);
	if (status == ARGS_RUN && first + 1 != argc)
		status = cli_usage("advise",
			first == argc ? "which trace? Give its file" : "one trace at a time");
	if (status == ARGS_RUN) {
		a->showing.path = argv[first];
		status = run(a);
	}
	mem_free(a);
	return status;
}
