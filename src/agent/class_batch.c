#include "agent/class_batch.h"

#include <string.h>

#include "agent/running.h"
#include "base/error.h"
#include "base/mem.h"

/* The classes that this thread has exchanged: what is asked about them is its own doing. */
static _Thread_local struct {
	const jclass *at;
	size_t count;
} exchanging;

int class_batch_find(
	struct class_batch *b, jvmtiEnv *env, JNIEnv *jni, loaded_class_wanted *wanted, void *arg)
{
	*b = (struct class_batch){.env = env, .jni = jni};
	int err = loaded_classes_find(&b->found, env, wanted, arg);
	if (err)
		b->found.wanted.count = 0;
	return err;
}

void class_batch_release(struct class_batch *b)
{
	loaded_classes_release(&b->found, b->jni);
	mem_free(b->watched);
	mem_free(b->works);
}

static bool passes(const struct class_batch *b, jclass k, class_test *test, void *arg)
{
	char *name = loaded_class_name(b->env, k);
	if (!name)
		return false;
	struct batch_class c = {b, k, name, loaded_class_loader(b->env, b->jni, k)};
	bool good = test(arg, &c);
	(*b->env)->Deallocate(b->env, (unsigned char *)name);
	return good;
}

void class_batch_keep(struct class_batch *b, class_test *test, void *arg)
{
	size_t kept = 0;
	for (size_t i = 0; i < b->found.wanted.count; i++)
		if (passes(b, b->found.wanted.at[i], test, arg))
			b->found.wanted.at[kept++] = b->found.wanted.at[i];
	b->found.wanted.count = kept;
}

void class_batch_watch(struct class_batch *b)
{
	size_t count = b->found.wanted.count;
	jclass *classes = count ? mem_alloc(count * sizeof(*classes)) : NULL;
	bool *works = classes ? mem_zalloc(count, sizeof(*works)) : NULL;
	if (works) {
		memcpy(classes, b->found.wanted.at, count * sizeof(*classes));
		running_find(b->env, b->jni, classes, count, works);
	}
	b->watched = classes;
	b->works = works;
	b->watched_count = works ? count : 0;
}

bool class_batch_works(const struct class_batch *b, jclass k)
{
	for (size_t i = 0; i < b->watched_count; i++)
		if (b->watched[i] == k)
			return b->works[i];
	return true;
}

bool class_batch_exchange(jvmtiEnv *env, const jclass *classes, size_t count)
{
	exchanging.at = classes;
	exchanging.count = count;
	jvmtiError err = (*env)->RetransformClasses(env, (jint)count, classes);
	exchanging.count = 0;
	return err == JVMTI_ERROR_NONE;
}

jclass class_batch_own(JNIEnv *jni, jclass exchanged)
{
	for (size_t i = 0; i < exchanging.count; i++)
		if ((*jni)->IsSameObject(jni, exchanging.at[i], exchanged))
			return exchanging.at[i];
	return NULL;
}
