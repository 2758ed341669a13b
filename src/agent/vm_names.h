/*
 * Names of classes and methods as they lie in the VM's memory, for the trace: where the VM can't be
 * called, in the middle of an allocation.
 */
#ifndef AGENT_VM_NAMES_H
#define AGENT_VM_NAMES_H

#include "agent/recorder.h"
#include "hotspot/method_ids.h"
#include "hotspot/methods.h"

enum { VM_SIGNATURE_MAX = NAME_READ + 2 };

/* As JVMTI writes it: Ljava/lang/String;, [I. Cut behind NAME_READ bytes. */
void vm_signature(const struct vm_objects *o, uintptr_t klass, char out[VM_SIGNATURE_MAX]);
/* The same of a class that may have been unloaded; false: it can't be read. */
bool vm_signature_peek(const struct vm_objects *o, uintptr_t klass, char out[VM_SIGNATURE_MAX]);
/* Makes a method known to the recorder that is not known yet; one that can't be told is refused,
 * and frames of it are left out. The thread is in it; 0: nothing is done. */
void vm_name_method(struct recorder *r, const struct vm_methods *m, uint64_t id, uintptr_t method);
/* The same of a jmethodID's, whose class may be unloaded at any moment: then nothing is done. */
void vm_name_method_by_id(
	struct recorder *r, const struct vm_methods *m, const struct method_ids *ids, uint64_t id);

#endif
