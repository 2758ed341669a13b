/*
 * Lays what the exact engine counted over what was sampled: estimates are scaled to the counts of
 * their leaf (class and allocating line, and callers where inlining tells them), so that totals are
 * exact and only the split among callers is an estimate. doc/metrics.md, "Exact totals". How one
 * account is scaled is leaf_scale.h, what a part of a leaf is known by leaf_share.h.
 */
#ifndef ANALYZE_LEAF_H
#define ANALYZE_LEAF_H

#include "analyze/notes.h"
#include "analyze/tally.h"
#include "base/vec.h"

struct ledger;

/* All that is allocated of one class at one bytecode, by one caller of it where the engine tells
 * each one's; of a class, where the line is not known; or of all that no sample is of, where
 * threads are told apart. */
struct leaf_counts {
	/* young: alive in the young generation; alive anywhere, where events tell it. */
	struct quantity births, died, young;
	struct quantity infant, outlived; /* of those that met a collection accounted for */
	/* At which no collection that tells looked while they were young: born outside of the young
	 * generation, lost from sight, or let go. */
	struct quantity unlooked;
	/* Of these, those that samples follow no more than collections do: large objects of G1's,
	 * by headers. */
	struct quantity unseen;
	struct quantity stayed; /* of those that outlived one: in the young generation */
};

/* An amount by objects and bytes, as estimates have it. */
struct amount {
	double objects, bytes;
};

static inline struct amount amount_of(struct quantity q)
{
	return (struct amount){(double)q.objects, (double)q.bytes};
}

struct leaf {
	struct leaf_counts counts;
	bool untold; /* of some births it was not counted whether they outlived their first
			collection, or met none */
	struct tally *sampled;  /* the sums of its accounts, without lives; NULL: it has none, as
				   nine of ten have in a large program; owned */
	struct counted counted; /* its lives, until an account takes them; owned */
	uint32_t parts;         /* accounts */
	uint32_t lead;          /* 1 + the account that stands for it; 0 none yet */
	/*
	 * Where nearly all that was counted at a place comes with its caller, the callers and the
	 * rest are leaves of a group: 1 + the leaf of the rest. What was counted of the rest
	 * (`shared`) is dealt out among them all as the samples are: `weight` is the share of each.
	 */
	uint32_t group;
	struct amount weight;
	struct quantity shared;
	bool dealt; /* of the leaf of the rest: it was */
	/* Some births of the group were walked: it is dealt out as these are, and each of its
	 * leaves has an account of its own. */
	bool walked;
	struct quantity told; /* births that were walked: there are no fewer */
	struct amount walks; /* of the leaf of the rest: how many, and as how many count by bytes */
};

/* What its accounts sum up to. */
static inline const struct tally *leaf_sampled(const struct leaf *leaf)
{
	static const struct tally none = {.counted = {0}};
	return leaf->sampled ? leaf->sampled : &none;
}

/* What was promoted, born outside of the young generation or lost from sight may live or be dead.
 * Where events tell of each object these are only those that were let go. */
static inline struct quantity leaf_rest(
	struct quantity births, struct quantity died, struct quantity young)
{
	return quantity_less(quantity_less(births, died), young);
}

struct leaves {
	VEC(struct leaf) list; /* owned */
	VEC(uint32_t) of;      /* account → 1 + its leaf; 0: it was not counted */
	VEC(uint32_t) counts; /* site of the model's counts, by its place there → the same; owned */
	struct total uncounted; /* allocated, by samples, where nothing was counted */
	/* Where threads are told apart: counted where nothing was sampled, and dealt out. */
	struct quantity unsampled;
};

void leaves_release(struct leaves *l);
/* To be called once, on a settled ledger, with its `endings` set where there are any. Without exact
 * counts in the model nothing changes. Accounts may go away: of lines where nothing was counted and
 * nothing sampled since counts begin. 0 or ERR_NOMEM. */
int leaves_lay(struct ledger *l, const struct model *m);
/* The same of a part of the run, on a ledger whose `alloc` are objects found dead: `births` of
 * `deaths` are how many were, of each site of the model's counts in their order, `risk` of age 0
 * those of them that the first collection found. Lives are the samples'. */
int leaves_lay_deaths(struct ledger *l, const struct model *m, const struct counts *deaths);
/* Whether nearly all was counted: what all did is then what was counted. */
bool leaves_whole(const struct ledger *l);
/* What an account's leaf counted was dealt out to the paths that were walked there: what it still
 * has are the lives of all that were not walked, of whatever caller. */
bool leaves_stray(const struct ledger *l, size_t account);
/* Gives the sum of all accounts its interval: what was counted is sure. */
void leaves_sum(const struct ledger *l, struct total *all);
/* Adds what a reader must know of it. 0 or ERR_NOMEM. */
int leaves_notes(struct notes *n, const struct ledger *l);
/* Of that, only what was sampled where nothing was counted. 0 or ERR_NOMEM. */
int leaves_note_uncounted(struct notes *n, const struct ledger *l);
/* Of that, only why events that are there tell of no deaths. 0 or ERR_NOMEM. */
int leaves_note_no_endings(struct notes *n, const struct ledger *l);

#endif
