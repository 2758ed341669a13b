/* The analysis behind `mayfly report`: rows of places, by how much they allocate and how long it
 * lives. */
#ifndef ANALYZE_LIFETIME_H
#define ANALYZE_LIFETIME_H

#include "analyze/row.h"
#include "analyze/where.h"

enum sort {
#define SORT(name, word, of, help) SORT_##name,
#include "analyze/sort.def"
#undef SORT
	SORT_COUNT
};
/* The word of --sort, and what it sorts by. */
const char *sort_word(enum sort sort);
const char *sort_help(enum sort sort);

struct query {
	enum by by;
	enum sort sort;
	bool split;      /* BY_SITE: tell callers apart where lives differ */
	double least;    /* rows below this share of what is sorted by are left out */
	size_t limit;    /* rows at most; 0: all */
	unsigned clocks; /* set of enum clock to solve */
	struct where where;
};

/* Whether the ledger must tell threads apart for this query. */
bool query_by_thread(const struct query *q);

struct lifetimes {
	const struct model *model; /* borrowed */
	enum by by;
	VEC(struct row) rows;  /* solved and sorted, largest first */
	size_t hidden;         /* rows that are too small or over the limit */
	bool limited;          /* some of them by the limit */
	double hidden_largest; /* the largest share among them */
	double hidden_share;   /* of what is sorted by: all of them together */
	struct total alloc;    /* of the whole trace, whatever the filter */
	struct curve outlived; /* weighted by bytes, over all: the point at 1 is the share that
				  outlived a collection */
	double known; /* share of all bytes that stand behind that point: a collection was seen
			 to keep them, or to find them dead */
};

/* *out is overwritten, to be given to lifetimes_release. 0 or ERR_NOMEM. */
int lifetimes_find(struct lifetimes *out, const struct model *m, const struct ledger *l,
	const struct query *q);
void lifetimes_release(struct lifetimes *l);
/* The curve `outlived` and `known` alone, of a ledger that is settled; 0 or ERR_NOMEM. *out is
 * overwritten, to be given to curve_release. */
int lifetimes_outlived(
	struct curve *out, double *known, const struct model *m, const struct ledger *l);
/* What of the row is sorted by, in bytes. */
double lifetimes_sorted_by(const struct row *r, enum sort sort);

#endif
