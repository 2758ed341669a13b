/*
 * The locals and the stack of a method at one place, by slots. What goes wrong (a slot beyond the
 * end, a pop of nothing) sets err and is otherwise without effect.
 */
#ifndef CLASSFILE_STATE_H
#define CLASSFILE_STATE_H

#include "classfile/value.h"

struct state {
	struct value *local; /* room for `locals`, and behind them for the stack; see state_init */
	struct value *stack;
	uint32_t locals, depth, room; /* slots; room is the most that the stack may have */
	int err;
};

/* All locals unknown, nothing on the stack. 0 or ERR_NOMEM. */
int state_init(struct state *s, uint32_t locals, uint32_t room);
void state_release(struct state *s);

/* By slots. */
void state_push(struct state *s, struct value v);
struct value state_pop(struct state *s);
/* The n-th slot from the top, 0 the topmost; VALUE_TOP where there is none. */
struct value state_peek(const struct state *s, uint32_t n);
struct value state_load(struct state *s, uint32_t local);

/* By values: a long or double is two slots. */
void state_push_wide(struct state *s, struct value v);
void state_store(struct state *s, uint32_t local, struct value v);

/* Wherever `from` is, `to` is from now on. */
void state_replace(struct state *s, struct value from, struct value to);

#endif
