/*
 * The recorder's side of tenure's learning: who is told of births, deaths and collections, and what
 * it is asked. All of it under the recorder's lock, by which `learning` is protected.
 */
#ifndef AGENT_RECORDER_LESSONS_H
#define AGENT_RECORDER_LESSONS_H

#include "agent/recorder.h"

/* From now on l is told; NULL: nobody is. */
void recorder_learn(struct recorder *r, struct learning *l);
/* Whether a round of that many young collections is over: then as learning_round. False where
 * nobody learns. */
bool recorder_round(
	struct recorder *r, uint32_t collections, struct snapshot *s, struct round *out);
/* Whether it would. */
bool recorder_round_is_over(struct recorder *r, uint32_t collections);
/* Collections of the round that goes on; 0 where nobody learns. */
uint32_t recorder_round_so_far(struct recorder *r);
/* If the round that goes on has more collections than so many: as learning_peek. */
bool recorder_peek(struct recorder *r, uint32_t than, struct snapshot *s, struct round *out);
/* The round that goes on is over: as learning_cut. False where nobody learns. */
bool recorder_end_round(struct recorder *r, struct snapshot *s, struct round *out);
/* As learner_jump. */
void recorder_jump(struct recorder *r, const struct place_context *at, bool on);
/* As learning_pass, and learning_call. */
void recorder_pass(struct recorder *r, uint64_t vm_method);
void recorder_call(struct recorder *r, const struct place *at);
/* The places of objects with these tags, as they are learnt; all zeros where there is none. */
void recorder_places(struct recorder *r, const int64_t *tags, uint32_t count, struct place *out);
/* The signature of a class, copied; false where it is not known, or too long. */
bool recorder_signature(struct recorder *r, uint32_t class_id, char *out, size_t room);
/* Looks for new threads of the collector and of the compilers, for a recorder that someone learns
 * from. */
void recorder_find_threads(struct recorder *r);

#endif
