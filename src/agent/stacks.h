/*
 * The sites of stacks met lately, by what the VM tells of them: a cache in front of the catalog's
 * tables, of fixed size. A stack is known by 64 bits of hash alone; a million different ones hold
 * two of one hash with a probability of 3e-8.
 * Protected by the recorder's lock, but for stacks_key.
 */
#ifndef AGENT_STACKS_H
#define AGENT_STACKS_H

#include <stdbool.h>
#include <stdint.h>

enum { STACKS_ROOM = 4096, STACKS_WAYS = 4 }; /* places in all, and for one key */

/* One frame of a stack, as the VM gives it. */
struct stack_frame {
	uint64_t vm_method;
	int32_t bci; /* -1: native */
};

struct stacks_slot {
	uint64_t key;
	uint32_t site; /* 0: empty */
};

struct stacks {
	struct stacks_slot *slots; /* rows of STACKS_WAYS, the latest first; owned; NULL at first */
};

void stacks_release(struct stacks *s);

/* What is hashed: the class, the frames (leaf first), and whether the stack went on. */
uint64_t stacks_key(uint32_t class_id, const struct stack_frame *stack, uint32_t depth, bool cut);
/* The site kept for the key, or 0. */
uint32_t stacks_find(const struct stacks *s, uint64_t key);
/* Keeps a key that is not there, in place of the oldest in its row; without memory, nothing. */
void stacks_keep(struct stacks *s, uint64_t key, uint32_t site);

#endif
