#include "agent/sought_methods.h"

#include <stdlib.h>
#include <string.h>

#include "agent/loaded_classes.h"
#include "agent/sound_ids.h"
#include "base/error.h"

/* In the order of their classes. */
struct search {
	struct sought_method *at;
	size_t count;
	jvmtiEnv *env;
};

static int by_class(const void *a, const void *b)
{
	const struct sought_method *x = a, *y = b;
	return strcmp(x->class_name, y->class_name);
}

/* A part of s. */
static struct search of_class(const struct search *s, const char *name)
{
	struct sought_method key = {.class_name = name};
	struct sought_method *end = s->at + s->count,
			     *from = bsearch(&key, s->at, s->count, sizeof(key), by_class),
			     *to = from;
	while (from && from > s->at && by_class(&from[-1], &key) == 0)
		from--;
	while (to && to < end && by_class(to, &key) == 0)
		to++;
	return (struct search){from, (size_t)(to - from), s->env};
}

static bool is_sought(void *arg, const char *name)
{
	return of_class(arg, name).count > 0;
}

static bool is_open(const struct sought_method *m, int32_t loader)
{
	return !m->found && (!m->one_loader || m->loader == loader);
}

static bool any_open(const struct search *of, int32_t loader)
{
	for (size_t i = 0; i < of->count; i++)
		if (is_open(&of->at[i], loader))
			return true;
	return false;
}

static void see_method(const struct search *of, int32_t loader, jmethodID id)
{
	char *name = NULL, *descriptor = NULL;
	if (!sound_id(id) || (*of->env)->GetMethodName(of->env, id, &name, &descriptor, NULL) !=
				     JVMTI_ERROR_NONE)
		return;
	for (size_t i = 0; i < of->count; i++) {
		struct sought_method *m = &of->at[i];
		if (is_open(m, loader) && strcmp(m->name, name) == 0 &&
			strcmp(m->descriptor, descriptor) == 0)
			m->found = (uint64_t)(uintptr_t)id;
	}
	(*of->env)->Deallocate(of->env, (unsigned char *)name);
	(*of->env)->Deallocate(of->env, (unsigned char *)descriptor);
}

static void see_class(const struct search *of, int32_t loader, jclass k)
{
	jint count = 0;
	jmethodID *methods = NULL;
	for (size_t i = 0; i < of->count; i++)
		of->at[i].classes++;
	if (!any_open(of, loader) ||
		(*of->env)->GetClassMethods(of->env, k, &count, &methods) != JVMTI_ERROR_NONE)
		return;
	for (jint i = 0; i < count; i++)
		see_method(of, loader, methods[i]);
	(*of->env)->Deallocate(of->env, (unsigned char *)methods);
}

static void see_classes(const struct search *s, const struct loaded_classes *c, JNIEnv *jni)
{
	for (size_t i = 0; i < c->wanted.count; i++) {
		jclass k = c->wanted.at[i];
		char *name = loaded_class_name(s->env, k);
		if (!name)
			continue;
		struct search of = of_class(s, name);
		see_class(&of, loaded_class_loader(s->env, jni, k), k);
		(*s->env)->Deallocate(s->env, (unsigned char *)name);
	}
}

int sought_methods_find(struct sought_method *list, size_t count, jvmtiEnv *env, JNIEnv *jni)
{
	struct loaded_classes c;
	struct search s = {list, count, env};
	if (!count)
		return ERR_NONE;
	qsort(list, count, sizeof(*list), by_class);
	int err = loaded_classes_find(&c, env, jni, is_sought, &s);
	if (!err)
		see_classes(&s, &c, jni);
	loaded_classes_release(&c, jni);
	for (size_t i = 0; i < count; i++)
		if (!list[i].one_loader && list[i].classes != 1)
			list[i].found = 0;
	return err;
}
