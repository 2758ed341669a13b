/*
 * What a recording tells tenure's learner (src/tenure): births, deaths and collections, as they go
 * into the trace. Everything here is protected by the recorder's lock, and called by it.
 */
#ifndef AGENT_LEARNING_H
#define AGENT_LEARNING_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/heap_fill.h"
#include "agent/marking.h"
#include "agent/stacks.h"
#include "agent/vm_threads.h"
#include "base/vec.h"
#include "options/options.h"
#include "tenure/learner.h"
#include "tenure/old_held.h"
#include "tenure/round.h"
#include "trace/record.h"

enum { LEARNING_PASSES = 64, LEARNING_CALLS = 64 };

struct learning {
	struct learner *learner; /* owned */
	struct round round;      /* the one under way */
	struct vm_threads threads;
	VEC(char *) classes;              /* by class id - 1: signature, or NULL; owned */
	uint64_t passes[LEARNING_PASSES]; /* methods that make objects for their callers */
	uint32_t pass_count;
	struct place calls[LEARNING_CALLS]; /* that give back what jumps */
	uint32_t call_count;
	uint64_t samples;     /* births told of, in this round */
	uint32_t round_count; /* collections that moved the young clock in it */
	bool in_pause;        /* the last one's is not told to its end: no round ends there */
	/* As the last collection of each kind left it. */
	uint64_t alloc, cpu, young;
	struct heap_fill fill;
	struct marking marking;
	struct ns marked;       /* CPU of its threads, as the last pause began */
	uint64_t old;           /* 0: not known yet */
	bool chooses_first;     /* G1: the threshold told of a collection is the one it had, and
				   not the next one's */
	uint32_t threshold;     /* in force in the next collection, as far as it is known */
	uint64_t survivors;     /* bytes that the last one left young */
	struct age_table ages;  /* the same by age, where the VM tells */
	uint32_t shrunk;        /* collections in which survivor spaces may be too small still */
	struct young_room room; /* but for what is held */
	struct old_held held;
};

/* What is sampled for it where nobody asked for something else; right after the options were read.
 */
void learning_defaults(struct options *o);
/* slots: the live table's room. humongous: bytes from which on objects are never copied. threshold:
 * the VM's bound. heap: the most that it may have; 0: not known. 0, ERR_NOMEM, ERR_LIMIT. */
int learning_init(
	struct learning *l, uint32_t slots, uint64_t humongous, uint32_t threshold, uint64_t heap);
void learning_release(struct learning *l);

/* A class was given this id. */
void learning_class(struct learning *l, uint32_t id, const char *signature);
/* Whether such objects are known by name to refer to nothing. */
bool learning_is_leaf(const char *signature);
/* Its signature; NULL: not known. Valid until learning_release. */
const char *learning_signature(const struct learning *l, uint32_t id);

struct lesson {
	uint32_t class_id;
	const struct stack_frame *stack;
	uint32_t depth;
	uint64_t size, young;
	double weight; /* bytes that it stands for */
};
/* The place is the nearest frame that is bytecode, of a method that does not make objects for its
 * callers: above it are native methods, and such as Arrays.copyOf. */
void learning_birth(struct learning *l, uint32_t slot, const struct lesson *lesson);
/* From now on that method's callers are the places of what it makes. */
void learning_pass(struct learning *l, uint64_t vm_method);
/* A decision is for what that call gives back: what is made below it, of that class, is the call's
 * from now on. Beyond LEARNING_CALLS it is not known. */
void learning_call(struct learning *l, const struct place *at);
/* A pause begins. */
void learning_begins(struct learning *l);
/* gc: as it goes into the trace; the rest as in struct collection. */
struct lesson_gc {
	const struct record_gc *gc;
	bool young, full, more, failed;
	uint64_t young_bytes, promoted, survivors;
};
void learning_collection(struct learning *l, const struct lesson_gc *lesson);

/* A round is over: what was seen is copied out, and the next begins. s: by snapshot_init with
 * learner_rows. */
void learning_round(struct learning *l, struct snapshot *s, struct round *out);
/* What was seen so far, of a round that goes on; and the same as its end. Without what its last
 * collection found, which may not all have been told of yet. */
void learning_peek(struct learning *l, struct snapshot *s, struct round *out);
void learning_cut(struct learning *l, struct snapshot *s, struct round *out);

#endif
