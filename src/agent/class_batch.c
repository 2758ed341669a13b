#include "agent/class_batch.h"

#include <stdatomic.h>
#include <string.h>

#include "agent/running.h"
#include "base/error.h"
#include "base/mem.h"

/*
 * The classes that this thread has exchanged: what is asked about them is its own doing. Java code
 * may run meanwhile, another agent's transformer or the VM's own, and have classes exchanged by
 * itself: a local reference of ours is not one of that code's, global ones are anyone's.
 */
static _Thread_local struct {
	const jclass *at;
	jclass *global;
	size_t count;
} exchanging;

int class_batch_find(
	struct class_batch *b, jvmtiEnv *env, JNIEnv *jni, loaded_class_wanted *wanted, void *arg)
{
	*b = (struct class_batch){.env = env, .jni = jni};
	int err = loaded_classes_find(&b->found, env, jni, wanted, arg);
	if (err)
		class_batch_cut(b, 0);
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
		else
			(*b->jni)->DeleteLocalRef(b->jni, b->found.wanted.at[i]);
	b->found.wanted.count = kept;
}

bool class_batch_cut(struct class_batch *b, size_t most)
{
	bool more = b->found.wanted.count > most;
	loaded_classes_cut(&b->found, b->jni, most);
	return more;
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

static jclass *hold(JNIEnv *jni, const jclass *classes, size_t count)
{
	jclass *global = mem_alloc((count + 1) * sizeof(*global));
	for (size_t i = 0; global && i < count; i++)
		global[i] = (*jni)->NewGlobalRef(jni, classes[i]);
	return global;
}

/* Odd: an exchange is under way. One thread at a time exchanges. */
static _Atomic uint32_t moment;

uint32_t class_batch_moment(void)
{
	return atomic_load(&moment);
}

bool class_batch_holds(uint32_t then)
{
	return then % 2 == 0 && atomic_load(&moment) == then;
}

static void let_go(JNIEnv *jni, jclass *global, size_t count)
{
	for (size_t i = 0; i < count; i++)
		(*jni)->DeleteGlobalRef(jni, global[i]);
	mem_free(global);
}

bool class_batch_exchange(jvmtiEnv *env, JNIEnv *jni, const jclass *classes, size_t count)
{
	jclass *global = hold(jni, classes, count);
	if (!global)
		return false;
	exchanging.at = classes;
	exchanging.global = global;
	exchanging.count = count;
	atomic_fetch_add(&moment, 1);
	jvmtiError err = (*env)->RetransformClasses(env, (jint)count, classes);
	atomic_fetch_add(&moment, 1);
	exchanging.count = 0;
	let_go(jni, global, count);
	return err == JVMTI_ERROR_NONE;
}

jclass class_batch_own(JNIEnv *jni, jclass exchanged)
{
	for (size_t i = 0; i < exchanging.count; i++)
		if ((*jni)->IsSameObject(jni, exchanging.global[i], exchanged))
			return exchanging.at[i];
	return NULL;
}
