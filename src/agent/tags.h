/*
 * What our tags in the VM mean: an object that is followed (live.h), or a class whose name is
 * known.
 *
 *      class tag = 1 << 62 | recording << 32 | id        recording: its low 30 bits
 *
 * The environment outlives the recording, and so may a tag, if only until its object's death is
 * told: tags of another recording mean nothing.
 */
#ifndef AGENT_TAGS_H
#define AGENT_TAGS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/live.h"
#include "agent/vm.h"

int64_t tags_of_class(uint32_t recording, uint32_t class_id);
/* A class of any recording. */
bool tags_is_class(int64_t tag);
/* The class's id, or 0: no class, or one of another recording. */
uint32_t tags_class(uint32_t recording, int64_t tag);

/*
 * Takes a recording's tags out of the VM, when none is set any more: of the objects in the table,
 * and of classes 1 to class_count. Each batch costs the VM a comparison of each of its tags with
 * each in the batch: some milliseconds of this thread for 16384, without a pause but with a lock
 * that a collection may have to wait for; and there are as many batches. So it ends after 10 s, or
 * when *quit is set, and what is left goes when its object dies.
 */
void tags_take_out(const struct vm *vm, JNIEnv *jni, const struct live *live, uint32_t recording,
	uint32_t class_count, const _Atomic bool *quit);

#endif
