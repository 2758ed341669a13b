/*
 * The VM's generated code: which piece (CodeBlob) holds a program counter, to walk out of a runtime
 * stub to who called it. Without the VM's lock: only loads, and bounds are checked, but a blob that
 * is freed meanwhile may be told as it was. One that is on a stack isn't freed.
 */
#ifndef HOTSPOT_CODE_BLOBS_H
#define HOTSPOT_CODE_BLOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"

/* Offsets in bytes. */
struct code_blobs {
	uintptr_t heaps;                           /* where the pointer to the array of heaps is */
	uint32_t array_length, array_data;         /* in GrowableArray */
	uint32_t memory, segment_map, segment_log; /* in CodeHeap */
	uint32_t space_low, space_high;            /* in VirtualSpace */
	uint32_t block_bytes;                      /* of a HeapBlock: the blob follows */
	uint32_t block_length, block_used;         /* in HeapBlock */
	uint32_t name, size, frame_size;           /* in CodeBlob */
	uint32_t code_begin, code_end;             /* in CodeBlob: addresses, or how far into it */
	bool code_is_offset;
	uint32_t method, compilation; /* in an nmethod */
};

struct code_blob {
	uintptr_t blob;       /* the VM's CodeBlob */
	uintptr_t begin, end; /* of its instructions */
	uint32_t
		frame_bytes;  /* from its stack pointer to its caller's, once the frame is made: the
				 return address is the last word of it. 0: none, or of no one size */
	bool is_nmethod;      /* compiled Java */
	bool is_native;       /* one that calls a native method */
	uintptr_t method;     /* its Method, if it is one */
	uint32_t compilation; /* the VM's number for it, if it is one: other code has another */
	const char *name;     /* the VM's; "nmethod", "native nmethod", "Interpreter", a stub's */
};

/* As heap_layout_open; not before VMInit. */
int code_blobs_open(struct code_blobs *c, const void *inside, struct diag *d);
/* 0; ERR_NOT_FOUND: pc is in none; ERR_CORRUPT. */
int code_blob_find(const struct code_blobs *c, uintptr_t pc, struct code_blob *out);

/* The number of the compilation that stands there now; 0: none does. */
uint32_t code_blob_compilation(const struct code_blobs *c, uintptr_t pc);

/* Compiled code that one thread asked for lately; zeros: none. */
enum { CODE_BLOB_MEMO = 64 /* a power of two */ };
struct code_blob_memo {
	struct code_blob at[CODE_BLOB_MEMO];
};

/* The same, of a few places that are asked for over and over: each is believed as long as that
 * compilation stands there. */
int code_blob_recall(
	const struct code_blobs *c, struct code_blob_memo *m, uintptr_t pc, struct code_blob *out);

#endif
