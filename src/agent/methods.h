/* Methods resolved at first sight, while a frame of theirs is on the stack and so keeps their class
 * alive. */
#ifndef AGENT_METHODS_H
#define AGENT_METHODS_H

#include "agent/recorder.h"
#include "agent/vm.h"

/* Asks the VM about one method and adds it to the recorder. 0, ERR_JVM, ERR_FULL, ERR_NOMEM. */
int methods_resolve(const struct vm *vm, JNIEnv *jni, struct recorder *r, uint64_t vm_id);

#endif
