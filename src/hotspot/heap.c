#include "hotspot/heap.h"

#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "hotspot/region.h"
#include "hotspot/vm_constants.h"
#include "hotspot/vm_fields.h"
#include "hotspot/vm_flags.h"

#define TO(field) .to = offsetof(struct heap_layout, field)

static const struct vm_field in_heap[] = {
	{"CollectedHeap", "_total_collections", TO(collections)},
};

/* G1's classes got their prefix in JDK 23; on 11 a region's bounds are its superclasses'. */
static const struct vm_field in_g1[] = {
	{"G1CollectedHeap", "_hrm", TO(manager)},
	{"G1HeapRegionManager", "_regions", "HeapRegionManager", TO(table)},
	{"G1HeapRegionTable", "_base", TO(table_base)},
	{"G1HeapRegionTable", "_length", TO(table_length)},
	{"G1HeapRegion", "_bottom", "HeapRegion", NULL, "Space", TO(region_bottom)},
	{"G1HeapRegion", "_top", "HeapRegion", NULL, "G1ContiguousSpace", TO(region_top)},
	{"G1HeapRegion", "_end", "HeapRegion", NULL, "Space", TO(region_end)},
	{"G1HeapRegion", "_type", "HeapRegion", TO(region_type)},
	{"G1HeapRegionType", "_tag", "HeapRegionType", TO(type_tag)},
};

static const struct vm_field in_parallel[] = {
	{"PSYoungGen", "_eden_space", TO(eden)},
	{"PSYoungGen", "_from_space", TO(from)},
	{"PSYoungGen", "_to_space", TO(to)},
	{"PSOldGen", "_object_space", TO(old_space)},
	{"MutableSpace", "_bottom", "ImmutableSpace", TO(space_bottom)},
	{"MutableSpace", "_top", TO(space_top)},
	{"MutableSpace", "_end", "ImmutableSpace", TO(space_end)},
};

static const struct vm_field in_serial[] = {
	{"SerialHeap", "_young_gen", "GenCollectedHeap", TO(young_gen)},
	{"SerialHeap", "_old_gen", "GenCollectedHeap", TO(old_gen)},
	{"DefNewGeneration", "_eden_space", TO(eden)},
	{"DefNewGeneration", "_from_space", TO(from)},
	{"DefNewGeneration", "_to_space", TO(to)},
	{"TenuredGeneration", "_the_space", TO(old_space)},
	{"ContiguousSpace", "_bottom", "Space", TO(space_bottom)},
	{"ContiguousSpace", "_top", TO(space_top)},
	{"ContiguousSpace", "_end", "Space", TO(space_end)},
};

struct vm {
	struct vm_structs structs;
	struct vm_constants constants;
};

static int open_tags(struct heap_layout *h, const struct vm *vm, struct diag *d)
{
	static const struct {
		const char *name, *old_name;
		size_t to;
	} tags[] = {
		{"G1HeapRegionType::FreeTag", "HeapRegionType::FreeTag", TO(free_tag)},
		{"G1HeapRegionType::EdenTag", "HeapRegionType::EdenTag", TO(eden_tag)},
		{"G1HeapRegionType::SurvTag", "HeapRegionType::SurvTag", TO(survivor_tag)},
		{"G1HeapRegionType::OldMask", "HeapRegionType::OldMask", TO(old_mask)},
		{"G1HeapRegionType::HumongousMask", "HeapRegionType::HumongousMask",
			TO(humongous_mask)},
		{"G1HeapRegionType::StartsHumongousTag", "HeapRegionType::StartsHumongousTag",
			TO(humongous_tag)},
	};
	for (size_t i = 0; i < ARRAY_SIZE(tags); i++) {
		int64_t value;
		if (!vm_constants_find(&vm->constants, tags[i].name, &value) &&
			!vm_constants_find(&vm->constants, tags[i].old_name, &value))
			return diag_set(d, ERR_UNSUPPORTED, "this VM does not tell its constant %s",
				tags[i].name);
		memcpy((char *)h + tags[i].to, &value, sizeof(value));
	}
	return ERR_NONE;
}

static int open_g1(struct heap_layout *h, const struct vm *vm, struct diag *d)
{
	int err = vm_fields_read(&vm->structs, in_g1, ARRAY_SIZE(in_g1), h, d);
	if (!vm_constants_find(&vm->constants, "HeapRegionType::ArchiveMask", &h->archive_mask))
		h->archive_mask = 0; /* from 20 on */
	h->region_bytes = region_bytes(&vm->structs);
	return err ? err : open_tags(h, vm, d);
}

static int open_parallel(struct heap_layout *h, const struct vm *vm, struct diag *d)
{
	static const struct vm_field generations[] = {
		{"ParallelScavengeHeap", "_young_gen", TO(young_gen)},
		{"ParallelScavengeHeap", "_old_gen", TO(old_gen)},
	};
	h->young = (uintptr_t)vm_structs_static(&vm->structs, "ParallelScavengeHeap", "_young_gen");
	h->old = (uintptr_t)vm_structs_static(&vm->structs, "ParallelScavengeHeap", "_old_gen");
	/* From 27 on the heap has them. */
	if (!h->young &&
		!vm_fields_read(&vm->structs, generations, ARRAY_SIZE(generations), h, NULL)) {
		h->young = h->heap + h->young_gen;
		h->old = h->heap + h->old_gen;
	}
	if (!h->young || !h->old)
		return diag_set(d, ERR_UNSUPPORTED,
			"this VM does not tell where ParallelScavengeHeap::%s is",
			h->young ? "_old_gen" : "_young_gen");
	return vm_fields_read(&vm->structs, in_parallel, ARRAY_SIZE(in_parallel), h, d);
}

static int open_serial(struct heap_layout *h, const struct vm *vm, struct diag *d)
{
	int err = vm_fields_read(&vm->structs, in_serial, ARRAY_SIZE(in_serial), h, d);
	static const struct vm_field compacted = {
		"ContiguousSpace", "_compaction_top", "CompactibleSpace", TO(space_compacted)};
	h->young = h->heap + h->young_gen;
	h->old = h->heap + h->old_gen;
	/* Not needed, but good to have. */
	if (!err && vm_fields_read(&vm->structs, &compacted, 1, h, NULL))
		h->space_compacted = 0;
	return err;
}

static void open_reserved(struct heap_layout *h, const struct vm *vm)
{
	struct {
		uint32_t reserved, start, words;
	} at;
	static const struct vm_field fields[] = {
		{"CollectedHeap", "_reserved", .to = 0},
		{"MemRegion", "_start", .to = 4},
		{"MemRegion", "_word_size", .to = 8},
	};
	if (vm_fields_read(&vm->structs, fields, ARRAY_SIZE(fields), &at, NULL))
		return;
	h->base = VM_AT(uintptr_t, h->heap, at.reserved + at.start);
	h->bytes = VM_AT(size_t, h->heap, at.reserved + at.words) * 8;
}

static int open_heap(struct heap_layout *h, const struct vm *vm, struct diag *d)
{
	if (!vm_structs_read(&vm->structs, "Universe", "_collectedHeap", &h->heap, sizeof(h->heap)))
		return diag_set(d, ERR_UNSUPPORTED,
			"this VM does not tell where Universe::_collectedHeap is");
	if (!h->heap)
		return diag_set(d, ERR_UNSUPPORTED, "this VM has no heap yet");
	open_reserved(h, vm);
	return vm_fields_read(&vm->structs, in_heap, ARRAY_SIZE(in_heap), h, d);
}

static bool is_on(const struct vm *vm, const char *flag)
{
	struct vm_flags flags = vm_flags_of(&vm->structs, &vm->constants);
	return vm_flags_bool(&flags, flag, false);
}

void heap_layout_spaces(struct heap_layout *h, const void *notes, size_t bytes)
{
	bool any = h->collector == HEAP_PARALLEL && notes;
	h->spaces = any ? notes : NULL;
	h->spaces_words = any ? bytes / sizeof(*h->spaces) : 0;
}

int heap_layout_open(struct heap_layout *h, const void *inside, struct diag *d)
{
	static const struct {
		const char *flag;
		enum heap_collector collector;
		int (*open)(struct heap_layout *, const struct vm *, struct diag *);
	} collectors[] = {
		{"UseG1GC", HEAP_G1, open_g1},
		{"UseParallelGC", HEAP_PARALLEL, open_parallel},
		{"UseSerialGC", HEAP_SERIAL, open_serial},
	};
	struct vm vm = {vm_structs_of(inside), vm_constants_of(inside)};
	*h = (struct heap_layout){.heap = 0};
	for (size_t i = 0; i < ARRAY_SIZE(collectors); i++)
		if (is_on(&vm, collectors[i].flag)) {
			h->collector = collectors[i].collector;
			int err = open_heap(h, &vm, d);
			return err ? err : collectors[i].open(h, &vm, d);
		}
	return diag_set(d, ERR_UNSUPPORTED,
		"the heap can be read with Serial, Parallel and G1 only, and none of them is on");
}
