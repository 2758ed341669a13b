/*
 * Serial's or Parallel's heap without a VM, of real memory with objects in it: pauses of any number
 * of young and full collections, which move objects and treat their marks as the VM does. It knows
 * of each object how many pauses it has lived through, so it is the oracle for what marks tell.
 */
#ifndef SUPPORT_SIM_SPACES_H
#define SUPPORT_SIM_SPACES_H

#include "base/rng.h"
#include "exact/birth_mark.h"
#include "exact/site_table.h"
#include "hotspot/heap_regions.h"
#include "support/vm_heap.h"
#include "support/vm_spaces.h"

enum {
	SPACES_OBJECTS = 400,             /* there is room for so many in eden, and in old */
	SPACES_KEPT = SPACES_OBJECTS / 8, /* in a survivor space */
	SPACES_WORDS = 4,                 /* of an object */
	SPACES_SITES = 3,                 /* from SITE_FIRST on */
	SPACES_MOST = 3 * SPACES_OBJECTS, /* objects at a time */
	SPACES_AGES = 16,
};

struct spaces_object {
	uint64_t *at;  /* NULL: dead */
	uint64_t lock; /* its mark, while it is locked */
	uint32_t site; /* that its mark has; 0: lost */
	uint32_t age;  /* pauses; in the old generation no more */
	bool old;      /* was promoted in a pause before this one */
};

/* Counts, by site, age and whether promoted: as a census has them. */
struct spaces_counts {
	uint64_t of[SPACES_SITES][SPACES_AGES][2], unknown;
};

struct sim_spaces {
	struct rng rng;
	struct vm_objects objects;
	struct heap_layout layout;
	struct vm_spaces vm;
	uint32_t threshold;  /* from which age on survivors are promoted */
	uint64_t no_threads; /* a list of none */
	const void *thread_list;
	struct spaces_object all[SPACES_MOST];
	size_t count;
	void (*young_begins)(void *arg); /* as the VM is about to copy; NULL: nobody is told */
	void (*full_begins)(void *arg);
	void *arg;
};

void sim_spaces_init(struct sim_spaces *s, uint64_t seed);
/* Objects of all kinds until eden is so full, in percent. */
void sim_spaces_make(struct sim_spaces *s, unsigned percent);
/* What the program lets go of; one in so many of the young ones is kept. */
void sim_spaces_drop(struct sim_spaces *s, unsigned one_in);
/* One collection; a young one is told whether it could move all. A full one follows where not. */
bool sim_spaces_young(struct sim_spaces *s);
void sim_spaces_full(struct sim_spaces *s);
/* The pause is over: all that live have lived through one more. Adds to the counts what has, in the
 * young generation and newly promoted; with a site, or unknown where marks were made anew. */
void sim_spaces_end(struct sim_spaces *s, struct spaces_counts *counts);

#endif
