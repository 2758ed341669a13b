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

struct vm_methods;

enum { JAVA_STACK_MAX = 256 };
enum { JAVA_CODE_ROOM = 1024, JAVA_MEMOS = 128 }; /* powers of two */
enum { JAVA_MEMO_WORDS = 128, JAVA_MEMO_METHODS = 32 };

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
	uint32_t count; /* 0: of one that was seen before, the frames are not told again */
	enum java_stack_end end;
	bool any;      /* there are frames */
	bool probe;    /* the first is compiled code that called the probe itself */
	uint64_t hash; /* of the frames, of which compilation the code is, and of the end */
};

/* What stands at an address of the code cache, as far as a walk must know. A thread's own. */
struct java_code {
	uintptr_t pc;
	const uint8_t *used; /* 1 as long as the code is there; NULL: it never goes */
	const int32_t *id;   /* the compilation's number there; together they tell stale entries */
	int32_t compilation;
	uint32_t frame_bytes;
	uint32_t original; /* to be deoptimised: where in its frame the true return address is */
	uint8_t kind;
	uintptr_t method;     /* of compiled code */
	uintptr_t begin, end; /* to be deoptimised: the true return address is in there */
};

/*
 * A walk that was made: all words of the stack that it went by. Where they are the same, at the
 * same addresses, so is the walk; that takes half a nanosecond a word, and nothing waits for the
 * one before. But a method that is not compiled may be another in the same place (method_key.h).
 * Good until code comes or goes (java_code_changed).
 */
struct java_memo {
	uintptr_t pc, sp, base;
	uintptr_t fp, bcp; /* where these count: not in compiled code */
	uint64_t hash;
	uint32_t words, changes; /* words 0: none */
	enum java_stack_end end;
	bool registers, any, probe;
	uint32_t at[JAVA_MEMO_WORDS]; /* words above sp */
	uintptr_t is[JAVA_MEMO_WORDS];
	uint32_t method_count;
	struct java_memo_method {
		uintptr_t at;
		uint64_t key;
	} methods[JAVA_MEMO_METHODS];
};

/* A thread's own. */
struct java_code_cache {
	struct java_code at[JAVA_CODE_ROOM];
	struct java_memo memos[JAVA_MEMOS];
};

/* Offsets in bytes. */
struct java_stacks {
	const struct code_blobs *blobs;       /* borrowed */
	const struct vm_methods *methods;     /* borrowed */
	uint32_t stack_base;                  /* in a JavaThread */
	uint32_t anchor, last_sp, last_pc;    /* in a JavaThread, and in its anchor */
	uint32_t last_fp, call_anchor;        /* in an anchor; in a JavaCallWrapper, the anchor */
	int32_t call_wrapper;                 /* of an entry frame: from its rbp */
	uint32_t compilation, stub, original; /* in an nmethod */
	uintptr_t entry;                      /* where a call from the VM into Java returns to */
	uint32_t depth;                       /* frames, at most; JAVA_STACK_MAX */
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
/* Whether pc is in the VM's generated code. */
bool java_code_holds(const struct java_stacks *j, struct java_code_cache *cache, uintptr_t pc);
/* Code came or went: walks that were made before are no more to go by. At any time. */
void java_code_changed(void);
/* How often. */
uint32_t java_code_changes(void);
/* again: the frames are wanted, though the walk was made before. */
void java_stack_walk(const struct java_stacks *j, struct java_code_cache *cache,
	const struct java_stack_start *start, bool again, struct java_stack *out);

#endif
