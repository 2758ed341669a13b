/* Classes that the VM has loaded, by their names. */
#ifndef AGENT_LOADED_CLASSES_H
#define AGENT_LOADED_CLASSES_H

#include <jvmti.h>
#include <stdbool.h>

#include "base/vec.h"

/* Those that were wanted; all of the VM's list is kept as references until the release. */
struct loaded_classes {
	jvmtiEnv *env;
	jclass *all; /* the VM's memory */
	jint all_count;
	VEC(jclass) wanted; /* of them */
};

/* Whether the class of that name (java/util/HashMap) is wanted. */
typedef bool loaded_class_wanted(void *arg, const char *name);
/* 0, ERR_NOMEM, ERR_JVM. To be released in any case. */
int loaded_classes_find(
	struct loaded_classes *c, jvmtiEnv *env, loaded_class_wanted *wanted, void *arg);
void loaded_classes_release(struct loaded_classes *c, JNIEnv *jni);

/* The name as above, to be given back with Deallocate; NULL for arrays and where the VM does not
 * tell. */
char *loaded_class_name(jvmtiEnv *env, jclass k);

#endif
