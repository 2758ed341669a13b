/*
 * One instruction of x86-64, as far as following values through general registers needs it: its
 * length, which registers it changes, and where it goes on. Only what compilers make of plain
 * functions is known; anything else is told as such.
 */
#ifndef HOTSPOT_X86_STEP_H
#define HOTSPOT_X86_STEP_H

#include <stdbool.h>

#include "base/slice.h"

enum { X86_RAX, X86_RCX, X86_RDX, X86_RBX, X86_RSP, X86_RBP, X86_RSI, X86_RDI, X86_REGISTERS = 16 };

/* What becomes of the register `to`. */
enum x86_value {
	X86_NONE,  /* nothing that can be followed: see `changes` */
	X86_COPY,  /* register `from` */
	X86_LOAD,  /* the memory at register `from` + number */
	X86_SUM,   /* register `from` + number, without a look at memory */
	X86_ADD,   /* itself + what is not known, or + register `from` where that is not -1 */
	X86_SHIFT, /* itself, shifted; left by `number` where that is not 0 */
};

enum x86_flow {
	X86_NEXT,
	X86_BRANCH, /* to `distance` from its end, or on */
	X86_JUMP,   /* to `distance` from its end */
	X86_CALL,
	X86_END, /* a return, or it never comes back */
};

struct x86_step {
	unsigned len; /* bytes */
	enum x86_flow flow;
	int32_t distance;
	enum x86_value value;
	bool wide; /* 64 bits; else 32, of which the upper half becomes 0 */
	int to, from;
	int32_t number;
	uint16_t changes; /* bits of the registers that hold what is not known then, without `to` */
};

/* False: the instruction is not known, or not whole. */
bool x86_step(struct slice code, struct x86_step *out);

#endif
