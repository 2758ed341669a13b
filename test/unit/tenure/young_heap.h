/*
 * A simulated generational heap: objects one by one, with an age, in eden, in survivor spaces of
 * bounded size, or old; places whose objects die by a given law. What the collector does is told to
 * a learner as the agent would tell it. The same program comes out of the same seed, whatever
 * the levers do.
 */
#ifndef TENURE_YOUNG_HEAP_H
#define TENURE_YOUNG_HEAP_H

#include "base/rng.h"
#include "base/vec.h"
#include "tenure/cost.h"
#include "tenure/learner.h"
#include "tenure/round.h"

enum { HEAP_PARTS = 3, HEAP_LAWS = 16, HEAP_SLOTS = 1 << 17 };

/* Lifetimes: with this probability uniform between least and most, in edens allocated (as large as
 * they were at the start). */
struct heap_part {
	double probability, least, most;
};
struct heap_law {
	double share; /* of the bytes allocated */
	uint32_t size;
	struct heap_part part[HEAP_PARTS];
	uint32_t flags;  /* SNAPSHOT_LEAF … */
	uint32_t method; /* 0: a place of its own, by its number */
	struct place_frame caller[PLACE_CALLERS];
};

struct heap_object {
	double death; /* of the clock */
	uint32_t slot, size;
	uint32_t born; /* the young clock then */
	uint8_t law, age;
};

struct young_heap {
	const struct heap_law *laws;
	uint32_t law_count;
	double eden, survivor; /* bytes; survivor: 0: boundless */
	double unit;           /* of lifetimes, bytes; 0: eden */
	bool adaptive;
	uint32_t lone; /* of so many collections one lets all stay young, the others what survived
			  none; 0: the bound holds in all */
	uint32_t most, threshold, reference; /* bound; in force; what `early` is measured by */
	uint64_t interval;                   /* of sampling; 0: every object */
	struct learner *learner;             /* may be NULL */
	uint32_t mark_every;                 /* collections; 0: never */
	uint32_t mark_takes;                 /* so many of them end while it goes on */
	uint32_t mixed_until;  /* after a marking: so many are mixed, and look at a part each */
	uint32_t full_every;   /* of so many one is a full one: all is old; 0: none */
	bool apart;            /* it is none in the pause of a young one that finds no room */
	bool tables;           /* the VM has an age table */
	struct cost cost;      /* of what it copies */
	double slow;           /* times the CPU; 0: once */
	double noise, outlier; /* of the CPU: relative; probability of 10 times as much */
	double card;           /* ns for each byte promoted last */
	uint32_t late;         /* of ten collections, in a row, tell of deaths only with the next */
	double most_old, mark; /* bytes of old that have it marked, 0: none; ns for each of them */

	bool jump[HEAP_LAWS], rests;
	double clock, full; /* bytes; full: when eden is */
	uint64_t young;
	struct rng births, samples, cpu;
	VEC(struct heap_object) objects, old, untold;
	uint32_t *spare; /* slots */
	uint32_t spare_count;
	double marking_cpu; /* ns, of the marking since the last collection */
	size_t old_before;  /* objects, as the last collection began */
	struct heap_marking {
		double clock;  /* as it began: who died since is not found dead */
		size_t old;    /* objects that it looks at */
		uint64_t ends; /* with that collection; 0: none goes on */
	} marking;
	uint64_t marked;   /* the clock as the last one ended */
	size_t candidates; /* objects that mixed collections look at: that it looked at */
	uint64_t looked;   /* births before that have been looked at */
	struct round_collection last;
	struct age_table ages; /* as it left survivor spaces */
	/* Since it was cleared. */
	struct heap_sums {
		/* `blind`: of what was allocated, before full collections */
		double allocated, copied, copied_objects, recopied, promoted, early, survivors,
			blind;
		/* Bytes found dead in old at an age of 2 … reference; and collections whose births
		 * were looked at for the first time at such an age. */
		double found;
		uint64_t births;
		uint64_t collections;
	} sum;
};

void young_heap_init(
	struct young_heap *h, const struct heap_law *laws, uint32_t count, uint64_t seed);
void young_heap_release(struct young_heap *h);
/* Fills eden and collects. */
void young_heap_cycle(struct young_heap *h);
/* Whether the last collection was a full one. */
bool young_heap_was_full(const struct young_heap *h);
struct place_context young_heap_place(const struct young_heap *h, uint32_t law, uint32_t depth);
/* Laws whose objects that context takes in jump, or not any more. */
void young_heap_jump(struct young_heap *h, const struct place_context *at, bool on);

#endif
