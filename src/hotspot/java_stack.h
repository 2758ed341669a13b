/*
 * The Java frames of the calling thread, from an allocation up to where the thread came into Java,
 * as places in code: no names, no call of the VM, no lock; a few loads a frame. Frames of compiled
 * code have the size that their CodeBlob tells; frames of the interpreter are found by rbp; below
 * the VM's own frames the walk goes on at the JavaFrameAnchor that the VM keeps.
 *
 * Nothing is believed: an address is read only between the stack's pointer and its base, each step
 * goes up the stack, and code is looked up in the code cache; but the Method that an interpreter's
 * frame names is asked which it is (method_key.h). A walk that can't go on ends, and
 * says why; what it found before is right.
 */
#ifndef HOTSPOT_JAVA_STACK_H
#define HOTSPOT_JAVA_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "hotspot/code_blobs.h"
#include "hotspot/java_code.h"
#include "hotspot/java_trail.h"

enum { JAVA_STACK_MAX = 256 };

/* Why a walk ended. */
enum java_stack_end {
	STACK_ROOT,    /* there is no further frame, or the virtual thread begins here */
	STACK_DEEP,    /* more frames than were asked for */
	STACK_FROZEN,  /* the frames above are a virtual thread's, put away in the heap */
	STACK_CHANGED, /* a frame that is to be deoptimised, and does not tell where it was */
	STACK_STRANGE, /* code that is none of Java's, or an address that can't be */
	STACK_NONE,    /* no Java frame at all: a thread or a call of the VM's own */
	STACK_ENDS
};

/* Where a frame is. */
struct java_frame {
	uintptr_t at; /* compiled: the return address; interpreted: of the bytecode; native: 0 */
	uintptr_t method; /* interpreted, native: the Method; compiled: 0 */
};

struct java_stack {
	struct java_frame frames[JAVA_STACK_MAX]; /* the allocating one first */
	uint32_t count;                           /* 0 where they were not asked for */
	enum java_stack_end end;
	bool any;      /* there are frames */
	bool probe;    /* the first is compiled code that called the probe itself */
	uint64_t hash; /* of the frames, of which compilation the code is, and of the end */
};

/* A thread's own. */
struct java_code_cache {
	struct java_codes codes;
	struct java_trail trail;
};

/* Offsets in bytes. */
struct java_stacks {
	struct java_code_layout code;
	uint32_t stack_base;               /* in a JavaThread */
	uint32_t anchor, last_sp, last_pc; /* in a JavaThread, and in its anchor */
	uint32_t last_fp, call_anchor;     /* in an anchor; in a JavaCallWrapper, the anchor */
	int32_t call_wrapper;              /* of an entry frame: from its rbp */
	uint32_t depth;                    /* frames, at most; JAVA_STACK_MAX */
};

/* Where the walk begins: the probe's registers. */
struct java_stack_start {
	uintptr_t pc; /* where the probe returns to */
	uintptr_t sp; /* behind the return address */
	uintptr_t fp, bcp;
	uintptr_t thread; /* the JavaThread */
};

/* 0 or ERR_UNSUPPORTED with a sentence. */
int java_stacks_open(struct java_stacks *j, const void *inside, const struct code_blobs *blobs,
	const struct vm_methods *methods, struct diag *d);
/* told: the frames are wanted, and not only the hash and the end. */
void java_stack_walk(const struct java_stacks *j, struct java_code_cache *cache,
	const struct java_stack_start *start, bool told, struct java_stack *out);

#endif
