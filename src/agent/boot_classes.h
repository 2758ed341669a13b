/*
 * Loaded classes of the boot loader, by their names: for as many names as are asked for in one
 * listing of the VM's classes, which takes a VM of many classes milliseconds.
 */
#ifndef AGENT_BOOT_CLASSES_H
#define AGENT_BOOT_CLASSES_H

#include <jvmti.h>
#include <stddef.h>

struct boot_class {
	const char *name; /* borrowed; as in the VM: java/util/HashMap */
	jclass k;         /* a local reference, owned; NULL: none is loaded */
};

/* In the order of the names, each once. */
struct boot_classes {
	struct boot_class *at; /* owned */
	size_t count;
};

/* 0, ERR_NOMEM, ERR_JVM: then there is none. To be released in any case. In a thread that the VM
 * knows. */
int boot_classes_find(
	struct boot_classes *b, jvmtiEnv *env, JNIEnv *jni, const char *const *names, size_t count);
void boot_classes_release(struct boot_classes *b, JNIEnv *jni);
/* Borrowed; NULL: none, or the name was not asked for. */
jclass boot_classes_get(const struct boot_classes *b, const char *name);

#endif
