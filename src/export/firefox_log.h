/*
 * Births and deaths of followed objects in the order of their telling: what a profile of the
 * Firefox Profiler draws memory from. Bounded: where there are too many, objects are left out by a
 * hash of their number, each with its birth and its death, and the others count for them.
 */
#ifndef EXPORT_FIREFOX_LOG_H
#define EXPORT_FIREFOX_LOG_H

#include "model/replay.h"

struct firefox_event {
	uint64_t time, object; /* ns; the object's number */
	double bytes;          /* that it stands for; negative: a death */
	uint32_t site, thread;
};

struct firefox_log {
	VEC(struct firefox_event) events; /* owned; time only rises */
	size_t most;                      /* events to keep; set before the replay */
	uint64_t seed;                    /* of the hash; set before the replay */
	unsigned level;                   /* one object in 2^level is kept */
};

void firefox_log_release(struct firefox_log *l);
struct listener firefox_log_listener(struct firefox_log *l);
/* What an event's bytes are to be multiplied by: the inverse of the chance to be kept. */
double firefox_log_weight(const struct firefox_log *l);

#endif
