#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/advising.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/show.h"

struct asked {
	struct showing showing; /* first: the setters of show.h take its address; query and look */
	struct advise_query query;
};

static int set_rule(void *arg, const char *value, struct diag *d)
{
	struct asked *a = arg;
	struct buf words = {0};
	for (int r = 0; r < RULES; r++) {
		if (strcmp(value, rule_word((enum rule)r)) == 0) {
			a->query.only = r;
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
	{"json", 0, NULL, "as JSON", show_set_json},
	{"width", 0, "COLUMNS", "of the screen; 0 for no bound", show_set_width},
};

static int put(const struct asked *a, const struct advising *found)
{
	const struct showing *s = &a->showing;
	struct buf out = {0};
	struct advise_view v = advising_view(found, &s->load.model, s->path);
	v.view.look = s->look;
	int err = a->showing.json ? advise_json_put(&out, &v) : advise_screen_put(&out, &v);
	err = show_out(&out, err);
	return err;
}

static int look(struct asked *a, struct advising *found, struct diag *d)
{
	struct listener listener = advising_listener(found);
	struct load *load = &a->showing.load;
	int err = load_replay(load, &listener, d);
	err = err ? err : load_endings(load, d);
	found->log.ledger.endings = &load->endings;
	err = err ? err : advising_find(found, &load->model);
	return err ? err : put(a, found);
}

static int run(struct asked *a)
{
	struct diag d = {""};
	struct advising found;
	const struct query *shown = &a->showing.query;
	a->query.where = shown->where;
	a->query.split = shown->split;
	a->query.limit = shown->limit;
	if (a->showing.least_set)
		a->query.least = shown->least;
	advising_init(&found, &a->query, query_by_thread(shown));
	int err = load_open(&a->showing.load, a->showing.path, &d);
	if (!err) {
		err = look(a, &found, &d);
		showing_release(&a->showing);
	}
	advising_release(&found);
	return err ? cli_fail_err(err, &d) : EXIT_OK;
}

int cmd_advise(int argc, char **argv)
{
	struct asked *a = mem_zalloc(1, sizeof(*a));
	int first;
	if (!a)
		return cli_fail_err(ERR_NOMEM, NULL);
	showing_init(&a->showing);
	a->query = advising_query();
	a->showing.query.limit = a->query.limit;
	const struct args args = {.command = "advise",
		.usage = "FILE [options]",
		.about = "Finds what is worth changing, in the code or in the VM's options, and "
			 "what "
			 "would come of it.\n",
		.rows = rows,
		.count = ARRAY_SIZE(rows),
		.arg = a};
	int status = args_parse(&args, argc, argv, &first);
	if (status == ARGS_RUN)
		status = show_one_trace("advise", argc - first);
	if (status == ARGS_RUN) {
		a->showing.path = argv[first];
		status = run(a);
	}
	mem_free(a);
	return status;
}
