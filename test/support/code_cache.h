/* A made-up code cache: one heap of the blobs that a walk of a stack meets. */
#ifndef SUPPORT_CODE_CACHE_H
#define SUPPORT_CODE_CACHE_H

#include "hotspot/code_blobs.h"

enum { CACHE_SEGMENT = 128, CACHE_SEGMENTS = 64, CACHE_CODE = 256, CACHE_STUB_AT = 700 };

struct cache_block {
	uint64_t length;
	uint8_t used;
	uint8_t gap[7];
};
struct cache_blob {
	const char *name;
	int32_t size, frame_size;
	uintptr_t begin, end;
	uintptr_t method;
	int32_t compilation, stub, original;
};

/* Blobs of 8 segments each, one after the other. */
enum cache_which {
	CACHE_SMALL,
	CACHE_LARGE,
	CACHE_INTERPRETER,
	CACHE_STUB,
	CACHE_ENTRY,
	CACHE_BARRIER,
	CACHE_BLOBS
};

/* Words of a frame of that code; 0: of no one size. */
unsigned cache_words(enum cache_which w);
struct cache_blob *cache_blob(enum cache_which w);
struct cache_block *cache_block(enum cache_which w);
/* An address in its code. */
uintptr_t cache_pc(enum cache_which w, unsigned offset);
/* All blobs as they are at the begin, compiled code of that Method. */
struct code_blobs code_cache_made(uintptr_t method);

#endif
