/*
 * What stands at an address of the VM's generated code, as far as a walk of a stack must know
 * (java_stack.h): whose frame a return address there is of, and how large that is.
 *
 * A thread keeps what it has asked for lately. Code that goes makes room for other code, whose
 * frames differ: what is kept holds as long as its block is in use and has the same compilation's
 * number.
 */
#ifndef HOTSPOT_JAVA_CODE_H
#define HOTSPOT_JAVA_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hotspot/code_blobs.h"

struct vm_methods;

enum { JAVA_CODE_ROOM = 1024 }; /* a power of two */

enum java_code_kind {
	CODE_NONE, /* an empty entry, or no code of the VM's */
	CODE_COMPILED,
	CODE_NATIVE,      /* the wrapper of a native method */
	CODE_CHANGED,     /* compiled, and to be deoptimised on return */
	CODE_INTERPRETER, /* frames by rbp */
	CODE_STUB,        /* frames of the VM's own, of one size */
	CODE_ENTRY,       /* called from the VM */
	CODE_SPECIAL,     /* a virtual thread begins */
	CODE_BARRIER,     /* the rest of a virtual thread is not on this stack */
};

/* Offsets in bytes. */
struct java_code_layout {
	const struct code_blobs *blobs;       /* borrowed */
	const struct vm_methods *methods;     /* borrowed */
	uint32_t compilation, stub, original; /* in an nmethod */
	uintptr_t entry;                      /* where a call from the VM into Java returns to */
};

struct java_code {
	uintptr_t pc;
	const uint8_t *used; /* 1 as long as the code is there; NULL: it never goes */
	const int32_t *id;   /* the compilation's number there; together they tell stale entries */
	int32_t compilation;
	uint32_t frame_bytes;
	uint32_t original;    /* to be deoptimised: where in its frame the true return address is */
	uint8_t kind;         /* enum java_code_kind */
	uintptr_t method;     /* of compiled code */
	uintptr_t begin, end; /* to be deoptimised: the true return address is in there */
};

/* A thread's own. */
struct java_codes {
	struct java_code at[JAVA_CODE_ROOM];
};

/* Code came or went. At any time. */
void java_code_changed(void);
/* How often. */
uint32_t java_code_changes(void);

/* Asks the VM's code cache. */
void java_code_learn(const struct java_code_layout *l, uintptr_t pc, struct java_code *c);

static inline bool java_code_is_stale(const struct java_code *c)
{
	return c->used && (*(const volatile uint8_t *)c->used != 1 ||
				  *(const volatile int32_t *)c->id != c->compilation);
}

/* What stands there: good until the next call. */
static inline const struct java_code *java_code_at(
	const struct java_code_layout *l, struct java_codes *codes, uintptr_t pc)
{
	size_t at = ((uint32_t)(pc >> 1) * 2654435761u) >> 22;
	struct java_code *c = &codes->at[at & (JAVA_CODE_ROOM - 1)];
	if (__builtin_expect(c->pc != pc || java_code_is_stale(c), 0))
		java_code_learn(l, pc, c);
	return c;
}

/* Whether pc is in the VM's generated code. */
static inline bool java_code_holds(
	const struct java_code_layout *l, struct java_codes *codes, uintptr_t pc)
{
	return java_code_at(l, codes, pc)->kind != CODE_NONE;
}

#endif
