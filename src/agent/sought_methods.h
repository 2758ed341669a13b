/*
 * Methods that are sought among the loaded classes by the program's names: all of them in one
 * listing of the classes, which takes a VM of many classes milliseconds.
 */
#ifndef AGENT_SOUGHT_METHODS_H
#define AGENT_SOUGHT_METHODS_H

#include <jvmti.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Texts are borrowed. */
struct sought_method {
	const char *class_name; /* as in the VM: java/util/HashMap */
	const char *name, *descriptor;
	/* In the class of that loader (loaded_classes.h); else in the only one of its name, if
	 * there is only one. */
	bool one_loader;
	int32_t loader;
	size_t of; /* the caller's own number for it */

	uint64_t found;   /* the VM's id; 0: no such, or the class is not linked yet */
	uint32_t classes; /* loaded ones of that name */
};

/* found and classes are 0 before. Orders the list anew. 0, or ERR_NOMEM, ERR_JVM: then none is
 * found. In a thread that the VM knows. */
int sought_methods_find(struct sought_method *list, size_t count, jvmtiEnv *env, JNIEnv *jni);

#endif
