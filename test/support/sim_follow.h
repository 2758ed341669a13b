/*
 * The simulated heap followed by the exact engine's core, step by step, with what the agent would
 * write: chunks as they stand in a trace, by step. The heap's objects say `followed` for those that
 * a reader of the chunks must know.
 */
#ifndef SUPPORT_SIM_FOLLOW_H
#define SUPPORT_SIM_FOLLOW_H

#include "base/buf.h"
#include "exact/chunk_seal.h"
#include "exact/follow.h"
#include "support/sim_heap.h"
#include "trace/format.h"

struct sim_follow_setting {
	struct sim_rules rules;
	uint32_t chunks, reserve, words;
	uint64_t residents, identities;
	uint32_t slow;       /* the writer gives chunks back one time in so many; 0: at once */
	uint32_t unseen;     /* one collection in so many is not seen; 0: none */
	bool sizeless;       /* nobody tells how large arrays are */
	uint32_t checkpoint; /* one step in so many is followed by one, due or not; 0: none */
};

enum sim_step { SIM_YOUNG, SIM_FULL, SIM_CLEANUP, SIM_CLOSED };

struct sim_follow {
	struct sim_follow_setting setting;
	struct sim_heap heap;
	struct chunk_pool pool;
	struct follow follow;
	struct chunk *kept; /* by a slow writer */
	uint64_t young;     /* the clock */
	uint64_t lost;      /* births */
	uint64_t checkpoints;
	struct map survivors; /* addresses before the step */
	VEC(struct event) forgotten;
	/* Called for each chunk that the agent would write, with the payload of its block; may be
	 * NULL. */
	void (*chunk)(void *arg, enum block_kind kind, uint32_t events, struct slice payload);
	/* Called after each step; heap.all tells what stands. */
	void (*step)(void *arg, enum sim_step step);
	/* Site ids in the trace. NULL: the same. */
	chunk_site *site;
	void *arg;
};

/* The thread that the trace tells of. */
uint64_t sim_follow_thread(const struct sim_follow *s, const struct sim_object *o);
/* Set chunk, step, site and arg afterwards. */
void sim_follow_init(struct sim_follow *s, const struct sim_follow_setting *setting, uint64_t seed);
/* The program runs for a while, then there is a step or two. */
void sim_follow_step(struct sim_follow *s);
/* The end of the recording. */
void sim_follow_close(struct sim_follow *s);
void sim_follow_release(struct sim_follow *s);

#endif
