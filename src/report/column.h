/* The columns of a report: one table for the screen and for CSV. */
#ifndef REPORT_COLUMN_H
#define REPORT_COLUMN_H

#include "report/view.h"

enum column_when { WHEN_GC = 1, WHEN_FLOW = 2, WHEN_BOTH = 3 };

/* What becomes of it where the screen is narrow: the first to be left out, or made smaller. */
enum column_room { ROOM_KEPT, ROOM_FIRST, ROOM_SECOND, ROOM_THIRD, ROOM_LAST, ROOM_GIVES };

struct column {
	const char *csv, *head[2];
	bool right;
	enum column_room room;
	enum column_when when;
	/* Appends the cell as the screen has it; nothing: an empty cell. */
	void (*put)(struct buf *out, const struct view *v, const struct row *r);
	double (*number)(const struct view *v, const struct row *r);
	void (*text)(struct buf *out, const struct view *v, const struct row *r);
};

/* Column i, or NULL behind the last. */
const struct column *column_at(size_t i);
/* Whether this view has it. */
bool column_in(const struct column *c, const struct view *v);
/* The head's line (0, 1) for this view. */
const char *column_head(const struct column *c, const struct view *v, int line);
/* The head where the class has a column before: MADE AT, or what else the rows are by. */
const char *column_made_at(enum by by);

/* The share of the row's lives, as this view counts them, that outlives t: collections, bytes or
 * ns. All NaN where the row says too little. */
struct curve_point column_outlives(const struct view *v, const struct row *r, uint64_t t);

/* Why nothing can be said of a row, though there were collections: doc/metrics.md, "Evidence". */
enum doubt {
	DOUBT_NONE,
	DOUBT_LARGE,  /* most of its bytes: too large to be followed */
	DOUBT_FEW,    /* samples */
	DOUBT_UNSEEN, /* too few of them by a GC */
	DOUBT_UNEVEN, /* a few weigh more than the rest */
	DOUBTS
};
enum doubt column_doubt(const struct view *v, const struct row *r);

/* Appends "99.8 ±0.1 %" for shares of 1; half: half the width of the interval, 0 or NaN: left out.
 * "?" where it is not known, "–" for nothing. */
void put_percent(struct buf *out, const struct look *look, double share, double half);

#endif
