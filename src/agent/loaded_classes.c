#include "agent/loaded_classes.h"

#include <string.h>

#include "base/error.h"

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
