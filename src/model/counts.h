/*
 * What the exact engine counted, summed up by site: doc/metrics.md, "Exact counts". Memory grows
 * with the sites and the ages that occur, not with the length of the trace.
 */
#ifndef MODEL_COUNTS_H
#define MODEL_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "model/odd.h"
#include "trace/record.h"

enum { COUNTS_AGES = 16 }; /* collections survived that are told apart: the last is 16 or more */
#define COUNTS_MOST (1ull << 62) /* sums stop there */

enum counts_kind {
	COUNTS_YOUNG,
	COUNTS_MIXED,
	COUNTS_FULL,
	COUNTS_OTHER,
	COUNTS_FOLLOWED,
	COUNTS_KINDS
};

enum { COUNTS_WALKED = 1 }; /* of an exact_gc's flags */

struct quantity {
	uint64_t objects, bytes;
};
void quantity_add(struct quantity *q, struct quantity more);
/* What is left of q without `part`; nothing where it is more. */
struct quantity quantity_less(struct quantity q, struct quantity part);

/*
 * The objects of a site that have survived k collections. What came to age k goes from it:
 * survived(k - 1) + entered(k) = risk(k) + lost(k) + young(k), births in place of survived(-1).
 */
struct age_counts {
	struct quantity young; /* stand in the young generation now */
	/* Summed over the collections accounted for: those that it looked at, those of them that
	 * then stood in the young generation, and those that it promoted. The rest died. */
	struct quantity risk, survived, promoted;
	struct quantity lost;    /* stood there when a collection came that does not tell */
	struct quantity entered; /* told of by a collection, and not known before */
	/* Of the collection whose accounts are being read: told to stand, told to be promoted. */
	struct quantity lived, moved;
};

/* births = died + promoted + outside + young of all ages + lost - found, at any time. */
struct site_counts {
	uint32_t site; /* index */
	bool active;   /* in exact.active */
	struct quantity births, died, promoted, lost;
	struct quantity found; /* told of by a collection, and not known before */
	/* Born outside of the young generation: no young collection looks at them. Of them, those
	 * that a collection accounted for came after. */
	struct quantity outside, outside_met;
	struct quantity outside_new; /* of `outside`: since the last */
	struct quantity old;         /* stood in the old generation … */
	uint64_t old_young;          /* … when the young clock was there; 0: not told */
	VEC(struct age_counts) ages; /* owned; element k: k collections survived, 0 … COUNTS_AGES */
};

/* What became of its births: they sum up to them. Of what was found more than was lost is of before
 * births were told, and in none of these: it is taken to stand, to be promoted, to be dead, in this
 * order. */
struct site_fates {
	struct quantity died, young, promoted, outside, lost;
};
struct site_fates counts_fates(const struct site_counts *s);

struct audit_counts {
	uint64_t count, walked, seen, attributed, walked_bytes, seen_bytes;
	uint64_t fillers, filler_bytes; /* left out of the walk: some may be of those seen */
};

/* Births that were counted by their call path. */
enum { COUNTS_ENDS = 6 };
struct walk_counts {
	uint64_t every; /* one birth in so many; 0: none */
	uint64_t walks, refused, unnamed;
	uint64_t ends[COUNTS_ENDS]; /* by why a walk ended: trace-format.md, 8.1 */
};

/* Whether more than a hundredth of them found no room for their paths. */
static inline bool walk_counts_short(const struct walk_counts *w)
{
	return w->refused > w->walks / 100;
}

struct counts {
	VEC(struct site_counts) sites; /* owned */
	VEC(uint32_t) by_site;         /* index of a site → 1 + where it is in `sites`; 0 none */
	VEC(uint32_t) active;   /* in `sites`: what is told of, or stands in the young generation */
	struct quantity births; /* of all sites */
	/* As the collections accounted for say. */
	uint64_t collections, kinds[COUNTS_KINDS];
	struct quantity told, survivors, promoted, unknown;
	/* Of `unknown`: what is neither older than the recording nor than a full collection, for
	 * these are too long ago for anything young. Their marks were taken. Mixed collections are
	 * left out: they move what is old too, where there always are some without a site, if only
	 * those of the JDK's archive, and so are those that could not evacuate all. And what had
	 * its site in the collections looked at. */
	struct quantity astray, sited;
	bool keeps_marks; /* what can't be evacuated keeps its mark (JDK 24 and later); of the
			     caller */
	/* Else of `unknown`: of collections that could not evacuate all. What they leave where it
	 * is gets a new mark, which can't be told from what had no site before. Where too many were
	 * found so nothing is taken of the deaths; such collections are `stripped`, and not in it.
	 */
	struct quantity stuck;
	uint64_t stripped;
	bool begins;     /* the next account is the first behind counts_begin */
	uint64_t veiled; /* the young clock at the last of these, or of `walked` */
	uint64_t walked; /* collections before which another tool had walked the heap */
	uint64_t failed;
	uint64_t behind; /* full collections behind one that failed: `unknown` lacks their losses */
	uint64_t cost, cost_most;  /* ns: of all, of one */
	struct audit_counts audit; /* sums */
	struct walk_counts walks;  /* the same */
	uint64_t young;            /* the clock after the last collection accounted for */
	uint64_t unaccounted;      /* collections of the young clock */
	uint64_t old_young;        /* the clock when site_old was told last; 0: never */
	/* The trace's begin was forgotten: the first account is of before, and so are those up to
	 * the clock of `open_young`. `torn`: not all of the first is there. `unseen`: what stood
	 * before the next is not known. */
	bool opening, opened, torn, unseen;
	uint64_t open_young;
};

void counts_release(struct counts *e);
/*
 * The trace's begin was forgotten, with the young clock at `young`. Of the account that comes
 * first, and of all up to that clock, counts only what stands after the last of them, and where not
 * all of the first is there (torn), not even that.
 */
void counts_forgotten(struct counts *e, uint64_t young, bool torn);
/* Whether the account of the collection that brings the clock to `young` is one of those. */
static inline bool counts_opens(const struct counts *e, uint64_t young)
{
	return e->opening && (!e->opened || young <= e->open_young);
}
/* Take a record; `site` is the index of its site. 0 or ERR_NOMEM. */
int counts_births(struct counts *e, uint32_t site, const struct record_site_births *r);
/* All that were taken of a site. */
struct quantity counts_births_of(const struct counts *e, uint32_t site);
int counts_ages(struct counts *e, uint32_t site, const struct record_site_ages *r);
int counts_old(struct counts *e, uint32_t site, const struct record_site_old *r);
void counts_audit(struct counts *e, const struct record_audit *r);
void counts_walks(struct counts *e, const struct record_walks *r);
/* Births are told from the end of the collection that had brought the young clock to this on.
 * Before the first account; again, or where the trace's begin was forgotten: nothing. */
void counts_begin(struct counts *e, uint64_t young);
/* Whether the sites of what stood in the young generation are known at its end: a full collection
 * makes marks anew, and another tool's heap walk does. */
static inline bool counts_tell(const struct record_exact_gc *r)
{
	return r->kind != COUNTS_FULL && !(r->flags & COUNTS_WALKED);
}
/* Ends the accounts of a collection. What does not add up is counted in `odds`. */
void counts_gc(struct counts *e, const struct record_exact_gc *r, struct odds *odds);
/* The trace ended with the young clock at `young`. */
void counts_end(struct counts *e, uint64_t young, struct odds *odds);

/* Whether anything was counted. */
static inline bool counts_any(const struct counts *e)
{
	return e->births.objects || e->collections;
}
/* What stands in the young generation, of all ages. */
struct quantity counts_young(const struct site_counts *s);

#endif
