/*
 * A made-up program for tests and benches: sites whose objects live as told, a collector, and
 * the agent that would have recorded it. Every step is one sample, so that a trace of any size is
 * quick to make; the same seed makes the same trace.
 */
#ifndef SUPPORT_SIM_H
#define SUPPORT_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/record.h"

enum { SIM_FRAMES = 8 };
#define SIM_FOREVER UINT32_MAX

struct sim_site {
	const char *class;
	const char *frames[SIM_FRAMES]; /* "com.acme.Order.parse:12", the allocating one first; NULL
					   ends */
	uint64_t size;                  /* bytes of an object */
	unsigned rate;                  /* samples of this site, in proportion to the others' */
	unsigned infant;                /* per cent that die in their first collection */
	uint32_t least, most;           /* collections that the others survive; SIM_FOREVER */
};

struct sim_text {
	const char *key, *value;
};

/* From sample `from` to sample `to` the program allocates `times` as fast; what is added is of one
 * site. */
struct sim_burst {
	uint64_t from, to;
	unsigned site, times;
};

struct sim {
	const struct sim_site *sites;
	unsigned count;
	const struct sim_text *facts; /* ends with a NULL key */
	const char *const *notes;     /* ends with NULL; or NULL */
	uint64_t seed, samples;       /* how many samples to make */
	uint64_t interval, walk, track;
	uint64_t gc_bytes;   /* allocated between two collections; 0: none happens */
	uint64_t full_every; /* every so many collections one of the whole heap; 0: none */
	uint32_t promote;    /* collections survived in the young generation; after one more, only
				whole collections find it dead */
	bool old_only;       /* only whole collections find any dead */
	uint32_t young_role,
		full_role; /* enum collector_role; young_role 0: all are of full_role */
	bool untold;       /* the VM does not tell what kind a collection is of */
	uint64_t bytes_per_s;
	uint64_t lost;          /* samples to have lost */
	unsigned untrack;       /* per cent of the tracked that are let go at some time */
	unsigned threads;       /* 1 if 0 */
	bool no_end;            /* as if killed */
	struct sim_burst burst; /* times 0: none */
	uint64_t follow_max;    /* larger objects are not followed; 0: all are */
	/* What a collection takes, and for each byte copied. Not 0: the collector tells heap sizes
	 * and its threshold, `promote`, and pauses are within a tenth of that. */
	uint64_t gc_ns;
	double copy_ns;
	/* Told of each birth: the collections that the object will truly survive. May be NULL. */
	void (*truth)(void *arg, uint64_t id, uint32_t age);
};

typedef int sim_put(void *arg, const struct record *r);
/* Makes the trace's records, in order. 0, ERR_NOMEM or what `put` returned. */
int sim_run(const struct sim *s, sim_put *put, void *arg);

#endif
