/*
 * Where the instructions of methods have moved to, by the VM's ids of the methods: read by any
 * thread without a lock, changed by one at a time, which the owner sees to. What is in force is
 * never written to; a change puts another table in its place, and the one before is freed once
 * nobody is inside.
 */
#ifndef AGENT_MOVES_H
#define AGENT_MOVES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/rewrite_class.h"

/* Instructions that have all moved by the same: from the first, at `now` and `was`, to the one that
 * was at `last`; and what was inserted behind that one. */
struct moved_run {
	uint32_t now, was, last;
};

/* A method's code as it was rewritten, shared by whoever counts itself among `users`. */
struct moved_code {
	size_t users;     /* changed under the owner's lock */
	uint64_t outline; /* classfile/outline.h, of the code now */
	uint32_t len;     /* bytes of the code now */
	size_t count;
	struct moved_run at[]; /* in the order of both */
};

/* Of all that has moved, with one user. NULL: no memory. */
struct moved_code *moved_code_make(const struct moved_method *m, uint64_t outline);
/* One user less: the last one frees it. NULL is fine. */
void moved_code_drop(struct moved_code *c);
/* The instruction that begins at `now` stood there in the class file; one that was inserted is
 * taken for the one before it. */
int32_t moved_code_was(const struct moved_code *c, int32_t now);

/* A change: of a method that is in the class file as it is, code is NULL. */
struct moves_change {
	uint64_t vm_method;
	struct moved_code *code; /* the table counts itself a user */
};

struct moves_table;
struct moves {
	_Atomic(struct moves_table *) now; /* NULL: nothing has moved */
	atomic_size_t readers;
	struct moves_table *before; /* that someone may still have read when they were replaced */
};

/* All of them at once, each method once. 0 or ERR_NOMEM (then none). */
int moves_change(struct moves *m, const struct moves_change *changes, size_t count);
/* What is known of a method, where something is. Any thread. */
struct moves_found {
	uint64_t outline;
	uint32_t len;
	int32_t was;
};
bool moves_find(struct moves *m, uint64_t vm_method, int32_t bci, struct moves_found *out);
/* Nobody may be inside any more. */
void moves_release(struct moves *m);

#endif
