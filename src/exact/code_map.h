/*
 * Where in the program's source a place in compiled code is: the inline records that the VM gives
 * with each compiled method (JVMTI CompiledMethodLoad), kept as a tree of inlined calls: all places
 * in the same inlined body of a method share a node, and a place has its own bytecode position.
 * Bounded: beyond CODE_MAP_NODES calls or CODE_MAP_RECORDS places nothing is added, and that is
 * counted (Kotlin's compiler takes a third and a half of that for eight files). Calls in code that
 * is gone are let go where the room gets short.
 *
 * Which record is a call's: the one at the return address, else the next after it. Probes in C2's
 * code have none of their own (doc/jvm.md, "Where the site comes from"). JDK 11's compiler leaves
 * stale notes at the return address of a call without a safepoint: there it is always the next.
 *
 * Protected by its lock; nothing here calls the VM.
 */
#ifndef EXACT_CODE_MAP_H
#define EXACT_CODE_MAP_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/slots.h"
#include "base/vec.h"

enum { CODE_MAP_NODES = 1 << 19, CODE_MAP_RECORDS = 1 << 21, CODE_MAP_DEPTH = 32 };

struct code_frame {
	uint64_t method; /* jmethodID */
	int32_t bci;
};

/* One place of a compiled method as it is given: frames leaf first, at most CODE_MAP_DEPTH kept. */
struct code_place {
	uintptr_t pc;
	const struct code_frame *frames;
	uint32_t depth;
};

struct code_record {
	uint32_t offset; /* from the code's start */
	uint32_t node;   /* the leaf's; 0: none */
	int32_t bci;     /* in the leaf */
};

struct code_range {
	uintptr_t begin, end;
	uint64_t method;             /* whose code it is */
	struct code_record *records; /* owned; by rising offset */
	uint32_t count;
	uint32_t stamp; /* no two that were ever there have the same */
};

struct code_node {
	uint64_t method; /* jmethodID */
	uint32_t parent; /* the caller, which came before it; 0: none */
	int32_t call;    /* where in the caller it is called; 0 where there is none */
};

struct code_map {
	pthread_mutex_t lock;
	VEC(struct code_range) ranges; /* by rising begin; they don't overlap */
	VEC(struct code_node) nodes;   /* from 1 */
	struct slots index;            /* of nodes */
	uint32_t record_count;
	uint32_t gone;    /* records of code that went, since the nodes of such were last let go */
	uint32_t stamps;  /* given */
	uint64_t refused; /* compiled methods that found no room */
};

void code_map_init(struct code_map *m);
void code_map_release(struct code_map *m);

/* A compiled method, its places by rising pc; it replaces what stood there. 0, ERR_NOMEM, ERR_FULL.
 */
int code_map_add(struct code_map *m, uintptr_t begin, uintptr_t size, uint64_t method,
	const struct code_place *places, uint32_t count);
void code_map_remove(struct code_map *m, uintptr_t begin);

/*
 * The frames of a place, leaf first, with `after` only those behind it: how many went to out; 0:
 * nothing is known of that code (yet), or its frames found no room. Where the code is known but has
 * no record, its method with bci -1. *method: whose code it is.
 */
uint32_t code_map_frames(struct code_map *m, uintptr_t pc, bool after,
	struct code_frame out[CODE_MAP_DEPTH], uint64_t *method);

/* Tells the code at pc from all other that stood, or will stand there; 0: none is known. *method:
 * whose code it is. */
uint32_t code_map_stamp(struct code_map *m, uintptr_t pc, uint64_t *method);

/*
 * The frames of a record beside the place: step 0 is the one at it, or the next after; 1 the one
 * after that, -1 the one before. 0: there is none. *common: the compiler gives these frames to much
 * of the method's code, as it does where it has lost track: they mean nothing.
 */
uint32_t code_map_near(struct code_map *m, uintptr_t pc, int step,
	struct code_frame out[CODE_MAP_DEPTH], bool *common);

/*
 * The frames of the first record from the address on, in the code that holds it; *at: the record's
 * own address. 0: there is none.
 */
uint32_t code_map_next(
	struct code_map *m, uintptr_t pc, uintptr_t *at, struct code_frame out[CODE_MAP_DEPTH]);

#endif
