#include "agent/loaded_classes.h"

#include <string.h>

#include "agent/sound_ids.h"
#include "base/error.h"
#include "classfile/outline.h"

static void give_back(jvmtiEnv *env, void *at)
{
	if (at)
		(*env)->Deallocate(env, at);
}

/* "Ljava/util/HashMap;" → "java/util/HashMap". */
char *loaded_class_name(jvmtiEnv *env, jclass k)
{
	char *signature = NULL;
	if ((*env)->GetClassSignature(env, k, &signature, NULL) != JVMTI_ERROR_NONE)
		return NULL;
	size_t len = strlen(signature);
	if (len < 2 || signature[0] != 'L') {
		give_back(env, signature);
		return NULL;
	}
	memmove(signature, signature + 1, len - 2);
	signature[len - 2] = '\0';
	return signature;
}

static bool is_wanted(jvmtiEnv *env, jclass k, loaded_class_wanted *wanted, void *arg)
{
	char *name = loaded_class_name(env, k);
	bool is = name && wanted(arg, name);
	give_back(env, name);
	return is;
}

int loaded_classes_find(struct loaded_classes *c, jvmtiEnv *env, JNIEnv *jni,
	loaded_class_wanted *wanted, void *arg)
{
	jint count = 0;
	jclass *all = NULL;
	int err = ERR_NONE;
	*c = (struct loaded_classes){.wanted = {.at = NULL}};
	if ((*env)->GetLoadedClasses(env, &count, &all) != JVMTI_ERROR_NONE)
		return ERR_JVM;
	for (jint i = 0; i < count; i++) {
		bool keep = !err && is_wanted(env, all[i], wanted, arg);
		err = keep ? vec_push(&c->wanted, all[i]) : err;
		if (!keep || err)
			(*jni)->DeleteLocalRef(jni, all[i]);
	}
	give_back(env, all);
	return err;
}

void loaded_classes_cut(struct loaded_classes *c, JNIEnv *jni, size_t count)
{
	while (c->wanted.count > count)
		(*jni)->DeleteLocalRef(jni, c->wanted.at[--c->wanted.count]);
}

void loaded_classes_release(struct loaded_classes *c, JNIEnv *jni)
{
	loaded_classes_cut(c, jni, 0);
	vec_release(&c->wanted);
}

int32_t loader_number(jvmtiEnv *env, jobject loader)
{
	jint hash = 0;
	if (loader && (*env)->GetObjectHashCode(env, loader, &hash) != JVMTI_ERROR_NONE)
		hash = 0;
	return hash;
}

int32_t loaded_class_loader(jvmtiEnv *env, JNIEnv *jni, jclass k)
{
	jobject loader = NULL;
	if ((*env)->GetClassLoader(env, k, &loader) != JVMTI_ERROR_NONE || !loader)
		return 0;
	int32_t number = loader_number(env, loader);
	(*jni)->DeleteLocalRef(jni, loader);
	return number;
}

/* On failure JVMTI leaves what it was to fill in undefined. */
bool loaded_method_ask(struct loaded_method *m, jvmtiEnv *env, JNIEnv *jni, jmethodID id)
{
	jclass owner = NULL;
	char *name = NULL, *descriptor = NULL;
	*m = (struct loaded_method){.class_name = NULL};
	if (!sound_id(id) ||
		(*env)->GetMethodName(env, id, &name, &descriptor, NULL) != JVMTI_ERROR_NONE)
		return false;
	m->name = name;
	m->descriptor = descriptor;
	if ((*env)->GetMethodDeclaringClass(env, id, &owner) != JVMTI_ERROR_NONE)
		return false;
	m->class_name = loaded_class_name(env, owner);
	m->loader = loaded_class_loader(env, jni, owner);
	(*jni)->DeleteLocalRef(jni, owner);
	return m->class_name;
}

void loaded_method_release(struct loaded_method *m, jvmtiEnv *env)
{
	give_back(env, m->class_name);
	give_back(env, m->name);
	give_back(env, m->descriptor);
}

uint64_t loaded_method_outline(jvmtiEnv *env, jmethodID id)
{
	jint len = 0;
	unsigned char *code = NULL;
	if (!sound_id(id) || (*env)->GetBytecodes(env, id, &len, &code) != JVMTI_ERROR_NONE)
		return 0;
	uint64_t outline = code_outline(slice(code, len > 0 ? (size_t)len : 0));
	give_back(env, code);
	return outline;
}

jlocation loaded_method_len(jvmtiEnv *env, jmethodID id)
{
	jlocation start = -1, end = -1;
	bool told = sound_id(id) &&
		    (*env)->GetMethodLocation(env, id, &start, &end) == JVMTI_ERROR_NONE;
	return told ? end + 1 : 0;
}
