#include "agent/boot_classes.h"

#include <stdlib.h>
#include <string.h>

#include "agent/loaded_classes.h"
#include "base/error.h"
#include "base/mem.h"

static int by_name(const void *a, const void *b)
{
	const struct boot_class *x = a, *y = b;
	return strcmp(x->name, y->name);
}

static struct boot_class *find(const struct boot_classes *b, const char *name)
{
	struct boot_class key = {.name = name};
	return b->count ? bsearch(&key, b->at, b->count, sizeof(key), by_name) : NULL;
}

static bool is_wanted(void *arg, const char *name)
{
	return find(arg, name) != NULL;
}

static int put_names(struct boot_classes *b, const char *const *names, size_t count)
{
	*b = (struct boot_classes){.at = mem_zalloc(count + 1, sizeof(*b->at))};
	if (!b->at)
		return ERR_NOMEM;
	for (size_t i = 0; i < count; i++)
		b->at[i].name = names[i];
	qsort(b->at, count, sizeof(*b->at), by_name);
	for (size_t i = 0; i < count; i++)
		if (!b->count || by_name(&b->at[b->count - 1], &b->at[i]) != 0)
			b->at[b->count++] = b->at[i];
	return ERR_NONE;
}

static bool is_boot(jvmtiEnv *env, JNIEnv *jni, jclass k)
{
	jobject loader = NULL;
	if ((*env)->GetClassLoader(env, k, &loader) != JVMTI_ERROR_NONE)
		return false;
	bool boot = !loader;
	(*jni)->DeleteLocalRef(jni, loader);
	return boot;
}

static void take(struct boot_classes *b, jvmtiEnv *env, JNIEnv *jni, jclass k)
{
	char *name = loaded_class_name(env, k);
	if (!name)
		return;
	struct boot_class *c = find(b, name);
	if (c && !c->k && is_boot(env, jni, k))
		c->k = (*jni)->NewLocalRef(jni, k);
	(*env)->Deallocate(env, (unsigned char *)name);
}

int boot_classes_find(
	struct boot_classes *b, jvmtiEnv *env, JNIEnv *jni, const char *const *names, size_t count)
{
	struct loaded_classes all;
	int err = put_names(b, names, count);
	if (err || !count)
		return err;
	err = loaded_classes_find(&all, env, jni, is_wanted, b);
	for (size_t i = 0; !err && i < all.wanted.count; i++)
		take(b, env, jni, all.wanted.at[i]);
	loaded_classes_release(&all, jni);
	return err;
}

void boot_classes_release(struct boot_classes *b, JNIEnv *jni)
{
	for (size_t i = 0; i < b->count; i++)
		if (b->at[i].k)
			(*jni)->DeleteLocalRef(jni, b->at[i].k);
	mem_free(b->at);
	*b = (struct boot_classes){.at = NULL};
}

jclass boot_classes_get(const struct boot_classes *b, const char *name)
{
	const struct boot_class *c = find(b, name);
	return c ? c->k : NULL;
}
