#include "support/code_cache.h"

#include <stddef.h>
#include <string.h>

enum { EACH = 8 };

struct space {
	uintptr_t low, high;
};
struct code_heap {
	struct space memory, map;
	int32_t log;
};
struct array {
	int32_t length, gap;
	struct code_heap **data;
};

static const struct {
	const char *name;
	int32_t words; /* of a frame */
} blobs[CACHE_BLOBS] = {
	[CACHE_SMALL] = {"nmethod", 4},
	[CACHE_LARGE] = {"nmethod", 11},
	[CACHE_INTERPRETER] = {"Interpreter", 0},
	[CACHE_STUB] = {"new_instance Runtime1 stub", 6},
	[CACHE_ENTRY] = {"StubRoutines (initial stubs)", 0},
	[CACHE_BARRIER] = {"StubRoutines (continuation stubs)", 0},
};

static _Alignas(CACHE_SEGMENT) uint8_t memory[CACHE_SEGMENT * CACHE_SEGMENTS];
static uint8_t map[CACHE_SEGMENTS];
static struct code_heap heap, *heaps[] = {&heap};
static struct array array, *at = &array;

unsigned cache_words(enum cache_which w)
{
	return (unsigned)blobs[w].words;
}

struct cache_block *cache_block(enum cache_which w)
{
	return (struct cache_block *)(void *)&memory[(size_t)w * EACH * CACHE_SEGMENT];
}

struct cache_blob *cache_blob(enum cache_which w)
{
	return (struct cache_blob *)(void *)(cache_block(w) + 1);
}

uintptr_t cache_pc(enum cache_which w, unsigned offset)
{
	return (uintptr_t)memory + (uintptr_t)w * EACH * CACHE_SEGMENT + CACHE_CODE + offset;
}

static void put_blob(enum cache_which w, uintptr_t method)
{
	struct cache_blob *b = cache_blob(w);
	*cache_block(w) = (struct cache_block){.length = EACH, .used = 1};
	*b = (struct cache_blob){.name = blobs[w].name,
		.size = (int32_t)(EACH * CACHE_SEGMENT - sizeof(struct cache_block)),
		.frame_size = blobs[w].words,
		.begin = cache_pc(w, 0),
		.end = (uintptr_t)cache_block(w) + (uintptr_t)EACH * CACHE_SEGMENT,
		.method = method,
		.compilation = 100 + (int)w,
		.stub = CACHE_STUB_AT,
		.original = 8};
	for (size_t i = 0; i < EACH; i++)
		map[(size_t)w * EACH + i] = (uint8_t)i;
}

struct code_blobs code_cache_made(uintptr_t method)
{
	heap = (struct code_heap){.memory = {(uintptr_t)memory, (uintptr_t)memory + sizeof(memory)},
		.map = {(uintptr_t)map, (uintptr_t)map + sizeof(map)},
		.log = 7};
	array = (struct array){.length = 1, .data = heaps};
	memset(map, 255, sizeof(map));
	for (unsigned w = 0; w < CACHE_BLOBS; w++)
		put_blob((enum cache_which)w, method);
	return (struct code_blobs){.heaps = (uintptr_t)&at,
		.array_data = offsetof(struct array, data),
		.segment_map = offsetof(struct code_heap, map),
		.segment_log = offsetof(struct code_heap, log),
		.space_high = 8,
		.block_bytes = sizeof(struct cache_block),
		.block_used = 8,
		.name = offsetof(struct cache_blob, name),
		.size = offsetof(struct cache_blob, size),
		.frame_size = offsetof(struct cache_blob, frame_size),
		.code_begin = offsetof(struct cache_blob, begin),
		.code_end = offsetof(struct cache_blob, end),
		.method = offsetof(struct cache_blob, method)};
}
