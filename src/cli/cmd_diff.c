#include <stdlib.h>
#include <string.h>

#include "analyze/fail_if.h"
#include "base/error.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/differing.h"
#include "cli/show.h"

enum { TRACES_MAX = 64, ROWS_DEFAULT = 30 };

struct asked {
	struct showing showing; /* first: the setters of show.h take its address; look, query */
	struct diff_query query;
	struct fail_if fail_if;
	bool json, all;
	size_t count_a, count_b;
	const char *files[TRACES_MAX]; /* of A, then of B */
	struct traced {
		struct load load;
		struct ledger ledger;
	} traces[TRACES_MAX];
	size_t loaded;
	struct diff_run runs[TRACES_MAX];
};

static int set_json(void *arg, const char *value, struct diag *d)
{
	(void)value;
	(void)d;
	((struct asked *)arg)->json = true;
	return ERR_NONE;
}

static int set_all(void *arg, const char *value, struct diag *d)
{
	(void)value;
	(void)d;
	((struct asked *)arg)->all = true;
	return ERR_NONE;
}

static int set_per(void *arg, const char *value, struct diag *d)
{
	struct asked *f = arg;
	f->query.per = strcmp(value, "run") == 0      ? PER_RUN
		       : strcmp(value, "second") == 0 ? PER_SECOND
						      : PER_AUTO;
	return f->query.per != PER_AUTO
		       ? ERR_NONE
		       : diag_set(d, ERR_FORMAT, "--per can't be '%s': it is run or second", value);
}

static int set_fail_if(void *arg, const char *value, struct diag *d)
{
	return fail_if_add(&((struct asked *)arg)->fail_if, value, d);
}

static const struct args_row rows[] = {
	{"by", 'b', "WHAT", "rows by site, class, method, package or thread", show_set_by},
	{"where", 'w', "KEY=GLOB", "only what matches, as in mayfly report", show_set_where},
	{"per", 0, "WHAT",
		"compare what a run allocated, or a second (default: a run if all were recorded "
		"from "
		"start to end)",
		set_per},
	{"all", 'a', NULL, "show what did not change, too", set_all},
	{"limit", 'n', "N", "rows at most (30; all for JSON)", show_set_limit},
	{"fail-if", 0, "RULE",
		"exit with 1 if this changed by more, and not by chance: 'site.alloc > +10%'; may "
		"be "
		"repeated",
		set_fail_if},
	{"json", 0, NULL, "as JSON", set_json},
	{"width", 0, "COLUMNS", "of the screen; 0 for no bound", show_set_width},
};

static int load_one(struct asked *f, size_t i, struct diag *d)
{
	struct traced *t = &f->traces[i];
	struct listener listener = ledger_listener(&t->ledger);
	differing_listen(&t->ledger, query_by_thread(&f->showing.query));
	int err = load_open(&t->load, f->files[i], d);
	if (err)
		return err;
	f->loaded++;
	err = load_replay(&t->load, &listener, d);
	err = err ? err : load_endings(&t->load, d);
	t->ledger.endings = &t->load.endings;
	f->runs[i] = (struct diff_run){&t->load.model, &t->ledger};
	err = err ? err : ledger_settle(&t->ledger, &t->load.model);
	return err ? err : leaves_lay(&t->ledger, &t->load.model);
}

static struct diff_group group(const struct asked *f, bool b)
{
	return (struct diff_group){b ? f->runs + f->count_a : f->runs, b ? f->count_b : f->count_a};
}

/* Rules about rows of another grouping need a diff of their own. */
static int check_others(const struct asked *f, struct differing *found)
{
	int err = ERR_NONE;
	for (int by = 0; by < BY_COUNT && !err; by++) {
		struct diff_query q = {
			.by = (enum by)by, .per = f->query.per, .where = f->query.where};
		struct fail_if wanted = {0};
		struct diff d;
		for (size_t i = 0; i < f->fail_if.count; i++)
			if (f->fail_if.rules[i].of_rows && f->fail_if.rules[i].by == q.by)
				wanted.rules[wanted.count++] = f->fail_if.rules[i];
		if (!wanted.count || q.by == f->query.by)
			continue;
		err = diff_find(&d, found->a.group, found->b.group, &q);
		if (err)
			break;
		err = fail_if_check(&wanted, &d, &found->failures);
		diff_release(&d);
	}
	return err;
}

static int put(const struct asked *f, const struct differing *found)
{
	struct buf out = {0};
	struct diff_view v = differing_view(found);
	v.look = f->showing.look;
	v.all = f->all;
	v.limit = f->json && !f->showing.limit_set ? 0 : f->showing.query.limit;
	int err = f->json ? diff_json_put(&out, &v) : diff_screen_put(&out, &v);
	err = show_out(&out, err);
	return err;
}

/* failed: a rule of --fail-if was broken. */
static int compare(struct asked *f, bool *failed)
{
	struct diff_group a = group(f, false), b = group(f, true);
	struct diff_side sides[] = {{f->files, &a}, {f->files + f->count_a, &b}};
	struct differing found;
	f->query.by = f->showing.query.by;
	f->query.where = f->showing.query.where;
	int err = differing_open(&found, &sides[0], &sides[1], &f->query);
	if (err)
		return err;
	err = fail_if_check(&f->fail_if, &found.diff, &found.failures);
	err = err ? err : check_others(f, &found);
	err = err ? err : fail_if_unknown(&f->fail_if, &found.diff, &found.notes);
	err = err ? err : put(f, &found);
	*failed = found.failures.list.count > 0;
	differing_release(&found);
	return err;
}

static bool wants_threads(const struct asked *f)
{
	bool wants = query_by_thread(&f->showing.query);
	for (size_t i = 0; i < f->fail_if.count; i++)
		wants |= f->fail_if.rules[i].of_rows && f->fail_if.rules[i].by == BY_THREAD;
	return wants;
}

static int run(struct asked *f)
{
	struct diag d = {""};
	int err = ERR_NONE;
	bool failed = false;
	enum by by = f->showing.query.by;
	if (wants_threads(f))
		f->showing.query.by = BY_THREAD; /* what query_by_thread looks at */
	for (size_t i = 0; i < f->count_a + f->count_b && !err; i++)
		err = load_one(f, i, &d);
	f->showing.query.by = by;
	err = err ? err : compare(f, &failed);
	for (size_t i = 0; i < f->loaded; i++) {
		load_close(&f->traces[i].load);
		ledger_release(&f->traces[i].ledger);
	}
	return err ? cli_fail_err(err, &d) : failed ? EXIT_FAILED : EXIT_OK;
}

/* Where `--` stands behind the command's name; argc: nowhere. */
static int find_dashes(int argc, char **argv)
{
	int i = 1;
	while (i < argc && strcmp(argv[i], "--") != 0)
		i++;
	return i;
}

/* Takes the files; those behind the dashes are B's. */
static int take_files(struct asked *f, int argc, char **argv, int first, int dashes, int all)
{
	size_t before = (size_t)(argc - first),
	       after = dashes < all ? (size_t)(all - dashes - 1) : 0;
	if (before + after > TRACES_MAX)
		return cli_usage("diff", "at most %d traces", TRACES_MAX);
	if (dashes < all ? !before || !after : before != 2)
		return cli_usage("diff",
			"which traces? Give two, or several with -- between: A1 A2 -- B1 B2");
	for (size_t i = 0; i < before; i++)
		f->files[i] = argv[(size_t)first + i];
	for (size_t i = 0; i < after; i++)
		f->files[before + i] = argv[(size_t)dashes + 1 + i];
	f->count_a = after ? before : 1;
	f->count_b = after ? after : 1;
	return ARGS_RUN;
}

int cmd_diff(int argc, char **argv)
{
	struct asked *f = mem_zalloc(1, sizeof(*f));
	int first, dashes = find_dashes(argc, argv);
	if (!f)
		return cli_fail_err(ERR_NOMEM, NULL);
	showing_init(&f->showing);
	f->showing.query.limit = ROWS_DEFAULT;
	const struct args args = {.command = "diff",
		.usage = "A B [options], or [options] A1 A2 … -- B1 B2 …",
		.about = "Shows what changed between two recordings, or two groups of them.\n",
		.rows = rows,
		.count = ARRAY_SIZE(rows),
		.arg = f};
	int status = args_parse(&args, dashes, argv, &first);
	if (status == ARGS_RUN && show_no_shape(&f->showing))
		status = cli_usage("diff", "%s", show_no_shape(&f->showing));
	if (status == ARGS_RUN)
		status = take_files(f, dashes, argv, first, dashes, argc);
	if (status == ARGS_RUN)
		status = run(f);
	mem_free(f);
	return status;
}
