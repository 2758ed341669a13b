/* Classes that the VM has loaded, by their names, and by their loaders. */
#ifndef AGENT_LOADED_CLASSES_H
#define AGENT_LOADED_CLASSES_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

/* Those that were wanted, as references; what is held by one can't be unloaded, nor can anything
 * of its loader. */
struct loaded_classes {
	VEC(jclass) wanted;
};

/* Whether the class of that name (java/util/HashMap) is wanted. */
typedef bool loaded_class_wanted(void *arg, const char *name);
/* 0, ERR_NOMEM, ERR_JVM. To be released in any case. */
int loaded_classes_find(struct loaded_classes *c, jvmtiEnv *env, JNIEnv *jni,
	loaded_class_wanted *wanted, void *arg);
/* Keeps the first ones. */
void loaded_classes_cut(struct loaded_classes *c, JNIEnv *jni, size_t count);
void loaded_classes_release(struct loaded_classes *c, JNIEnv *jni);

/* The name as above, to be given back with Deallocate; NULL for arrays and where the VM does not
 * tell. */
char *loaded_class_name(jvmtiEnv *env, jclass k);

/*
 * What tells loaders apart: the identity hash code, which an object keeps for life, and for which
 * it need not be held; 0: the boot loader, and where the VM does not tell. Two loaders of one
 * program that have classes of the same name share it once in 2^31.
 */
int32_t loader_number(jvmtiEnv *env, jobject loader);
int32_t loaded_class_loader(jvmtiEnv *env, JNIEnv *jni, jclass k);

/* A method of a loaded class: texts are the VM's memory. */
struct loaded_method {
	char *class_name, *name, *descriptor;
	int32_t loader;
};
/* Whether the VM tells. To be released in any case. */
bool loaded_method_ask(struct loaded_method *m, jvmtiEnv *env, JNIEnv *jni, jmethodID id);
void loaded_method_release(struct loaded_method *m, jvmtiEnv *env);
/* The outline of the code that the VM has for it (classfile/outline.h); 0: none. */
uint64_t loaded_method_outline(jvmtiEnv *env, jmethodID id);
/* Bytes of that code. */
jlocation loaded_method_len(jvmtiEnv *env, jmethodID id);

#endif
