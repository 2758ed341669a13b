#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/heap.h"
#include "base/error.h"
#include "base/units.h"
#include "cli/args.h"
#include "analyze/stock_rows.h"
#include "cli/cli.h"
#include "cli/heap_accounts.h"
#include "cli/heap_events.h"
#include "cli/heap_live.h"
#include "cli/show.h"
#include "model/fan.h"
#include "report/heap_view.h"

/* The moment asked for: a time, a collection, or the end. */
enum at { AT_END, AT_TIME, AT_GC };

struct heaping {
	struct showing showing; /* first: the setters of show.h take its address */
	enum at at;
	uint64_t time, gc, every; /* ns; from 1; ns, 0: one moment */
	struct heap_events events;
	struct heap heap;
	struct stock stock;
	bool accounts; /* it is asked of */
	bool forced;   /* PID: a collection */
	bool of_file;  /* an option was given that is for a FILE */
	bool moment;   /* --at was given */
};

static int set_at(void *arg, const char *value, struct diag *d)
{
	struct heaping *h = arg;
	bool good = true;
	h->of_file = h->moment = true;
	if (strcmp(value, "end") == 0)
		h->at = AT_END;
	else if (strncmp(value, "GC:", 3) == 0 || strncmp(value, "gc:", 3) == 0)
		h->at = AT_GC, good = !units_parse_count(value + 3, UINT32_MAX, &h->gc) && h->gc;
	else
		h->at = AT_TIME, good = !units_parse_time(value, &h->time);
	return good ? ERR_NONE
		    : diag_set(d, ERR_FORMAT,
			      "--at can't be '%s': it is a time since recording began (31.5s), a "
			      "collection (GC:17), or end",
			      value);
}

static int set_every(void *arg, const char *value, struct diag *d)
{
	struct heaping *h = arg;
	h->of_file = true;
	if (units_parse_time(value, &h->every) || !h->every)
		return diag_set(
			d, ERR_FORMAT, "--every can't be '%s': it is a time, as in 10s", value);
	return ERR_NONE;
}

static int set_whole(void *arg, const char *value, struct diag *d)
{
	(void)value;
	(void)d;
	((struct heaping *)arg)->of_file = true;
	((struct heaping *)arg)->events.whole = true;
	return ERR_NONE;
}

static int set_objects(void *arg, const char *value, struct diag *d)
{
	(void)value;
	(void)d;
	((struct heaping *)arg)->of_file = true;
	((struct heaping *)arg)->events.objects = true;
	return ERR_NONE;
}

static int set_forced(void *arg, const char *value, struct diag *d)
{
	(void)value, (void)d;
	((struct heaping *)arg)->forced = true;
	return ERR_NONE;
}

static const struct args_row rows[] = {
	{"gc", 0, NULL, "PID only: force a full collection, and count what lives", set_forced},
	{"at", 0, "MOMENT", "a time since recording began (31.5s), GC:N, or end (the default)",
		set_at},
	{"every", 0, "TIME", "how much is alive at each step of the run", set_every},
	{"objects", 0, NULL, "every object, a line of JSON each (a trace with events)",
		set_objects},
	{"whole", 0, NULL, "read all events, though a checkpoint would do", set_whole},
	{"by", 'b', "WHAT", "rows by site, class, method, package or thread", show_set_by},
	{"where", 'w', "KEY=GLOB", "only what matches, as in mayfly report", show_set_where},
	{"min", 'm', "PERCENT", "leave out rows with less of what is alive (0.5; 0 for JSON)",
		show_set_least},
	{"limit", 'n', "N", "rows, or objects, at most", show_set_limit},
	{"together", 0, NULL, "do not tell callers of a line apart, even where lives differ",
		show_set_together},
	{"json", 0, NULL, "as JSON", show_set_json},
	{"width", 0, "COLUMNS", "of the screen; 0 for no bound", show_set_width},
};

/* How the run lies in time: from a first reading, for moments have to be known before the second.
 */
static int survey(struct heaping *h, struct model *m, struct diag *d)
{
	struct load load;
	int err = load_open(&load, h->showing.path, d);
	if (err)
		return err;
	err = load_replay(&load, NULL, d);
	*m = load.model;
	load.model = (struct model){0};
	load_close(&load);
	return err;
}

static int add_every(struct heaping *h, uint64_t end, struct diag *d)
{
	char step[UNITS_MAX];
	int err = ERR_NONE;
	if (end / h->every > HEAP_MOMENTS)
		return diag_set(d, ERR_USAGE,
			"that makes more than %d steps; take --every %s or more", HEAP_MOMENTS,
			units_time((double)end / HEAP_MOMENTS, step));
	for (uint64_t t = h->every; t < end && !err; t += h->every)
		err = heap_add_moment(&h->heap, t);
	return err ? err : heap_add_moment(&h->heap, end);
}

/* GC:N of the program, where the first are not there: ERR_USAGE says which are told. */
static int find_gc(const struct heaping *h, const struct model *m, struct diag *d)
{
	uint64_t before = model_gcs_before(m), all = before + m->gcs.list.count;
	if (h->gc > all)
		return diag_set(d, ERR_USAGE,
			"there is no GC:%llu: the recording has %llu collections",
			(unsigned long long)h->gc, (unsigned long long)all);
	if (h->gc > before)
		return ERR_NONE;
	return diag_set(d, ERR_USAGE,
		h->gc > m->begin.gcs ? "GC:%llu is not told: of so many collections only those "
				       "after GC:%llu are kept"
				     : "GC:%llu is forgotten: the recording keeps its last "
				       "stretch, which begins after GC:%llu",
		(unsigned long long)h->gc,
		(unsigned long long)(h->gc > m->begin.gcs ? before : m->begin.gcs));
}

static const struct gc *gc_of(const struct heaping *h, const struct model *m)
{
	return &m->gcs.list.at[h->gc - model_gc_number(m, 0)];
}

/* The end as it reads, on a screen or in JSON, may be a rounding's width after it. */
static int bound_time(struct heaping *h, uint64_t last, struct diag *d)
{
	char at[UNITS_MAX], end[UNITS_MAX];
	units_time((double)h->time, at);
	units_time((double)last, end);
	if (h->time > last && strcmp(at, end) != 0)
		return diag_set(
			d, ERR_USAGE, "%s is after the end of the recording, at %s", at, end);
	h->time = h->time < last ? h->time : last;
	return ERR_NONE;
}

static int add_moments(struct heaping *h, const struct model *m, struct diag *d)
{
	uint64_t last = m->now.time;
	if (h->every)
		return add_every(h, last, d);
	int err = h->at == AT_GC     ? find_gc(h, m, d)
		  : h->at == AT_TIME ? bound_time(h, last, d)
				     : ERR_NONE;
	if (err)
		return err;
	return heap_add_moment(&h->heap, h->at == AT_GC     ? gc_of(h, m)->end
					 : h->at == AT_TIME ? h->time
							    : last);
}

/* A trace with events tells of collections, not of times between. */
static int look_at_events(struct heaping *h, struct model *m, struct diag *d)
{
	struct gcs *g = &m->gcs;
	h->events.over = h->every ? &h->heap : NULL;
	h->events.end = h->at == AT_END;
	h->events.gc = h->at == AT_GC ? gc_of(h, m) - g->list.at : (ptrdiff_t)g->list.count - 1;
	while (h->at == AT_TIME && h->events.gc != GCS_NONE &&
		g->list.at[h->events.gc].end > h->time)
		h->events.gc--;
	return heap_events_run(&h->events, &h->showing, m, d);
}

static int put_notes(struct heaping *h)
{
	int err = notes_find(&h->showing.notes, &h->showing.load.model);
	const struct heap_moment *m = &h->heap.moments.at[h->heap.moments.count - 1];
	double all = m->live.bytes.sum;
	if (!err && m->guessed > 0.01 * all)
		err = notes_add(&h->showing.notes,
			"%.0f %% of what is alive is inferred: the objects had been let go to "
			"bound "
			"the agent's memory, and count by how their site's objects live.",
			100 * m->guessed / all);
	return err;
}

static int put(struct heaping *h)
{
	struct buf out = {0};
	struct lifetimes l;
	int err = lifetimes_find(&l, &h->showing.load.model, &h->heap.alive, &h->showing.query);
	if (err)
		return err;
	struct heap_view v = {
		.view = showing_view(&h->showing, &l), .heap = &h->heap, .over_time = h->every > 0};
	err = h->showing.json ? heap_json_put(&out, &v) : heap_screen_put(&out, &v);
	err = show_out(&out, err);
	lifetimes_release(&l);
	return err;
}

/* The accounts tell of collections, and of the end. */
static void ask_accounts(struct heaping *h, const struct model *m)
{
	h->accounts = counts_any(&m->exact) && !h->every && h->at != AT_TIME &&
		      stock_rows_can(&h->showing.query);
	h->stock.end = h->at == AT_END;
	if (h->at != AT_GC)
		return;
	h->stock.young = gc_of(h, m)->young;
	h->stock.full = gc_of(h, m)->full;
}

static void want_count(const struct heaping *h, struct heap_counts *counts)
{
	counts->wanted = h->accounts && h->at == AT_GC;
	counts->wanted_young = h->stock.young;
	counts->wanted_full = h->stock.full;
}

static int put_all(struct heaping *h)
{
	bool told = false;
	int err = put_notes(h);
	if (!err && h->accounts)
		err = heap_accounts_put(&h->showing, &h->stock, &h->heap, &told);
	return err || told ? err : put(h);
}

static int look(struct heaping *h, struct diag *d)
{
	struct showing *s = &h->showing;
	struct fan fan = {.to = {heap_listener(&h->heap), stock_listener(&h->stock)}, .count = 2};
	struct listener both = fan_listener(&fan);
	int err = load_open(&s->load, s->path, d);
	if (err)
		return err;
	want_count(h, &s->load.model.heap);
	err = load_replay(&s->load, &both, d);
	err = err ? err : heap_settle(&h->heap, &s->load.model);
	err = err ? err : stock_settle(&h->stock, &s->load.model);
	err = err ? err : put_all(h);
	showing_release(s);
	return err;
}

/* Where no births can be read, as in a trace that was cut early, no object of the events has a
 * size: samples tell more. */
static bool have_events(const struct heaping *h, const struct model *m)
{
	return followed_any(m) && (m->exact.births.objects || h->events.objects);
}

static int run(struct heaping *h)
{
	struct diag d = {""};
	struct model m = {0};
	heap_init(&h->heap, query_by_thread(&h->showing.query));
	int err = survey(h, &m, &d);
	err = err ? err : add_moments(h, &m, &d);
	bool events = have_events(h, &m);
	if (!err && h->events.objects && (!events || h->every))
		err = diag_set(&d, ERR_USAGE,
			h->every ? "--objects is of one moment, not of --every"
			: model_disowned(&m)
				? "--objects needs events, and the exact engine was refused "
				  "in this recording: mayfly info says why"
				: "--objects needs a trace with events: record with "
				  "--exact=survivors");
	bool usage = err == ERR_USAGE;
	if (!err && !events)
		ask_accounts(h, &m);
	if (!err)
		err = events ? look_at_events(h, &m, &d) : look(h, &d);
	model_release(&m);
	heap_release(&h->heap);
	stock_release(&h->stock);
	if (usage)
		return cli_usage("heap", "%s", d.text);
	return err ? cli_fail_err(err, &d) : EXIT_OK;
}

/* A number is a process, as in mayfly top. */
static int run_operand(struct heaping *h, const char *operand)
{
	uint64_t pid;
	bool number = operand[0] && strspn(operand, "0123456789") == strlen(operand);
	if (number && (units_parse_count(operand, INT_MAX, &pid) || !pid))
		return cli_usage("heap", "'%s' is not a process id", operand);
	if (number && h->of_file)
		return cli_usage("heap",
			"--at, --every, --objects and --whole are for a FILE; of a PID it is now");
	if (!number && h->forced)
		return cli_usage("heap", "--gc is for a PID; %s is a file", operand);
	if (h->moment && h->every)
		return cli_usage("heap", "--at is one moment, --every many: leave one of them out");
	if (show_no_shape(&h->showing))
		return cli_usage("heap", "%s", show_no_shape(&h->showing));
	if (h->showing.json && !h->showing.least_set)
		h->showing.query.least = 0;
	if (number)
		return heap_live(&h->showing, (pid_t)pid, h->forced);
	h->showing.path = operand;
	return run(h);
}

int cmd_heap(int argc, char **argv)
{
	struct heaping *h = mem_zalloc(1, sizeof(*h));
	int first;
	if (!h)
		return cli_fail_err(ERR_NOMEM, NULL);
	showing_init(&h->showing);
	h->showing.query.sort = SORT_ALIVE;
	const struct args args = {.command = "heap",
		.usage = "FILE|PID [options]",
		.about =
			"Shows what was alive at a moment of the recording, by the code that "
			"allocated it;\nof a PID that is being recorded with --exact, every object "
			"that is alive now.\n",
		.rows = rows,
		.count = ARRAY_SIZE(rows),
		.arg = h};
	int status = args_parse(&args, argc, argv, &first);
	if (status == ARGS_RUN && first + 1 != argc)
		status = cli_usage("heap",
			first == argc ? "which trace? Give its file, or the PID of a program that "
					"is being recorded with --exact"
				      : "one at a time");
	if (status == ARGS_RUN)
		status = run_operand(h, argv[first]);
	mem_free(h);
	return status;
}
