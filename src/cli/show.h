/* What report and export have in common: the query's options, the replay, and where the output
 * goes. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include <stdbool.h>

#include "analyze/lifetime.h"
#include "analyze/metric.h"
#include "analyze/notes.h"
#include "cli/load.h"
#include "report/view.h"

struct showing {
	/* Set by options. */
	struct query query;
	bool by_set, sort_set, least_set, limit_set, clock_set, metric_set;
	enum clock clock;
	enum metric metric;
	struct look look;
	bool json;      /* in place of a screen */
	bool no_events; /* these are not read */
	const char *path;
	const struct listener *also; /* listens too; NULL: nobody */
	/* Filled by showing_load. */
	struct load load;
	struct ledger ledger;
	struct notes notes;
};

/* NULL, or why the filter can't be had of rows that are not the report's. */
const char *show_no_shape(const struct showing *s);
/* ARGS_RUN where a command has its one trace, of so many operands; else EXIT_USAGE, explained. */
int show_one_trace(const char *command, int operands);

/* What stdout can show. */
struct look show_look(void);
/* The defaults, and a look that suits stdout. */
void showing_init(struct showing *s);

/* Setters of struct args_row, with arg = struct showing *. */
int show_set_by(void *arg, const char *value, struct diag *d);
int show_set_where(void *arg, const char *value, struct diag *d);
int show_set_sort(void *arg, const char *value, struct diag *d);
int show_set_least(void *arg, const char *value, struct diag *d);
int show_set_limit(void *arg, const char *value, struct diag *d);
int show_set_clock(void *arg, const char *value, struct diag *d);
int show_set_metric(void *arg, const char *value, struct diag *d);
int show_set_together(void *arg, const char *value, struct diag *d);
int show_set_json(void *arg, const char *value, struct diag *d);
int show_set_width(void *arg, const char *value, struct diag *d);

/* Replays the trace into the ledger; `clocks`: a set of enum clock that is wanted. 0 or an error
 * with a sentence. */
int showing_load(struct showing *s, unsigned clocks, struct diag *d);
/* Makes the rows and hands them, as a view, to `put`. 0 or an error. */
int showing_put(struct showing *s, struct buf *out, int (*put)(struct buf *, const struct view *));
/* Writes it to stdout, unless there was an error, and releases it. Returns the error. */
int show_out(struct buf *out, int err);
/* The view without rows. */
struct view showing_view(const struct showing *s, const struct lifetimes *l);
void showing_release(struct showing *s);

#endif
