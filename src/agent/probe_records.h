/*
 * Which of the compiler's inline records is that of a probe in its code (C2). A probe's own call is
 * none that the compiler keeps notes of: the records around it are of the instructions there, in
 * the order that it gave them, often of another method, and from time to time stale. But the same
 * allocation calls the VM where the thread's buffer is full (hotspot/inline_alloc.h), and the
 * record of that call is exact, to the bytecode.
 *
 * Calls nothing of the VM; reads its code cache, which stays mapped as long as the VM lives.
 */
#ifndef AGENT_PROBE_RECORDS_H
#define AGENT_PROBE_RECORDS_H

#include "exact/code_map.h"
#include "hotspot/code_blobs.h"
#include "hotspot/inline_alloc.h"
#include "hotspot/method_ids.h"
#include "hotspot/methods.h"

struct probe_records {
	struct code_map *code; /* borrowed, as all */
	const struct code_blobs *blobs;
	const struct vm_methods *methods;
	const struct method_ids *ids;
	struct inline_alloc alloc;
	const _Atomic uint32_t *epoch; /* how often Methods may have been replaced by others */
	bool stale_here; /* JDK 11: a record at the probe's own address means nothing */
};

/*
 * The frames of the probe that returns to pc, and whose object is of that class, leaf first: how
 * many; 0: nothing is known of that code (yet). *method: whose code it is.
 */
uint32_t probe_records_find(struct probe_records *p, uintptr_t pc, uintptr_t klass,
	struct code_frame out[CODE_MAP_DEPTH], uint64_t *method);

#endif
