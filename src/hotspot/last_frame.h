/*
 * The Java code that the VM works for: from the last Java frame of a thread (JavaFrameAnchor) out
 * of the VM's stubs, and out of one native method, to who called. Only loads of what the thread
 * itself keeps alive: no call of the VM, no lock. All frames: java_stack.h.
 */
#ifndef HOTSPOT_LAST_FRAME_H
#define HOTSPOT_LAST_FRAME_H

#include "hotspot/code_blobs.h"
#include "hotspot/methods.h"

/* Offsets in bytes. */
struct last_frames {
	const struct code_blobs *blobs;     /* borrowed */
	const struct vm_methods *methods;   /* borrowed */
	uint32_t anchor;                    /* in a JavaThread */
	uint32_t last_sp, last_pc, last_fp; /* from there on */
	bool has_fp;
};

struct last_frame {
	uintptr_t pc;     /* compiled: the return address; else 0 */
	uintptr_t method; /* of the interpreter: its Method; else 0 */
	uintptr_t bcp;    /* of it: the bytecode's address; 0: not told */
	uintptr_t native; /* the Method of a native method that was called there; 0: none */
};

/* 0 or ERR_UNSUPPORTED with a sentence. */
int last_frames_open(struct last_frames *l, const void *inside, const struct code_blobs *blobs,
	const struct vm_methods *methods, struct diag *d);
/* The calling thread's; its JavaThread, and what it knows of code. Zeros: it is in no Java code, or
 * in none that is known; of a native method that is told all the same. */
struct last_frame last_frame_of(
	const struct last_frames *l, struct code_blob_memo *m, uintptr_t java_thread);

#endif
