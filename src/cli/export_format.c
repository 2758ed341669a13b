#include "cli/export_format.h"

#include <string.h>

#include "base/error.h"
#include "export/firefox.h"
#include "export/row_lines.h"
#include "export/speedscope.h"
#include "report/collapsed.h"
#include "report/csv.h"
#include "report/json.h"

/* The report's rows, stacks and profiles, which are small */

static int put_csv(struct export *e)
{
	return showing_put(&e->showing, &e->out.text, csv_put);
}

static int put_jsonl(struct export *e)
{
	return showing_put(&e->showing, &e->out.text, row_lines_put);
}

static int put_json(struct export *e, struct diag *d)
{
	(void)d;
	return showing_put(&e->showing, &e->out.text, json_put);
}

static int put_collapsed(struct export *e, struct diag *d)
{
	struct showing *s = &e->showing;
	(void)d;
	return collapsed_put(&e->out.text, &s->load.model, &s->ledger, &s->query.where, s->metric);
}

static int put_pprof(struct export *e, struct diag *d)
{
	struct showing *s = &e->showing;
	const struct pprof_source source = {&s->load.model, &s->ledger, &e->cells, &s->query.where};
	(void)d;
	return pprof_put(&e->out.text, &source, e->profile);
}

static int put_speedscope(struct export *e, struct diag *d)
{
	struct showing *s = &e->showing;
	const struct speedscope_source source = {
		&s->load.model, &s->ledger, &e->cells, &s->query.where, s->path};
	(void)d;
	return speedscope_put(&e->out, &source);
}

static void listen(struct export *e, struct listener l)
{
	e->fan.to[e->fan.count++] = l;
}

static int begin_firefox(struct export *e, struct diag *d)
{
	(void)d;
	e->log.most = FIREFOX_EVENTS;
	listen(e, firefox_log_listener(&e->log));
	return ERR_NONE;
}

static int put_firefox(struct export *e, struct diag *d)
{
	struct showing *s = &e->showing;
	const struct firefox_source source = {&s->load.model, &e->log, &s->query.where, s->path};
	(void)d;
	return firefox_put(&e->out, &source);
}

/* Tables, whose rows are written as they come */

static void begin_feed(struct export *e, struct rows rows, unsigned relations)
{
	e->feed = (struct feed){.rows = rows,
		.relations = relations,
		.where = &e->showing.query.where,
		.file = e->showing.path};
	listen(e, feed_listener(&e->feed));
	if (relations & 1u << RELATION_ages && !e->format->cells)
		listen(e, cells_listener(&e->cells));
}

static int begin_lines(struct export *e, enum lines_form form)
{
	if (!e->table_set)
		return ERR_NONE;
	e->lines = (struct lines){.out = &e->out, .form = form};
	begin_feed(e, lines_rows(&e->lines), 1u << e->relation);
	return lines_head(&e->lines, e->relation);
}

static int begin_csv(struct export *e, struct diag *d)
{
	(void)d;
	return begin_lines(e, LINES_CSV);
}

static int begin_jsonl(struct export *e, struct diag *d)
{
	(void)d;
	return begin_lines(e, LINES_JSON);
}

static int end_feed(struct export *e)
{
	struct showing *s = &e->showing;
	return feed_settled(&e->feed, &s->load.model, &s->ledger, &e->cells, &s->notes);
}

static int end_csv(struct export *e, struct diag *d)
{
	(void)d;
	return e->table_set ? end_feed(e) : put_csv(e);
}

static int end_jsonl(struct export *e, struct diag *d)
{
	(void)d;
	return e->table_set ? end_feed(e) : put_jsonl(e);
}

static int begin_sqlite(struct export *e, struct diag *d)
{
	int err = store_open(&e->store, e->folder, d);
	if (!err)
		begin_feed(e, store_rows(&e->store), RELATIONS_ALL);
	return err;
}

static int end_sqlite(struct export *e, struct diag *d)
{
	int err = end_feed(e);
	return err ? err : store_write(&e->store, &e->out.sink, d);
}

static const struct format formats[] = {
	{"collapsed", "a line for each stack: flame graphs", OPTION_METRIC, .put = put_collapsed},
	{"csv", "rows with commas, of the report or of a --table",
		OPTION_TABLE | OPTIONS_ROWS | OPTION_CLOCK, .by_shape = true, .begin = begin_csv,
		.put = end_csv},
	{"firefox", "the Firefox Profiler: births, deaths and GCs in time", .begin = begin_firefox,
		.put = put_firefox},
	{"json", "the report's rows with all clocks, one document", OPTIONS_ROWS, CLOCKS_ALL,
		.by_shape = true, .put = put_json},
	{"jsonl", "rows as JSON lines, of the report or of a --table",
		OPTION_TABLE | OPTIONS_ROWS | OPTION_CLOCK, .by_shape = true, .begin = begin_jsonl,
		.put = end_jsonl},
	{"pprof", "go tool pprof, Pyroscope, Parca", OPTION_PROFILE | OPTION_BY_THREAD,
		.cells = true, .binary = true, .put = put_pprof},
	{"speedscope", "speedscope: allocated, died, survived, alive", .cells = true,
		.put = put_speedscope},
	{"sqlite", "a database of all tables, with views", OPTION_BY_THREAD, .binary = true,
		.begin = begin_sqlite, .put = end_sqlite},
};

const struct format *format_at(size_t i)
{
	return i < ARRAY_SIZE(formats) ? &formats[i] : NULL;
}

const struct format *format_named(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}

void format_list(struct buf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		buf_printf(out, "%s%s",
			i == 0                         ? ""
			: i + 1 == ARRAY_SIZE(formats) ? " or "
						       : ", ",
			formats[i].name);
}

void format_help(struct buf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		buf_printf(out, "  %-11s %s\n", formats[i].name, formats[i].about);
}

#define FOR_ROWS " is for the report's rows: csv, json or jsonl, without --table"

static unsigned if_set(bool set, enum format_option option)
{
	return set ? option : 0;
}

/* Set of enum format_option. */
static unsigned given(const struct export *e)
{
	const struct showing *s = &e->showing;
	return if_set(e->table_set, OPTION_TABLE) | if_set(e->profile_set, OPTION_PROFILE) |
	       if_set(s->metric_set, OPTION_METRIC) |
	       if_set(s->by_set, s->query.by == BY_THREAD ? OPTION_BY_THREAD : OPTION_BY) |
	       if_set(s->sort_set, OPTION_SORT) | if_set(s->clock_set, OPTION_CLOCK) |
	       if_set(s->least_set, OPTION_MIN) | if_set(s->limit_set, OPTION_LIMIT) |
	       if_set(!s->query.split, OPTION_TOGETHER);
}

static const struct {
	enum format_option option;
	const char *place;
} places[] = {
	{OPTION_TABLE, "--table is for csv and jsonl"},
	{OPTION_PROFILE, "--profile is for pprof"},
	{OPTION_METRIC, "--metric is for collapsed stacks"},
	{OPTION_BY, "--by" FOR_ROWS},
	{OPTION_BY_THREAD, "--by thread is for rows and tables, pprof and sqlite"},
	{OPTION_SORT, "--sort" FOR_ROWS},
	{OPTION_CLOCK, "--clock is for the report's rows: csv or jsonl, without --table; json has "
		       "all clocks"},
	{OPTION_MIN, "--min" FOR_ROWS},
	{OPTION_LIMIT, "--limit" FOR_ROWS},
	{OPTION_TOGETHER, "--together" FOR_ROWS},
};

const char *format_conflict(const struct export *e)
{
	const struct format *f = e->format;
	unsigned takes = f->options;
	if (e->table_set)
		takes &= OPTION_TABLE | OPTION_BY_THREAD;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (given(e) & ~takes & places[i].option)
			return places[i].place;
	return f->by_shape && !e->table_set ? NULL : show_no_shape(&e->showing);
}

static int write_all(struct export *e, struct diag *d)
{
	struct showing *s = &e->showing;
	if (e->format->cells)
		listen(e, cells_listener(&e->cells));
	e->cells.by_thread = query_by_thread(&s->query);
	int err = e->format->begin ? e->format->begin(e, d) : ERR_NONE;
	struct listener all = fan_listener(&e->fan);
	s->also = e->fan.count ? &all : NULL;
	if (err)
		return err;
	err = showing_load(s, e->format->clocks, d);
	s->also = NULL;
	if (err)
		return err;
	if (e->format->cells || e->feed.relations & 1u << RELATION_ages)
		err = cells_lay(&e->cells, &s->ledger, &s->load.model);
	e->began = s->load.model.wall.v;
	e->lasted = s->load.model.now.time;
	err = err ? err : e->format->put(e, d);
	err = err ? err : out_flush(&e->out);
	showing_release(s);
	return err;
}

int format_run(struct export *e, struct diag *d)
{
	e->store.fd = -1;
	int err = write_all(e, d);
	if (err)
		store_explain(&e->store, d);
	store_release(&e->store);
	feed_release(&e->feed);
	cells_release(&e->cells);
	firefox_log_release(&e->log);
	out_release(&e->out);
	return err;
}
