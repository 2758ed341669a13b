/*
 * jmethodIDs that the VM may be asked about: it crashes on some that it hands out itself where a
 * class has been redefined (hotspot/method_proof.h). So all that come of stacks, of compiled code
 * and of GetClassMethods are looked at before they go back to it.
 */
#ifndef AGENT_SOUND_IDS_H
#define AGENT_SOUND_IDS_H

#include <stdbool.h>

#include "agent/vm.h"

/* In the live phase, by a thread that the VM knows. Nothing is learned where ids are numbers, which
 * the VM looks up, and where the kernel does not read for us (heap_peek). */
void sound_ids_learn(const struct vm *vm, JNIEnv *jni);
/* Any thread. True of all until something has been learned. */
bool sound_id(jmethodID id);

#endif
