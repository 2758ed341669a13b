/* A made-up heap of Serial's or Parallel's, as its parts lie in the VM's memory. */
#ifndef SUPPORT_VM_SPACES_H
#define SUPPORT_VM_SPACES_H

#include "hotspot/heap.h"

struct vm_space {
	uintptr_t bottom, top, end;
};

struct vm_spaces {
	struct vm_space eden, survivor[2], tenured;
	struct vm_space *young[3], *old[1]; /* eden, from, to; the generations */
	struct {
		uint32_t collections, full;
		void *young, *old;
	} heap;
};

/* It must stay where it is. */
static inline struct heap_layout vm_spaces_layout(
	struct vm_spaces *s, enum heap_collector collector)
{
	s->young[0] = &s->eden;
	s->young[1] = &s->survivor[1];
	s->young[2] = &s->survivor[0];
	s->old[0] = &s->tenured;
	s->heap.young = s->young;
	s->heap.old = s->old;
	return (struct heap_layout){.collector = collector,
		.heap = (uintptr_t)&s->heap,
		.young = (uintptr_t)&s->heap.young,
		.old = (uintptr_t)&s->heap.old,
		.from = 8,
		.to = 16,
		.space_top = 8,
		.space_end = 16};
}

#endif
