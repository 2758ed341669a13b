/*
 * A call path of the exact engine's on its way to a name: places in code (hotspot/java_stack.h)
 * become methods and bytecodes once the VM has told of all the code in it (exact/code_map.h).
 * Which code that was is remembered by its stamp: what went before it was named is never taken for
 * what came in its place.
 */
#ifndef AGENT_CALL_PATH_H
#define AGENT_CALL_PATH_H

#include "agent/stacks.h"
#include "agent/probe_records.h"
#include "exact/code_map.h"
#include "hotspot/java_stack.h"

#define CALL_PATH_LOST UINT32_MAX /* the stamp of code that went before it was named */

struct path_frame {
	uintptr_t at;         /* the return address in compiled code; 0: else */
	uint64_t method;      /* the Method's id, else */
	uintptr_t address;    /* and the Method */
	int32_t bci;          /* of it; -1: native, or not known */
	uint32_t stamp;       /* of the code at `at`; 0: not told of yet */
	uint32_t compilation; /* the VM's number for that code */
};

/* What a Method on a thread's stack is known by: a hash of its address, of what tells it from
 * another that stands there later (method_key.h), and of how often others may have come there. No
 * jmethodID is as great. 0 of 0. */
uint64_t call_path_method(const struct probe_records *r, uintptr_t method);

struct call_path {
	uint32_t count;
	bool probe;      /* the first is where a probe in compiled code returns to */
	bool cut;        /* the walk did not reach the end */
	uintptr_t klass; /* of the objects */
	struct path_frame *frames;
};

/* Of a Method of the path, by its id; 0: it has none of that id. */
uintptr_t call_path_address(const struct call_path *path, uint64_t id);

/* For one on the stack. */
struct call_path_room {
	struct call_path path;
	struct path_frame frames[JAVA_STACK_MAX];
};

/* What was just walked by this thread, in `room`. */
struct call_path *call_path_of(struct call_path_room *room, const struct java_stack *s,
	const struct probe_records *r, uintptr_t klass);
/* The same thread, a moment later: whether more of the code has been told of. */
bool call_path_again(struct call_path *path, const struct probe_records *r);
/* NULL: no memory. To be freed by mem_free. */
struct call_path *call_path_copy(const struct call_path *path);

/* Whether code of it has not been told of; of that between the addresses, and it has been now. */
bool call_path_waits(const struct call_path *path);
bool call_path_waits_in(
	const struct call_path *path, struct code_map *code, uintptr_t begin, uintptr_t end);
/* The code between these addresses is what the map has there. The path's own may be another, that
 * went: not all code is ever told of. */
void call_path_told(
	struct call_path *path, const struct probe_records *r, uintptr_t begin, uintptr_t end);
/* Whether code of it went before it was told of. */
bool call_path_lost(const struct call_path *path);

/*
 * Its frames, leaf first, up to the first that is not known; at most `most`. 0: the first isn't.
 * *cut: there were, or may be more. *lined: the allocating line is known.
 */
uint32_t call_path_frames(const struct call_path *path, struct probe_records *r, uint32_t most,
	struct stack_frame *out, bool *cut, bool *lined);
/* Its methods that are not compiled. */
uint32_t call_path_methods(const struct call_path *path, struct stack_frame out[JAVA_STACK_MAX]);

#endif
