#include "agent/doors.h"

#include "base/compiler.h"
#include "base/error.h"
#include "hotspot/objects.h"
#include "hotspot/probe_call.h"

static uintptr_t code(void *arg, uintptr_t pc)
{
	struct code_blob blob;
	if (code_blob_find(arg, pc, &blob) || !blob.is_nmethod || blob.is_native)
		return 0;
	return pc > blob.begin && pc <= blob.end ? blob.begin : 0;
}

/* A VM that moves compiled code makes copies of a call, of which each would lead to the door of the
 * one; and a door that is another's later would have the copy's objects too. */
static bool copies_code(const struct vm_flags *f)
{
	return vm_flags_bool(f, "NMethodRelocation", false);
}

void doors_open(struct births *b, struct code_blobs *blobs, const struct landmarks *m,
	const struct vm_flags *f)
{
	static const enum landmark entries[BIRTH_PROBES] = {
		LANDMARK_ALLOC, LANDMARK_ALLOC_THREAD, LANDMARK_ALLOC_SIZE};
	struct birth_door_oracle o = {.arg = blobs, .code = code, .wide = vm_objects_wide(f)};
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++)
		if (m->found[entries[i]].object == LANDMARK_OBJECT_RSI)
			o.probes[i] = (uintptr_t)landmarks_at(m, entries[i]);
	if (!copies_code(f) && code_fence_open())
		births_doors_open(b, &o);
}
