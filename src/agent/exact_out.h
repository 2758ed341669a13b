/*
 * Records of the exact engine, and the trace's numbers of its sites, whose definitions are records
 * too. Where the recorder's blocks are full, writing them out makes room. For the writer thread.
 */
#ifndef AGENT_EXACT_OUT_H
#define AGENT_EXACT_OUT_H

#include "agent/output.h"
#include "agent/recorder.h"
#include "agent/told_sites.h"

/*
 * Writes the blocks that are full, and no other: a name that memory has no room for is asked for
 * with each record, and would make each record a block.
 */
void exact_out_room(struct recorder *r, struct output *o);
void exact_out_put(struct recorder *r, struct output *o, const struct record *record);
/* As told_sites_number; 0: no room even so. */
uint32_t exact_out_site(struct told_sites *t, struct recorder *r, struct output *o, uint32_t site,
	enum place_state *state);

#endif
