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

static int look_at(struct loaded_classes *c, jclass k, loaded_class_wanted *wanted, void *arg)
{
	char *name = loaded_class_name(c->env, k);
	int err = name && wanted(arg, name) ? vec_push(&c->wanted, k) : ERR_NONE;
	give_back(c->env, name);
	return err;
}

int loaded_classes_find(
	struct loaded_classes *c, jvmtiEnv *env, loaded_class_wanted *wanted, void *arg)
{
	*c = (struct loaded_classes){.env = env};
	int err = (*env)->GetLoadedClasses(env, &c->all_count, &c->all) == JVMTI_ERROR_NONE
			  ? ERR_NONE
			  : ERR_JVM;
	if (err)
		c->all = NULL; /* it means nothing then */
	for (jint i = 0; !err && i < c->all_count; i++)
		err = look_at(c, c->all[i], wanted, arg);
	return err;
}

void loaded_classes_release(struct loaded_classes *c, JNIEnv *jni)
{
	for (jint i = 0; c->all && i < c->all_count; i++)
		(*jni)->DeleteLocalRef(jni, c->all[i]);
	give_back(c->env, c->all);
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
