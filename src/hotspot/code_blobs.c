#include "hotspot/code_blobs.h"

#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "hotspot/vm_constants.h"
#include "hotspot/vm_fields.h"

enum { WORD = 8, HEAPS_MAX = 16, UNUSED_SEGMENT = 0xff, FRAME_WORDS_MAX = 1 << 20 };

#define TO(field) .to = offsetof(struct code_blobs, field)

static const struct vm_field everywhere[] = {
	{"GrowableArrayBase", "_len", "GenericGrowableArray", TO(array_length)},
	{"GrowableArray<int>", "_data", TO(array_data)},
	{"CodeHeap", "_memory", TO(memory)},
	{"CodeHeap", "_segmap", TO(segment_map)},
	{"CodeHeap", "_log2_segment_size", TO(segment_log)},
	{"VirtualSpace", "_low", TO(space_low)},
	{"VirtualSpace", "_high", TO(space_high)},
	{"HeapBlock::Header", "_length", TO(block_length)},
	{"HeapBlock::Header", "_used", TO(block_used)},
	{"CodeBlob", "_name", TO(name)},
	{"CodeBlob", "_size", TO(size)},
	{"CodeBlob", "_frame_size", TO(frame_size)},
	{"nmethod", "_method", "CompiledMethod", TO(method)},
	{"nmethod", "_compile_id", TO(compilation)},
};
/* 23 and later say how far into the blob its code is, those before where. */
static const struct vm_field now[] = {
	{"CodeBlob", "_code_offset", TO(code_begin)},
	{"CodeBlob", "_data_offset", TO(code_end)},
};
static const struct vm_field before[] = {
	{"CodeBlob", "_code_begin", TO(code_begin)},
	{"CodeBlob", "_code_end", TO(code_end)},
};

int code_blobs_open(struct code_blobs *c, const void *inside, struct diag *d)
{
	struct vm_structs s = vm_structs_of(inside);
	struct vm_constants k = vm_constants_of(inside);
	uint64_t bytes;
	*c = (struct code_blobs){.heaps = 0};
	int err = vm_fields_read(&s, everywhere, ARRAY_SIZE(everywhere), c, d);
	if (err)
		return err;
	c->code_is_offset = !vm_fields_read(&s, now, ARRAY_SIZE(now), c, NULL);
	if (!c->code_is_offset)
		err = vm_fields_read(&s, before, ARRAY_SIZE(before), c, d);
	if (err)
		return err;
	c->heaps = (uintptr_t)vm_structs_static(&s, "CodeCache", "_heaps");
	if (!c->heaps || !vm_constants_type(&k, "HeapBlock", &bytes))
		return diag_set(d, ERR_UNSUPPORTED, "this VM does not tell %s",
			c->heaps ? "the size of a HeapBlock" : "where CodeCache::_heaps is");
	c->block_bytes = (uint32_t)bytes;
	return ERR_NONE;
}

/* The CodeHeap whose memory holds pc; 0: none. */
static uintptr_t heap_of(const struct code_blobs *c, uintptr_t pc)
{
	uintptr_t array = VM_AT(uintptr_t, c->heaps, 0);
	int32_t count = array ? VM_AT(int32_t, array, c->array_length) : 0;
	uintptr_t heaps = array ? VM_AT(uintptr_t, array, c->array_data) : 0;
	for (int32_t i = 0; heaps && i < count && i < HEAPS_MAX; i++) {
		uintptr_t heap = VM_AT(uintptr_t, heaps, (uintptr_t)i * WORD);
		uintptr_t memory = heap + c->memory;
		if (pc >= VM_AT(uintptr_t, memory, c->space_low) &&
			pc < VM_AT(uintptr_t, memory, c->space_high))
			return heap;
	}
	return 0;
}

/*
 * The block that holds pc; 0: it isn't in use. The map has a byte for each segment of a heap: how
 * far back the block begins, at most; 0 where it does.
 */
static uintptr_t block_of(const struct code_blobs *c, uintptr_t heap, uintptr_t pc)
{
	uintptr_t low = VM_AT(uintptr_t, heap + c->memory, c->space_low);
	uintptr_t map = VM_AT(uintptr_t, heap + c->segment_map, c->space_low);
	uintptr_t map_end = VM_AT(uintptr_t, heap + c->segment_map, c->space_high);
	int32_t log = VM_AT(int32_t, heap, c->segment_log);
	if (log < 3 || log > 16)
		return 0;
	size_t i = (pc - low) >> log;
	if (i >= map_end - map || VM_AT(uint8_t, map, i) == UNUSED_SEGMENT)
		return 0;
	for (uint8_t back; (back = VM_AT(uint8_t, map, i)) > 0; i -= back)
		if (back > i)
			return 0;
	uintptr_t block = low + (i << log);
	return VM_AT(uint8_t, block, c->block_used) ? block : 0;
}

static void read_kind(struct code_blob *out)
{
	bool may_be = out->name[0] == 'n';
	out->is_native = may_be && strcmp(out->name, "native nmethod") == 0;
	out->is_nmethod = out->is_native || (may_be && strcmp(out->name, "nmethod") == 0);
}

/* Whether pc is in the blob's code. */
static bool read_bounds(const struct code_blobs *c, uintptr_t pc, struct code_blob *out)
{
	uintptr_t size = VM_AT(uint32_t, out->blob, c->size), end = out->blob + size;
	if (c->code_is_offset) {
		out->begin = out->blob + VM_AT(uint32_t, out->blob, c->code_begin);
		out->end = out->blob + VM_AT(uint32_t, out->blob, c->code_end);
	} else {
		out->begin = VM_AT(uintptr_t, out->blob, c->code_begin);
		out->end = VM_AT(uintptr_t, out->blob, c->code_end);
	}
	bool inside = out->begin >= out->blob && out->begin <= out->end && out->end <= end;
	return inside && pc >= out->begin && pc < out->end;
}

int code_blob_find(const struct code_blobs *c, uintptr_t pc, struct code_blob *out)
{
	*out = (struct code_blob){.blob = 0};
	uintptr_t heap = heap_of(c, pc);
	uintptr_t block = heap ? block_of(c, heap, pc) : 0;
	if (!block)
		return ERR_NOT_FOUND;
	out->blob = block + c->block_bytes;
	out->name = VM_AT(const char *, out->blob, c->name);
	if (!out->name || !read_bounds(c, pc, out))
		return ERR_NOT_FOUND;
	int32_t words = VM_AT(int32_t, out->blob, c->frame_size);
	out->frame_bytes = words > 0 && words < FRAME_WORDS_MAX ? (uint32_t)words * WORD : 0;
	read_kind(out);
	out->method = out->is_nmethod ? VM_AT(uintptr_t, out->blob, c->method) : 0;
	out->compilation = out->is_nmethod ? VM_AT(uint32_t, out->blob, c->compilation) : 0;
	return ERR_NONE;
}

uint32_t code_blob_compilation(const struct code_blobs *c, uintptr_t pc)
{
	struct code_blob blob;
	return code_blob_find(c, pc, &blob) ? 0 : blob.compilation;
}

/* Where a blob was freed its block is not in use, and other code has another number. */
static bool is_still(const struct code_blobs *c, const struct code_blob *b, uintptr_t pc)
{
	return b->is_nmethod && pc >= b->begin && pc < b->end &&
	       VM_AT(uint8_t, b->blob - c->block_bytes, c->block_used) &&
	       VM_AT(const char *, b->blob, c->name) == b->name &&
	       VM_AT(uint32_t, b->blob, c->compilation) == b->compilation;
}

int code_blob_recall(
	const struct code_blobs *c, struct code_blob_memo *m, uintptr_t pc, struct code_blob *out)
{
	uint32_t product = (uint32_t)pc * 2654435761u;
	struct code_blob *known = &m->at[product >> 16 & (CODE_BLOB_MEMO - 1)];
	int err = is_still(c, known, pc) ? ERR_NONE : code_blob_find(c, pc, known);
	*out = *known;
	return err;
}
