/* The formats of `mayfly export`: a table of what each needs of the replay, and who writes it. */
#ifndef CLI_EXPORT_FORMAT_H
#define CLI_EXPORT_FORMAT_H

#include "cli/show.h"
#include "export/feed.h"
#include "export/firefox_log.h"
#include "export/lines.h"
#include "export/pprof.h"
#include "export/store.h"
#include "model/fan.h"

struct format;
struct export
{
	struct showing showing; /* first: the setters of show.h take its address */
	/* Set by options. */
	const struct format *format;
	enum pprof_kind profile;
	bool profile_set;
	bool table_set;            /* else the report's rows, */
	enum relation_id relation; /* of csv and jsonl */
	/* Where it goes, and to which folder what is to be kept for a while; set by the command. */
	struct out out;
	const char *folder;
	uint64_t began, lasted; /* set by the run: ns since the Unix epoch, ns */
	/* Filled by the format. */
	struct fan fan;
	struct cells cells;
	struct firefox_log log;
	struct feed feed;
	struct lines lines;
	struct store store;
};

/* Options that not every format has a use for. */
enum format_option {
	OPTION_TABLE = 1 << 0,
	OPTION_PROFILE = 1 << 1,
	OPTION_METRIC = 1 << 2,
	OPTION_BY = 1 << 3,
	OPTION_BY_THREAD =
		1 << 4, /* where there are no rows, threads are told apart all the same */
	OPTION_SORT = 1 << 5,
	OPTION_CLOCK = 1 << 6,
	OPTION_MIN = 1 << 7,
	OPTION_LIMIT = 1 << 8,
	OPTION_TOGETHER = 1 << 9,
	/* All that a report's rows have a use for, but for the clock, where all are in them. */
	OPTIONS_ROWS = OPTION_BY | OPTION_BY_THREAD | OPTION_SORT | OPTION_MIN | OPTION_LIMIT |
		       OPTION_TOGETHER,
};

struct format {
	const char *name, *about;
	unsigned options; /* set of enum format_option: those it has a use for */
	unsigned clocks;  /* that lives are needed in */
	bool cells;       /* whether cells are needed, whatever the table */
	bool binary;      /* not to be read on a terminal */
	bool by_shape;    /* its rows have a shape to filter by */
	/* Before the replay; may be NULL. 0 or an error with a sentence. */
	int (*begin)(struct export *e, struct diag *d);
	/* After it: writes what is left, to e->out. 0 or an error, with a sentence but for the
	 * sink's. */
	int (*put)(struct export *e, struct diag *d);
};

/* Format i, or NULL behind the last. */
const struct format *format_at(size_t i);
/* NULL where there is none of that name. */
const struct format *format_named(const char *name);
/* "collapsed, csv, … or sqlite" */
void format_list(struct buf *out);
/* The names and what they are, for the help. */
void format_help(struct buf *out);
/* A sentence on why these options can't go together; NULL: they can. */
const char *format_conflict(const struct export *e);

/* Replays the trace and writes it to e->out, flushed. 0 or an error; d is empty where it is the
 * sink's. */
int format_run(struct export *e, struct diag *d);

#endif
